package terminal_test

import (
	"strings"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal"
)

func TestPicturesAreToldInWords(t *testing.T) {
	screen := view.Screen{
		Picture: &view.Picture{Name: "a.png", Alt: view.T("match.running", view.Args{"X": view.Mark(game.X), "A": 1, "B": 2, "O": view.Mark(game.O)})},
		Notes:   []view.Text{view.T("privacy.use", nil)},
	}
	g := newGame(t, "classic", "human", "human", game.X)
	for where, said := range map[string]string{
		"in line mode":        g.Lines(screen),
		"on the whole screen": terminal.NewScreen(t.Context(), g).Notes(screen),
	} {
		words, note := strings.Index(said, "X 1–2 O"), strings.Index(said, "This is used only")
		if words < 0 || note < words {
			t.Errorf("%s: %q", where, said)
		}
	}
	if screen.Picture == nil || len(screen.Notes) != 1 {
		t.Error("the screen was changed")
	}
}
