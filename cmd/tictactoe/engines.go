package main

import (
	"context"
	"fmt"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// engines makes a solver for each rule set when it is first asked for, and keeps it. Clients choose among the rule sets on offer,
// so there are few. To solve a rule set takes a moment, and nobody who plays another one waits for it. The zero value is ready.
type engines struct {
	solvers sync.Map // of func() (*ai.Solver, error), by game.Rules
}

// Engine returns an engine of the level of that name. The error wraps [match.ErrNoEngine] where there is no such level.
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

// judge reviews a game, in the time that the context leaves.
func (e *engines) judge(ctx context.Context, record game.Record) (ai.Review, error) {
	solver, err := e.solver(record.Position().Rules())
	if err != nil {
		return nil, err
	}
	return solver.ReviewWithin(ctx, record), nil
}

// advise says what to play in a position, in the time that the context leaves, and false if that was too short.
func (e *engines) advise(ctx context.Context, p game.Position) (ai.Advice, bool, error) {
	solver, err := e.solver(p.Rules())
	if err != nil {
		return ai.Advice{}, false, err
	}
	advice, known := solver.AdviseWithin(ctx, p)
	return advice, known, nil
}

// solver is the solver of those rules, which is made the first time.
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
