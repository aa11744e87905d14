package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// ruleOf returns a rule for a role of a venue.
func ruleOf(v match.Venue, role string, m rankrole.Merit) rankrole.Rule {
	return rankrole.Rule{Venue: v, Role: role, Board: "classic", Merit: m}
}

func (s tester) setRule(r rankrole.Rule) {
	s.t.Helper()
	s.do(s.SetRankRole(s.ctx, r, entryOf(policy.Policy{Venue: r.Venue})))
}

func (s tester) rules(v match.Venue) []rankrole.Rule {
	s.t.Helper()
	return must[[]rankrole.Rule](s.t)(s.RankRoles(s.ctx, v))
}

// grant saves a new grant in a state.
func (s tester) grant(v match.Venue, role string, p match.User, state rankrole.State) rankrole.Grant {
	s.t.Helper()
	g := rankrole.Grant{Venue: v, Role: role, Player: p, State: state, At: noon()}
	s.do(s.SaveGrant(s.ctx, rankrole.Grant{Venue: v, Role: role, Player: p}, g))
	return g
}

func (s tester) grants(v match.Venue) []rankrole.Grant {
	s.t.Helper()
	return must[[]rankrole.Grant](s.t)(s.RoleGrants(s.ctx, v))
}

// testRankRoles tests the rules by which roles are given.
func testRankRoles(t *testing.T, open opener) {
	subtest(t, open, "rules are read as they were set, by role, and are of their venue", func(t *testing.T, s tester) {
		first, third := ruleOf(home, "6001", "top1"), ruleOf(home, "6002", "rated1600")
		s.setRule(third)
		s.setRule(first)
		s.setRule(ruleOf(away, "6001", rankrole.Champion))
		same(t, s.rules(home), []rankrole.Rule{first, third})
		third.Board, third.Merit = "drop", "top10"
		s.setRule(third)
		same(t, s.rules(home), []rankrole.Rule{first, third})
		first.Merit = ""
		s.setRule(first)
		same(t, s.rules(home), []rankrole.Rule{third})
		same(t, len(s.rules(away)), 1)
		same(t, len(s.auditLog(home, 0, 9)), 4)
	})
	subtest(t, open, "a problem is recorded once, and is gone when the rule is set again", func(t *testing.T, s tester) {
		r := ruleOf(home, "6001", "top3")
		s.setRule(r)
		entry := policy.AuditEntry{ID: "found", Venue: home, By: policy.Itself, At: noon(), Kind: rankrole.Blocked, Chosen: []string{"6001", "high"}}
		s.do(s.SetProblem(s.ctx, r, rankrole.TooHigh, entry))
		again := entry
		again.ID = "again"
		fails(t, s.SetProblem(s.ctx, r, rankrole.TooHigh, again), match.ErrConflict)
		r.Problem = rankrole.TooHigh
		same(t, s.rules(home), []rankrole.Rule{r})
		same(t, s.auditLog(home, 0, 1), []policy.AuditEntry{entry})
		other := r
		other.Merit = "top1"
		fails(t, s.SetProblem(s.ctx, other, rankrole.Missing, again), match.ErrConflict)
		s.do(s.SetProblem(s.ctx, r, "", policy.AuditEntry{}))
		s.do(s.SetProblem(s.ctx, r, rankrole.Missing, policy.AuditEntry{}))
		s.setRule(r)
		r.Problem = ""
		same(t, s.rules(home), []rankrole.Rule{r})
		same(t, len(s.auditLog(home, 0, 9)), 3)
	})
	subtest(t, open, "the players with a rank and enough points are listed in the order of the ladder, hidden players are not", func(t *testing.T, s tester) {
		var begun, ended match.Save
		for i := range 240 { // enough matches that the ratings of alice and bob are certain
			p, other, squares := []match.User{alice, bob}[i%2], match.User(fmt.Sprint("other", i/2%12)), xWins()
			if i/2*7%10 >= 8-4*(i%2) {
				squares = oWins()
			}
			m := begin(match.ID(fmt.Sprintf("m%03d", i)), p, other, after(10*i))
			m.Stakes = rating.Full
			begun.Matches = append(begun.Matches, match.MatchChange{To: m})
			ended.Matches = append(ended.Matches, match.MatchChange{From: m, To: play(t, m, after(10*i), squares...)})
			if len(begun.Matches) == 30 {
				s.save(begun)
				s.save(ended)
				begun, ended = match.Save{}, match.Save{}
			}
		}
		rated := func(points, limit int) []match.User {
			t.Helper()
			players, stale, err := s.RatedAtLeast(s.ctx, home, game.Classic().String(), points, limit)
			s.do(err)
			same(t, stale, false)
			return players
		}
		var all []match.User
		points := map[match.User]int{}
		for page, pages := 1, 1; page <= pages; page++ {
			p := must[ladder.Page](t)(s.Ladder(s.ctx, home, game.Classic(), season.Latest, score.Where{Page: page}, ""))
			pages = p.Pages
			for _, row := range p.Rows {
				if row.Ranked() {
					all, points[row.Player] = append(all, row.Player), row.Rating.Points()
				}
			}
		}
		if len(all) != 2 || points[all[0]] == points[all[1]] {
			t.Fatalf("the ranked players have %v", points)
		}
		same(t, rated(1, 9), all)
		same(t, rated(1, 1), all[:1])
		same(t, rated(points[all[0]], 1), all[:1])
		same(t, len(rated(max(points[all[0]], points[all[1]])+1, 9)), 0)
		s.do(s.SetHidden(s.ctx, all[0], true))
		same(t, rated(1, 9), all[1:])
	})
}

// testArenaChampions tests who has earned a role by winning an arena.
func testArenaChampions(t *testing.T, open opener) {
	subtest(t, open, "the winners of the latest arena on a board are found, unless they are hidden or off the leaderboards", func(t *testing.T, s tester) {
		rules := arena.Boards()[0].Rules.String()
		champions := func() []match.User { return must[[]match.User](t)(s.ArenaChampions(s.ctx, home, rules)) }
		same(t, len(champions()), 0)
		_, games := s.run("a", home, "channel", alice, bob)
		m := games[0]
		winner := m.Seats[0].Player
		for i, square := range []string{"a1", "b1", "a1", "b1", "a1", "b1", "a1"} {
			next := play(t, m, after(301+i), square)
			s.replace(m, next)
			m = next
		}
		same(t, len(champions()), 0)
		a := s.arena("a")
		over, _ := a.Pass(a.Ends.Add(arena.Grace))
		s.extra(arena.Change{From: a, To: over})
		same(t, champions(), []match.User{winner})
		same(t, len(must[[]match.User](t)(s.ArenaChampions(s.ctx, away, rules))), 0)
		same(t, len(must[[]match.User](t)(s.ArenaChampions(s.ctx, home, "another board"))), 0)
		s.do(s.SetHidden(s.ctx, winner, true))
		same(t, len(champions()), 0)
		s.do(s.SetHidden(s.ctx, winner, false))
		s.do(s.SetRanked(s.ctx, home, winner, false, policy.AuditEntry{}))
		same(t, len(champions()), 0)
		s.do(s.SetRanked(s.ctx, home, winner, true, policy.AuditEntry{}))
		same(t, champions(), []match.User{winner})
		s.erase(winner, after(4000))
		same(t, len(champions()), 0)
	})
}

// testGrants tests the records of who was given a role.
func testGrants(t *testing.T, open opener) {
	subtest(t, open, "a grant changes only from the state and the time that it had", func(t *testing.T, s tester) {
		none := rankrole.Grant{Venue: home, Role: "6001", Player: alice}
		giving := s.grant(home, "6001", alice, rankrole.Giving)
		fails(t, s.SaveGrant(s.ctx, none, giving), match.ErrConflict)
		given := giving
		given.State, given.At = rankrole.Given, after(5)
		s.do(s.SaveGrant(s.ctx, giving, given))
		fails(t, s.SaveGrant(s.ctx, giving, given), match.ErrConflict)
		fails(t, s.SaveGrant(s.ctx, giving, none), match.ErrConflict)
		later := given
		later.At = after(6)
		fails(t, s.SaveGrant(s.ctx, later, none), match.ErrConflict)
		same(t, s.grants(home), []rankrole.Grant{given})
		same(t, len(s.grants(away)), 0)
		s.do(s.SaveGrant(s.ctx, given, none))
		same(t, len(s.grants(home)), 0)
	})
	subtest(t, open, "venues with rules or grants are listed, unless the bot has left them", func(t *testing.T, s tester) {
		venues := func() []match.Venue { return must[[]match.Venue](t)(s.RankRoleVenues(s.ctx)) }
		same(t, len(venues()), 0)
		s.setRule(ruleOf(home, "6001", "top1"))
		s.grant(home, "6001", alice, rankrole.Given)
		s.grant(away, "7001", alice, rankrole.Given)
		same(t, venues(), []match.Venue{away, home})
		s.note(present(home, away), noon())
		s.note(gone(away), noon())
		same(t, venues(), []match.Venue{home})
	})
	subtest(t, open, "a player is told of the grants; who is erased loses the role before the grant is forgotten", func(t *testing.T, s tester) {
		states := []rankrole.State{rankrole.Absent, rankrole.Given, rankrole.Giving, rankrole.Taking, rankrole.Theirs}
		var all []rankrole.Grant
		for i, state := range states {
			all = append(all, s.grant(home, fmt.Sprint(6001+i), alice, state))
		}
		kept := s.grant(home, "6001", bob, rankrole.Given)
		data := s.data(alice)
		same(t, data.Granted, all)
		same(t, data.Held.Roles, len(states))
		s.erase(alice, after(60))
		for i := range all[1:3] {
			all[1+i].State, all[1+i].At = rankrole.Taking, after(60)
		}
		same(t, s.grants(home), append([]rankrole.Grant{kept}, all[1:4]...))
	})
	subtest(t, open, "a server that was left for good has no rules and no grants", func(t *testing.T, s tester) {
		for _, v := range []match.Venue{home, away} {
			s.setRule(ruleOf(v, "6001", "top1"))
			s.grant(v, "6001", alice, rankrole.Given)
		}
		s.leaveHome()
		same(t, len(s.rules(home))+len(s.grants(home)), 0)
		same(t, len(s.rules(away))+len(s.grants(away)), 2)
	})
	subtest(t, open, "the time of a grant is kept to the millisecond", func(t *testing.T, s tester) {
		g := rankrole.Grant{Venue: home, Role: "6001", Player: alice, State: rankrole.Giving, At: noon().Add(123 * time.Microsecond)}
		s.do(s.SaveGrant(s.ctx, rankrole.Grant{Venue: home, Role: "6001", Player: alice}, g))
		next := g
		next.State = rankrole.Given
		s.do(s.SaveGrant(s.ctx, g, next))
	})
}
