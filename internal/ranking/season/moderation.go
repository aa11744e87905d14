package season

import (
	"context"
	"errors"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Begin begins a season of the venue of the request, at its time, and records that a moderator did; see [Store]. Of the season it takes the
// number, the name, the planned end and the channel.
func Begin(ctx context.Context, by *policy.Moderation, store Store, req match.Request, s Season) (Season, error) {
	s.Venue, s.By, s.Began = req.Venue, req.By, req.At
	return s, by.Record(ctx, req, policy.AuditEntry{Kind: policy.BeginSeason, Chosen: strings.Fields(s.Name)}, func(e policy.AuditEntry) error {
		return store.BeginSeason(ctx, s, e, req.Names...)
	})
}

// Undo undoes the season that an entry of the audit log has begun, for [policy.Moderation]. The refusal is NotLatest if
// another season has begun since.
func Undo(ctx context.Context, store Store, begun, undo policy.AuditEntry, names ...match.Name) error {
	all, err := store.Seasons(ctx, begun.Venue)
	if err != nil {
		return err
	}
	if len(all) == 0 || !all[0].Began.Equal(begun.At) {
		return &match.Refusal{Reason: match.NotLatest}
	}
	if err = store.UndoSeason(ctx, all[0], undo, names...); errors.Is(err, match.ErrConflict) {
		err = &match.Refusal{Reason: match.NotLatest}
	}
	return err
}
