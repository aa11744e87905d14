package gallery

import (
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/view"
)

// learnShots returns the screens of the course and of hints.
func learnShots(t T) map[string]Screen {
	t.Helper()
	shots := map[string]Screen{}
	all := map[string]bool{}
	for _, l := range course.Lessons() {
		shots["course-"+l.Name] = Screen{"OfTask", view.OfTask(l)}
		solver, err := ai.NewSolver(l.Position().Rules())
		if err != nil {
			t.Fatal(err)
		}
		advice, _ := solver.AdviseWithin(t.Context(), l.Position())
		for answer := range l.Answers.All() {
			after, err := l.Record.Play(answer)
			if err != nil {
				t.Fatal(err)
			}
			shots["course-right-"+l.Name] = Screen{"OfRightAnswer", view.OfRightAnswer(l, after, advice.Reason(l.Position()))}
			shots["course-right-unexplained"] = Screen{"OfRightAnswer", view.OfRightAnswer(l, after, ai.Reason{})}
		}
		all[l.Name] = true
	}
	fork, _ := course.Find("nofork")
	beside, err := fork.Record.Play(2)
	if err != nil {
		t.Fatal(err)
	}
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		t.Fatal(err)
	}
	shots["course-wrong"] = Screen{"OfWrongAnswer", view.OfWrongAnswer(fork, solver.Review(beside)[3])}
	shots["course-wrong-unjudged"] = Screen{"OfWrongAnswer", view.OfWrongAnswer(fork, ai.Remark{Square: 2, Grade: ai.Unjudged})}
	shots["course-begins"] = Screen{"OfCourse", view.OfCourse(nil)}
	shots["course-goes-on"] = Screen{"OfCourse", view.OfCourse(map[string]bool{"line": true, "fork": true})}
	shots["course-done"] = Screen{"OfCourse", view.OfCourse(all)}

	against := func(squares string) match.Match {
		m := PlayedBy(t, "classic", match.Seats{match.Human(Alice), match.Computer("hard")}, time.Minute, squares)
		m.Helped = true
		return m
	}
	for name, squares := range map[string]string{"best-chance": "", "any": "a1 b2 c3 b3 b1 c1 a3 a2", "block": "a1 b2 c2 b1", "forks": "b2 b1 a1 c3", "all-hold": "b2 a1", "lost": "a1 b2 b1 c1 a3 a2"} {
		m := against(squares)
		advice, _ := solver.AdviseWithin(t.Context(), m.Position())
		shots["hint-"+name] = hint(m, solver.Favour(m.Position(), advice), name == "block")
		shots["match-helped-"+name] = Screen{"OfMatch", view.OfMatch(m, Names, score.Running{})}
	}
	shots["hint-unsolved-plain"] = hint(against(""), ai.Advice{Squares: game.SetOf(4)}, false)
	shots["hint-unsolved"] = hint(against("b2 a1"), ai.Advice{Squares: game.SetOf(1)}, false)
	shots["hint-unsolved-block"] = hint(against("a1 b2 c2 b1"), ai.Advice{Squares: game.SetOf(7)}, false)
	return shots
}

func hint(m match.Match, advice ai.Advice, first bool) Screen {
	s, _ := view.OfHint(m, advice, first)
	return Screen{"OfHint", s}
}
