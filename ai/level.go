package ai

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tictactoe/game"
)

// Level is how well an engine plays. The zero value is no level. Levels are written and read by name, also in JSON and as
// flags.
type Level uint8

// The levels, the weakest first.
const (
	// Random plays any square.
	Random Level = iota + 1
	// Easy overlooks what people overlook: one in seven wins and every other threat. It plans nothing.
	Easy
	// Textbook plays by the rules of the classic textbook: win, block, centre, corner, edge. It can be beaten.
	Textbook
	// Medium sees every win and most threats. Half of the time it plays perfectly otherwise.
	Medium
	// Hard sees every win and every threat. Most of the time it plays perfectly otherwise.
	Hard
	// Minimax plays by the minimax search of textbooks: it begins on any square and then plays the first of the best moves
	// that it finds. On larger boards it does not look far ahead.
	Minimax
	// Teacher never gives anything away, and makes it as easy as it can for the other side.
	Teacher
	// Unbeatable never gives anything away: it wins as fast and loses as slowly as possible, and keeps every draw. Of several
	// moves that keep a draw, it prefers those after which people go wrong.
	Unbeatable
)

// ErrLevel is wrapped when a level is asked for that does not exist.
var ErrLevel = errors.New("no such level")

// habits are the name of a level and the way in which it chooses moves.
type habits struct {
	name   string
	plain  style               // nil if the level asks a solver
	solved func(*Solver) style // nil if the level asks no solver
	// ordered tells whether the level prefers the first of equally good squares. Such a level does not play the same in all
	// images of a position.
	ordered bool
}

// style returns how the level chooses its moves, with the solver's help if it needs any.
func (h habits) style(solver *Solver) style {
	if h.plain != nil {
		return h.plain
	}
	return h.solved(solver)
}

// habitsOf returns the habits of a level, or the zero value if there is no such level. A new level needs a constant above, a
// case here and a place in [Levels]; as the last one also the size of [Solver.styles].
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
		return habits{name: "minimax", plain: first, ordered: true}
	case Teacher:
		return habits{name: "teacher", solved: (*Solver).gentle}
	case Unbeatable:
		return habits{name: "unbeatable", solved: (*Solver).perfect}
	default:
		return habits{}
	}
}

// Levels returns all levels in order of strength, the weakest first.
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

// ParseLevel returns the level of that name. The error wraps [ErrLevel].
func ParseLevel(name string) (Level, error) {
	if i := slices.Index(LevelNames(), name); i >= 0 {
		return Levels()[i], nil
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
	if !slices.Contains(Levels(), level) {
		return fmt.Errorf("%w: number %d; there are %s", ErrLevel, uint8(level), strings.Join(LevelNames(), ", "))
	}
	return nil
}
