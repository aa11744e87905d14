package daily

import (
	"context"
	"sync"

	"tictactoe/internal/puzzles/puzzle"
)

// remembered is the number of puzzles kept in memory: users solve today's puzzle, and some finish yesterday's.
const remembered = 8

// Puzzles caches the puzzles of days, since generating one takes up to a second. Each is generated once.
type Puzzles struct {
	Make func(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error)

	mu   sync.Mutex
	made map[puzzle.Day]*making
}

// making is a puzzle that is being generated or has been generated.
type making struct {
	turn chan struct{} // has a value while no caller is generating the puzzle
	done bool          // guarded by turn
	puzzle.Puzzle
}

// Of returns the puzzle of a day. If another caller is generating it, Of waits.
func (p *Puzzles) Of(ctx context.Context, day puzzle.Day) (puzzle.Puzzle, error) {
	m := p.makingOf(day)
	select {
	case <-m.turn:
	case <-ctx.Done():
		return puzzle.Puzzle{}, ctx.Err()
	}
	defer func() { m.turn <- struct{}{} }()
	if m.done {
		return m.Puzzle, nil
	}
	made, err := p.Make(ctx, day)
	if err == nil {
		m.Puzzle, m.done = made, true
	}
	return made, err
}

func (p *Puzzles) makingOf(day puzzle.Day) *making {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.made[day]; m != nil {
		return m
	}
	if p.made == nil || len(p.made) >= remembered {
		p.made = make(map[puzzle.Day]*making)
	}
	m := &making{turn: make(chan struct{}, 1)}
	m.turn <- struct{}{}
	p.made[day] = m
	return m
}
