//go:build unix

package soak

import "syscall"

// The signals that pause a process and let it go on.
const (
	pauseSignal    = syscall.SIGSTOP
	continueSignal = syscall.SIGCONT
)
