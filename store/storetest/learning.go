package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/score"
)

// testLessons tests the record of solved lessons.
func testLessons(t *testing.T, open opener) {
	subtest(t, open, "a lesson is kept from the first time that it is solved", func(t *testing.T, s tester) {
		same(t, must[[]user.Lesson](t)(s.Lessons(s.ctx, alice)), []user.Lesson(nil))
		s.do(s.SolveLesson(s.ctx, alice, "fork", after(2)))
		s.do(s.SolveLesson(s.ctx, alice, "block", after(3)))
		s.do(s.SolveLesson(s.ctx, alice, "fork", after(4)))
		s.do(s.SolveLesson(s.ctx, bob, "line", after(5)))
		same(t, must[[]user.Lesson](t)(s.Lessons(s.ctx, alice)), []user.Lesson{{Name: "block", Solved: after(3)}, {Name: "fork", Solved: after(2)}})
	})
	subtest(t, open, "who leaves takes the lessons along", func(t *testing.T, s tester) {
		s.do(s.SolveLesson(s.ctx, alice, "fork", noon()))
		s.do(s.SolveLesson(s.ctx, bob, "fork", noon()))
		s.erase(alice, after(1))
		same(t, must[[]user.Lesson](t)(s.Lessons(s.ctx, alice)), []user.Lesson(nil))
		same(t, len(must[[]user.Lesson](t)(s.Lessons(s.ctx, bob))), 1)
	})
}

// finishHelped plays a match against the computer to its end, with a hint before the first move.
func (s tester) finishHelped(id match.ID, level string, at time.Time, squares []string) match.Match {
	s.t.Helper()
	m := computer(id, alice, level, at)
	helped := must[match.Match](s.t)(m.Help(alice, 0, at))
	s.create(m)
	s.replace(m, helped)
	same(s.t, s.match(id), helped)
	over := play(s.t, helped, at, squares...)
	s.replace(helped, over)
	same(s.t, s.match(id), over)
	return over
}

// testHelpedMatches tests the scores of a match with a hint.
func testHelpedMatches(t *testing.T, open opener) {
	atHome := profile.Scope{Venue: home}
	subtest(t, open, "it counts as a match, and is no feat", func(t *testing.T, s tester) {
		s.finishHelped("1", "hard", after(10), xWins())
		page := must[score.Page](t)(s.Leaderboard(s.ctx, home, score.Board{Of: score.Computers}, score.Where{Page: 1}, alice))
		same(t, len(page.Rows), 1)
		same(t, page.Rows[0].Wins, 1)
		for _, of := range []score.Leaderboard{score.Levels, score.Moves} {
			page := must[score.Page](t)(s.Leaderboard(s.ctx, home, score.Board{Of: of}, score.Where{Page: 1}, alice))
			same(t, len(page.Rows), 0)
		}
		s.judge("1", profile.Side{Critical: 9}, profile.Side{Critical: 1, Recovered: true})
		r := s.record(atHome, alice)
		same(t, r.Computers["hard"], profile.Results{{Mark: game.X, Outcome: score.Win, Helped: true}})
		same(t, r.Reviewed(), profile.Judged{})
		same(t, len(r.Badges()), 0)

		s.finish(computer("2", alice, "hard", after(20)), after(20), xWins())
		same(t, s.record(atHome, alice).Badges(), []profile.Badge{profile.BeatHard})
	})
	subtest(t, open, "it neither continues a run of draws nor saves one from a loss", func(t *testing.T, s tester) {
		longest := func() int {
			t.Helper()
			page := must[score.Page](t)(s.Leaderboard(s.ctx, home, score.Board{Of: score.Draws}, score.Where{Page: 1}, alice))
			if len(page.Rows) == 0 {
				return 0
			}
			return page.Rows[0].Levels[0].Longest
		}
		s.finishHelped("1", "unbeatable", after(10), drawn())
		same(t, longest(), 0)
		s.finish(computer("2", alice, "unbeatable", after(20)), after(20), drawn())
		s.finishHelped("3", "unbeatable", after(30), drawn())
		s.finish(computer("4", alice, "unbeatable", after(40)), after(40), drawn())
		same(t, longest(), 2)
		s.finishHelped("5", "unbeatable", after(50), oWins())
		s.finish(computer("6", alice, "unbeatable", after(60)), after(60), drawn())
		same(t, longest(), 2)
		now, best := s.record(atHome, alice).Computers["unbeatable"].Streak(score.Draw)
		same(t, fmt.Sprint(now, best), "1 2")
	})
	subtest(t, open, "a recount gives the same result", func(t *testing.T, s tester) {
		first := s.finishHelped("1", "easy", after(10), xWins())
		m := s.finishHelped("2", "easy", after(20), xWins())
		s.void(m, after(30))
		same(t, s.entries(alice), []score.Entry{{Venue: home, Player: alice, Level: "easy", Tally: score.Tally{Wins: 1}, Reached: first.Ended}})
	})
}
