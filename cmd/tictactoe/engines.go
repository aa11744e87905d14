package main

import (
	"context"
	"fmt"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// engines makes a solver for each rule set and an engine for each level when they are first asked for, and keeps them.
// Clients choose among the rule sets on offer, so there are few. The zero value is ready.
type engines struct {
	mu      sync.Mutex
	solvers map[game.Rules]func() (*ai.Solver, error)
	engines map[engineKey]*ai.Engine
}

type engineKey struct {
	rules game.Rules
	level ai.Level
}

// Engine returns the engine of the level of that name. The error wraps [match.ErrNoEngine] where there is no such level.
func (e *engines) Engine(rules game.Rules, name string) (match.Engine, error) {
	level, err := ai.ParseLevel(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", match.ErrNoEngine, err)
	}
	// Without the lock: to solve a rule set takes a moment, and nobody who plays another one waits for it.
	solver, err := e.solver(rules)()
	if err != nil {
		return nil, fmt.Errorf("solve %v: %w", rules, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	key := engineKey{rules, level}
	if engine := e.engines[key]; engine != nil {
		return engine, nil
	}
	engine, err := ai.NewEngine(level, solver, nil)
	if err != nil {
		return nil, err
	}
	if e.engines == nil {
		e.engines = map[engineKey]*ai.Engine{}
	}
	e.engines[key] = engine
	return engine, nil
}

// judge reviews a game, in the time that the context leaves.
func (e *engines) judge(ctx context.Context, record game.Record) (ai.Review, error) {
	rules := record.Position().Rules()
	solver, err := e.solver(rules)()
	if err != nil {
		return nil, fmt.Errorf("solve %v: %w", rules, err)
	}
	return solver.ReviewWithin(ctx, record), nil
}

// solver is what gives the solver of those rules, and makes it the first time.
func (e *engines) solver(rules game.Rules) func() (*ai.Solver, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	solve := e.solvers[rules]
	if solve == nil {
		solve = sync.OnceValues(func() (*ai.Solver, error) { return ai.NewSolver(rules) })
		if e.solvers == nil {
			e.solvers = map[game.Rules]func() (*ai.Solver, error){}
		}
		e.solvers[rules] = solve
	}
	return solve
}
