// Package computer makes the computer players of matches, and judges games and positions for people.
package computer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// Engines has a solver for each rule set, which it makes on first use. Only the offered rule sets are used, so there are few solvers.
// Making one takes a moment, but does not delay users of other rule sets. The zero value is ready for use.
type Engines struct {
	solvers sync.Map // values are func() (*ai.Solver, error), keys are game.Rules
}

// Engine returns an engine of the level with that name. The error wraps [match.ErrNoEngine] if there is no such level.
func (e *Engines) Engine(rules game.Rules, name string) (match.Engine, error) {
	level, err := ai.ParseLevel(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", match.ErrNoEngine, err)
	}
	solver, err := e.Solver(rules)
	if err != nil {
		return nil, err
	}
	return ai.NewEngine(level, solver, nil)
}

// Review reviews a game. Moves for which the time of ctx is too short stay unjudged.
func (e *Engines) Review(ctx context.Context, record game.Record) (ai.Review, error) {
	solver, err := e.Solver(record.Position().Rules())
	if err != nil {
		return nil, err
	}
	return solver.ReviewWithin(ctx, record), nil
}

// Advise returns the best moves in a position. The bool is false if the time of ctx was too short to find them.
func (e *Engines) Advise(ctx context.Context, p game.Position) (ai.Advice, bool, error) {
	solver, err := e.Solver(p.Rules())
	if err != nil {
		return ai.Advice{}, false, err
	}
	advice, known := solver.AdviseWithin(ctx, p)
	return solver.Favour(p, advice), known, nil
}

// Solver returns the solver of the rules. The first call makes the solver.
func (e *Engines) Solver(rules game.Rules) (*ai.Solver, error) {
	solver, _ := e.solvers.LoadOrStore(rules, sync.OnceValues(func() (*ai.Solver, error) {
		solver, err := ai.NewSolver(rules)
		if err != nil {
			err = fmt.Errorf("solve %v: %w", rules, err)
		}
		return solver, err
	}))
	return solver.(func() (*ai.Solver, error))()
}

// fitMatches is the number of a player's latest matches, with any rules, among which matches against computers with the same rules
// are searched.
const fitMatches = 100

// Fit returns a [match.Fit] that uses the results of players against computers.
func Fit(matches interface {
	Latest(ctx context.Context, p match.User, limit int) ([]archive.Played, error)
}) match.Fit {
	return func(ctx context.Context, level string, rules game.Rules, u match.User, first bool) (string, error) {
		if level != ai.FairName {
			return level, nil
		}
		latest, err := matches.Latest(ctx, u, fitMatches)
		if err != nil && !errors.Is(err, match.ErrUnreadable) {
			return "", err
		}
		var results []ai.Result
		for _, m := range slices.Backward(latest) {
			level, err := ai.ParseLevel(m.Seats.Level())
			if err != nil || m.Rules != rules || !m.Result.Counts() {
				continue
			}
			results = append(results, ai.ResultOf(level, m.Seats.Mark(u), m.Result.Outcome.Winner()))
		}
		return ai.Fit(rules, results, first).String(), nil
	}
}
