package discordsim

import "errors"

// ErrInUse means that another simulator keeps its state in that file.
var ErrInUse = errors.New("state file in use")
