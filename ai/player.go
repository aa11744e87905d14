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
	// ErrGameOver is wrapped when a move is asked for in a finished position.
	ErrGameOver = errors.New("the game is over")
	// ErrOtherRules is wrapped when a move is asked for in a position of other rules than the player's.
	ErrOtherRules = errors.New("the player plays by other rules")
)

// Player plays one rule set at one level. It remembers nothing between moves, so it may play many games at once, for
// either side, from several goroutines.
type Player struct {
	rules   game.Rules
	solver  *Solver // nil for a level that plays without
	style   style
	ordered bool // see level

	mu     sync.Mutex // guards random
	random *rand.Rand
}

// NewPlayer is a player of that level, by the rules of the solver, that takes its chances from the source; from then on
// the source belongs to the player. The same source and the same questions in the same order give the same moves. The
// error wraps [ErrLevel].
func NewPlayer(level string, solver *Solver, source rand.Source) (*Player, error) {
	l, err := levelOf(level)
	if err != nil {
		return nil, err
	}
	player := &Player{rules: solver.Rules(), solver: solver, style: l.plain, ordered: l.ordered, random: rand.New(source)}
	if l.solved != nil {
		player.style = l.solved(solver)
	}
	return player, nil
}

// NewPlainPlayer is [NewPlayer] for a level that knows no values, which can so play by rules that nobody can solve. The
// error wraps [ErrLevel], or [ErrUnsolved] for a level that needs a solver.
func NewPlainPlayer(level string, rules game.Rules, source rand.Source) (*Player, error) {
	l, err := levelOf(level)
	switch {
	case err != nil:
		return nil, err
	case l.solved != nil:
		return nil, fmt.Errorf("level %s: %w: %s", level, ErrUnsolved, rules)
	}
	return &Player{rules: rules, style: l.plain, ordered: l.ordered, random: rand.New(source)}, nil
}

// Rules is the rule set that the player plays by.
func (player *Player) Rules() game.Rules { return player.rules }

// Choose is the square that the player plays in p. The error wraps [ErrGameOver], [ErrOtherRules] or that of the context.
func (player *Player) Choose(ctx context.Context, p game.Position) (game.Square, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("choose a move: %w", err)
	}
	odds, err := player.Odds(p)
	if err != nil {
		return 0, fmt.Errorf("choose a move: %w", err)
	}
	player.mu.Lock()
	defer player.mu.Unlock()
	return odds.at(player.random.Float64()), nil
}

// Odds is how likely the player is to choose each square of p. The error wraps [ErrGameOver] or [ErrOtherRules].
func (player *Player) Odds(p game.Position) (Odds, error) {
	switch {
	case p.Rules() != player.rules:
		return Odds{}, fmt.Errorf("%w: %s, not %s", ErrOtherRules, player.rules, p.Rules())
	case p.Legal() == 0:
		return Odds{}, fmt.Errorf("%w: %s", ErrGameOver, p)
	}
	return player.style(p), nil
}

// Candidates is the set of squares that the player might choose in p; empty where [Player.Choose] fails.
func (player *Player) Candidates(p game.Position) game.Bitboard {
	odds, err := player.Odds(p)
	if err != nil {
		return 0
	}
	return odds.Squares()
}

// nodes is how many nodes the answers of all players of the same solver have taken so far.
func (player *Player) nodes() int64 {
	if player.solver == nil {
		return 0
	}
	return player.solver.spent.Load()
}
