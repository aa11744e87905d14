// Package claim lets one of several processes handle an interaction that may have reached more than one of them.
package claim

import (
	"errors"
	"time"
)

// ErrTaken means that somebody else has claimed the interaction.
var ErrTaken = errors.New("another instance has the interaction")

// Claim is a change that records who handles an interaction. The first one that is saved wins; others fail with [ErrTaken].
type Claim struct {
	Interaction string
	By          string    // who handles it; in a store that processes share, the same By may claim it again
	Until       time.Time // it is remembered until then at least
}

// Extra marks Claim as a change that is saved with a match.Save.
func (Claim) Extra() {}
