//go:build !js

package season

import (
	"context"
	"errors"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Begin begins a season in the venue and at the time of the request, and adds an entry to the audit log; see [Store]. It uses the
// number, the name, the planned end and the channel of s.
func Begin(ctx context.Context, by *policy.Moderation, store Store, req match.Request, s Season) (Season, error) {
	s.Venue, s.By, s.Began = req.Venue, req.By, req.At
	return s, by.Record(ctx, req, policy.AuditEntry{Kind: policy.BeginSeason, Chosen: strings.Fields(s.Name)}, func(e policy.AuditEntry) error {
		return store.BeginSeason(ctx, s, e, req.Names...)
	})
}

// Undo removes the season that was begun by an entry of the audit log. The refusal is NotLatest if another season has begun since.
func Undo(store Store) policy.Undoing {
	return func(ctx context.Context, begun, undo policy.AuditEntry, names ...match.Name) error {
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
}
