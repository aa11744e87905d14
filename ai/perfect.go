package ai

import (
	"sync"

	"tictactoe/game"
)

// sound returns the style that keeps the value of a position and wants nothing else.
func (s *Solver) sound() style {
	if _, ok := s.oracle.(*searcher); ok {
		return s.perfect()
	}
	return anyOf(s.Holding)
}

// perfect returns the style that gives nothing away, wins as fast and loses as slowly as can be, and where the game is drawn
// sets traps: of the moves that hold the draw, it likes those after which people go wrong.
func (s *Solver) perfect() style {
	if _, ok := s.oracle.(*searcher); ok {
		r := newProber(s.rules, tempting, &s.spent)
		r.plies = trapPlies(s.rules)
		return r.odds
	}
	replies := s.rules.Squares() // to the end
	if s.rules.Vanish() || replies > tableSquares {
		replies = 2 // there is no end, or a far one
	}
	return s.choosing(newTraps(people(), s.wins), replies, tempting)
}

// gentle returns the style that gives nothing away and makes it as easy as it can for the other side: of the moves that hold a
// draw, it likes those after which few replies lose.
func (s *Solver) gentle() style {
	if _, ok := s.oracle.(*searcher); ok {
		return newProber(s.rules, gentlest, &s.spent).odds
	}
	return s.choosing(newTraps(anyOf(sane), s.wins), 1, gentlest)
}

func (s *Solver) wins(p game.Position) bool { return s.Eval(p).Value == Win }

// choosing plays a best move; of several that draw, it takes one by the chances that they leave to lose.
func (s *Solver) choosing(t *traps, replies int, choose choice) style {
	var mu sync.Mutex // guards t
	return func(p game.Position) Odds {
		best := s.Best(p)
		if best.Len() == 1 || s.Eval(p).Value != Draw {
			var odds Odds
			odds.spread(1, best)
			return odds
		}
		mu.Lock()
		defer mu.Unlock()
		return choose(best, t.chances(p, best, replies))
	}
}
