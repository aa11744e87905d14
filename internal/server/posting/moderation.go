//go:build !js

package posting

import (
	"context"
	"slices"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// Set changes posts in the venue of the request, from its next day, week or month on, and adds an entry to the audit log. It does nothing if
// from and to are equal and the channel is open to the bot. Posts are in to.Language if the venue has chosen no language.
func Set(ctx context.Context, by *policy.Moderation, store Store, req match.Request, from, to Post) error {
	same := from
	same.Language = to.Language
	changed := to != same
	if !changed && !from.Blocked {
		return nil
	}
	to.Next = to.Every.After(puzzle.DayOf(req.At))
	entry := policy.AuditEntry{Kind: policy.PostPuzzles, Chosen: to.choice()}
	if to.Kind == Leaderboard {
		entry.Kind = policy.PostLeaderboards
	}
	if changed {
		entry.Was = append([]string{string(entry.Kind)}, from.choice()...)
	}
	return by.Record(ctx, req, entry, func(e policy.AuditEntry) error { return store.SetPost(ctx, to, e, req.Names...) })
}

// Undo sets posts of a kind to what they were before an entry of the audit log. The refusal is ChangedSince if a moderator has changed them
// since.
func Undo(store Store, kind Kind) policy.Undoing {
	return func(ctx context.Context, undone, undo policy.AuditEntry, names ...match.Name) error {
		p, err := store.Post(ctx, undone.Venue, kind)
		if err != nil {
			return err
		}
		if !slices.Equal(p.choice(), undone.Chosen) {
			return &match.Refusal{Reason: match.ChangedSince}
		}
		p.Choose(undone.Was[1:])
		p.Next = p.Every.After(puzzle.DayOf(undo.At))
		return store.SetPost(ctx, p, undo, names...)
	}
}
