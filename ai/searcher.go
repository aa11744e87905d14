package ai

import (
	"context"
	"sync"

	"tictactoe/game"
)

// A searcher lets several goroutines use one search, one after the other. It also has what the engines of a solver share.
type searcher struct {
	mu     sync.Mutex // guards search
	search *search

	searches sync.Pool // values are *search, for the answers of engines
	book     func() book
}

func newSearcher(rules game.Rules) *searcher {
	return &searcher{
		search:   newSearch(rules, 19),                                       // 4 MiB
		searches: sync.Pool{New: func() any { return newSearch(rules, 17) }}, // 1 MiB
		book:     sync.OnceValue(func() book { return bookOf(rules) }),
	}
}

func (s *searcher) eval(ctx context.Context, p game.Position) (Eval, bool) {
	if p.Legal() == 0 {
		return end(p).eval(0), true
	}
	me, rival := sides(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.search.allowWhile(func() bool { return ctx.Err() == nil })
	value := s.search.value(me, rival)
	eval := Eval{value, p.Marks(game.None).Len()}
	if value != Draw {
		eval.Plies = s.search.plies(me, rival, value)
	}
	return eval, !s.search.spent
}
