package ai

import "tictactoe/game"

// A score is an evaluation as one number, for the side to move, so that a better evaluation is a greater score:
//
//	won - plies    a win, the faster the better
//	drawn
//	lost + plies   a loss, the slower the better
type score int8

const (
	won     score = 64
	drawn   score = 0
	lost          = -won
	unknown score = -128
)

// beforeMove is the score for the side whose move led to a position of score s. The end is one ply further away.
func (s score) beforeMove() score {
	switch {
	case s > drawn:
		return -(s - 1)
	case s < drawn:
		return -(s + 1)
	default:
		return drawn
	}
}

func (s score) value() Value {
	switch {
	case s > drawn:
		return Win
	case s < drawn:
		return Loss
	default:
		return Draw
	}
}

// eval is the score of position p, or of a move made in it, as an evaluation.
func (s score) eval(p game.Position) Eval {
	switch s.value() {
	case Win:
		return Eval{Win, int(won - s)}
	case Loss:
		return Eval{Loss, int(s - lost)}
	default:
		return Eval{Draw, p.Marks(game.None).Len()}
	}
}
