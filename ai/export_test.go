package ai

import (
	"slices"

	"tictactoe/game"
)

// WithError is a copy of the table that is wrong about one position, so that tests can show that they would notice.
func (t *Table) WithError(p game.Position, wrong Eval) *Table {
	s := drawn
	switch wrong.Value {
	case Win:
		s = won - score(wrong.Plies)
	case Loss:
		s = lost + score(wrong.Plies)
	}
	broken := *t
	broken.scores = slices.Clone(t.scores)
	broken.scores[t.index(p)] = s
	return &broken
}
