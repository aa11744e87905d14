package storetest

import (
	"fmt"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// testLatest tests the latest ended matches of a player.
func testLatest(t *testing.T, open opener) {
	latest := func(s tester, p match.User, limit int) (ids string) {
		s.t.Helper()
		for _, e := range must[[]archive.Played](s.t)(s.Latest(s.ctx, p, limit)) {
			ids += string(e.ID)
		}
		return ids
	}
	subtest(t, open, "the latest match to end is the first, whichever mark the player had, and wherever it was", func(t *testing.T, s tester) {
		s.ended("b", alice, bob, after(20), xWins())
		s.ended("a", bob, alice, after(10), drawn())
		s.ended("e", bob, carol, after(50), xWins())
		s.endedAt(away, game.Classic(), "c", carol, alice, after(30), oWins())
		s.finish(computer("d", alice, "easy", after(40)), after(40), xWins())
		same(t, latest(s, alice, 9), "dcba")
		same(t, latest(s, alice, 3), "dcb")
		same(t, latest(s, carol, 9), "ec")
		same(t, latest(s, "nobody", 9), "")
	})
	subtest(t, open, "of several matches that ended at the same time, the higher ids come first", func(t *testing.T, s tester) {
		for i := range 6 {
			s.ended(match.ID(fmt.Sprint(i)), []match.User{alice, bob}[i%2], []match.User{bob, alice}[i%2], after(10), xWins())
		}
		same(t, latest(s, alice, 4), "5432")
	})
	subtest(t, open, "a match that goes on is not among them, and one that does not count is", func(t *testing.T, s tester) {
		s.create(begin("open", alice, bob, noon()))
		s.aborted("1", after(1))
		s.void(s.ended("2", alice, bob, after(2), xWins()), after(9))
		same(t, latest(s, alice, 9), "21")
	})
	subtest(t, open, "the list has the played matches", func(t *testing.T, s tester) {
		fourInARow := must[game.Rules](t)(game.ParseRules("4x4"))
		m := s.endedAt(away, fourInARow, "m", alice, bob, after(30), []string{"a1", "a2", "b1", "b2", "c1", "c2", "d1"})
		same(t, must[[]archive.Played](t)(s.Latest(s.ctx, bob, 9)), []archive.Played{archive.Of(m)})
		c := s.finish(computer("c", alice, "easy", after(60)), after(60), oWins())
		same(t, must[[]archive.Played](t)(s.Latest(s.ctx, alice, 1)), []archive.Played{archive.Of(c)})
	})
}
