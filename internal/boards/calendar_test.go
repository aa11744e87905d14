package boards_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// shelf holds the row of one server, like a store that several processes share.
type shelf struct {
	posting.Store
	row  posting.Post
	told []policy.Kind // the kinds of the audit entries
}

func (s *shelf) DuePosts(_ context.Context, _ posting.Kind, today puzzle.Day, _ int) (due []posting.Post, err error) {
	if s.row.Channel != "" && s.row.Claimed.IsZero() && s.row.Next <= today {
		due = append(due, s.row)
	}
	return due, nil
}

func (s *shelf) ClaimedPosts(context.Context, posting.Kind) (claimed []posting.Post, err error) {
	if !s.row.Claimed.IsZero() {
		claimed = append(claimed, s.row)
	}
	return claimed, nil
}

func (s *shelf) ClaimPost(_ context.Context, p posting.Post, today puzzle.Day, at time.Time) (posting.Post, error) {
	if s.row != p {
		return p, match.ErrConflict
	}
	s.row.Next, s.row.Claimed = p.Every.After(today), at
	return s.row, nil
}

func (s *shelf) ReleasePost(_ context.Context, p posting.Post, next puzzle.Day) error {
	if s.row == p {
		s.row.Next, s.row.Claimed = next, time.Time{}
	}
	return nil
}

func (s *shelf) SettlePost(_ context.Context, p, settled posting.Post, entry policy.AuditEntry) error {
	if s.row != p {
		return nil
	}
	s.row = settled
	s.row.Claimed = time.Time{}
	if entry.ID != "" {
		s.told = append(s.told, entry.Kind)
	}
	return nil
}

// puzzleChannel is a channel of Discord, with the outcomes of the next posts.
type puzzleChannel struct {
	days    []string // the days of the posted puzzles
	nonces  map[string]time.Time
	next    []answer
	silent  bool // the bot may not read the history
	crowded bool // so many messages follow the post that the bot does not find it in the history
	drawn   puzzle.Day
	guild   string       // the server of the channel, according to Discord
	deleted bool         // the last post was deleted
	idle    []puzzle.Day // nobody has played in the weeks before these days
}

func (c *puzzleChannel) ChannelGuild(context.Context, string) (string, error) { return c.guild, nil }

// answer is the outcome of a post.
type answer struct {
	err     error
	arrives bool
	limit   bool // the post is rejected before anything is drawn
	never   bool // there is no response at all
}

func (c *puzzleChannel) PostOnce(ctx context.Context, _, nonce string, draw messages.Draw, _ []string) (string, error) {
	a := answer{arrives: true}
	if len(c.next) > 0 {
		a = c.next[0]
	}
	if a.limit {
		c.next = c.next[1:]
		return "", &messages.LimitError{After: time.Minute}
	}
	if _, err := draw(ctx); err != nil {
		return "", err
	}
	c.next = c.next[min(1, len(c.next)):]
	if at, known := c.nonces[nonce]; a.arrives && (!known || time.Since(at) > 5*time.Minute) {
		c.nonces[nonce] = time.Now()
		c.days = append(c.days, c.drawn.String())
	}
	if a.never {
		<-ctx.Done()
		return "", ctx.Err()
	}
	return "901", a.err
}

// EditMessage implements the messenger: the last post shows the new puzzle.
func (c *puzzleChannel) EditMessage(ctx context.Context, _, message string, draw messages.Draw) error {
	if _, err := draw(ctx); err != nil {
		return err
	}
	if c.deleted || message != "901" {
		return messages.ErrGone
	}
	c.days[len(c.days)-1] += " -> " + c.drawn.String()
	return nil
}

func (c *puzzleChannel) Latest(context.Context, string) (messages.History, error) {
	if c.silent {
		return messages.History{}, nil
	}
	h := messages.History{All: !c.crowded, Since: time.Now().Add(-time.Minute)}
	for _, day := range c.days {
		h.Own = append(h.Own, messages.Sent{Carried: []string{day}})
	}
	return h, nil
}

// CalendarPost and IsCalendarPost implement the painter.
func (c *puzzleChannel) CalendarPost(_ context.Context, _ posting.Post, day puzzle.Day) ([]discordgo.MessageComponent, error) {
	if slices.Contains(c.idle, day) {
		return nil, boards.Skip(boards.Nobody)
	}
	c.drawn = day
	return nil, nil
}

func (c *puzzleChannel) IsCalendarPost(carried []string, _ posting.Post, day puzzle.Day) bool {
	return slices.Contains(carried, day.String())
}

// puzzleStage is a server with a due post, the channel of the post, and processes that post. Its time begins at midnight.
type puzzleStage struct {
	t *testing.T
	*shelf
	*puzzleChannel
	said []boards.Outcome
}

// lives runs a process for the given time, and kills it.
func (s *puzzleStage) lives(long time.Duration) {
	ctx, kill := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	machine := clock.New(clock.Machine{})
	p := &boards.Poster{
		Kind: "puzzle of the day", Posts: &boards.Calendar{Kind: s.row.Kind, Store: s.shelf, Painter: s.puzzleChannel, Clock: machine}, Messenger: s.puzzleChannel, Clock: machine,
		Log: slog.New(slog.NewTextHandler(new(bytes.Buffer), nil)), Report: func(o boards.Outcome) { s.said = append(s.said, o) },
	}
	go func() { p.Run(ctx); close(ended) }()
	<-time.After(long)
	synctest.Wait()
	kill()
	<-ended
}

func (s *puzzleStage) expect(days []string, said ...boards.Outcome) {
	s.t.Helper()
	if d := cmp.Diff(days, s.days); d != "" {
		s.t.Errorf("posted: %s", d)
	}
	if d := cmp.Diff(said, s.said); d != "" {
		s.t.Error(d)
	}
}

// weekly replaces the puzzle by the leaderboard of a week, which is posted anew or edited.
func (s *puzzleStage) weekly(edit bool) {
	s.row.Kind, s.row.Every, s.row.Edit = posting.Leaderboard, posting.Week, edit
}

// wasTold checks what the bot has added to the audit log.
func (s *puzzleStage) wasTold(want ...policy.Kind) {
	s.t.Helper()
	if d := cmp.Diff(want, s.told); d != "" {
		s.t.Error(d)
	}
}

func TestThePostOfADay(t *testing.T) {
	const day = 24 * time.Hour
	first, second := []string{"2000-01-01"}, []string{"2000-01-01", "2000-01-02"} // the fake time of synctest begins on 2000-01-01
	broken := errors.New("HTTP 502")
	forbidden := messages.ErrForbidden
	unheard := errors.New("connection reset")
	for name, test := range map[string]func(s *puzzleStage){
		"is posted once, however often the bot starts": func(s *puzzleStage) {
			s.lives(time.Hour)
			s.lives(time.Minute)
			s.expect(first, boards.Posted)
		},
		"is posted every day": func(s *puzzleStage) {
			s.lives(day + time.Hour)
			s.expect(second, boards.Posted, boards.Posted)
		},
		"is posted late by a bot that was away, and not that of the days before": func(s *puzzleStage) {
			s.row.Next -= 5
			<-time.After(20 * time.Hour)
			s.lives(time.Minute)
			s.expect(first, boards.Posted)
		},
		"is posted once though nobody heard of it": func(s *puzzleStage) {
			s.next = []answer{{err: unheard, arrives: true}, {err: broken}}
			s.lives(time.Hour)
			s.expect(first, boards.Posted)
		},
		"is posted when Discord works again, after an hour": func(s *puzzleStage) {
			for range 12 {
				s.next = append(s.next, answer{err: broken})
			}
			s.lives(2 * time.Hour)
			s.expect(first, boards.Posted)
		},
		"is not posted again after a kill between post and answer": func(s *puzzleStage) {
			s.next = []answer{{arrives: true, never: true}}
			s.lives(time.Second)
			s.lives(time.Hour)
			s.expect(first, boards.Posted)
		},
		"is found by a process that comes long after such a kill": func(s *puzzleStage) {
			s.next = []answer{{arrives: true, never: true}}
			s.lives(time.Second)
			<-time.After(time.Hour)
			s.lives(time.Hour)
			s.expect(first, boards.Posted)
		},
		"is posted long after a kill before the post": func(s *puzzleStage) {
			s.next = []answer{{never: true}}
			s.lives(time.Second)
			<-time.After(time.Hour)
			s.lives(time.Hour)
			s.expect(first, boards.Posted)
		},
		"is not posted where it cannot be seen whether it was": func(s *puzzleStage) {
			s.silent, s.next = true, []answer{{never: true}}
			s.lives(time.Second)
			<-time.After(time.Hour)
			s.lives(time.Hour)
			s.expect(nil, boards.Unclear)
		},
		"is not posted where too much was written since": func(s *puzzleStage) {
			s.crowded, s.next = true, []answer{{never: true}}
			s.lives(time.Second)
			<-time.After(10 * time.Minute)
			s.lives(time.Hour)
			s.expect(nil, boards.Unclear)
		},
		"is not posted after midnight": func(s *puzzleStage) {
			s.next = []answer{{never: true}}
			s.lives(time.Second)
			<-time.After(day)
			s.lives(time.Hour)
			s.expect([]string{"2000-01-02"}, boards.Unclear, boards.Posted)
		},
		"waits for a limit": func(s *puzzleStage) {
			for range 100 {
				s.next = append(s.next, answer{limit: true})
			}
			s.lives(time.Hour)
			s.expect(first, boards.Posted)
		},
		"is tried every day while the channel is closed, and moderators are told once": func(s *puzzleStage) {
			s.next = []answer{{err: forbidden}, {err: forbidden}}
			s.lives(3 * day)
			s.expect([]string{"2000-01-03", "2000-01-04"}, boards.Closed, boards.Closed, boards.Posted, boards.Posted)
			s.wasTold(policy.PostsClosed, policy.PostsOpen)
		},
		"ends in a channel that is gone or of another server": func(s *puzzleStage) {
			s.guild = "elsewhere"
			s.lives(3 * day)
			s.expect(nil, boards.Gone)
			s.wasTold(policy.PostsGone)
			if s.row.Channel != "" {
				s.t.Errorf("the row is %+v", s.row)
			}
		},
		"is not tried again on a day on which Discord does not take it": func(s *puzzleStage) {
			s.next = []answer{{err: messages.ErrRefused}}
			s.lives(day - time.Minute)
			s.expect(nil, boards.Refused)
		},
		"is posted once though the clock was set back": func(s *puzzleStage) {
			s.row.Next += 2 // the row of a day in the future
			s.lives(day)
			s.expect(nil)
		},
		"of a week is posted once, and late in its week": func(s *puzzleStage) {
			s.weekly(false)
			s.lives(20 * day)
			s.expect([]string{"1999-12-27", "2000-01-03", "2000-01-10", "2000-01-17"}, boards.Posted, boards.Posted, boards.Posted, boards.Posted)
		},
		"of the newest week in which somebody has played is posted by a bot that was away": func(s *puzzleStage) {
			s.weekly(false)
			s.idle = []puzzle.Day{s.row.Next + 9, s.row.Next + 16} // the Mondays January 10 and 17
			<-time.After(18 * day)                                 // January 19
			s.next = []answer{{err: messages.ErrRateLimited}}      // the claim is released
			s.lives(8 * day)
			s.expect([]string{"2000-01-03", "2000-01-24"}, boards.Posted, boards.Posted)
		},
		"of a week is not posted instead of the next one, in which nobody has played": func(s *puzzleStage) {
			s.weekly(false)
			s.idle = []puzzle.Day{s.row.Next + 2}
			s.lives(10 * day)
			s.expect([]string{"1999-12-27", "2000-01-10"}, boards.Posted, boards.Nobody, boards.Posted)
		},
		"of a week is tried every day while the channel is closed": func(s *puzzleStage) {
			s.weekly(false)
			s.next = []answer{{err: forbidden}, {err: forbidden}, {err: forbidden}}
			s.lives(12 * day)
			s.expect([]string{"2000-01-03", "2000-01-10"}, boards.Closed, boards.Closed, boards.Closed, boards.Posted, boards.Posted)
			s.wasTold(policy.PostsClosed, policy.PostsOpen)
		},
		"of a week is not repeated after the channel was closed, if the first try may have arrived": func(s *puzzleStage) {
			s.weekly(false)
			s.next = []answer{{err: unheard, arrives: true}, {err: forbidden}}
			s.lives(4 * day)
			s.expect([]string{"1999-12-27", "2000-01-03"}, boards.Closed, boards.Posted)
		},
		"of a week is edited": func(s *puzzleStage) {
			s.weekly(true)
			s.lives(9 * day)
			s.expect([]string{"1999-12-27 -> 2000-01-03"}, boards.Posted, boards.Posted)
		},
		"of a week is posted anew if the one that would be edited was deleted": func(s *puzzleStage) {
			s.weekly(true)
			s.deleted = true
			s.lives(9 * day)
			s.expect([]string{"1999-12-27", "2000-01-03"}, boards.Posted, boards.Posted)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				test(&puzzleStage{
					t: t, shelf: &shelf{row: posting.Post{Venue: "home", Kind: posting.Puzzle, Channel: "general", Every: posting.Day, Next: puzzle.DayOf(time.Now())}},
					puzzleChannel: &puzzleChannel{guild: "home", nonces: map[string]time.Time{}},
				})
			})
		})
	}
}
