package terminal

import (
	"context"
	"errors"
	"slices"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/course"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// judgeTime bounds the search for the reason why a square is right or wrong. If it does not suffice, the screen gives no reason.
const judgeTime = 3 * time.Second

// Course has the names of the lessons of the course that were solved since the program began.
type Course map[string]bool

// lesson is one lesson of the course, with its number and its screen.
type lesson struct {
	course.Lesson
	number int         // from 0
	shown  view.Screen // the screen after the latest answer
	solved bool
}

// lesson returns the round that shows the lesson with the given number, counted from 0. It also changes the game's rules to the lesson's
// rules.
func (g *Game) lesson(number int) round {
	l := course.Lessons()[number]
	own := *g
	own.Rules = l.Position().Rules()
	return round{game: &own, match: own.at(l.Record), lesson: &lesson{l, number, view.OfTask(l), false}}
}

// last reports whether this is the last lesson.
func (l *lesson) last() bool { return l.number == len(course.Lessons())-1 }

// answer returns the round after the human has pressed a square of the lesson's board.
func (r round) answer(square game.Square) (round, error) {
	l, p := *r.lesson, r.lesson.Position()
	r.notes = nil
	after, err := l.Record.Play(square)
	if illegal := (*game.IllegalMoveError)(nil); errors.As(err, &illegal) {
		return r.note(locale.Refusal(&match.Refusal{Reason: match.SquareTaken}, "", r.game.names())), nil
	}
	if err != nil {
		return r, err
	}
	solver, err := ai.NewSolver(p.Rules())
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), judgeTime)
	defer cancel()
	if l.Answers.Has(square) {
		advice, known := solver.AdviseWithin(ctx, p)
		if known {
			advice.Squares = game.SetOf(square)
		}
		l.shown, l.solved = view.OfRightAnswer(l.Lesson, after, advice.Reason(p)), true
		r.match = r.game.at(after)
		r.game.Course[l.Name] = true
	} else {
		review := solver.ReviewWithin(ctx, after)
		l.shown = view.OfWrongAnswer(l.Lesson, review[len(review)-1])
	}
	r.lesson = &l
	return r, nil
}

// lessonScreen returns the screen of the lesson. It moves the comment on the answer below the board, where there is room.
func (r round) lessonScreen() view.Screen {
	s := r.lesson.shown
	s.Lines, s.Notes = s.Lines[:2], slices.Concat(r.notes, s.Lines[2:], s.Notes)
	return s
}

// TellCourse prints which lessons have been solved.
func (g *Game) TellCourse() error {
	l := &lines{game: g, out: g.Out}
	l.print("\n")
	l.say(view.OfCourse(g.Course).Lines...)
	return l.err
}
