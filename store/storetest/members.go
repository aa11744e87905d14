package storetest

import (
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
)

// testLeftOut tests whom the policy of a venue leaves out of its leaderboards.
func testLeftOut(t *testing.T, open opener) {
	subtest(t, open, "who has left and who is staff is left out until that ends, or the policy changes", func(t *testing.T, s tester) {
		for i, p := range []match.User{alice, bob, carol} {
			for n := range 3 - i {
				s.ended(match.ID(string(p)+string(rune('0'+n))), p, "loser", after(10*n+i), xWins())
			}
		}
		everybody := []match.User{alice, bob, carol, "loser"}
		shown := func(want ...match.User) {
			t.Helper()
			var players []match.User
			for i, r := range s.page(score.People, 1, "").Rows {
				same(t, r.Rank, i+1)
				players = append(players, r.Player)
			}
			same(t, players, want)
		}
		check := func(p match.User, left bool, want bool, roles ...string) {
			t.Helper()
			same(t, must[bool](t)(s.SaveCheck(s.ctx, home, p, left, roles, after(100))), want)
		}
		unchecked := func(since int, want ...match.User) {
			t.Helper()
			same(t, must[[]match.User](t)(s.Unchecked(s.ctx, home, everybody, after(since))), want)
		}
		set := func(from, to policy.Policy) {
			t.Helper()
			from.Venue, to.Venue, to.Version = home, home, from.Version+1
			s.do(s.SetPolicy(s.ctx, from, to, entryOf(to)))
		}
		check(alice, true, false) // the policy leaves out nobody
		unchecked(0, everybody...)
		both := policy.Policy{LeaversOff: true, Staff: []string{"6001", "6002"}, Version: 1}
		set(policy.Policy{}, both)

		check("stranger", true, false) // who has no scores here, or has deleted them
		check(alice, true, true)
		check(alice, true, false)
		check(bob, false, true, "6002", "7")
		check(carol, false, false, "7")
		shown(carol, "loser")
		same(t, s.page(score.People, 1, alice).Out, true)
		same(t, s.page(score.People, 1, carol).Out, false)
		same(t, must[user.Held](t)(s.Held(s.ctx, carol)).Members, 1)
		same(t, s.data(carol).Members, []match.Venue{home})
		unchecked(99, "loser")
		same(t, must[[]match.User](t)(s.Unchecked(s.ctx, home, []match.User{carol, "loser"}, after(100))), []match.User{carol, "loser", alice, bob})

		check(alice, false, true)
		shown(alice, carol, "loser")
		s.do(s.SetRanked(s.ctx, home, alice, false, policy.AuditEntry{}))
		check(alice, true, true)
		check(alice, false, true)
		shown(carol, "loser") // a moderator has taken alice off
		check(carol, true, true)
		s.erase(carol, after(200))
		same(t, must[user.Held](t)(s.Held(s.ctx, carol)), user.Held{})

		leavers := policy.Policy{LeaversOff: true, Version: 2}
		set(both, leavers)
		shown(bob, "loser")
		unchecked(0, everybody...)
		check(bob, true, true, "6002")
		shown("loser")
		set(leavers, policy.Policy{})
		s.do(s.SetRanked(s.ctx, home, alice, true, policy.AuditEntry{}))
		shown(alice, bob, "loser")
	})
}
