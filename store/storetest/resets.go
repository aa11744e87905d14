package storetest

import (
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

func testResets(t *testing.T, open opener) {
	// wins are those of alice against people at a venue, as the leaderboard has them.
	wins := func(s tester, v match.Venue, b score.Leaderboard) int {
		s.t.Helper()
		page := must[score.Page](s.t)(s.Leaderboard(s.ctx, v, b, score.Where{Page: 1}, alice))
		if page.Own == nil {
			return 0
		}
		return page.Own.Wins
	}
	// The shortest game takes four seconds.
	won := func(s tester, id match.ID, v match.Venue, second int) match.Match {
		s.t.Helper()
		m := begin(id, alice, bob, after(second-4))
		m.Venue = v
		return s.finish(m, after(second-4), xWins())
	}

	subtest(t, open, "both leaderboards of the venue begin anew, and no other", func(t *testing.T, s tester) {
		won(s, "a", home, 10)
		won(s, "b", away, 10)
		s.finish(computer("c", alice, "easy", after(6)), after(6), xWins())
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, wins(s, home, score.People), 0)
		same(t, wins(s, home, score.Computers), 0)
		same(t, wins(s, away, score.People), 1)
		won(s, "d", home, 70)
		same(t, wins(s, home, score.People), 1)
	})
	subtest(t, open, "what ended at that time or before does not count, whenever it is saved", func(t *testing.T, s tester) {
		won(s, "later", home, 61)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, wins(s, home, score.People), 1)
		won(s, "before", home, 59)
		won(s, "then", home, 60)
		same(t, wins(s, home, score.People), 1)
	})
	subtest(t, open, "an earlier reset changes nothing", func(t *testing.T, s tester) {
		won(s, "a", home, 50)
		won(s, "b", home, 70)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		s.do(s.ResetScores(s.ctx, resetOf(home, after(40))))
		same(t, wins(s, home, score.People), 1)
	})
	subtest(t, open, "voiding a match from before takes nothing back", func(t *testing.T, s tester) {
		old := won(s, "a", home, 10)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		won(s, "b", home, 70)
		s.replace(old, must[match.Match](t)(old.Void(after(80))))
		same(t, wins(s, home, score.People), 1)
	})
	subtest(t, open, "the matches stay", func(t *testing.T, s tester) {
		m := won(s, "a", home, 10)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, must[match.Match](t)(s.Match(s.ctx, "a")), m)
	})
}
