// Package course is a short course in Tic-Tac-Toe: a list of positions, in each of which the player has to find the best move.
package course

import (
	"slices"
	"strings"

	"tictactoe/game"
)

// Lesson is a position of the course.
type Lesson struct {
	Name    string      // the key of the lesson in the store and in the texts
	Record  game.Record // the game that led to the position; the side to move has to find the best move
	Answers game.Bitboard
}

// Lessons returns all lessons, in the order in which they are taught.
func Lessons() []Lesson {
	return []Lesson{
		lessonAfter("line", "classic", "a1 a2 b1 b2", "c1"),
		lessonAfter("block", "classic", "a1 b2 b1", "c1"),
		lessonAfter("fork", "classic", "a1 b1 b2 c3", "a2 a3"),
		lessonAfter("nofork", "classic", "a1 b2 c3", "b1 a2 c2 b3"),
		lessonAfter("centre", "classic", "a1", "b2"),
		lessonAfter("corner", "classic", "b2", "a1 c1 a3 c3"),
		lessonAfter("drop", "drop", "b4 b3 c4 c3", "d4"),
		lessonAfter("misere", "misere", "", "b2"),
		lessonAfter("infinite", "infinite", "", "b1 a2 c2 b3"),
		lessonAfter("trap", "5x5", "b2", "c3"),
	}
}

// Find returns the lesson of the given name, and its number, counted from 1. The number is 0 if there is no such lesson.
func Find(name string) (Lesson, int) {
	lessons := Lessons()
	i := slices.IndexFunc(lessons, func(l Lesson) bool { return l.Name == name })
	if i < 0 {
		return Lesson{}, 0
	}
	return lessons[i], i + 1
}

// Position returns the position of the lesson.
func (l Lesson) Position() game.Position { return l.Record.Position() }

// lessonAfter returns the lesson that begins after the given moves and has the given answers. It panics if the moves are not a
// legal game; a test excludes that.
func lessonAfter(name, rules, moves, answers string) Lesson {
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
