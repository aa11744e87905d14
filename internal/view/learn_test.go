package view_test

import (
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/course"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

// learnShots are the screens of the course and of hints.
func learnShots(t *testing.T) map[string]shot {
	t.Helper()
	shots := map[string]shot{}
	all := map[string]bool{}
	for _, l := range course.Lessons() {
		shots["course-"+l.Name] = shot{"OfTask", view.OfTask(l)}
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
			shots["course-right-"+l.Name] = shot{"OfRightAnswer", view.OfRightAnswer(l, after, advice.Reason(l.Position()))}
			shots["course-right-unexplained"] = shot{"OfRightAnswer", view.OfRightAnswer(l, after, ai.Reason{})}
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
	shots["course-wrong"] = shot{"OfWrongAnswer", view.OfWrongAnswer(fork, solver.Review(beside)[3])}
	shots["course-wrong-unjudged"] = shot{"OfWrongAnswer", view.OfWrongAnswer(fork, ai.Remark{Square: 2, Grade: ai.Unjudged})}
	shots["course-begins"] = shot{"OfCourse", view.OfCourse(nil)}
	shots["course-goes-on"] = shot{"OfCourse", view.OfCourse(map[string]bool{"line": true, "fork": true})}
	shots["course-done"] = shot{"OfCourse", view.OfCourse(all)}

	against := func(squares string) match.Match {
		m := playedBy(t, "classic", match.Seats{match.Human(alice), match.Computer("hard")}, time.Minute, squares)
		m.Helped = true
		return m
	}
	for name, squares := range map[string]string{"any": "", "block": "a1 b2 c2 b1", "forks": "b2 b1 a1 c3", "all-hold": "b2 a1", "lost": "a1 b2 b1 c1 a3 a2"} {
		m := against(squares)
		advice, _ := solver.AdviseWithin(t.Context(), m.Position())
		shots["hint-"+name] = shot{"OfHint", view.OfHint(m, advice, name == "block")}
		shots["match-helped-"+name] = shot{"OfMatch", view.OfMatch(m, names, score.Running{})}
	}
	shots["hint-unsolved-plain"] = shot{"OfHint", view.OfHint(against(""), ai.Advice{Squares: game.SetOf(4)}, false)}
	shots["hint-unsolved"] = shot{"OfHint", view.OfHint(against("b2 a1"), ai.Advice{Squares: game.SetOf(1)}, false)}
	shots["hint-unsolved-block"] = shot{"OfHint", view.OfHint(against("a1 b2 c2 b1"), ai.Advice{Squares: game.SetOf(7)}, false)}
	return shots
}

func TestTheLosingMove(t *testing.T) {
	people := match.Seats{match.Human(alice), match.Human(bob)}
	for _, test := range []struct {
		name, squares string
		end           func(match.Match) match.Match
		want          int // 0 if there is none
	}{
		{"the only mistake", "a1 b2 c3 c1 a3 a2 b3", nil, 4},
		{"the last time that something was given away", "a1 b1 c1 a2 c3 b2 c2", nil, 4},
		{"nobody lost", "a1 b2 c3 b1 b3 a3 c1 c2 a2", nil, 0},
		{"given up without a mistake", "b2 a1", func(m match.Match) match.Match { return resigned(t, m, bob) }, 0},
		{"given up although it was won", "a1 b1 c1 b2", func(m match.Match) match.Match { return resigned(t, m, bob) }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := playedBy(t, "classic", people, time.Minute, test.squares)
			if test.end != nil {
				m = test.end(m)
			}
			if move, ok := view.LosingMove(m, review(t, m)); move != test.want || ok != (test.want > 0) {
				t.Errorf("move %d, %t; want %d", move, ok, test.want)
			}
		})
	}
}
