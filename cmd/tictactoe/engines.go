package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// engines makes a solver for each rule set and a player for each level when they are first asked for, and keeps them.
// Clients choose among the rule sets on offer, so there are few. The zero value is ready.
type engines struct {
	mu      sync.Mutex
	solvers map[game.Rules]func() (*ai.Solver, error)
	players map[engineKey]*ai.Player
}

type engineKey struct {
	rules game.Rules
	level string
}

// Engine is the player of that level. The error wraps [match.ErrNoEngine] where there is no such level.
func (e *engines) Engine(rules game.Rules, level string) (match.Engine, error) {
	// Without the lock: to solve a rule set takes a moment, and nobody who plays another one waits for it.
	solver, err := e.solver(rules)()
	if err != nil {
		return nil, fmt.Errorf("solve %v: %w", rules, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	key := engineKey{rules, level}
	if player := e.players[key]; player != nil {
		return player, nil
	}
	player, err := ai.NewPlayer(level, solver, rand.NewPCG(rand.Uint64(), rand.Uint64()))
	if errors.Is(err, ai.ErrLevel) {
		return nil, fmt.Errorf("%w: %w", match.ErrNoEngine, err)
	}
	if err != nil {
		return nil, err
	}
	if e.players == nil {
		e.players = map[engineKey]*ai.Player{}
	}
	e.players[key] = player
	return player, nil
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
