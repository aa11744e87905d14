package ai

import "tictactoe/game"

// Reason is what can be said for a move at first sight.
type Reason uint8

// The reasons for a move, the weightiest first.
const (
	NoReason  Reason = iota
	Wins             // it wins at once
	Blocks           // the other side would win there at once
	Forks            // it threatens to win in two places
	Threatens        // it threatens to win in one place, which [game.Position.Threats] names after the move
)

// ReasonFor returns the weightiest reason for a move in p, or NoReason if there is none or the move is illegal.
func ReasonFor(p game.Position, s game.Square) Reason {
	next, err := p.Play(s)
	switch {
	case err != nil:
		return NoReason
	case winning(p).Has(s):
		return Wins
	case blocking(p).Has(s):
		return Blocks
	}
	switch threats := blocking(next).Len(); threats {
	case 0:
		return NoReason
	case 1:
		return Threatens
	default:
		return Forks
	}
}

// String returns "winning move", "must block", "two threats", "a threat" or the empty string.
func (r Reason) String() string {
	switch r {
	case Wins:
		return "winning move"
	case Blocks:
		return "must block"
	case Forks:
		return "two threats"
	case Threatens:
		return "a threat"
	default:
		return ""
	}
}
