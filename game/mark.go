package game

// Mark is the content of a square, and the name of the side that places it.
type Mark uint8

// The marks. None is an empty square.
const (
	None Mark = iota
	X
	O
)

// Opponent returns the other side; the opponent of None is None.
func (m Mark) Opponent() Mark {
	if m == None {
		return None
	}
	return X + O - m
}

// String returns "X", "O", or "." for an empty square, as positions are written.
func (m Mark) String() string {
	switch m {
	case X:
		return "X"
	case O:
		return "O"
	default:
		return "."
	}
}
