package ai

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"tictactoe/game"
)

var (
	// ErrGameOver is wrapped when a move is requested in a finished position.
	ErrGameOver = errors.New("the game is over")
	// ErrOtherRules is wrapped when a move is requested in a position of other rules than the engine's.
	ErrOtherRules = errors.New("the engine plays by other rules")
)

// Engine chooses moves by one rule set at one level. It is a [game.Player]. It keeps no state of a game, so it may play many
// games at once, for either side, from several goroutines. The zero value plays by no rules and refuses every position.
type Engine struct {
	rules game.Rules
	level Level
	style style

	mu     sync.Mutex // guards random
	random *rand.Rand
}

var _ game.Player = (*Engine)(nil)

// NewEngine returns an engine of the given level that plays by the rules of the solver. The engine draws random numbers from the
// source, which it owns from then on: the same source and the same positions in the same order give the same moves. If source is
// nil, each engine has its own random seed. The error wraps [ErrLevel], or [game.ErrRules] if the solver is nil or the zero
// value.
func NewEngine(level Level, solver *Solver, source rand.Source) (*Engine, error) {
	if err := level.check(); err != nil {
		return nil, fmt.Errorf("new engine: %w", err)
	}
	if solver == nil || solver.oracle == nil {
		return nil, fmt.Errorf("new engine: %w: the solver is the zero value", game.ErrRules)
	}
	return &Engine{rules: solver.rules, level: level, style: habitsOf(level).style(solver), random: randomOf(source)}, nil
}

// NewPlainEngine is like [NewEngine] for a level that needs no solver, so the engine can play by any rules. The error wraps
// [ErrLevel], [ErrUnsolved] for a level that needs a solver, or [game.ErrRules] for the zero value of the rules.
func NewPlainEngine(level Level, rules game.Rules, source rand.Source) (*Engine, error) {
	if err := level.check(); err != nil {
		return nil, fmt.Errorf("new engine: %w", err)
	}
	if rules == (game.Rules{}) {
		return nil, fmt.Errorf("new engine: %w: the rules are the zero value", game.ErrRules)
	}
	plain := habitsOf(level).plain
	if plain == nil {
		return nil, fmt.Errorf("new engine of level %s: %w: %s", level, ErrUnsolved, rules)
	}
	return &Engine{rules: rules, level: level, style: plain, random: randomOf(source)}, nil
}

// randomOf returns a generator that draws from the source or, if source is nil, from a new source with a random seed.
func randomOf(source rand.Source) *rand.Rand {
	if source == nil {
		source = rand.NewPCG(rand.Uint64(), rand.Uint64())
	}
	return rand.New(source)
}

// Rules returns the rule set that the engine plays by.
func (e *Engine) Rules() game.Rules { return e.rules }

// Level returns the level that the engine plays at.
func (e *Engine) Level() Level { return e.level }

// Choose returns the square that the engine plays in p. The error wraps [ErrGameOver], [ErrOtherRules] or the context's
// error.
func (e *Engine) Choose(ctx context.Context, p game.Position) (game.Square, error) {
	if err := ctx.Err(); err != nil {
		return game.NoSquare, fmt.Errorf("choose a move: %w", err)
	}
	odds, err := e.Odds(p)
	if err != nil {
		return game.NoSquare, fmt.Errorf("choose a move: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return odds.at(e.random.Float64()), nil
}

// Odds returns the probability of each square of p to be chosen. The error wraps [ErrGameOver] or [ErrOtherRules].
func (e *Engine) Odds(p game.Position) (Odds, error) {
	switch {
	case p.Rules() != e.rules:
		return Odds{}, fmt.Errorf("%w: %s, not %s", ErrOtherRules, e.rules, p.Rules())
	case p.Legal() == 0:
		return Odds{}, fmt.Errorf("%w: %s", ErrGameOver, p)
	}
	return e.style(p), nil
}
