package ai

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"tictactoe/game"
)

// ErrUnsolved is wrapped by the error for a rule set that this package cannot solve.
var ErrUnsolved = errors.New("no exact solver for these rules")

// Solver knows the exact evaluation of every reachable position of a rule set. It is safe for concurrent use. The zero value
// evaluates every position as a draw of unknown length.
type Solver struct {
	rules  game.Rules
	oracle oracle
	spent  atomic.Int64 // the nodes that engines have visited for their answers
}

// An oracle evaluates positions of the rules that it was made for, from the view of the side to move.
type oracle interface {
	// eval reports false if the context ends before the evaluation is known.
	eval(context.Context, game.Position) (Eval, bool)
}

// NewSolver returns a solver of the rules. Up to 12 squares NewSolver evaluates all positions beforehand; on 3x3 that takes
// about a tenth of a millisecond, and on 12 squares some milliseconds. Where a line loses it does so up to 16 squares, in half
// a second. Where marks vanish and few enough of them stay, it takes some hundredths of a second on 3x3 and some seconds on 12
// squares. On larger boards the solver searches on request, and stores results in a transposition table of fixed size. The error
// wraps [ErrUnsolved], or [game.ErrRules] for the zero value.
func NewSolver(rules game.Rules) (*Solver, error) {
	switch n := rules.Squares(); {
	case n == 0:
		return nil, fmt.Errorf("solver: %w: the zero value", game.ErrRules)
	case cyclic(rules):
		return &Solver{rules: rules, oracle: newCycle(rules)}, nil
	case rules.Vanish() || rules.Misere() && n > misereSquares:
		return nil, fmt.Errorf("%w: %s", ErrUnsolved, rules)
	case n <= tableSquares || rules.Misere():
		return &Solver{rules: rules, oracle: newTable(rules)}, nil
	default:
		return &Solver{rules: rules, oracle: newSearcher(rules)}, nil
	}
}

// Rules returns the rule set of the solver.
func (s *Solver) Rules() game.Rules { return s.rules }

// Nodes returns the number of positions that the engines of the solver have searched so far for their answers.
func (s *Solver) Nodes() int64 { return s.spent.Load() }

// Eval returns the evaluation of p for the side to move. In a finished position Plies is 0. The zero position is a draw of
// unknown length. Eval panics if p is a position of other rules.
func (s *Solver) Eval(p game.Position) Eval {
	if eval, ok := s.evalWithin(context.Background(), p); ok {
		return eval
	}
	return Eval{Draw, Unknown}
}

// accepts reports whether p is a position of the solver's rules, and neither is the zero value. It panics if p is of other rules.
func (s *Solver) accepts(p game.Position) bool {
	none, rules := game.Rules{}, p.Rules()
	if rules == none || s.rules == none {
		return false
	}
	if rules != s.rules {
		panic(fmt.Sprintf("ai: solver of %s asked about a position of %s", s.rules, rules))
	}
	return true
}

// evalWithin is like Eval, but reports false if the context ends before the evaluation is known.
func (s *Solver) evalWithin(ctx context.Context, p game.Position) (Eval, bool) {
	if !s.accepts(p) || ctx.Err() != nil {
		return Eval{}, false
	}
	return s.oracle.eval(ctx, p)
}

// MoveEval is a move with its evaluation for the side that makes it. The plies include the move itself.
type MoveEval struct {
	Square game.Square
	Eval   Eval
}

// Moves evaluates every legal move, in the order of squares. It panics if p is of other rules.
func (s *Solver) Moves(p game.Position) []MoveEval {
	moves := make([]MoveEval, 0, p.Legal().Len())
	for square, next := range p.Moves() {
		moves = append(moves, MoveEval{square, s.Eval(next).beforeMove()})
	}
	return moves
}

// Best returns the set of squares that keep the value of p and win fastest or lose slowest. In a draw it contains every square
// that draws. It is empty once the game is over. Best panics if p is of other rules.
func (s *Solver) Best(p game.Position) game.Bitboard {
	best := s.Eval(p)
	return s.keeping(p, func(move Eval) bool { return move == best })
}

// Holding returns the set of squares that keep the value of p, however long the game then takes. It is empty once the game is
// over. Holding panics if p is of other rules.
func (s *Solver) Holding(p game.Position) game.Bitboard {
	best := s.Eval(p)
	return s.keeping(p, func(move Eval) bool { return move.Value == best.Value })
}

// keeping returns the set of legal squares whose evaluation is accepted.
func (s *Solver) keeping(p game.Position, keeps func(move Eval) bool) game.Bitboard {
	var squares game.Bitboard
	for square, next := range p.Moves() {
		if keeps(s.Eval(next).beforeMove()) {
			squares |= game.SetOf(square)
		}
	}
	return squares
}
