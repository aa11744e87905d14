package game

// Outcome is the outcome of a position: in progress, won by a side, or drawn.
type Outcome uint8

// The outcomes of a position.
const (
	InProgress Outcome = iota
	XWins
	OWins
	Draw
)

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

// Winner returns the side that has won, or None for a draw or a game in progress.
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

// String returns "in progress", "X wins", "O wins" or "draw".
func (o Outcome) String() string { return nameOf(o, "in progress", "X wins", "O wins", "draw") }

// nameOf returns the name of a number, or the first name if it has none.
func nameOf[T ~uint8](n T, names ...string) string {
	if int(n) >= len(names) {
		return names[0]
	}
	return names[n]
}
