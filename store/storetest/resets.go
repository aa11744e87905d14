package storetest

import (
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
)

// winsIn returns the number of alice's wins on a leaderboard of a venue.
func winsIn(s tester, v match.Venue, b score.Leaderboard) int {
	s.t.Helper()
	page := must[score.Page](s.t)(s.Leaderboard(s.ctx, v, onAll(b), score.Where{Page: 1}, alice))
	if page.Own == nil {
		return 0
	}
	return page.Own.Wins
}

// wonIn saves a match in a venue that begins at the given second and that alice wins. The shortest game takes four seconds.
func wonIn(s tester, id match.ID, v match.Venue, second int) match.Match {
	s.t.Helper()
	return s.finish(in(v, begin(id, alice, bob, after(second-4))), after(second-4), xWins())
}

func testResets(t *testing.T, open opener) {
	subtest(t, open, "both leaderboards of the venue are reset, and no other", func(t *testing.T, s tester) {
		wonIn(s, "a", home, 10)
		wonIn(s, "b", away, 10)
		s.finish(computer("c", alice, "easy", after(6)), after(6), xWins())
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, winsIn(s, home, score.People), 0)
		same(t, winsIn(s, home, score.Computers), 0)
		same(t, winsIn(s, away, score.People), 1)
		wonIn(s, "d", home, 70)
		same(t, winsIn(s, home, score.People), 1)
	})
	subtest(t, open, "a match that ended at that time or before does not count, whenever it is saved", func(t *testing.T, s tester) {
		wonIn(s, "later", home, 61)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, winsIn(s, home, score.People), 1)
		wonIn(s, "before", home, 59)
		wonIn(s, "then", home, 60)
		same(t, winsIn(s, home, score.People), 1)
	})
	subtest(t, open, "an earlier reset changes nothing", func(t *testing.T, s tester) {
		wonIn(s, "a", home, 50)
		wonIn(s, "b", home, 70)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		s.do(s.ResetScores(s.ctx, resetOf(home, after(40))))
		same(t, winsIn(s, home, score.People), 1)
	})
	subtest(t, open, "voiding a match from before takes nothing back", func(t *testing.T, s tester) {
		old := wonIn(s, "a", home, 10)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		wonIn(s, "b", home, 70)
		s.void(old, after(80))
		same(t, winsIn(s, home, score.People), 1)
	})
	subtest(t, open, "the matches stay", func(t *testing.T, s tester) {
		m := wonIn(s, "a", home, 10)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(60))))
		same(t, s.match("a"), m)
	})
}

func testUndoneResets(t *testing.T, open opener) {
	subtest(t, open, "undoing a reset lets the matches before it count again", func(t *testing.T, s tester) {
		wonIn(s, "a", home, 10)
		s.finish(computer("c", alice, "easy", after(6)), after(6), xWins())
		first, second := resetOf(home, after(20)), resetOf(home, after(60))
		s.do(s.ResetScores(s.ctx, first))
		wonIn(s, "b", home, 30)
		s.do(s.ResetScores(s.ctx, second))
		wonIn(s, "late", home, 40)
		wonIn(s, "d", home, 70)
		s.do(s.UndoReset(s.ctx, undoOf(second)))
		same(t, winsIn(s, home, score.People), 3)
		same(t, winsIn(s, home, score.Computers), 0)
		s.do(s.UndoReset(s.ctx, undoOf(first)))
		same(t, winsIn(s, home, score.People), 4)
		same(t, winsIn(s, home, score.Computers), 1)
	})
	subtest(t, open, "of two resets of the same moment each is undone alone", func(t *testing.T, s tester) {
		wonIn(s, "a", home, 10)
		first, second := resetOf(home, after(20)), resetOf(home, after(20))
		s.do(s.ResetScores(s.ctx, first))
		s.do(s.ResetScores(s.ctx, second))
		s.do(s.UndoReset(s.ctx, undoOf(first)))
		same(t, winsIn(s, home, score.People), 0)
		s.do(s.UndoReset(s.ctx, undoOf(second)))
		same(t, winsIn(s, home, score.People), 1)
	})
	subtest(t, open, "a reset is undone once, by the first request, and for its venue", func(t *testing.T, s tester) {
		wonIn(s, "a", home, 10)
		reset, again := resetOf(home, after(20)), resetOf(home, after(30))
		s.do(s.ResetScores(s.ctx, reset))
		elsewhere := undoOf(reset)
		elsewhere.Venue = away
		fails(t, s.UndoReset(s.ctx, elsewhere), match.Undone)
		undo := undoOf(reset)
		s.do(s.UndoReset(s.ctx, undo))
		s.do(s.UndoReset(s.ctx, undo)) // the same request arrives twice
		s.do(s.ResetScores(s.ctx, again))
		fails(t, s.UndoReset(s.ctx, undoOf(reset)), match.Undone)
		same(t, winsIn(s, home, score.People), 0)
		log := s.auditLog(home, 0, 9)
		reset.Undone = true
		same(t, log, []policy.AuditEntry{again, undo, reset})
	})
}
