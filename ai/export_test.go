package ai

import (
	"slices"
	"strings"

	"tictactoe/game"
)

// TableSquares is the number of squares of the largest board that is solved with a table.
const TableSquares = tableSquares

// WithError returns a copy of a solver with a table that is wrong about one position, so that tests can show that they detect
// the error.
func WithError(s *Solver, p game.Position, wrong Eval) *Solver {
	value := drawn
	switch wrong.Value {
	case Win:
		value = won - score(wrong.Plies)
	case Loss:
		value = lost + score(wrong.Plies)
	}
	broken := *s.oracle.(*table)
	broken.scores = slices.Clone(broken.scores)
	turn := p.Turn()
	broken.scores[broken.index(uint32(p.Marks(turn)), uint32(p.Marks(turn.Opponent())))] = value
	return &Solver{rules: s.rules, oracle: &broken}
}

// NewSearching returns a solver that searches, even on boards that are small enough for a table.
func NewSearching(rules game.Rules) *Solver { return &Solver{rules: rules, oracle: newSearcher(rules)} }

// BookMoves returns the moves that the book has for a position or any of its images. It returns no moves if the book does not have
// the position.
func BookMoves(p game.Position) game.Bitboard {
	standard, ways := standardOf(p)
	known := bookOf(p.Rules())[entryOf(standard)].moves
	var moves game.Bitboard
	for s := range p.Rules().Board().All() {
		if known.Has(p.Rules().Image(s, ways[0])) {
			moves |= game.SetOf(s)
		}
	}
	return moves
}

// SolveEmpty returns the value of the empty board, found by a new search, and the number of nodes.
func SolveEmpty(rules game.Rules) (Value, int) {
	s := newSearch(rules, 17)
	return s.value(0, 0), s.nodes
}

// Searched returns the number of nodes that a solver has visited for evaluations.
func Searched(s *Solver) int {
	if searcher, ok := s.oracle.(*searcher); ok {
		return searcher.search.nodes
	}
	return 0
}

// BookPositions returns the positions that the book has for a rule set, in standard form.
func BookPositions(rules game.Rules) []game.Position {
	var all []game.Position
	for line := range strings.Lines(bookText) {
		if fields := strings.Fields(line); fields[0] == rules.String() {
			p, _ := game.ParsePosition(rules, fields[1]) // bookOf has parsed it, too
			all = append(all, p)
		}
	}
	return all
}
