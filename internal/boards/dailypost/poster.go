// Package dailypost posts the puzzle of each day in the channels that servers have chosen.
package dailypost

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards/announce"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
)

const (
	// Busy is how long a claimed post is left to whoever has claimed it.
	Busy = 20 * time.Second
	// Skew is how much the clocks of Discord and the bot may differ when a channel is searched for a post.
	Skew = 15 * time.Minute
	// atOnce is how many servers are looked at in a pass.
	atOnce = 1000
)

// ErrOff says that a server does not want its members to solve puzzles.
var ErrOff = errors.New("puzzles are switched off")

// Poster posts the puzzle of the day, from midnight UTC on. The store tells any number of processes which posts are due, and lets
// one of them make each. A post that may not have arrived is sent again with the same nonce for a while. After that its channel
// is searched, and it is posted again only if it is certainly not there. After midnight nobody posts the puzzle of the day
// before.
type Poster struct {
	Store   daily.Store
	Painter interface {
		// PuzzlePost draws the post of a day. Its error may be ErrOff.
		PuzzlePost(ctx context.Context, p daily.Post, day puzzle.Day) ([]discordgo.MessageComponent, error)
		// IsPuzzlePost tells by the custom_ids on a message whether it is the post of that day.
		IsPuzzlePost(carried []string, day puzzle.Day) bool
	}
	Messenger interface {
		announce.Messenger
		Latest(ctx context.Context, channel string) (bot.History, error)
	}
	Clock *clock.Clock
	Log   *slog.Logger
	// Report is told what became of each post, if it is set, by several goroutines.
	Report func(Outcome)

	turn announce.Turn
}

// Outcome is what became of a post.
type Outcome string

// The outcomes.
const (
	Posted  Outcome = "posted"
	Closed  Outcome = "closed"  // the bot may not write there; nothing is posted there any more
	Refused Outcome = "refused" // Discord does not take it
	Off     Outcome = "off"     // the server has switched puzzles off
	Unclear Outcome = "unclear" // it is not known whether it was posted
)

// Outcomes are all of them.
func Outcomes() []Outcome { return []Outcome{Posted, Closed, Refused, Off, Unclear} }

// Run works until the context ends.
func (a *Poster) Run(ctx context.Context) {
	background.Repeat(ctx, a.Clock, a.Log, "post the puzzle of the day", background.Once(a.Act))
}

// Act posts what is due, and returns when that is done.
func (a *Poster) Act(ctx context.Context) error {
	return a.turn.Do(ctx, func() error {
		claimed, failed := a.Store.ClaimedPosts(ctx)
		failed = errors.Join(failed, announce.Each(ctx, claimed, a.resume))
		due, err := a.Store.DuePosts(ctx, a.today(), atOnce)
		return errors.Join(failed, err, announce.Each(ctx, due, func(ctx context.Context, p daily.Post) error {
			today := a.today() // midnight may have come since
			if p.Next > today {
				return nil
			}
			return a.post(ctx, p, today, true)
		}))
	})
}

// today is the day by the bot's clock.
func (a *Poster) today() puzzle.Day { return puzzle.DayOf(a.Clock.Now()) }

// resume goes on with a post that somebody has set about, perhaps a process that has ended since.
func (a *Poster) resume(ctx context.Context, p daily.Post) error {
	switch since := a.Clock.Now().Sub(p.Claimed); {
	case p.Channel == "" || p.Day() != a.today():
		return a.done(ctx, p, Unclear, nil)
	case since >= 0 && since < Busy:
		return nil
	case since >= 0 && since <= announce.Certain:
		return a.post(ctx, p, p.Day(), false)
	default:
		return a.look(ctx, p)
	}
}

// look looks for a post in its channel, and posts it if it is not there.
func (a *Poster) look(ctx context.Context, p daily.Post) error {
	h, err := a.Messenger.Latest(ctx, p.Channel)
	switch {
	case errors.Is(err, bot.ErrForbidden), errors.Is(err, bot.ErrMessageGone):
		return a.done(ctx, p, Closed, err)
	case err != nil: // it is tried again
		return ignoring(fmt.Errorf("look for the puzzle of %v in %s: %w", p.Day(), p.Venue, err), bot.ErrRateLimited)
	}
	for _, m := range h.Own {
		if a.Painter.IsPuzzlePost(m.Carried, p.Day()) {
			return a.done(ctx, p, Posted, nil)
		}
	}
	if h.Since.IsZero() || !h.All && !h.Since.Before(p.Claimed.Add(-Skew)) {
		return a.done(ctx, p, Unclear, nil)
	}
	again, err := a.Store.ClaimPost(ctx, p, p.Day(), a.Clock.Now())
	if err == nil {
		return a.post(ctx, again, p.Day(), false)
	}
	if errors.Is(err, match.ErrConflict) {
		return nil
	}
	return err
}

// post posts the puzzle of a day in the channel of a server, which is claimed first if it has to be.
func (a *Poster) post(ctx context.Context, p daily.Post, day puzzle.Day, claim bool) error {
	m := announce.Message{
		Guild: string(p.Venue), Channel: p.Channel, Nonce: announce.Nonce("puzzle", string(p.Venue), day.String()),
		Draw: func(ctx context.Context) ([]discordgo.MessageComponent, error) {
			return a.Painter.PuzzlePost(ctx, p, day)
		},
	}
	claimed := func(ctx context.Context) (err error) {
		p, err = a.Store.ClaimPost(ctx, p, day, a.Clock.Now())
		return err
	}
	if claim {
		m.Claim = claimed
	}
	r := announce.Post(ctx, a.Messenger, m)
	switch {
	case errors.Is(r.Err, ErrOff):
		if claim {
			if err := claimed(ctx); err != nil {
				return ignoring(err, match.ErrConflict)
			}
		}
		return a.done(ctx, p, Off, nil)
	case r.Outcome == announce.Posted:
		return a.done(ctx, p, Posted, nil)
	case r.Outcome == announce.Closed:
		return a.done(ctx, p, Closed, r.Err)
	case r.Outcome == announce.Refused:
		return a.done(ctx, p, Refused, r.Err)
	case r.Outcome == announce.Unknown && !r.Arrived && claim:
		return a.Store.ReleasePost(ctx, p)
	case r.Outcome == announce.Unknown, r.Outcome == announce.Taken:
		return nil
	default:
		return ignoring(fmt.Errorf("puzzle of %v in %s: %w", day, p.Venue, r.Err), bot.ErrRateLimited)
	}
}

// ignoring returns err, or nil if it is passing.
func ignoring(err, passing error) error {
	if errors.Is(err, passing) {
		return nil
	}
	return err
}

// done notes what became of a post, and says so once.
func (a *Poster) done(ctx context.Context, p daily.Post, what Outcome, why error) error {
	if err := a.Store.SettlePost(ctx, p, what == Closed); err != nil {
		return err
	}
	level := slog.LevelInfo
	if what == Refused || what == Unclear || what == Closed {
		level = slog.LevelWarn
	}
	args := []any{"outcome", what, "venue", p.Venue, "day", p.Day().String(), "channel", p.Channel}
	if why != nil {
		args = append(args, "err", why)
	}
	a.Log.Log(ctx, level, "puzzle of the day", args...)
	if a.Report != nil {
		a.Report(what)
	}
	return nil
}
