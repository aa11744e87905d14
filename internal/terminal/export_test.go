package terminal

import (
	"bytes"
	"strings"

	"tictactoe/internal/show/view"
)

// Lines is a screen of view's in line mode.
func (g *Game) Lines(s view.Screen) string {
	var out bytes.Buffer
	(&lines{game: g, out: &out}).draw(s)
	return out.String()
}

// Notes are the texts that stand below the board of a screen of view's on the whole screen.
func (s Screen) Notes(of view.Screen) string { return strings.Join(s.notes(of, s.height), "\n") }
