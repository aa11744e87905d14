package ai

// A score is an evaluation as one number, for the side to move, so that a better evaluation is a greater score:
//
//	won - plies    a win, the faster the better
//	drawn
//	lost + plies   a loss, the slower the better
type score int8

const (
	won    score = 64
	drawn  score = 0
	lost         = -won
	anyWin score = 1 // less than every win and more than a draw: no position has this score, but a search may use it as a bound
)

// beforeMove converts the score of a position to the score of the move that led to it, for the side that made the move. For that
// side the end is one ply further away.
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

// eval returns the score as an evaluation of a position with the given number of empty squares.
func (s score) eval(empty int) Eval {
	switch {
	case s > drawn:
		return Eval{Win, int(won - s)}
	case s < drawn:
		return Eval{Loss, int(s - lost)}
	default:
		return Eval{Draw, empty}
	}
}

// refuted returns the least score of the other side that refutes a score of s for a move: a move scores s or more if and only if the
// position after it scores less than s.refuted() for the side to move in it.
func (s score) refuted() score {
	switch {
	case s > anyWin:
		return -s
	case s < drawn:
		return 2 - s
	default:
		return 1 - s // any win refutes a draw, and a draw refutes any win
	}
}
