//go:build !js

package posting

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// Set changes posts in the venue of the request, from its next day, week or month on, and adds an entry to the audit log. It does nothing if
// from and to are equal and the channel is open to the bot. Posts are in to.Language if the venue has chosen no language.
func Set(ctx context.Context, by *policy.Moderation, store Store, req match.Request, from, to Post) error {
	same := from
	same.Language = to.Language
	if to == same && !from.Blocked {
		return nil
	}
	to.Next = to.Every.After(puzzle.DayOf(req.At))
	entry := policy.AuditEntry{Kind: policy.PostPuzzles}
	if to.Channel != "" {
		entry.Chosen = []string{to.Channel}
	}
	if to.Kind == Leaderboard {
		entry.Kind = policy.PostLeaderboards
		if to.Channel != "" {
			entry.Chosen = append(entry.Chosen, to.Board, string(to.Every))
		}
	}
	return by.Record(ctx, req, entry, func(e policy.AuditEntry) error { return store.SetPost(ctx, to, e, req.Names...) })
}
