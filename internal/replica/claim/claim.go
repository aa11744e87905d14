// Package claim ensures that only one process handles an interaction, even if the interaction has reached several processes.
package claim

import (
	"errors"
	"time"
)

// ErrTaken means that another process has claimed the interaction.
var ErrTaken = errors.New("another instance has the interaction")

// Claim records which process handles an interaction. The first claim that is saved wins; others fail with [ErrTaken].
type Claim struct {
	Interaction string
	By          string    // the process that handles the interaction; in a shared store, the same process may claim it again
	Until       time.Time // the store remembers the claim at least until then
}

// Extra marks Claim as a change that is saved with a match.Save.
func (Claim) Extra() {}
