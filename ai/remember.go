package ai

import (
	"sync"
	"sync/atomic"

	"tictactoe/game"
)

// rememberSquares is the size of the largest board on which all odds of a level are remembered: on 3x3 that takes 160 KB for
// a level, and 200 bytes more for each position that it has moved in.
const rememberSquares = 9

// styleOfLevel is the style of a level, which is made once for all engines of a solver.
type styleOfLevel struct {
	once  sync.Once
	style style
}

// styleOf returns the style of a level. Engines of the same level share what they work out about positions, such as where
// people go wrong. Only where the solver searches, each engine has a search of its own, so that none waits for another.
func (s *Solver) styleOf(level Level) style {
	if _, ok := s.oracle.(*searcher); ok {
		return habitsOf(level).style(s)
	}
	shared := &s.styles[level]
	shared.once.Do(func() { shared.style = s.remembering(habitsOf(level).style(s)) })
	return shared.style
}

// remembering returns a style that works out the odds in a position once and then looks them up. On boards that are too
// large for that it returns the style as it is.
func (s *Solver) remembering(work style) style {
	table, ok := s.oracle.(*table)
	if !ok || s.rules.Squares() > rememberSquares {
		return work
	}
	// As in the table, a position is the same for X as for O. Two goroutines may work out the same odds at the same time;
	// then they store the same.
	known := make([]atomic.Pointer[Odds], len(table.scores))
	return func(p game.Position) Odds {
		slot := &known[table.index(sides(p))]
		if odds := slot.Load(); odds != nil {
			return *odds
		}
		odds := work(p)
		slot.Store(&odds)
		return odds
	}
}
