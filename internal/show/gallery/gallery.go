// Package gallery makes an example of every screen. Tests compare the examples with their goldens, and translators read them.
package gallery

import (
	"context"

	"tictactoe/internal/show/view"
)

// T is the part of [testing.T] that the gallery uses.
type T interface {
	Helper()
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Screen is an example of a screen.
type Screen struct {
	Of     string // the name of the function of package view that makes the screen
	Screen view.Screen
}
