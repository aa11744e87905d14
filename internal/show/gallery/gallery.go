// Package gallery has an example of every screen that there is: for tests, which compare them with what they are to be, and for people who
// translate them, who see what they look like.
package gallery

import (
	"context"

	"tictactoe/internal/show/view"
)

// T is told what goes wrong while screens are made, as [testing.T] is.
type T interface {
	Helper()
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Screen is one screen.
type Screen struct {
	Of     string // the function of package view that makes it
	Screen view.Screen
}
