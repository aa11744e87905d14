package match

import "time"

// The time that players have. For a move against a person it is what the challenger chose, which becomes the TurnTime of the
// match.
const (
	// ChallengeTime is how long a challenge waits for its answer.
	ChallengeTime = 5 * time.Minute
	// RematchTime is how long a proposed rematch waits for the other player.
	RematchTime = 5 * time.Minute
	// ComputerTurnTime is the time for each move against a computer: long enough for an unhurried player, finite so that a
	// match that was left does not stay open for ever.
	ComputerTurnTime = 24 * time.Hour
)
