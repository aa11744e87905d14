package boards

import (
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
)

// puzzlesAtOnce is how many servers one pass looks at.
const puzzlesAtOnce = 1000

// Off is a further outcome of the post of a puzzle: the server has switched the puzzles off.
const Off Outcome = "off"

// PuzzleOutcomes are all outcomes of the post of a puzzle.
var PuzzleOutcomes = []Outcome{Posted, Closed, Refused, Unclear, Off}

// Puzzles makes the posts of the puzzle of the day, from midnight UTC on, in the channels that servers have chosen.
// After midnight the puzzle of the day before is not posted any more.
type Puzzles struct {
	Store   daily.Store
	Painter interface {
		// PuzzlePost draws the post of a day. Its error may be Skip(Off).
		PuzzlePost(ctx context.Context, p daily.Post, day puzzle.Day) ([]discordgo.MessageComponent, error)
		// IsPuzzlePost reports by the custom_ids on a message whether it is the post of that day.
		IsPuzzlePost(carried []string, day puzzle.Day) bool
	}
	Clock *clock.Clock
}

// Claimed returns the posts that a process has claimed.
func (u *Puzzles) Claimed(ctx context.Context) (all []*Post, err error) {
	claimed, err := u.Store.ClaimedPosts(ctx)
	for _, p := range claimed {
		m := u.post(p, p.Day())
		m.Over = p.Channel == "" || p.Day() != u.today()
		all = append(all, m)
	}
	return all, err
}

// Due returns the unclaimed posts of today.
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
