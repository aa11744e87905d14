package ai

import (
	"sync"

	"tictactoe/game"
)

// sound returns a style that keeps the value of a position, however fast it then wins or loses. On large boards it plays like [Unbeatable],
// but looks for fewer moves that hold a draw, and for traps of one reply.
func (s *Solver) sound() style {
	if searcher, ok := s.oracle.(*searcher); ok {
		b := s.bounded(searcher, tempting)
		b.effort.holding, b.effort.traps, b.effort.replies = 3_000, 4_000, 1
		return b.odds
	}
	return anyOf(s.Holding)
}

// perfect returns the style of [Unbeatable]. It makes no error, and wins as fast and loses as slowly as possible. In a drawn
// position it sets traps: of the moves that hold the draw, it prefers the moves after which people are likely to err.
func (s *Solver) perfect() style {
	if searcher, ok := s.oracle.(*searcher); ok {
		return s.bounded(searcher, tempting).odds
	}
	replies := s.rules.Squares() // enough replies to reach the end of the game
	if s.rules.Vanish() || replies > tableSquares {
		replies = 2 // the game has no end, or its end is too far away
	}
	return s.choosing(newTraps(people(), s.wins), replies, tempting)
}

// gentle returns the style of [Teacher]. It makes no error, and makes the game as easy as possible for the other side: of the
// moves that hold a draw, it prefers the moves after which few replies lose.
func (s *Solver) gentle() style {
	if searcher, ok := s.oracle.(*searcher); ok {
		b := s.bounded(searcher, gentlest)
		b.calms = true
		return b.odds
	}
	return s.choosing(newTraps(anyOf(sane), s.wins), 1, gentlest)
}

// bounded returns the player for boards that are too large for a table.
func (s *Solver) bounded(with *searcher, choose choice) boundedPlayer {
	return boundedPlayer{
		searches: &with.searches, spent: &s.spent, effort: liveEffort(), plies: trapPlies(s.rules), choose: choose, book: with.book(),
	}
}

func (s *Solver) wins(p game.Position) bool { return s.Eval(p).Value == Win }

// choosing returns a style that plays a best move. Among several moves that draw it chooses by the chance that the other side
// loses after each.
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
