package puzzle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
)

// Of returns the puzzle of a day. It takes up to some tenths of a second of processor time, so callers should cache the puzzle. The
// error is the context's error.
func Of(ctx context.Context, d Day) (Puzzle, error) { return new(Generator).Of(ctx, d) }

// Generator generates puzzles. It caches its results about boards, so it generates many puzzles faster than [Of] does. It is safe for
// concurrent use; calls run one after the other. The zero value is ready to use.
type Generator struct {
	mu     sync.Mutex // guards the fields below
	judges map[string]judge
	pools  map[poolKey]pool
}

// Of returns the puzzle of a day. The error is the context's error.
func (g *Generator) Of(ctx context.Context, d Day) (Puzzle, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := editionOf(d)
	board := e.week[d.Weekday()].board(d)
	j, err := g.judge(board)
	if err != nil {
		return Puzzle{}, fmt.Errorf("puzzle of %s: %w", d, err)
	}
	l, err := g.line(ctx, e, d, j)
	if err != nil {
		return Puzzle{}, fmt.Errorf("puzzle of %s: %w", d, err)
	}
	p := Puzzle{
		Day: d, Board: board, Start: l.start(), Goal: Hold, Decisions: len(l.steps),
		Difficulty: float64(l.difficulty()) / float64(certain), decisions: j.decisions(l),
	}
	if j.solver.Eval(p.Start).Value == ai.Win {
		p.Goal = Win
	}
	return p, nil
}

// judge returns the judge of a board.
func (g *Generator) judge(board string) (judge, error) {
	if j, ok := g.judges[board]; ok {
		return j, nil
	}
	rules, err := game.ParseRules(board)
	if err != nil {
		return judge{}, err
	}
	solver, err := ai.NewSolver(rules)
	if err != nil {
		return judge{}, err
	}
	if g.judges == nil {
		g.judges = map[string]judge{}
	}
	j := judge{solver, triers()}
	g.judges[board] = j
	return j, nil
}

// line returns the line of the puzzle of a day.
func (g *Generator) line(ctx context.Context, e edition, d Day, j judge) (line, error) {
	source := rand.NewPCG(e.seed, uint64(int64(d)))
	if !listed(j.solver.Rules()) {
		return j.sample(ctx, e.week[d.Weekday()], d.week(), source)
	}
	// A repeated puzzle is shown turned or mirrored.
	images := j.solver.Rules().Symmetries()
	turned := images[draw(source, len(images))]
	return g.pool(e, d.Weekday(), j).at(d.week()).image(turned), nil
}
