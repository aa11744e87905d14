// Command discordsim runs a local Discord. Any bot can connect to it with its unmodified library, and tests act as its
// users. docs/testing-your-bot.md shows how.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"tictactoe/discordsim"
	"tictactoe/discordsim/standalone"
)

// Exit codes. After exitConfig (EX_CONFIG of sysexits.h), starting the program again does not help.
const (
	exitFailure = 1
	exitUsage   = 2
	exitConfig  = 78
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run runs the program and returns the exit code. It uses only its arguments, not the streams of the process, so that tests can
// call it.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := standalone.Main(ctx, args, standalone.Process{Name: "discordsim", Bot: "bot", Env: os.Getenv, Stdout: stdout, Stderr: stderr})
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "discordsim:", err)
	switch {
	case errors.Is(err, standalone.ErrUsage):
		return exitUsage
	case errors.Is(err, discordsim.ErrDamaged), errors.Is(err, standalone.ErrNotWritable):
		return exitConfig
	default:
		return exitFailure
	}
}
