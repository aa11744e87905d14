package boards

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/season"
)

const (
	// Grace is how long after the end of a season the champions may still change, because of requests that came before the end. A handler
	// has eight seconds.
	Grace = 10 * time.Second
	// MaxLate is how long after the end of a season the champions are still posted.
	MaxLate = 7 * 24 * time.Hour
	// seasonsAtOnce is the maximum number of seasons in one pass.
	seasonsAtOnce = 100
)

// Outcomes that only posts of champions have.
const (
	Nobody Outcome = "nobody" // the season has no champions
	Late   Outcome = "late"   // the season ended more than MaxLate ago
	Undone Outcome = "undone" // the season was continued after its end
)

// ChampionOutcomes lists all outcomes of posts of champions, for metrics.
var ChampionOutcomes = []Outcome{Posted, Closed, Gone, Refused, Unclear, Nobody, Late, Undone}

// Champions provides the posts that show the champions of ended seasons. A [Poster] sends them.
type Champions struct {
	Store season.Store
	// Painter draws the post. It returns ErrNotYet while the champions are being recomputed, or a [Skip] if there is nothing to post.
	Painter interface {
		Champions(ctx context.Context, s season.Season) ([]discordgo.MessageComponent, error)
	}
	Clock *clock.Clock

	mu   sync.Mutex
	open map[string]*Post // the claimed posts without an outcome, keyed by nonce; nil until the posts of earlier processes are read
}

// Claimed returns the posts that this process has claimed and that have no outcome. The first call also returns recent claims of other
// processes, which may have ended since.
func (c *Champions) Claimed(ctx context.Context) ([]*Post, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		half, err := c.Store.Announced(ctx, c.Clock.Now().Add(-Certain))
		if err != nil {
			return nil, err
		}
		c.open = map[string]*Post{}
		for _, s := range half {
			if s.Announced.Sub(s.Ended) <= MaxLate {
				m := c.post(s)
				c.open[m.Nonce] = m
			}
		}
	}
	return slices.Collect(maps.Values(c.open)), nil
}

// Due returns the unclaimed posts for seasons that have ended.
func (c *Champions) Due(ctx context.Context) (due []*Post, err error) {
	over, err := c.Store.Unannounced(ctx, seasonsAtOnce)
	for _, s := range over {
		if c.Clock.Now().Sub(s.Ended) >= Grace {
			due = append(due, c.post(s))
		}
	}
	return due, err
}

func (c *Champions) post(s season.Season) *Post {
	announced := !s.Announced.IsZero()
	m := &Post{
		Guild: string(s.Venue), Channel: s.Channel, Claimed: s.Announced, About: []any{"season", s.Number},
		// The nonce contains the end time, so a season that is continued and ends again gets another nonce.
		Nonce:   nonceOf(string(s.Venue), strconv.Itoa(s.Number), strconv.FormatInt(s.Ended.UnixNano(), 10)),
		Release: func(context.Context) error { return nil }, // the season stays announced, so the post stays claimed
	}
	m.Draw = func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		if !announced && c.Clock.Now().Sub(s.Ended) > MaxLate {
			return nil, Skip(Late)
		}
		components, err := c.Painter.Champions(ctx, s)
		if !announced && errors.Is(err, Skip(Undone)) {
			err = ErrNotYet // the post is due again when the season ends again
		}
		return components, err
	}
	m.Claim = func(ctx context.Context, at time.Time) error {
		if !announced {
			if err := c.Store.Announce(ctx, s, at); err != nil {
				return err
			}
			announced = true
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.open[m.Nonce] = m
		return nil
	}
	m.Settle = func(context.Context, Outcome) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.open, m.Nonce)
		return nil
	}
	return m
}
