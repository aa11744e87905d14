package ai

import (
	"errors"
	"fmt"
	"strings"

	"tictactoe/game"
)

// Level is the playing strength of an engine. The zero value is no level. The text form of a level is its name, also in JSON and
// as a flag.
type Level uint8

// The levels, roughly from weak to strong: which of two is stronger depends on the rules; see [Stronger].
const (
	// Random plays any square.
	Random Level = iota + 1
	// Easy overlooks as much as people do: one in seven wins and half of the threats. It does not plan.
	Easy
	// Textbook plays by the rules of the classic textbook: win, block, centre, corner, edge. It can be beaten.
	Textbook
	// Medium sees every win and most threats. Otherwise it plays perfectly half of the time.
	Medium
	// Hard sees every win and every threat. Otherwise it plays perfectly most of the time.
	Hard
	// Minimax plays by the minimax search of textbooks: it begins on any square and then plays the first of the best moves
	// that it finds. On larger boards it does not look far ahead.
	Minimax
	// Teacher never makes an error, and makes the game as easy as possible for the other side.
	Teacher
	// Unbeatable never makes an error: it wins as fast and loses as slowly as possible, and keeps every draw. Of several moves
	// that keep a draw, it prefers the moves after which people are likely to err.
	Unbeatable
)

// ErrLevel is wrapped by the error for an unknown level.
var ErrLevel = errors.New("no such level")

// habits holds the name of a level and its style.
type habits struct {
	name   string
	plain  style               // nil if the level needs a solver
	solved func(*Solver) style // nil if the level needs no solver
}

// style returns the style of the level, which uses the solver if the level needs one.
func (h habits) style(solver *Solver) style {
	if h.plain != nil {
		return h.plain
	}
	return h.solved(solver)
}

// habitsOf returns the habits of a level, or the zero value if there is no such level. A new level needs a constant above, a
// case here and a place in [Levels].
func habitsOf(level Level) habits {
	switch level {
	case Random:
		return habits{name: "random", plain: anyOf(game.Position.Legal)}
	case Easy:
		return habits{name: "easy", plain: noticing(0.85, winning, noticing(0.50, blocking, anyOf(sane)))}
	case Textbook:
		return habits{name: "textbook", plain: textbook()}
	case Medium:
		return habits{name: "medium", solved: func(s *Solver) style {
			return seeing(winning, noticing(0.95, blocking, mixed(0.50, s.sound(), anyOf(sane))))
		}}
	case Hard:
		return habits{name: "hard", solved: func(s *Solver) style {
			return seeing(winning, seeing(blocking, mixed(0.85, s.sound(), anyOf(sane))))
		}}
	case Minimax:
		return habits{name: "minimax", plain: first}
	case Teacher:
		return habits{name: "teacher", solved: (*Solver).gentle}
	case Unbeatable:
		return habits{name: "unbeatable", solved: (*Solver).perfect}
	}
	if skill, fair := level.Skill(); fair {
		return habits{name: fmt.Sprintf("%s:%d", FairName, skill), solved: func(s *Solver) style { return s.fairly(skill) }}
	}
	return habits{}
}

// Levels returns all levels but the fair ones, roughly from weak to strong.
func Levels() []Level {
	return []Level{Random, Easy, Textbook, Medium, Hard, Minimax, Teacher, Unbeatable}
}

// LevelNames returns the names of all levels in the order of [Levels].
func LevelNames() []string {
	var names []string
	for _, level := range Levels() {
		names = append(names, level.String())
	}
	return names
}

// ParseLevel returns the level with the given name. The error wraps [ErrLevel].
func ParseLevel(name string) (Level, error) {
	for level := Random; level <= Fair(MaxSkill); level++ {
		if level.String() == name {
			return level, nil
		}
	}
	return 0, fmt.Errorf("%w: %q; there are %s", ErrLevel, name, strings.Join(LevelNames(), ", "))
}

// String returns the name of the level, such as "easy", or "no level" for the zero value.
func (level Level) String() string {
	if name := habitsOf(level).name; name != "" {
		return name
	}
	return "no level"
}

// MarshalText returns the name of the level. The error wraps [ErrLevel] if there is no such level.
func (level Level) MarshalText() ([]byte, error) {
	if err := level.check(); err != nil {
		return nil, err
	}
	return []byte(level.String()), nil
}

// UnmarshalText reads the name of a level. The error wraps [ErrLevel].
func (level *Level) UnmarshalText(name []byte) error {
	read, err := ParseLevel(string(name))
	if err != nil {
		return err
	}
	*level = read
	return nil
}

// check returns an error that wraps ErrLevel if there is no such level.
func (level Level) check() error {
	if level < Random || level > Fair(MaxSkill) {
		return fmt.Errorf("%w: number %d; there are %s", ErrLevel, uint8(level), strings.Join(LevelNames(), ", "))
	}
	return nil
}
