package ai

import (
	"errors"
	"fmt"
	"strings"

	"tictactoe/game"
)

// The levels.
const (
	// Easy overlooks what people overlook: one in seven wins, every other threat. It plans nothing.
	Easy = "easy"
	// Unbeatable never gives anything away: it wins as fast and loses as slowly as can be, and keeps every draw.
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
		{Easy, func(*Solver) style {
			return noticing(0.85, winning, noticing(0.50, blocking, anyOf(game.Position.Legal)))
		}},
		{Unbeatable, func(t *Solver) style { return anyOf(t.Best) }},
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
