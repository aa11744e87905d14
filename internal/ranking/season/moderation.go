package season

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// Moderation begins and undoes seasons for moderators, and records that: an audit entry in the store and a line in the log.
// It does not check that a user is a moderator: its callers must, before each request.
type Moderation struct {
	Store Store
	Log   *slog.Logger
}

// Begin begins a season of the venue of the request, at its time; see [Store]. Of the season it takes the number, the name, the
// planned end and the channel.
func (m *Moderation) Begin(ctx context.Context, req match.Request, s Season) (Season, error) {
	s.Venue, s.By, s.Began = req.Venue, req.By, req.At
	entry := entryOf(req, policy.BeginSeason, s)
	if err := m.Store.BeginSeason(ctx, s, entry, req.Names...); err != nil {
		return s, err
	}
	m.log(ctx, entry)
	return s, nil
}

// Undo undoes the season that an entry of the audit log has begun, for [policy.Moderation]. The refusal is NotLatest if
// another season has begun since.
func (m *Moderation) Undo(ctx context.Context, begun, undo policy.AuditEntry, names ...match.Name) error {
	all, err := m.Store.Seasons(ctx, begun.Venue)
	if err != nil {
		return err
	}
	if len(all) == 0 || !all[0].Began.Equal(begun.At) {
		return &match.Refusal{Reason: match.NotLatest}
	}
	if err = m.Store.UndoSeason(ctx, all[0], undo, names...); errors.Is(err, match.ErrConflict) {
		err = &match.Refusal{Reason: match.NotLatest}
	}
	return err
}

func entryOf(req match.Request, kind policy.Kind, s Season) policy.AuditEntry {
	return policy.AuditEntry{ID: req.ID, Venue: req.Venue, By: req.By, At: req.At, Kind: kind, Chosen: strings.Fields(s.Name)}
}

func (m *Moderation) log(ctx context.Context, e policy.AuditEntry) {
	m.Log.InfoContext(ctx, "moderation", "entry", e.ID, "kind", e.Kind, "venue", e.Venue, "chosen", e.Chosen)
}
