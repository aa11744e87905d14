package ai

import (
	"errors"
	"fmt"
	"strings"

	"tictactoe/game"
)

// The levels.
const (
	// Random plays any square.
	Random = "random"
	// Easy overlooks what people overlook: one in seven wins, every other threat. It plans nothing.
	Easy = "easy"
	// Textbook plays by the rules of the classic textbook: win, block, centre, corner, edge. It can be beaten.
	Textbook = "textbook"
	// Medium sees every win and most threats, and knows what to do half of the time.
	Medium = "medium"
	// Hard sees wins and threats and mostly knows what to do.
	Hard = "hard"
	// Minimax is plain textbook minimax: it begins anywhere and then plays the first best move that it sees, on larger
	// boards not far ahead.
	Minimax = "minimax"
	// Teacher never gives anything away, and makes it as easy as it can for the other side.
	Teacher = "teacher"
	// Unbeatable never gives anything away: it wins as fast and loses as slowly as can be, and keeps every draw. Of the
	// moves that do, it prefers those after which people go wrong.
	Unbeatable = "unbeatable"
)

// ErrLevel is wrapped when a level is asked for that does not exist.
var ErrLevel = errors.New("no such level")

// level is a name and what is behind it: a style that anybody can play, or one that asks a solver.
type level struct {
	name   string
	plain  style
	solved func(*Solver) style
	// ordered tells that of equal squares it prefers the first, so that it does not play the same in all images of a
	// position.
	ordered bool
}

// levels lists them in order of strength. A new level is a new row.
func levels() []level {
	return []level{
		{name: Random, plain: anyOf(game.Position.Legal)},
		{name: Easy, plain: noticing(0.85, winning, noticing(0.50, blocking, anyOf(sane)))},
		{name: Textbook, plain: textbook()},
		{name: Medium, solved: func(s *Solver) style {
			return seeing(winning, noticing(0.95, blocking, mixed(0.50, s.sound(), anyOf(sane))))
		}},
		{name: Hard, solved: func(s *Solver) style {
			return seeing(winning, seeing(blocking, mixed(0.85, s.sound(), anyOf(sane))))
		}},
		{name: Minimax, plain: first, ordered: true},
		{name: Teacher, solved: (*Solver).gentle},
		{name: Unbeatable, solved: (*Solver).perfect},
	}
}

// Levels lists the names of all levels in order of strength, the weakest first.
func Levels() []string {
	var names []string
	for _, l := range levels() {
		names = append(names, l.name)
	}
	return names
}

// levelOf is the level of that name. The error wraps [ErrLevel].
func levelOf(name string) (level, error) {
	for _, l := range levels() {
		if l.name == name {
			return l, nil
		}
	}
	return level{}, fmt.Errorf("%w: %q; there are %s", ErrLevel, name, strings.Join(Levels(), ", "))
}
