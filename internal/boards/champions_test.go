package boards_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/boards"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/season"
)

// records holds the seasons of one server, like a store that several processes share.
type records struct {
	season.Store
	mu      sync.Mutex
	seasons []season.Season
	err     error
}

func (r *records) Unannounced(context.Context, int) (due []season.Season, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seasons {
		if s.Announced.IsZero() {
			due = append(due, s)
		}
	}
	return due, r.err
}

func (r *records) Announced(_ context.Context, since time.Time) (half []season.Season, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seasons {
		if !s.Announced.IsZero() && !s.Announced.Before(since) {
			half = append(half, s)
		}
	}
	return half, r.err
}

func (r *records) Announce(_ context.Context, s season.Season, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.seasons {
		if r.seasons[i].Number == s.Number && r.seasons[i].Announced.IsZero() {
			r.seasons[i].Announced = at
			return r.err
		}
	}
	return match.ErrConflict
}

// championChannel is a channel of Discord, with the outcomes of the next posts.
type championChannel struct {
	mu       sync.Mutex
	messages map[string]time.Time // keyed by nonce, for as long as Discord remembers the nonce
	count    int
	next     []func() error // the responses to the next posts; a nil element rejects the post by a known rate limit; after the last one, posts succeed
	arrives  []bool         // whether the next posts arrive, whatever their responses are
	made     chan struct{}  // if set, each post waits until it can receive from the channel
	guild    string         // the server of the channel, according to Discord
	silent   time.Time      // until this time Discord does not report the server
}

func (c *championChannel) EditMessage(context.Context, string, string, messages.Draw) error {
	panic("edited")
}

func (c *championChannel) ChannelGuild(context.Context, string) (string, error) {
	if time.Now().Before(c.silent) {
		return "", errors.New("HTTP 502")
	}
	return c.guild, nil
}

func (c *championChannel) PostOnce(ctx context.Context, to, nonce string, draw messages.Draw, _ []string) (string, error) {
	if to != "general" || len(nonce) > 25 {
		return "", errors.New("invalid channel or nonce")
	}
	if len(c.next) > 0 && c.next[0] == nil { // a known rate limit
		c.next = c.next[1:]
		return "", &messages.LimitError{After: time.Minute}
	}
	if _, err := draw(ctx); err != nil {
		return "", err
	}
	if c.made != nil {
		select {
		case <-c.made:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	err, arrives := error(nil), true
	if len(c.next) > 0 {
		err, arrives = c.next[0](), c.arrives[0]
		c.next, c.arrives = c.next[1:], c.arrives[1:]
	}
	if at, known := c.messages[nonce]; arrives && (!known || time.Since(at) > 5*time.Minute) {
		c.messages[nonce] = time.Now()
		c.count++
	}
	return "901", err
}

func (c *championChannel) Latest(context.Context, string) (messages.History, error) {
	return messages.History{}, errors.New("the channel must not be searched for champions")
}

// becomes sets the outcome of the next post.
func (c *championChannel) becomes(err error, arrives bool) {
	c.next, c.arrives = append(c.next, func() error { return err }), append(c.arrives, arrives)
}

type championPainter struct{ err error }

func (p *championPainter) Champions(context.Context, season.Season) ([]discordgo.MessageComponent, error) {
	return nil, p.err
}

// seasonStage is one ended season, the channel of its champions, and processes that post them.
type seasonStage struct {
	t       *testing.T
	records *records
	channel *championChannel
	painter *championPainter
	log     bytes.Buffer
	said    []boards.Outcome
}

func newSeasonStage(t *testing.T) *seasonStage {
	return &seasonStage{
		t:       t,
		records: &records{seasons: []season.Season{{Venue: "home", Number: 1, Ended: time.Now(), Channel: "general"}}},
		channel: &championChannel{guild: "home", messages: make(map[string]time.Time)}, painter: &championPainter{},
	}
}

// process returns a process that posts champions.
func (s *seasonStage) process() *boards.Poster {
	machine := clock.New(clock.Machine{})
	return &boards.Poster{
		Kind: "champions of a season", Posts: &boards.Champions{Store: s.records, Painter: s.painter, Clock: machine}, Messenger: s.channel, Clock: machine, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
		Report: func(o boards.Outcome) { s.said = append(s.said, o) },
	}
}

// lives runs a process for the given time, and kills it.
func (s *seasonStage) lives(long time.Duration) {
	ctx, kill := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	go func() { s.process().Run(ctx); close(ended) }()
	<-time.After(long)
	synctest.Wait()
	kill()
	<-ended
}

// expect compares the number of messages and the outcomes of the season's post.
func (s *seasonStage) expect(messages int, said ...boards.Outcome) {
	s.t.Helper()
	if s.channel.count != messages {
		s.t.Errorf("there are %d messages, not %d", s.channel.count, messages)
	}
	if d := cmp.Diff(said, s.said); d != "" {
		s.t.Error(d)
	}
	if n := strings.Count(s.log.String(), `msg="champions of a season"`); n != len(said) {
		s.t.Errorf("the log has %d lines about the season:\n%s", n, &s.log)
	}
}

func TestTheChampionsOfASeason(t *testing.T) {
	forbidden := messages.ErrForbidden
	broken := errors.New("HTTP 502")
	limited := messages.ErrRateLimited
	unheard := errors.New("connection reset")
	for name, test := range map[string]func(s *seasonStage){
		"are posted once": func(s *seasonStage) {
			s.lives(time.Hour)
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
		"are not posted in a channel of another server": func(s *seasonStage) {
			s.channel.guild = "elsewhere"
			s.lives(time.Hour)
			s.expect(0, boards.Gone)
		},
		"are not posted before what was done before the end is saved": func(s *seasonStage) {
			s.lives(boards.Grace - time.Second)
			s.expect(0)
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
		"are posted by one of two processes": func(s *seasonStage) {
			a, b := s.process(), s.process()
			<-time.After(boards.Grace)
			for _, p := range []*boards.Poster{a, b, a, b} {
				if err := p.Act(s.t.Context()); err != nil {
					s.t.Error(err)
				}
			}
			s.expect(1, boards.Posted)
		},
		"are posted by the next start, if the bot was away": func(s *seasonStage) {
			<-time.After(boards.MaxLate)
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
		"are no news after more than a week": func(s *seasonStage) {
			<-time.After(boards.MaxLate + time.Second)
			s.lives(time.Minute)
			s.lives(time.Minute)
			s.expect(0, boards.Late)
		},
		"are nobody where nobody has played": func(s *seasonStage) {
			s.painter.err = boards.Skip(boards.Nobody)
			s.lives(boards.Certain + time.Minute)
			s.painter.err = nil
			s.lives(time.Minute)
			s.expect(0, boards.Nobody)
		},
		"wait until they have been worked out": func(s *seasonStage) {
			s.painter.err = boards.ErrNotYet
			s.lives(time.Hour)
			s.expect(0)
			s.painter.err = nil
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
		"are of a season that is over": func(s *seasonStage) {
			s.painter.err = boards.Skip(boards.Undone)
			s.lives(time.Minute)
			s.expect(0)
		},
		"are posted once where the channel is closed, which is logged once": func(s *seasonStage) {
			s.channel.becomes(forbidden, false)
			s.lives(time.Hour)
			s.lives(time.Hour)
			s.expect(0, boards.Closed)
		},
		"are posted once though nobody heard of it": func(s *seasonStage) {
			s.channel.becomes(unheard, true)
			s.channel.becomes(broken, true)
			s.lives(time.Hour)
			s.expect(1, boards.Posted)
		},
		"are posted though Discord was broken": func(s *seasonStage) {
			s.channel.becomes(broken, false)
			s.lives(time.Hour)
			s.expect(1, boards.Posted)
		},
		"are posted though Discord did not say for an hour which server has the channel": func(s *seasonStage) {
			s.channel.silent = time.Now().Add(time.Hour)
			s.lives(2 * time.Hour)
			s.expect(1, boards.Posted)
		},
		"are given up where Discord is broken for long": func(s *seasonStage) {
			for range 100 {
				s.channel.becomes(broken, false)
			}
			s.lives(time.Hour)
			s.expect(0, boards.Unclear)
		},
		"are given up where Discord does not take them": func(s *seasonStage) {
			s.channel.becomes(messages.ErrRefused, false)
			s.lives(time.Hour)
			s.expect(0, boards.Refused)
		},
		"wait for a limit, however long that is": func(s *seasonStage) {
			for range 100 {
				s.channel.becomes(limited, false)
			}
			s.lives(time.Hour)
			s.expect(1, boards.Posted)
		},
		"are not claimed while there is a limit": func(s *seasonStage) {
			s.channel.next = []func() error{nil}
			s.lives(boards.Grace + time.Second)
			s.expect(0)
			if at := s.records.seasons[0].Announced; !at.IsZero() {
				s.t.Errorf("they were claimed at %v", at)
			}
		},
		"are posted after a kill between claim and post": func(s *seasonStage) {
			s.channel.made = make(chan struct{})
			s.lives(time.Minute)
			s.expect(0)
			close(s.channel.made)
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
		"are not posted again after a kill between post and answer": func(s *seasonStage) {
			s.channel.becomes(unheard, true)
			s.lives(boards.Grace + boards.Busy + background.Pause)
			s.lives(time.Minute)
			s.expect(1, boards.Posted, boards.Posted) // each process was told this outcome
		},
		"are not posted any more where a kill is long ago, since nobody knows": func(s *seasonStage) {
			s.channel.made = make(chan struct{})
			s.lives(time.Minute)
			close(s.channel.made)
			<-time.After(boards.Certain)
			s.lives(time.Hour)
			s.expect(0)
		},
		"wait until the database can be read": func(s *seasonStage) {
			s.records.err = errors.New("the disk is gone")
			s.lives(time.Minute)
			s.expect(0)
			if n := strings.Count(s.log.String(), "the disk is gone"); n != 1 {
				s.t.Errorf("the failure is logged %d times", n)
			}
			s.records.err = nil
			s.lives(time.Minute)
			s.expect(1, boards.Posted)
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(newSeasonStage(t)) })
		})
	}
}
