package view

import (
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// OfHint proposes what to play in a match, and says why. Where there was no time to find out what is best the advice has the square that
// a strong player chose, and no holding ones. The first hint says what follows from it.
func OfHint(m match.Match, advice ai.Advice, first bool) Screen {
	p, why := m.Position(), advice.Reason(m.Position())
	if advice.Holding == 0 {
		for square := range advice.Squares.All() {
			why = ai.ReasonFor(p, square)
		}
	}
	if why.Kind >= ai.Threatens && advice.Squares == p.Legal() { // a threat is no reason where all else is as good
		why = ai.Reason{}
	}
	squares := advice.Squares
	if why.Squares != 0 {
		squares = why.Squares // the others may be as good for another reason
	}
	s, args := Screen{}, Args{"Squares": someSquares(p.Rules(), squares), "PluralCount": squares.Len()}
	switch words, ok := Why(why, p.Rules()); {
	case ok:
		args["Why"] = words
		s.Lines = []Text{T("hint.why", args)}
	case advice.Squares == p.Legal():
		s.Lines = []Text{T("hint.any", nil)}
	default:
		s.Lines = []Text{T("hint", args)}
	}
	if first {
		s.Notes = []Text{T("hint.counts", nil)}
	}
	return s
}

// LosingMove returns the move, counted from 1, that lost a [Reviewable] match: the loser's last error that left a lost position, else the
// loser's worst move. It returns false if nobody lost, or the loser made no mistake.
func LosingMove(m match.Match, review ai.Review) (move int, ok bool) {
	winner := m.Result.Outcome.Winner()
	if winner == game.None {
		return 0, false
	}
	for ply, r := range slices.Backward(review) {
		if r.Mark != winner && r.Grade.Error() && r.Played.Value == ai.Loss {
			return ply + 1, true
		}
	}
	worst, ok := worstOf(review, func(ply int) bool { return review[ply].Mark != winner && lapsed(review[ply].Grade) })
	if !ok {
		return 0, false
	}
	return worst + 1, true
}
