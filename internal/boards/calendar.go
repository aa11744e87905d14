package boards

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// calendarAtOnce is the maximum number of servers in one pass.
const calendarAtOnce = 1000

// Off is an outcome that only posts of puzzles have: the server has switched the puzzles off.
const Off Outcome = "off"

// CalendarOutcomes lists all outcomes of posts by the calendar, for metrics.
var CalendarOutcomes = []Outcome{Posted, Closed, Gone, Refused, Unclear, Off, Nobody}

// Calendar provides the posts by the calendar of one kind, for the channels that servers have chosen. They are due from midnight UTC until
// the day, week or month ends. In a closed channel they are tried again every day. A [Poster] sends them.
type Calendar struct {
	Kind    posting.Kind
	Store   posting.Store
	Painter interface {
		// CalendarPost draws a post of the day, week or month that begins with a day. It returns Skip(Off) if the server has
		// switched the puzzles off, and Skip(Nobody) if a leaderboard is empty.
		CalendarPost(ctx context.Context, p posting.Post, first puzzle.Day) ([]discordgo.MessageComponent, error)
		// IsCalendarPost reports whether a message with these custom_ids is that post.
		IsCalendarPost(carried []string, p posting.Post, first puzzle.Day) bool
	}
	Clock *clock.Clock
}

// Claimed returns the posts that a process has claimed and that have no outcome.
func (u *Calendar) Claimed(ctx context.Context) (all []*Post, err error) {
	claimed, err := u.Store.ClaimedPosts(ctx, u.Kind)
	for _, p := range claimed {
		m := u.post(p, p.Day())
		m.Over = p.Channel == "" || p.Day() != p.Every.Begin(u.today())
		all = append(all, m)
	}
	return all, err
}

// Due returns the unclaimed posts of today.
func (u *Calendar) Due(ctx context.Context) (all []*Post, err error) {
	today := u.today()
	due, err := u.Store.DuePosts(ctx, u.Kind, today, calendarAtOnce)
	for _, p := range due {
		all = append(all, u.post(p, p.Every.Begin(today)))
	}
	return all, err
}

func (u *Calendar) today() puzzle.Day { return puzzle.DayOf(u.Clock.Now()) }

// post returns the post of the day, week or month that begins with a day. If nobody has played before that day, an unclaimed post is about
// the newest missed period with matches, as after an outage of the bot. If the bot is killed between the claim and the message of such a
// post, it is not made.
func (u *Calendar) post(p posting.Post, first puzzle.Day) *Post {
	next := p.Next // before the claim
	m := &Post{
		Guild: string(p.Venue), Channel: p.Channel, Nonce: nonceOf(string(p.Kind), string(p.Venue), first.String()), Claimed: p.Claimed,
		About: []any{"day", first.String()},
		Draw: func(ctx context.Context) ([]discordgo.MessageComponent, error) {
			if p.Every.Begin(u.today()) != first || p.Kind == posting.Leaderboard && u.Clock.Now().Before(first.Start().Add(Grace)) {
				return nil, ErrNotYet // midnight has passed since, or results of the time before midnight may still be saved
			}
			for day := first; ; day = p.Every.Begin(day - 1) {
				drawn, err := u.Painter.CalendarPost(ctx, p, day)
				if day <= next || !errors.Is(err, Skip(Nobody)) {
					return drawn, err
				}
			}
		},
		Claim: func(ctx context.Context, at time.Time) (err error) {
			p, err = u.Store.ClaimPost(ctx, p, u.today(), at)
			return err
		},
		Release: func(ctx context.Context) error { return u.Store.ReleasePost(ctx, p, next) },
		Shows:   func(carried []string) bool { return u.Painter.IsCalendarPost(carried, p, first) },
	}
	if p.Edit {
		m.Message = p.Message
	}
	m.Settle = func(ctx context.Context, o Outcome) error {
		settled, found := settle(p, o, m)
		entry := policy.AuditEntry{}
		if found != "" {
			entry = policy.AuditEntry{
				ID: match.ID("calendar-" + rand.Text()), Venue: p.Venue, By: policy.Itself, At: u.Clock.Now(), Kind: found,
				Chosen: []string{p.Channel, string(p.Kind)},
			}
		}
		return u.Store.SettlePost(ctx, p, settled, entry)
	}
	return m
}

// settle returns the state of claimed posts after an outcome and, if moderators have to be told, the kind of the audit entry.
func settle(p posting.Post, o Outcome, m *Post) (posting.Post, policy.Kind) {
	was := p.Blocked
	switch {
	case o == Gone:
		p.Channel, p.Message, p.Blocked = "", "", false
		return p, policy.PostsGone
	case o == Closed:
		p.Blocked = true
		if m.Unsent {
			p.Next = min(p.Next, puzzle.DayOf(p.Claimed)+1)
		}
		if !was {
			return p, policy.PostsClosed
		}
	case o == Posted:
		p.Message, p.Blocked = m.Message, false
		if was {
			return p, policy.PostsOpen
		}
	}
	return p, ""
}
