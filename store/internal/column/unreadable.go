package column

import (
	"fmt"

	"tictactoe/internal/match"
)

// UnreadableError says that a stored match or challenge makes no sense, which only another program can have brought about.
type UnreadableError struct {
	ID  match.ID
	Err error
}

func (e *UnreadableError) Error() string { return fmt.Sprintf("stored under %s: %v", e.ID, e.Err) }

// Unwrap returns the reason.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Is makes it a [match.ErrUnreadable].
func (e *UnreadableError) Is(target error) bool { return target == match.ErrUnreadable }
