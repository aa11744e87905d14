package boards

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
)

// puzzlesAtOnce is the maximum number of servers in one pass.
const puzzlesAtOnce = 1000

// Off is an outcome that only posts of puzzles have: the server has switched the puzzles off.
const Off Outcome = "off"

// PuzzleOutcomes lists all outcomes of posts of puzzles, for metrics.
var PuzzleOutcomes = []Outcome{Posted, Closed, Refused, Unclear, Off}

// Puzzles provides the posts of the puzzle of the day, for the channels that servers have chosen. They are due from midnight UTC until the
// next midnight. A [Poster] sends them.
type Puzzles struct {
	Store   daily.Store
	Painter interface {
		// PuzzlePost draws the post of a day. It returns Skip(Off) if the server has switched the puzzles off.
		PuzzlePost(ctx context.Context, p daily.Post, day puzzle.Day) ([]discordgo.MessageComponent, error)
		// IsPuzzlePost reports whether a message with these custom_ids is the post of that day.
		IsPuzzlePost(carried []string, day puzzle.Day) bool
	}
	Clock *clock.Clock
}

// Claimed returns the posts that a process has claimed and that have no outcome.
func (u *Puzzles) Claimed(ctx context.Context) (all []*Post, err error) {
	claimed, err := u.Store.ClaimedPosts(ctx)
	for _, p := range claimed {
		m := u.post(p, p.Day())
		m.Over = p.Channel == "" || p.Day() != u.today()
		all = append(all, m)
	}
	return all, err
}

// Due returns the unclaimed posts of the puzzle of today.
func (u *Puzzles) Due(ctx context.Context) (all []*Post, err error) {
	today := u.today()
	due, err := u.Store.DuePosts(ctx, today, puzzlesAtOnce)
	for _, p := range due {
		m := u.post(p, today)
		m.Claimed = time.Time{}
		all = append(all, m)
	}
	return all, err
}

func (u *Puzzles) today() puzzle.Day { return puzzle.DayOf(u.Clock.Now()) }

func (u *Puzzles) post(p daily.Post, day puzzle.Day) *Post {
	return &Post{
		Guild: string(p.Venue), Channel: p.Channel, Nonce: nonceOf("puzzle", string(p.Venue), day.String()), Claimed: p.Claimed,
		About: []any{"day", day.String()},
		Draw: func(ctx context.Context) ([]discordgo.MessageComponent, error) {
			if u.today() != day { // midnight has passed since
				return nil, ErrNotYet
			}
			return u.Painter.PuzzlePost(ctx, p, day)
		},
		Claim: func(ctx context.Context, at time.Time) (err error) {
			p, err = u.Store.ClaimPost(ctx, p, day, at)
			return err
		},
		Release: func(ctx context.Context) error { return u.Store.ReleasePost(ctx, p) },
		Settle:  func(ctx context.Context, o Outcome) error { return u.Store.SettlePost(ctx, p, o == Closed) },
		Shows:   func(carried []string) bool { return u.Painter.IsPuzzlePost(carried, day) },
	}
}
