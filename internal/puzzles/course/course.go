// Package course is a short course in Tic-Tac-Toe: positions in each of which there is something to find.
package course

import (
	"slices"
	"strings"

	"tictactoe/game"
)

// Lesson is one position of the course.
type Lesson struct {
	Name    string      // by which it is stored, and its texts are found
	Record  game.Record // the game that led to the position; who is to move has to find the move
	Answers game.Bitboard
}

// Lessons are all of them, in the order in which they are taught.
func Lessons() []Lesson {
	return []Lesson{
		of("line", "classic", "a1 a2 b1 b2", "c1"),
		of("block", "classic", "a1 b2 b1", "c1"),
		of("fork", "classic", "a1 b1 b2 c3", "a2 a3"),
		of("nofork", "classic", "a1 b2 c3", "b1 a2 c2 b3"),
		of("centre", "classic", "a1", "b2"),
		of("corner", "classic", "b2", "a1 c1 a3 c3"),
		of("drop", "drop", "b4 b3 c4 c3", "d4"),
		of("misere", "misere", "", "b2"),
		of("infinite", "infinite", "", "b1 a2 c2 b3"),
		of("trap", "5x5", "b2", "c3"),
	}
}

// Find is the lesson of that name, and its number, counted from 1. The number is 0 if there is none.
func Find(name string) (Lesson, int) {
	lessons := Lessons()
	i := slices.IndexFunc(lessons, func(l Lesson) bool { return l.Name == name })
	if i < 0 {
		return Lesson{}, 0
	}
	return lessons[i], i + 1
}

// Position is that of the lesson.
func (l Lesson) Position() game.Position { return l.Record.Position() }

// of is a lesson after those moves, whose answers are those squares. It panics if the moves are no game, which a test would notice.
func of(name, rules, moves, answers string) Lesson {
	r, err := game.ParseRules(rules)
	if err != nil {
		panic(err)
	}
	record, err := game.Replay(r, squares(r, moves)...)
	if err != nil {
		panic(err)
	}
	return Lesson{name, record, game.SetOf(squares(r, answers)...)}
}

func squares(r game.Rules, names string) (squares []game.Square) {
	for name := range strings.FieldsSeq(names) {
		s, err := r.ParseSquare(name)
		if err != nil {
			panic(err)
		}
		squares = append(squares, s)
	}
	return squares
}
