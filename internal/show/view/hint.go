package view

import (
	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// OfHint returns the hint for a match: the proposed squares, why they are good, and the board with stars on them. If there was no time to
// find the best moves, the advice has only the square that a strong player chose. If first is true, this is the player's first hint, and
// the screen names the consequences. OfHint returns false if the hint says nothing, because all moves are equally good or there is only
// one.
func OfHint(m match.Match, advice ai.Advice, first bool) (Screen, bool) {
	p, why := m.Position(), advice.Reason(m.Position())
	if advice.Holding == 0 {
		for square := range advice.Squares.All() {
			why = ai.ReasonFor(p, square)
		}
	}
	if why.Kind >= ai.Threatens && advice.Squares == p.Legal() { // a threat is no reason if every other move is as good
		why = ai.Reason{}
	}
	squares := advice.Squares
	if why.Squares != 0 {
		squares = why.Squares // the other squares may be good for another reason
	}
	words, given := Why(why, p.Rules())
	line := withReason(words, given, "hint", Args{"Squares": someSquares(p.Rules(), squares), "PluralCount": squares.Len()})
	if advice.Squares == p.Legal() && (!given || p.Legal().Len() == 1) {
		return Screen{Lines: []Text{T("hint.any", nil)}}, false
	}
	s := Screen{Lines: []Text{line}, Notes: when(first, T("hint.counts", nil))}
	s.showAfter(m, nil, m.Record.Len())
	for i := range s.Cells {
		s.Cells[i].Better = squares.Has(game.Square(i))
	}
	return s, true
}

// hintable reports whether a hint can say more than that all moves are equally good.
func hintable(m match.Match) bool {
	p := m.Position()
	return m.Seats.Level() != "" && !m.Seats.HasCrowd() && !m.NoHints && p.Legal().Len() > 1 && p.CanBeWon()
}
