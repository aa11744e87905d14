package daily

import (
	"context"
	"log/slog"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// Moderation sets for moderators where a server has the puzzle posted, and records that: an audit entry in the store and a line
// in the log. It does not check that a user is a moderator: its callers must, before each request.
type Moderation struct {
	Store interface {
		Post(ctx context.Context, v match.Venue) (Post, error)
		SetPost(ctx context.Context, p Post, entry policy.AuditEntry, names ...match.Name) error
	}
	Log *slog.Logger
}

// SetChannel sets the channel in which the venue of the request has the puzzle posted from tomorrow on, "" for none. The posts
// are in the given language if the venue has chosen none. If nothing changes, there is no audit entry.
func (m *Moderation) SetChannel(ctx context.Context, req match.Request, channel, language string) (Post, error) {
	p, err := m.Store.Post(ctx, req.Venue)
	if err != nil || p.Channel == channel && p.Closed == "" {
		return p, err
	}
	p.Channel, p.Language, p.Closed, p.Next = channel, language, "", max(p.Next, puzzle.DayOf(req.At)+1)
	entry := policy.AuditEntry{ID: req.ID, Venue: req.Venue, By: req.By, At: req.At, Kind: policy.PostPuzzles}
	if channel != "" {
		entry.Chosen = []string{channel}
	}
	if err := m.Store.SetPost(ctx, p, entry, req.Names...); err != nil {
		return p, err
	}
	m.Log.InfoContext(ctx, "moderation", "entry", entry.ID, "kind", entry.Kind, "venue", entry.Venue, "chosen", entry.Chosen)
	return p, nil
}
