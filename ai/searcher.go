package ai

import (
	"sync"

	"tictactoe/game"
)

// A win or loss is followed to its end where at most so many squares are empty, and elsewhere for so many plies.
const (
	exactEmpty = 14
	exactPlies = 9
)

// A searcher is a search that many may ask, one at a time.
type searcher struct {
	mu     sync.Mutex // guards search
	search *search
}

func newSearcher(rules game.Rules) *searcher {
	return &searcher{search: newSearch(rules, 21)} // 16 MiB
}

func (s *searcher) eval(p game.Position) Eval {
	turn := p.Turn()
	empty := p.Marks(game.None).Len()
	switch p.Outcome() {
	case game.InProgress:
	case game.Draw:
		return Eval{Draw, 0}
	default:
		return Eval{Loss, 0} // the line is the work of the side that moved last
	}
	me, rival := uint32(p.Marks(turn)), uint32(p.Marks(turn.Opponent()))
	s.mu.Lock()
	defer s.mu.Unlock()
	value := s.search.value(me, rival)
	if value == Draw {
		return Eval{Draw, empty}
	}
	most := exactPlies
	if empty <= exactEmpty {
		most = empty
	}
	return Eval{value, s.search.plies(me, rival, value, most)}
}
