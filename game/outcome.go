package game

import (
	"errors"
	"fmt"
)

// Outcome is the outcome of a position: in progress, won by a side, or drawn.
type Outcome uint8

// The outcomes of a position.
const (
	InProgress Outcome = iota
	XWins
	OWins
	Draw
)

// ErrInProgress is wrapped by the error for the score of a game in progress.
var ErrInProgress = errors.New("the game is in progress")

// WinFor returns the outcome in which the given side has won.
func WinFor(m Mark) Outcome {
	switch m {
	case X:
		return XWins
	case O:
		return OWins
	default:
		return InProgress
	}
}

// Winner returns the side that has won, None for a draw or a game in progress.
func (o Outcome) Winner() Mark {
	switch o {
	case XWins:
		return X
	case OWins:
		return O
	default:
		return None
	}
}

// Score returns the score of a side, X or O: 1 for a win, 0 for a draw, -1 for a loss. The error wraps [ErrInProgress] if the
// game is in progress.
func (o Outcome) Score(m Mark) (int, error) {
	switch {
	case o == InProgress:
		return 0, fmt.Errorf("no score for %s: %w", m, ErrInProgress)
	case o == Draw:
		return 0, nil
	case o.Winner() == m:
		return 1, nil
	default:
		return -1, nil
	}
}

// String returns "in progress", "X wins", "O wins" or "draw".
func (o Outcome) String() string {
	switch o {
	case XWins:
		return "X wins"
	case OWins:
		return "O wins"
	case Draw:
		return "draw"
	default:
		return "in progress"
	}
}
