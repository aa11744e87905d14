package course_test

import (
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/course"
)

// TestTheAnswersAreRight checks that the answers of a lesson are exactly the best moves, that the reason for them is the subject of
// the lesson, and that there are other legal moves.
func TestTheAnswersAreRight(t *testing.T) {
	reasons := map[string]ai.ReasonKind{
		"line": ai.Wins, "block": ai.Blocks, "fork": ai.Forks, "nofork": ai.StopsFork, "centre": ai.Only, "corner": ai.Only,
		"drop": ai.Forks, "misere": ai.Only, "infinite": ai.Forces, "trap": ai.Only,
	}
	for i, lesson := range course.Lessons() {
		t.Run(lesson.Name, func(t *testing.T) {
			t.Parallel()
			p := lesson.Position()
			solver, err := ai.NewSolver(p.Rules())
			if err != nil {
				t.Fatal(err)
			}
			advice, ok := solver.AdviseWithin(t.Context(), p)
			if !ok || advice.Squares != lesson.Answers || lesson.Answers == p.Legal() {
				t.Errorf("the best of %b are %b, and the answers %b", p.Legal(), advice.Squares, lesson.Answers)
			}
			why := advice.Reason(p)
			if why.Kind != reasons[lesson.Name] || why.Squares != lesson.Answers {
				t.Errorf("the reason is %q for %b", why.Kind, why.Squares)
			}
			for s := range (p.Legal() &^ lesson.Answers).All() {
				record, err := game.Replay(p.Rules(), append(lesson.Record.Squares(), s)...)
				if err != nil {
					t.Fatal(err)
				}
				review := solver.Review(record)
				if last := review[len(review)-1]; last.Played == last.Best {
					t.Errorf("%s is as good as an answer", p.Rules().Name(s))
				}
			}
			if found, n := course.Find(lesson.Name); n != i+1 || found.Answers != lesson.Answers {
				t.Errorf("number %d, not %d", n, i+1)
			}
		})
	}
	if _, n := course.Find("none"); n != 0 {
		t.Errorf("the empty name is lesson %d", n)
	}
	if n := len(course.Lessons()); n != 10 {
		t.Errorf("%d lessons, want ten", n)
	}
}
