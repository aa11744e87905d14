package terminal_test

import (
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"tictactoe/game"
	"tictactoe/internal/terminal"
)

// press is a key by the name that the screen knows it by.
func press(name string) tea.Msg {
	switch name {
	case "left":
		return tea.KeyPressMsg{Code: tea.KeyLeft}
	case "right":
		return tea.KeyPressMsg{Code: tea.KeyRight}
	case "up":
		return tea.KeyPressMsg{Code: tea.KeyUp}
	case "down":
		return tea.KeyPressMsg{Code: tea.KeyDown}
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	default:
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
}

// feed gives the screen messages, and after each the answers to what it asked for. It reports whether the screen quit.
func feed(model tea.Model, msgs ...tea.Msg) (tea.Model, bool) {
	for _, msg := range msgs {
		for msg != nil {
			if _, quit := msg.(tea.QuitMsg); quit {
				return model, true
			}
			var cmd tea.Cmd
			model, cmd = model.Update(msg)
			msg = nil
			if cmd != nil {
				msg = cmd()
			}
		}
	}
	return model, false
}

// start is the screen after the first move of a computer, if it begins.
func start(t *testing.T, g *terminal.Game) tea.Model {
	t.Helper()
	var model tea.Model = terminal.NewScreen(t.Context(), g)
	if cmd := model.Init(); cmd != nil {
		model, _ = feed(model, cmd())
	}
	return model
}

func keys(names string) []tea.Msg {
	var msgs []tea.Msg
	for name := range strings.FieldsSeq(names) {
		msgs = append(msgs, press(name))
	}
	return msgs
}

// plain is what is on the screen, without colours.
func plain(model tea.Model) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(model.(terminal.Screen).View().Content, "") + "\n"
}

func TestScreens(t *testing.T) {
	for _, tt := range []struct {
		name, rules, x, o string
		starter           game.Mark
		keys              string
	}{
		{"start", "classic", "human", "unbeatable", game.X, ""},
		{"computer-begins", "classic", "human", "textbook b2", game.O, ""},
		{"cursor-keys", "classic", "human", "easy b2", game.X, "left up enter"},
		{"cursor-goes-round", "classic", "human", "easy", game.X, "right right down down"},
		{"names-in-either-order", "classic", "human", "easy a2 b2", game.X, "a 1 1 b"},
		{"number-moves-the-cursor", "classic", "human", "easy", game.X, "7"},
		{"taken", "classic", "human", "easy a2", game.X, "b 2 a 2"},
		{"textbook-says-why", "classic", "human", "textbook a2 c1", game.X, "a 1 b 1"},
		{"hint", "classic", "human", "easy a2 b2", game.X, "a 1 b 1 h"},
		{"undo", "classic", "human", "easy a2 b2", game.X, "a 1 b 1 u"},
		{"nothing-to-undo", "classic", "human", "easy", game.X, "u"},
		{"won", "classic", "human", "easy a2 b2", game.X, "a 1 b 1 c 1"},
		{"lost", "classic", "human", "easy a1 b1 c1", game.O, "a 2 b 2"},
		{"drawn", "classic", "human", "easy b1 b2 c2 a3", game.X, "a 1 c 1 a 2 b 3 c 3"},
		{"review", "classic", "human", "easy a2 b2", game.X, "a 1 b 1 c 1 r"},
		{"next-round", "classic", "human", "easy a2 b2 c3", game.X, "a 1 b 1 c 1 n"},
		{"two-computers", "classic", "hard a1 b1 c1", "easy a2 b2", game.X, ""},
		{"two-people", "classic", "human", "human", game.X, "b 2"},
		{"infinite", "infinite", "human", "unbeatable a2 b2 c3", game.X, "a 1 b 1 c 2"},
		{"drop", "drop", "human", "easy a3", game.X, "a 1"},
		{"five-by-five", "5x5", "human", "easy a1 b1", game.X, "c 3 2 5 enter"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model, _ := feed(start(t, newGame(t, tt.rules, tt.x, tt.o, tt.starter)), keys(tt.keys)...)
			golden(t, "screens/"+tt.name, plain(model))
		})
	}
}

func TestScreen(t *testing.T) {
	t.Run("a click plays the square that is drawn there", func(t *testing.T) {
		for _, height := range []int{24, 60} { // small and large marks
			model, _ := feed(start(t, newGame(t, "5x5", "human", "human", game.X)), tea.WindowSizeMsg{Width: 80, Height: height})
			for y, line := range strings.Split(plain(model), "\n") {
				if before, _, found := strings.Cut(line, " 18 "); found {
					model, _ = feed(model, tea.MouseClickMsg{X: len([]rune(before)) + 1, Y: y, Button: tea.MouseLeft})
				}
			}
			named, _ := feed(start(t, newGame(t, "5x5", "human", "human", game.X)), append(keys("c 4"), tea.WindowSizeMsg{Width: 80, Height: height})...)
			if plain(model) != plain(named) {
				t.Errorf("in %d lines:\n%s", height, plain(model))
			}
		}
	})
	t.Run("a click beside the board or on the grid plays nothing", func(t *testing.T) {
		first := start(t, newGame(t, "classic", "human", "human", game.X))
		for _, at := range [][2]int{{0, 0}, {5, 7}, {13, 7}, {7, 9}, {70, 7}, {7, 40}} {
			model, _ := feed(first, tea.MouseClickMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
			if plain(model) != plain(first) {
				t.Errorf("a click at %v:\n%s", at, plain(model))
			}
		}
	})
	t.Run("a move that the computer thought of before the round changed is dropped", func(t *testing.T) {
		model := start(t, newGame(t, "classic", "human", "easy a2 b2", game.X))
		model, _ = feed(model, press("b"))
		model, late := model.Update(press("1"))
		answer := late()
		model, _ = feed(model, answer)
		before := plain(model)
		if model, _ = feed(model, answer); plain(model) != before {
			t.Errorf("the move was made twice:\n%s", plain(model))
		}
	})
	t.Run("an engine that fails ends the program", func(t *testing.T) {
		if _, quit := feed(start(t, newGame(t, "classic", "human", "easy", game.X)), keys("b 2")...); !quit {
			t.Error("it goes on")
		}
	})
	t.Run("q leaves", func(t *testing.T) {
		if _, quit := feed(start(t, newGame(t, "classic", "human", "easy", game.X)), press("q")); !quit {
			t.Error("it goes on")
		}
	})
}
