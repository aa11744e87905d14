//go:build !unix

package soak

import "syscall"

// This system cannot pause a process: sending these signals fails, and the process goes on.
const (
	pauseSignal    = syscall.Signal(-1)
	continueSignal = syscall.Signal(-1)
)
