package daily

import (
	"context"
	"maps"
	"slices"
	"sync"

	"tictactoe/internal/puzzles/puzzle"
)

// remembered is the number of puzzles kept in memory, which are the puzzles of the latest days: users solve today's puzzle, and some finish
// yesterday's.
const remembered = 8

// Puzzles caches the puzzles of days, since generating one takes up to a second. It generates one puzzle at a time.
type Puzzles struct {
	Make func(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error)

	once   sync.Once
	making chan struct{} // has a value while a caller generates a puzzle
	mu     sync.Mutex
	made   map[puzzle.Day]puzzle.Puzzle
}

// Of returns the puzzle of a day. It waits while another puzzle is generated, unless the puzzle is in memory.
func (p *Puzzles) Of(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error) {
	if made, ok := p.known(day); ok {
		return made, nil
	}
	p.once.Do(func() { p.making = make(chan struct{}, 1) })
	select {
	case p.making <- struct{}{}:
	case <-ctx.Done():
		return puzzle.Puzzle{}, ctx.Err()
	}
	defer func() { <-p.making }()
	if made, ok := p.known(day); ok {
		return made, nil
	}
	made, err := p.Make(ctx, day)
	if err != nil {
		return puzzle.Puzzle{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == nil {
		p.made = map[puzzle.Day]puzzle.Puzzle{}
	}
	if len(p.made) >= remembered {
		delete(p.made, slices.Min(slices.Collect(maps.Keys(p.made))))
	}
	p.made[day] = made
	return made, nil
}

// known returns the puzzle of a day if it is in memory.
func (p *Puzzles) known(day puzzle.Day) (made puzzle.Puzzle, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	made, ok = p.made[day]
	return made, ok
}
