package ai

import (
	"errors"
	"fmt"

	"tictactoe/game"
)

// MaxTableSquares is the largest board that a [Table] is made for.
const MaxTableSquares = 12

// ErrTooLarge is wrapped when a table is asked for on a board of more than [MaxTableSquares] squares.
var ErrTooLarge = errors.New("board too large for an exact table")

// Table knows the exact evaluation of every position of a rule set, whichever side began. It does not change once it is
// made, so many goroutines may read it.
type Table struct {
	rules   game.Rules
	ternary []uint32 // for a set of squares, the sum of 3^s
	scores  []score  // by index
}

// NewTable plays through all games of a rule set. On 3x3 that takes about a millisecond, on 12 squares some hundredths of
// a second and half a megabyte. The error wraps [ErrTooLarge], or [game.ErrRules] for the zero value.
func NewTable(rules game.Rules) (*Table, error) {
	n := rules.Squares()
	switch {
	case n == 0:
		return nil, fmt.Errorf("exact table: %w: the zero value", game.ErrRules)
	case n > MaxTableSquares:
		return nil, fmt.Errorf("%w: %s has %d squares, more than %d", ErrTooLarge, rules, n, MaxTableSquares)
	}

	t := &Table{rules: rules, ternary: make([]uint32, 1<<n)}
	power := uint32(1)
	for s := range n {
		for set := range 1 << s {
			t.ternary[1<<s|set] = power + t.ternary[set]
		}
		power *= 3
	}
	t.scores = make([]score, power)
	for i := range t.scores {
		t.scores[i] = unknown
	}
	t.solve(game.Start(rules))
	return t, nil
}

// index is the board read as a number of base 3, a digit being 0 for an empty square, 1 for the side to move and 2 for
// the other: a position is worth the same to whoever is to move, X or O.
func (t *Table) index(p game.Position) uint32 {
	turn := p.Turn()
	return t.ternary[p.Marks(turn)] + 2*t.ternary[p.Marks(turn.Opponent())]
}

// solve is plain minimax with a memory: a position is worth what its best move is worth.
func (t *Table) solve(p game.Position) score {
	at := t.index(p)
	if t.scores[at] != unknown {
		return t.scores[at]
	}
	var best score
	switch p.Outcome() {
	case game.InProgress:
		best = lost
		for _, next := range p.Moves() {
			best = max(best, t.solve(next).beforeMove())
		}
	case game.Draw:
		best = drawn
	default:
		best = lost // the winning line is the work of the side that moved last
	}
	t.scores[at] = best
	return best
}

// Rules is the rule set that the table is about.
func (t *Table) Rules() game.Rules { return t.rules }

// Eval is the evaluation of p for the side to move. In a finished position Plies is 0, and the value is Draw, or Loss
// because the other side has closed a line. It panics if p is of other rules.
func (t *Table) Eval(p game.Position) Eval {
	return t.score(p).eval(p)
}

func (t *Table) score(p game.Position) score {
	if p.Rules() != t.rules {
		panic(fmt.Sprintf("ai: table of %s asked about a position of %s", t.rules, p.Rules()))
	}
	return t.scores[t.index(p)]
}

// MoveEval is a move and what it is worth to the side that makes it. The plies count the move itself.
type MoveEval struct {
	Square game.Square
	Eval   Eval
}

// Moves evaluates every legal move, in the order of squares. It panics if p is of other rules.
func (t *Table) Moves(p game.Position) []MoveEval {
	moves := make([]MoveEval, 0, p.Legal().Len())
	for s, next := range p.Moves() {
		moves = append(moves, MoveEval{s, t.score(next).beforeMove().eval(p)})
	}
	return moves
}

// Best is the set of squares that keep the value of p and, when winning, win fastest, when losing, lose slowest. In a
// draw it is every square that draws. It is empty once the game is over, and panics if p is of other rules.
func (t *Table) Best(p game.Position) game.Bitboard {
	return t.keeping(p, func(best, move score) bool { return move == best })
}

// Holding is the set of squares that keep the value of p, however long the game then takes. It is empty once the game
// is over, and panics if p is of other rules.
func (t *Table) Holding(p game.Position) game.Bitboard {
	return t.keeping(p, func(best, move score) bool { return move.value() == best.value() })
}

func (t *Table) keeping(p game.Position, keeps func(best, move score) bool) game.Bitboard {
	best := t.score(p)
	var squares game.Bitboard
	for s, next := range p.Moves() {
		if keeps(best, t.score(next).beforeMove()) {
			squares |= game.SetOf(s)
		}
	}
	return squares
}
