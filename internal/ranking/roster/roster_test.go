package roster_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/server/policy"
)

// server is a server with its members and their roles, and the checks that were saved.
type server struct {
	policy  policy.Policy
	members map[match.User][]string
	silent  match.User // Discord does not answer about this player
	asked   []match.User
	checked map[match.User]time.Time
	saved   []string
}

func (s *server) Policy(context.Context, match.Venue) (policy.Policy, error) { return s.policy, nil }

func (s *server) Unchecked(_ context.Context, _ match.Venue, players []match.User, since time.Time) (due []match.User, err error) {
	for _, p := range players {
		if at, asked := s.checked[p]; !asked || at.Before(since) {
			due = append(due, p)
		}
	}
	return due, nil
}

func (s *server) SaveCheck(_ context.Context, _ match.Venue, p match.User, left bool, roles []string, at time.Time) (bool, error) {
	s.checked[p] = at
	s.saved = append(s.saved, fmt.Sprint(p, " left=", left, " ", roles))
	return left, nil
}

func (s *server) MemberRoles(_ context.Context, _ match.Venue, p match.User) ([]string, error) {
	s.asked = append(s.asked, p)
	roles, here := s.members[p]
	switch {
	case p == s.silent:
		return nil, errors.New("HTTP 503")
	case !here:
		return nil, fmt.Errorf("HTTP 404: %w", rankrole.ErrAbsent)
	}
	return roles, nil
}

func newServer() (*server, *roster.Checker) {
	s := &server{
		policy:  policy.Policy{LeaversOff: true},
		members: map[match.User][]string{"alice": {"staff"}, "bob": nil},
		checked: map[match.User]time.Time{},
	}
	return s, &roster.Checker{
		Store: s, Discord: s, Clock: clock.New(clock.Machine{}), Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Queue: roster.NewQueue(),
	}
}

func TestCheck(t *testing.T) {
	shown := []match.User{"alice", "carol", "bob"}
	check := func(t *testing.T, c *roster.Checker, players []match.User, want bool) {
		t.Helper()
		if changed, err := c.Check(t.Context(), "v", players); err != nil || changed != want {
			t.Errorf("it says changed=%v, error %v; want changed=%v and no error", changed, err, want)
		}
	}

	t.Run("saves who has left and which roles the others have", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, c := newServer()
			check(t, c, shown, true)
			if d := cmp.Diff([]string{"alice left=false [staff]", "carol left=true []", "bob left=false []"}, s.saved); d != "" {
				t.Error(d)
			}
		})
	})
	t.Run("asks about the same player once a day", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, c := newServer()
			check(t, c, shown, true)
			check(t, c, shown, false)
			if len(s.asked) != 3 {
				t.Errorf("within a day it asked about %v", s.asked)
			}
			<-time.After(roster.FreshFor)
			check(t, c, []match.User{"bob"}, false)
			if !slices.Equal(s.asked[3:], []match.User{"bob"}) {
				t.Errorf("a day later it asked about %v", s.asked[3:])
			}
		})
	})
	t.Run("asks nothing where nobody is to be left out", func(t *testing.T) {
		s, c := newServer()
		s.policy = policy.Policy{}
		check(t, c, shown, false)
		if len(s.asked) > 0 {
			t.Errorf("it asked about %v", s.asked)
		}
	})
	t.Run("asks about ten players at once at most", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, c := newServer()
			var many []match.User
			for i := range 25 {
				many = append(many, match.User(fmt.Sprint("p", i)))
			}
			check(t, c, many, true)
			if len(s.asked) != 10 {
				t.Errorf("it asked about %d players", len(s.asked))
			}
		})
	})
	t.Run("takes a player about whom Discord does not answer for a member, and says so", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s, c := newServer()
			s.silent = "carol"
			if changed, err := c.Check(t.Context(), "v", shown); err == nil || changed {
				t.Errorf("it says changed=%v, error %v", changed, err)
			}
			if d := cmp.Diff([]string{"alice left=false [staff]"}, s.saved); d != "" {
				t.Error(d)
			}
		})
	})
}

func TestRunSavesTheRolesOfSomebodyWhoIsThereWithoutAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, c := newServer()
		ctx, stop := context.WithCancel(t.Context())
		go c.Run(ctx)
		c.Want(roster.Page{Venue: "v", Here: "dora", Roles: []string{"staff"}})
		synctest.Wait()
		stop()
		synctest.Wait()
		if d := cmp.Diff([]string{"dora left=false [staff]"}, s.saved); d != "" || len(s.asked) > 0 {
			t.Errorf("asked about %v\n%s", s.asked, d)
		}
	})
}

func TestWantNeverWaits(t *testing.T) {
	_, c := newServer()
	for range 1000 {
		c.Want(roster.Page{Venue: "v"})
	}
	if len(c.Queue) != cap(c.Queue) {
		t.Errorf("%d of %d pages wait", len(c.Queue), cap(c.Queue))
	}
}
