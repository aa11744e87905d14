package ai

import (
	"sync"
	"sync/atomic"

	"tictactoe/game"
)

// rememberSquares is the size of the largest board on which all odds of a level are cached. On 3x3 a level takes 160 KB, and 200
// bytes more for each position in which it has moved.
const rememberSquares = 9

// styleOfLevel is the style of a level, which is made once for all engines of a solver.
type styleOfLevel struct {
	once  sync.Once
	style style
}

// styleOf returns the style of a level. Engines of the same level share the style and with it the cached odds.
func (s *Solver) styleOf(level Level) style {
	shared := &s.styles[level]
	shared.once.Do(func() { shared.style = s.remembering(habitsOf(level).style(s)) })
	return shared.style
}

// remembering returns a style that plays like inner and caches the odds of each position. On boards that are too large for a cache it
// returns inner.
func (s *Solver) remembering(inner style) style {
	table, ok := s.oracle.(*table)
	if !ok || s.rules.Squares() > rememberSquares {
		return inner
	}
	// A position has the same odds whether X or O is to move, as it has the same score in the table. Two goroutines may calculate
	// the same odds at the same time; both then store equal odds.
	known := make([]atomic.Pointer[Odds], len(table.scores))
	return func(p game.Position) Odds {
		slot := &known[table.index(sides(p))]
		if odds := slot.Load(); odds != nil {
			return *odds
		}
		odds := inner(p)
		slot.Store(&odds)
		return odds
	}
}
