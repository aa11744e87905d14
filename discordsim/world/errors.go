package world

import (
	"errors"
	"fmt"
)

// The errors of a person's action, apart from errors for invalid calls.
var (
	// ErrNotFound means that there is no such user, channel, message, command or
	// interaction, or that the acting person cannot see it.
	ErrNotFound = errors.New("not found")
	// ErrUnavailable means that a button or select is disabled or does not exist.
	ErrUnavailable = errors.New("not available")
	// ErrClosed means that the simulator has been closed.
	ErrClosed = errors.New("the simulator is closed")
)

// NotFoundMessage returns ErrNotFound for a message.
func NotFoundMessage(id string) error { return fmt.Errorf("%w: no message %q", ErrNotFound, id) }
