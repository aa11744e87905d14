package daily

import (
	"context"
	"sync"

	"tictactoe/internal/puzzles/puzzle"
)

// remembered is the number of puzzles kept in memory: users solve today's puzzle, and some finish yesterday's.
const remembered = 8

// Puzzles caches the puzzles of days, since generating one takes up to a second. It generates one puzzle at a time.
type Puzzles struct {
	Make func(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error)

	mu   sync.Mutex // held while a puzzle is generated
	made map[puzzle.Day]puzzle.Puzzle
}

// Of returns the puzzle of a day. It waits while another puzzle is generated.
func (p *Puzzles) Of(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if made, ok := p.made[day]; ok {
		return made, nil
	}
	made, err := p.Make(ctx, day)
	if err != nil {
		return made, err
	}
	if p.made == nil || len(p.made) == remembered {
		p.made = map[puzzle.Day]puzzle.Puzzle{}
	}
	p.made[day] = made
	return made, nil
}
