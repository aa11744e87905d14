//go:build !js

package daily

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// SetChannel chooses the channel in which the venue of the request gets the puzzle from tomorrow on; "" means no channel. It adds
// an entry to the audit log, unless nothing changes. Posts are in the given language if the venue has chosen no language.
func SetChannel(ctx context.Context, by *policy.Moderation, store Store, req match.Request, channel, language string) error {
	p, err := store.Post(ctx, req.Venue)
	if err != nil || p.Channel == channel && p.Closed == "" {
		return err
	}
	p.Channel, p.Language, p.Closed, p.Next = channel, language, "", max(p.Next, puzzle.DayOf(req.At)+1)
	entry := policy.AuditEntry{Kind: policy.PostPuzzles}
	if channel != "" {
		entry.Chosen = []string{channel}
	}
	return by.Record(ctx, req, entry, func(e policy.AuditEntry) error { return store.SetPost(ctx, p, e, req.Names...) })
}
