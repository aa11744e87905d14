package terminal

import (
	"bytes"
	"strings"

	"tictactoe/internal/show/view"
)

// Lines returns a screen of package view as line mode prints it.
func (g *Game) Lines(s view.Screen) string {
	var out bytes.Buffer
	(&lines{game: g, out: &out}).draw(s)
	return out.String()
}

// Notes returns the texts below the board when a screen of package view fills the terminal.
func (s Screen) Notes(of view.Screen) string { return strings.Join(s.notes(of, s.height), "\n") }
