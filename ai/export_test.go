package ai

import (
	"slices"

	"tictactoe/game"
)

// TableSquares is the largest board that is solved beforehand.
const TableSquares = tableSquares

// WithError is a copy of a solver by table that is wrong about one position, so that tests can show that they would
// notice.
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

// NewSearching is a solver that searches, also on boards that are small enough for a table.
func NewSearching(rules game.Rules) *Solver { return &Solver{rules: rules, oracle: newSearcher(rules)} }

// BookMoves are the moves that the book knows in a position, turned or mirrored as it likes; none if it does not know it.
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

// Erring is an engine that plays that square in that position and its images, and otherwise as the other engine does.
func Erring(engine *Engine, where game.Position, s game.Square) *Engine {
	return &Engine{rules: engine.rules, solver: engine.solver, style: func(p game.Position) Odds {
		for _, y := range p.Rules().Symmetries() {
			if p.Image(y) != where {
				continue
			}
			for square := range p.Legal().All() {
				if p.Rules().Image(square, y) == s {
					var odds Odds
					odds[square] = 1
					return odds
				}
			}
		}
		return engine.style(p)
	}}
}

// SolveEmpty decides what the empty board is worth, from nothing, and tells in how many nodes.
func SolveEmpty(rules game.Rules) (Value, int) {
	s := newSearch(rules, 17)
	return s.value(0, 0), s.nodes
}

// Alone is the style of a level that remembers nothing.
func Alone(level Level, solver *Solver) func(game.Position) Odds {
	return habitsOf(level).style(solver)
}
