package main

import (
	"context"
	"fmt"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// engines makes and keeps a solver for each rule set, on its first use. Clients choose among the offered rule sets, so there are few.
// Making a solver takes a moment, but does not delay users of other rule sets. The zero value is ready.
type engines struct {
	solvers sync.Map // values are func() (*ai.Solver, error), keys are game.Rules
}

// Engine returns an engine of the level with that name. The error wraps [match.ErrNoEngine] if there is no such level.
func (e *engines) Engine(rules game.Rules, name string) (match.Engine, error) {
	level, err := ai.ParseLevel(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", match.ErrNoEngine, err)
	}
	solver, err := e.solver(rules)
	if err != nil {
		return nil, err
	}
	return ai.NewEngine(level, solver, nil)
}

// judge reviews a game within the time of the context.
func (e *engines) judge(ctx context.Context, record game.Record) (ai.Review, error) {
	solver, err := e.solver(record.Position().Rules())
	if err != nil {
		return nil, err
	}
	return solver.ReviewWithin(ctx, record), nil
}

// advise returns the best moves in a position within the time of the context, and false if that was too short.
func (e *engines) advise(ctx context.Context, p game.Position) (ai.Advice, bool, error) {
	solver, err := e.solver(p.Rules())
	if err != nil {
		return ai.Advice{}, false, err
	}
	advice, known := solver.AdviseWithin(ctx, p)
	return solver.Favour(p, advice), known, nil
}

// solver returns the solver of those rules, and makes it at the first call.
func (e *engines) solver(rules game.Rules) (*ai.Solver, error) {
	solver, _ := e.solvers.LoadOrStore(rules, sync.OnceValues(func() (*ai.Solver, error) {
		solver, err := ai.NewSolver(rules)
		if err != nil {
			err = fmt.Errorf("solve %v: %w", rules, err)
		}
		return solver, err
	}))
	return solver.(func() (*ai.Solver, error))()
}
