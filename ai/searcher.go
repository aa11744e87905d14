package ai

import (
	"sync"

	"tictactoe/game"
)

// A searcher is a search that many may ask, one at a time.
type searcher struct {
	mu     sync.Mutex // guards search
	search *search
}

func newSearcher(rules game.Rules) *searcher {
	return &searcher{search: newSearch(rules, 19)} // 4 MiB
}

func (s *searcher) eval(p game.Position) Eval {
	if p.Legal() == 0 {
		return end(p).eval(0)
	}
	me, rival := sides(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	value := s.search.value(me, rival)
	if value == Draw {
		return Eval{Draw, p.Marks(game.None).Len()}
	}
	return Eval{value, s.search.plies(me, rival, value)}
}
