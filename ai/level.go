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

// level is a name and what is behind it.
type level struct {
	name  string
	style func(*Solver) style
}

// levels lists them in order of strength. A new level is a new row.
func levels() []level {
	return []level{
		{Random, func(*Solver) style { return anyOf(game.Position.Legal) }},
		{Easy, func(*Solver) style {
			return noticing(0.85, winning, noticing(0.50, blocking, anyOf(sane)))
		}},
		{Textbook, func(*Solver) style { return textbook() }},
		{Medium, func(s *Solver) style {
			return seeing(winning, noticing(0.95, blocking, mixed(0.50, s.sound(), anyOf(sane))))
		}},
		{Hard, func(s *Solver) style {
			return seeing(winning, seeing(blocking, mixed(0.85, s.sound(), anyOf(sane))))
		}},
		{Minimax, func(*Solver) style { return first }},
		{Teacher, func(s *Solver) style { return s.gentle() }},
		{Unbeatable, func(s *Solver) style { return s.perfect() }},
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

// styleOf is how a level plays. The error wraps [ErrLevel].
func styleOf(name string, solver *Solver) (style, error) {
	for _, l := range levels() {
		if l.name == name {
			return l.style(solver), nil
		}
	}
	return nil, fmt.Errorf("%w: %q; there are %s", ErrLevel, name, strings.Join(Levels(), ", "))
}
