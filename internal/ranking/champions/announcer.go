// Package champions posts the champions of a season when it is over.
package champions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards/announce"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/season"
)

const (
	// Grace is how long after its end a season may still be changed by requests that came before: a handler has eight
	// seconds.
	Grace = 10 * time.Second
	// MaxLate is how long after the end of a season its champions are still posted.
	MaxLate = 7 * 24 * time.Hour
	// Certain is for how long a post may be repeated with its nonce.
	Certain = announce.Certain
	// atOnce is how many seasons are looked at in one pass.
	atOnce = 100
)

// The reasons why there is nothing to post.
var (
	// ErrNobody means that a season has no champions.
	ErrNobody = errors.New("the season has no champions")
	// ErrStale means that the champions are not known yet, because matches of the season are being worked out again.
	ErrStale = errors.New("the champions are being worked out again")
	// ErrUndone means that the season goes on again.
	ErrUndone = errors.New("the season is not over")
)

// Announcer posts the champions of seasons. The store tells any number of processes which season is due, and lets one of
// them post its champions. If the post may not have arrived, that process repeats it with the same nonce, so that there is
// at most one message.
type Announcer struct {
	Store season.Store
	// Painter draws the post. Its error may be ErrNobody, ErrStale or ErrUndone.
	Painter interface {
		Champions(ctx context.Context, s season.Season) ([]discordgo.MessageComponent, error)
	}
	Messenger announce.Messenger
	Clock     *clock.Clock
	Log       *slog.Logger
	// Report is called with what became of each season, by several goroutines. Nil: nobody is told.
	Report func(Outcome)

	turn announce.Turn
	mu   sync.Mutex
	open map[string]*post // posts that are not known to have arrived, by nonce
}

// Outcome is what became of the champions of a season.
type Outcome string

// The outcomes.
const (
	Posted  Outcome = "posted"
	Closed  Outcome = "closed"  // the bot may not write in the channel
	Refused Outcome = "refused" // Discord does not accept the message
	Nobody  Outcome = "nobody"  // the season has no champions
	Late    Outcome = "late"    // the season ended longer than MaxLate ago
	Undone  Outcome = "undone"  // the season goes on again
	Unclear Outcome = "unclear" // it is not known whether they were posted
)

// Outcomes returns all outcomes.
func Outcomes() []Outcome { return []Outcome{Posted, Closed, Refused, Nobody, Late, Undone, Unclear} }

// post is a post that this process has to make.
type post struct {
	season  season.Season
	claimed bool
	since   time.Time // when it may have arrived for the first time; zero as long as it cannot have arrived
}

// Run works until the context ends. It first takes over posts that an earlier process may have left unfinished.
func (a *Announcer) Run(ctx context.Context) {
	resumed := false
	background.Repeat(ctx, a.Clock, a.Log, "post the champions of a season", background.Once(func(ctx context.Context) error {
		if !resumed {
			if err := a.resume(ctx); err != nil {
				return err
			}
			resumed = true
		}
		return a.Act(ctx)
	}))
}

// resume takes over the posts that were claimed a short time ago, perhaps by a process that has ended since.
func (a *Announcer) resume(ctx context.Context) error {
	half, err := a.Store.Announced(ctx, a.Clock.Now().Add(-Certain))
	if err != nil {
		return err
	}
	for _, s := range half {
		if s.Announced.Sub(s.Ended) <= MaxLate {
			a.keep(&post{season: s, claimed: true, since: s.Announced})
		}
	}
	return nil
}

// Act posts the champions that are due, and returns when that is done.
func (a *Announcer) Act(ctx context.Context) error {
	return a.turn.Do(ctx, func() error {
		failed := announce.Each(ctx, a.unclear(), a.post)
		due, err := a.Store.Unannounced(ctx, atOnce)
		return errors.Join(failed, err, announce.Each(ctx, due, func(ctx context.Context, s season.Season) error {
			return a.post(ctx, &post{season: s})
		}))
	})
}

// unclear returns the posts that are not known to have arrived.
func (a *Announcer) unclear() []*post {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Values(a.open))
}

func (a *Announcer) keep(p *post) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = make(map[string]*post)
	}
	a.open[nonce(p.season)] = p
}

// post makes a post, unless it is too early or too late for it. The error is a failure to read or save.
func (a *Announcer) post(ctx context.Context, p *post) error {
	now := a.Clock.Now()
	switch {
	case !p.claimed && now.Sub(p.season.Ended) < Grace:
		return nil
	case !p.claimed && now.Sub(p.season.Ended) > MaxLate:
		return a.drop(ctx, p, Late)
	case !p.since.IsZero() && (now.Before(p.since) || now.Sub(p.since) > Certain):
		a.done(p, Unclear, nil)
		return nil
	}
	m := announce.Message{
		Guild: string(p.season.Venue), Channel: p.season.Channel, Nonce: nonce(p.season),
		Draw: func(ctx context.Context) ([]discordgo.MessageComponent, error) {
			return a.Painter.Champions(ctx, p.season)
		},
	}
	if !p.claimed {
		m.Claim = func(ctx context.Context) error { return a.Store.Announce(ctx, p.season, now) }
	}
	r := announce.Post(ctx, a.Messenger, m)
	p.claimed = r.Claimed
	if r.Arrived && p.since.IsZero() {
		p.since = now
	}
	return a.settle(ctx, p, r)
}

// settle decides by the result of a post whether it is done, repeated or left for the next pass.
func (a *Announcer) settle(ctx context.Context, p *post, r announce.Result) error {
	switch {
	case errors.Is(r.Err, ErrNobody):
		return a.drop(ctx, p, Nobody)
	case errors.Is(r.Err, ErrUndone) && p.claimed:
		a.done(p, Undone, nil)
	case r.Outcome == announce.Posted:
		a.done(p, Posted, nil)
	case r.Outcome == announce.Closed:
		a.done(p, Closed, r.Err)
	case r.Outcome == announce.Refused:
		a.done(p, Refused, r.Err)
	case r.Outcome == announce.Unknown && (r.Arrived || errors.Is(r.Err, bot.ErrRateLimited) || errors.Is(r.Err, ErrStale)): // the next pass repeats it
		a.keep(p)
	case r.Outcome == announce.Taken, errors.Is(r.Err, ErrStale), errors.Is(r.Err, ErrUndone), errors.Is(r.Err, bot.ErrRateLimited):
	default:
		return fmt.Errorf("season %d of %s: %w", p.season.Number, p.season.Venue, r.Err)
	}
	return nil
}

// drop claims a season without posting anything.
func (a *Announcer) drop(ctx context.Context, p *post, why Outcome) error {
	if !p.claimed {
		err := a.Store.Announce(ctx, p.season, a.Clock.Now())
		if errors.Is(err, match.ErrConflict) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	a.done(p, why, nil)
	return nil
}

// done forgets a post, and logs and reports what became of it.
func (a *Announcer) done(p *post, what Outcome, err error) {
	a.mu.Lock()
	delete(a.open, nonce(p.season))
	a.mu.Unlock()
	level := slog.LevelInfo
	if what == Refused || what == Unclear {
		level = slog.LevelWarn
	}
	args := []any{"outcome", what, "venue", p.season.Venue, "season", p.season.Number, "channel", p.season.Channel}
	if err != nil {
		args = append(args, "err", err)
	}
	a.Log.Log(context.Background(), level, "champions of a season", args...)
	if a.Report != nil {
		a.Report(what)
	}
}

// nonce returns the nonce of the post of a season. It depends on the end of the season, so that a season that went on after
// its end gets another one.
func nonce(s season.Season) string {
	return announce.Nonce(string(s.Venue), strconv.Itoa(s.Number), strconv.FormatInt(s.Ended.UnixNano(), 10))
}
