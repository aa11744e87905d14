package game

import "context"

// A Player chooses moves: a human at a keyboard or a computer. Every engine of package ai is a Player.
type Player interface {
	// Choose returns the square to play in p, a position in progress. An error ends the game.
	Choose(ctx context.Context, p Position) (Square, error)
}
