package rankrole_test

import (
	"context"
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/server/policy"
)

const (
	home = match.Venue("home")
	gold = "6001"
	tin  = "6002"
)

// hall is the store of one server: its ladder, rules and grants.
type hall struct {
	order   []string // the players with a rank, the best first; a hidden player has a "-" before the name
	before  []string // the same at the end of the season before, if there was one
	arena   []string // the winners of the latest arena
	stale   bool
	rules   []rankrole.Rule
	grants  map[string]rankrole.Grant
	entries []policy.AuditEntry
	fails   func() bool // whether the next write fails
}

func (h *hall) Ladder(_ context.Context, _ match.Venue, _ game.Rules, number int, _ score.Where, _ match.User) (p ladder.Page, err error) {
	order := h.order
	if number != season.Latest {
		order = h.before
	}
	p.Stale = h.stale
	for i, name := range order[:min(len(order), score.RowsOnAPage)] {
		name, hidden := strings.CutPrefix(name, "-")
		name, tied := strings.CutPrefix(name, "=")
		p.Rows = append(p.Rows, ladder.Row{Rank: i + 1, Hidden: hidden, Standing: ladder.Standing{Player: match.User(name), Opponents: 9}})
		if tied {
			p.Rows[i].Rank = p.Rows[i-1].Rank
		}
	}
	return p, nil
}

func (h *hall) Seasons(context.Context, match.Venue) ([]season.Season, error) {
	if h.before == nil {
		return []season.Season{{Number: 1}}, nil
	}
	return []season.Season{{Number: 2}, {Number: 1, Ended: time.Now()}}, nil
}

func (h *hall) RankRoleVenues(context.Context) ([]match.Venue, error) {
	return []match.Venue{home}, nil
}

func (h *hall) RankRoles(context.Context, match.Venue) ([]rankrole.Rule, error) {
	return slices.Clone(h.rules), nil
}

func (h *hall) SetRankRole(context.Context, rankrole.Rule, policy.AuditEntry, ...match.Name) error {
	panic("only moderators set rules")
}

func (h *hall) SetProblem(_ context.Context, r rankrole.Rule, p rankrole.Problem, entry policy.AuditEntry) error {
	i := slices.IndexFunc(h.rules, func(has rankrole.Rule) bool { return has == r })
	if i < 0 {
		return match.ErrConflict
	}
	h.rules[i].Problem = p
	if entry.ID != "" {
		h.entries = append(h.entries, entry)
	}
	return nil
}

func (h *hall) RoleGrants(context.Context, match.Venue) (all []rankrole.Grant, err error) {
	for _, key := range slices.Sorted(maps.Keys(h.grants)) {
		all = append(all, h.grants[key])
	}
	return all, nil
}

func (h *hall) SaveGrant(_ context.Context, from, to rankrole.Grant) error {
	if h.fails != nil && h.fails() {
		return match.ErrBusy
	}
	key := from.Role + string(from.Player)
	has := h.grants[key]
	switch {
	case has.State != from.State || from.State != "" && !has.At.Equal(from.At):
		return match.ErrConflict
	case to.State == "":
		delete(h.grants, key)
	default:
		h.grants[key] = to
	}
	return nil
}

func (h *hall) RatedAtLeast(_ context.Context, _ match.Venue, _ string, points, _ int) (players []match.User, stale bool, err error) {
	for i, name := range h.order {
		if 1700-10*i >= points && name[0] != '-' {
			players = append(players, match.User(name))
		}
	}
	return players, h.stale, nil
}

func (h *hall) ArenaChampions(context.Context, match.Venue, string) (players []match.User, err error) {
	for _, name := range h.arena {
		players = append(players, match.User(name))
	}
	return players, nil
}

// club is Discord's side of the server: its roles, and which members have them.
type club struct {
	server rankrole.Server
	has    map[string][]string // the roles of the members
	calls  []string            // the requests except those about roles in general
	looks  int                 // the requests about roles in general
	fails  func() bool         // whether the next request fails, before or after it is carried out
}

var errDown = errors.New("HTTP 502")

// request makes a request, which fails or is carried out, or both.
func (c *club) request(name string, g rankrole.Grant, do func()) error {
	c.calls = append(c.calls, strings.Join(strings.Fields(fmt.Sprint(name, " ", g.Role, " ", g.Player)), " "))
	failed := c.fails != nil && c.fails()
	if failed && rand.N(2) == 0 {
		return errDown
	}
	_, member := c.has[string(g.Player)]
	role, is := c.server.Roles[g.Role]
	switch {
	case !member:
		return rankrole.ErrAbsent
	case name != "look" && !is:
		return rankrole.ErrNoRole
	case name != "look" && (!c.server.Manages || !role.Below):
		return errors.New("HTTP 403, code 50013: Missing Permissions")
	}
	do()
	if failed {
		return errDown
	}
	return nil
}

func (c *club) Server(context.Context, match.Venue) (rankrole.Server, error) {
	c.looks++
	return rankrole.Server{Manages: c.server.Manages, Roles: maps.Clone(c.server.Roles)}, nil
}

func (c *club) MemberRoles(_ context.Context, v match.Venue, p match.User) (roles []string, err error) {
	err = c.request("look", rankrole.Grant{Venue: v, Player: p}, func() { roles = slices.Clone(c.has[string(p)]) })
	return roles, err
}

func (c *club) GiveRole(_ context.Context, g rankrole.Grant) error {
	return c.request("give", g, func() {
		if p := string(g.Player); !slices.Contains(c.has[p], g.Role) {
			c.has[p] = append(c.has[p], g.Role)
		}
	})
}

func (c *club) TakeRole(_ context.Context, g rankrole.Grant) error {
	return c.request("take", g, func() {
		c.has[string(g.Player)] = slices.DeleteFunc(c.has[string(g.Player)], func(r string) bool { return r == g.Role })
	})
}

// holders returns the members with a role, in order.
func (c *club) holders(role string) (all []string) {
	for _, p := range slices.Sorted(maps.Keys(c.has)) {
		if slices.Contains(c.has[p], role) {
			all = append(all, p)
		}
	}
	return all
}

// stage is a server with a bot.
type stage struct {
	*testing.T
	*hall
	*club
	granter *rankrole.Granter
	leases  lease.Memory
}

// play runs a test on a server with members named a to l, who are ranked in this order, and two roles below the bot.
func play(t *testing.T, name string, test func(s *stage), rules ...rankrole.Rule) {
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := &stage{T: t, hall: &hall{rules: rules, grants: map[string]rankrole.Grant{}}, club: &club{has: map[string][]string{}}}
			s.server = rankrole.Server{Manages: true, Roles: map[string]rankrole.Role{gold: {Below: true}, tin: {Below: true}}}
			for _, p := range "abcdefghijkl" {
				s.order, s.has[string(p)] = append(s.order, string(p)), nil
			}
			s.restart()
			test(s)
		})
	})
}

// restart replaces the bot's process by another one.
func (s *stage) restart() {
	s.granter = &rankrole.Granter{
		Store: s.hall, Ladders: s.hall, Seasons: s.hall, Discord: s.club, Leases: &s.leases, Holder: crand.Text(), Clock: clock.New(clock.Machine{}),
		Log: slog.New(slog.DiscardHandler), Report: func(rankrole.Outcome) {}, Want: func(match.Venue, []match.User) {},
	}
}

// look lets the bot work, and compares the holders of the golden role and the requests since the look before.
func (s *stage) look(holders string, calls ...string) {
	s.Helper()
	if err := s.granter.Act(s.Context()); err != nil && !errors.Is(err, errDown) {
		s.Error(err)
	}
	if d := cmp.Diff(holders, strings.Join(s.holders(gold), " ")); d != "" {
		s.Errorf("who has the role: -want +got:\n%s", d)
	}
	if d := cmp.Diff(calls, s.calls); d != "" {
		s.Errorf("the requests: -want +got:\n%s", d)
	}
	s.calls = nil
}

func rule(role string, m rankrole.Merit) rankrole.Rule {
	return rankrole.Rule{Venue: home, Role: role, Board: "classic", Merit: m}
}

func TestRolesFollowTheLadder(t *testing.T) {
	play(t, "the first three get the role, and a change costs three requests", func(s *stage) {
		s.look("a b c", "look a", "give 6001 a", "look b", "give 6001 b", "look c", "give 6001 c")
		s.look("a b c")
		s.order = []string{"b", "a", "c", "d"}
		s.look("a b c")
		s.order = []string{"b", "a", "d", "c"}
		s.look("a b d", "take 6001 c", "look d", "give 6001 d")
		if s.looks != 1 {
			s.Errorf("the bot has asked %d times which roles there are", s.looks)
		}
		time.Sleep(time.Hour)
		s.look("a b d")
		if s.looks != 2 {
			s.Errorf("after an hour the bot has asked %d times which roles there are", s.looks)
		}
	}, rule(gold, "top3"))
	play(t, "players who share the third place all get the role", func(s *stage) {
		s.order = []string{"a", "b", "c", "=d", "e"}
		s.look("a b c d", "look a", "give 6001 a", "look b", "give 6001 b", "look c", "give 6001 c", "look d", "give 6001 d")
	}, rule(gold, "top3"))
	play(t, "ten places, but only as many as have a rank", func(s *stage) {
		s.granter.Act(s.Context())
		s.order, s.calls = s.order[:2], nil
		s.look("a b", "take 6001 c", "take 6001 d", "take 6001 e", "take 6001 f", "take 6001 g", "take 6001 h", "take 6001 i", "take 6001 j")
	}, rule(gold, "top10"))
	play(t, "a rating", func(s *stage) {
		s.look("a b c", "look a", "give 6001 a", "look b", "give 6001 b", "look c", "give 6001 c")
	}, rule(gold, "rated1680"))
	play(t, "a hidden player has a place and no role", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.order[0] = "-a"
		s.look("", "take 6001 a")
	}, rule(gold, "top1"))
	play(t, "the champion is the first of the season before, and nobody during the first season", func(s *stage) {
		s.look("")
		s.before, s.order = s.order, nil
		s.look("a", "look a", "give 6001 a")
		s.before = []string{"b"}
		s.look("b", "take 6001 a", "look b", "give 6001 b")
	}, rule(gold, rankrole.Champion))
	play(t, "the winners of an arena have the role until the next arena is over", func(s *stage) {
		s.look("")
		s.arena = []string{"a"}
		s.look("a", "look a", "give 6001 a")
		s.arena = []string{"b"}
		s.look("b", "take 6001 a", "look b", "give 6001 b")
	}, rule(gold, rankrole.ArenaChampion))
	play(t, "nothing changes while the ladder is being recalculated", func(s *stage) {
		s.stale = true
		s.look("")
		s.stale = false
		s.look("a", "look a", "give 6001 a")
		s.stale, s.order = true, nil
		s.look("a")
	}, rule(gold, "top1"))
	play(t, "a role that is no longer given is taken back, also by another process", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.rules = nil
		s.leases = lease.Memory{}
		s.restart()
		s.look("", "take 6001 a")
		if len(s.grants) > 0 {
			s.Errorf("the grants are %v", s.grants)
		}
	}, rule(gold, "top1"))
	play(t, "a board that is not on offer has no ladder", func(s *stage) {
		s.rules[0].Board = "6x6"
		s.look("")
	}, rule(gold, "top1"))
}

func TestOnlyWhatWasGivenIsTakenBack(t *testing.T) {
	play(t, "a member who had the role keeps it, and is not asked for again", func(s *stage) {
		s.has["a"] = []string{gold}
		s.look("a", "look a")
		s.look("a")
		s.order = s.order[1:]
		s.look("a b", "look b", "give 6001 b")
	}, rule(gold, "top1"))
	play(t, "a role that a moderator takes away is not given again", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.has["a"] = nil
		s.look("")
	}, rule(gold, "top1"))
	play(t, "a member who has left stops nothing, and gets the role within a day after coming back", func(s *stage) {
		delete(s.has, "a")
		s.look("b", "look a", "look b", "give 6001 b")
		s.has["a"] = nil
		s.look("b")
		time.Sleep(24 * time.Hour)
		s.look("a b", "look a", "give 6001 a")
		delete(s.has, "a")
		s.order = s.order[1:]
		s.look("b c", "take 6001 a", "look c", "give 6001 c")
	}, rule(gold, "top2"))
}

func TestProblems(t *testing.T) {
	blocked := func(s *stage, want rankrole.Problem, holders string, calls ...string) {
		s.Helper()
		s.granter.Changed([]string{"home"})
		for range 3 {
			s.look(holders, calls...)
			calls = nil
		}
		last := s.entries[len(s.entries)-1]
		if d := cmp.Diff(policy.AuditEntry{ID: last.ID, Venue: home, By: policy.Itself, At: last.At, Kind: rankrole.Blocked, Chosen: []string{gold, string(want)}}, last); d != "" {
			s.Errorf("the audit entry: -want +got:\n%s", d)
		}
		if s.rules[0].Problem != want {
			s.Errorf("the problem is %q, want %q", s.rules[0].Problem, want)
		}
	}
	play(t, "each problem is said once, costs no requests, and ends when a moderator has solved it", func(s *stage) {
		s.server.Roles[gold] = rankrole.Role{}
		blocked(s, rankrole.TooHigh, "")
		s.server.Roles[gold] = rankrole.Role{Below: true}
		s.granter.Changed([]string{"home"})
		s.look("a", "look a", "give 6001 a")
		s.server.Manages, s.order = false, s.order[1:]
		blocked(s, rankrole.NoPermission, "a")
		s.server.Manages = true
		time.Sleep(10 * time.Minute) // without news from Discord
		s.look("b", "take 6001 a", "look b", "give 6001 b")
		if s.rules[0].Problem != "" || len(s.entries) != 2 {
			s.Errorf("the problem is %q, and there are %d entries", s.rules[0].Problem, len(s.entries))
		}
	}, rule(gold, "top1"))
	play(t, "a role that gets rights of moderators is taken back", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.server.Roles[gold] = rankrole.Role{Below: true, Powerful: true}
		s.look("a")
		time.Sleep(time.Hour)
		blocked(s, rankrole.Powerful, "", "take 6001 a")
	}, rule(gold, "top1"))
	play(t, "a role of a bot is given to nobody", func(s *stage) {
		s.server.Roles[gold] = rankrole.Role{Managed: true}
		blocked(s, rankrole.Managed, "")
	}, rule(gold, "top1"))
	play(t, "a role that is deleted stops nothing, and is found missing by the next request", func(s *stage) {
		s.look("a", "look a", "give 6001 a", "look a", "give 6002 a", "look b", "give 6002 b")
		delete(s.server.Roles, gold)
		for p := range s.has {
			s.has[p] = slices.DeleteFunc(s.has[p], func(r string) bool { return r == gold })
		}
		s.order = []string{"b", "c"}
		s.look("", "take 6001 a", "take 6002 a", "look b", "give 6001 b", "look c", "give 6002 c")
		blocked(s, rankrole.Missing, "")
		if _, is := s.grants[gold+"b"]; is {
			s.Error("a grant of the deleted role is left")
		}
	}, rule(gold, "top1"), rule(tin, "top2"))
	play(t, "what cannot be taken back is forgotten after a week", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.server.Manages, s.rules = false, nil
		s.granter.Changed([]string{"home"})
		s.look("a")
		time.Sleep(7*24*time.Hour - time.Minute)
		s.look("a")
		if len(s.grants) != 1 {
			s.Errorf("the grants are %v", s.grants)
		}
		time.Sleep(time.Minute)
		s.look("a")
		if len(s.grants) != 0 {
			s.Errorf("the grants are %v", s.grants)
		}
	}, rule(gold, "top1"))
}

func TestTwoProcessesShareTheWork(t *testing.T) {
	play(t, "one of them works, and the other when the first has gone", func(s *stage) {
		s.look("a", "look a", "give 6001 a")
		s.order = s.order[1:]
		s.restart()
		s.look("a")
		time.Sleep(2 * time.Minute)
		s.look("b", "take 6001 a", "look b", "give 6001 b")
	}, rule(gold, "top1"))
}

func TestAServerThatFailsIsLeftAloneForAMinute(t *testing.T) {
	play(t, "so that it does not delay the others", func(s *stage) {
		s.club.fails = func() bool { return true }
		s.look("", "look a")
		s.look("")
		time.Sleep(time.Minute)
		s.club.fails = nil
		s.look("a", "look a", "give 6001 a")
	}, rule(gold, "top1"))
}

// TestWhateverFailsTheRolesFollow changes the ladder at random while requests and writes fail, before or after they are carried out, and
// while the process is replaced. In the end those who have earned the role have it, and those who had it before the bot gave any.
func TestWhateverFailsTheRolesFollow(t *testing.T) {
	for seed := range 200 {
		play(t, fmt.Sprint("seed ", seed), func(s *stage) {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			own := string(rune('a' + random.IntN(12)))
			s.has[own] = []string{gold}
			fails := func() bool { return random.IntN(3) == 0 }
			s.club.fails, s.hall.fails = fails, fails
			for range 60 {
				random.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
				s.granter.Act(s.Context()) // which may fail
				if random.IntN(4) == 0 {
					s.leases = lease.Memory{}
					s.restart()
				}
				time.Sleep(time.Duration(random.IntN(120)) * time.Second)
			}
			s.club.fails, s.hall.fails = nil, nil
			s.calls = nil
			time.Sleep(time.Hour)
			s.granter.Act(s.Context())
			if n := len(s.calls); n > 3*(3+12) {
				s.Errorf("the last look made %d requests", n)
			}
			want := append(slices.Clone(s.order[:3]), own)
			slices.Sort(want)
			s.calls = nil
			s.look(strings.Join(slices.Compact(want), " "))
		}, rule(gold, "top3"))
	}
}
