package world

import "errors"

// ErrInUse means that another simulator uses the state file.
var ErrInUse = errors.New("state file in use")
