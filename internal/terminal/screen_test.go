package terminal_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/file/golden"
	"tictactoe/internal/terminal"
)

// press returns the event of a key with the given name.
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
	case "home":
		return tea.KeyPressMsg{Code: tea.KeyHome}
	case "end":
		return tea.KeyPressMsg{Code: tea.KeyEnd}
	case "esc":
		return tea.KeyPressMsg{Code: tea.KeyEscape}
	case "ctrl+c":
		return tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}
	case "enter":
		return tea.KeyPressMsg{Code: tea.KeyEnter}
	case "space":
		return tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}
	default:
		return tea.KeyPressMsg{Code: rune(name[0]), Text: name}
	}
}

// feed sends messages to the screen, and after each message the answers to the screen's requests. It reports whether the screen
// quit.
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

// start returns the screen after the first move of a computer, if a computer begins.
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

// plain returns the text of the screen, without colours.
func plain(model tea.Model) string {
	return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(model.View().Content, "") + "\n"
}

func TestScreens(t *testing.T) {
	for _, tt := range []struct {
		name, rules, x, o string
		starter           game.Mark
		size              string
		keys              string
	}{
		{"start", "classic", "human", "unbeatable", game.X, "", ""},
		{"start-on-a-large-terminal", "classic", "human", "unbeatable", game.X, "120x40", ""},
		{"start-on-a-small-terminal", "classic", "human", "unbeatable", game.X, "40x12", ""},
		{"computer-begins", "classic", "human", "textbook b2", game.O, "", ""},
		{"cursor-keys", "classic", "human", "easy b2", game.X, "", "left up enter"},
		{"cursor-goes-round", "classic", "human", "easy", game.X, "", "right right down down"},
		{"letter-waits-for-the-row", "classic", "human", "easy", game.X, "", "a c"},
		{"digit-plays", "classic", "human", "easy a2", game.X, "", "7"},
		{"digit-waits-on-a-large-board", "5x5", "human", "easy", game.X, "", "7"},
		{"taken", "classic", "human", "easy a2", game.X, "", "b 2 a 2"},
		{"textbook-says-why", "classic", "human", "textbook a2 c1", game.X, "", "a 1 b 1"},
		{"teacher-names-the-threat", "classic", "human", "teacher b2 c1", game.X, "", "a 1 b 3"},
		{"hint-that-blocks", "classic", "human", "easy a2 b2", game.X, "", "a 1 c 3 h"},
		{"hint-that-holds", "classic", "human", "easy", game.X, "", "h"},
		{"undo", "classic", "human", "easy a2 b2", game.X, "", "a 1 b 1 u"},
		{"nothing-to-undo", "classic", "human", "easy", game.X, "", "u"},
		{"help", "classic", "human", "easy", game.X, "", "?"},
		{"help-on-a-large-board", "5x5", "human", "easy", game.X, "40x12", "?"},
		{"won", "classic", "human", "easy a2 b2", game.X, "", "a 1 b 1 c 1"},
		{"won-on-a-small-terminal", "classic", "human", "easy a2 b2", game.X, "40x12", "a 1 b 1 c 1"},
		{"lost", "classic", "human", "easy a1 b1 c1", game.O, "", "a 2 b 2"},
		{"drawn", "classic", "human", "easy b1 b2 c2 a3", game.X, "", "a 1 c 1 a 2 b 3 c 3"},
		{"review", "classic", "human", "easy a2 b2", game.X, "", "a 1 b 1 c 1 r"},
		{"review-of-the-first-move", "classic", "human", "easy a2 b2", game.X, "", "a 1 b 1 c 1 r home right"},
		{"review-on-a-small-terminal", "classic", "human", "easy a2 b2", game.X, "40x12", "a 1 b 1 c 1 r left"},
		{"next-round", "classic", "human", "easy a2 b2 c3", game.X, "", "a 1 b 1 c 1 n"},
		{"two-computers", "classic", "hard a1 b1 c1", "easy a2 b2", game.X, "", ""},
		{"long-names-on-a-small-terminal", "classic", "unbeatable a1 b1 c1", "unbeatable a2 b2", game.X, "40x12", ""},
		{"two-people", "classic", "human", "human", game.X, "", "b 2"},
		{"infinite", "infinite", "human", "unbeatable", game.X, "", ""},
		{"infinite-vanishing", "infinite", "human", "unbeatable a2 b2 c3", game.X, "", "a 1 b 1 c 2"},
		{"drop", "drop", "human", "easy a3", game.X, "", "a 1"},
		{"misere-lost", "misere", "human", "easy a2 b2", game.X, "", "a 1 b 1 c 1"},
		{"no-note-in-half-on-a-small-terminal", "5x4x3", "human", "easy", game.X, "40x12", ""},
		{"five-by-five", "5x5", "human", "easy a1 b1", game.X, "", "3 c 2 5"},
		{"five-by-five-on-a-small-terminal", "5x5", "human", "easy a1 b1", game.X, "40x12", "c 3 2 5"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model := resized(t, start(t, newGame(t, tt.rules, tt.x, tt.o, tt.starter)), tt.size)
			model, _ = feed(model, keys(tt.keys)...)
			golden.Compare(t, screensFile, tt.name, plain(model), *update)
		})
	}
}

// resized returns the screen on a terminal of the given size, such as 40x12.
func resized(t *testing.T, model tea.Model, size string) tea.Model {
	t.Helper()
	if size != "" {
		var msg tea.WindowSizeMsg
		if _, err := fmt.Sscanf(size, "%dx%d", &msg.Width, &msg.Height); err != nil {
			t.Fatal(err)
		}
		model, _ = feed(model, msg)
	}
	return model
}

func TestScreenFits(t *testing.T) {
	for _, offer := range game.Offered() {
		for _, typed := range []string{"", "?", "a 1 b 1 a 1 b 1", "a 1 a 2 b 1 b 2 c 1 c 2 d 1 r left"} {
			played, _ := feed(start(t, newGame(t, offer.Name, "human", "human", game.X)), keys(typed)...)
			for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 20}, {40, 12}} {
				model, _ := feed(played, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				lines := strings.Split(strings.TrimSuffix(plain(model), "\n"), "\n")
				if len(lines) > size[1] {
					t.Errorf("%s after %q: %d lines in %v", offer.Name, typed, len(lines), size)
				}
				for _, line := range lines {
					if lipgloss.Width(line) > size[0] {
						t.Errorf("%s after %q: too long for %v: %q", offer.Name, typed, size, line)
					}
				}
				if !strings.Contains(lines[len(lines)-1], "q quit") {
					t.Errorf("%s after %q: the keys are not visible in %v", offer.Name, typed, size)
				}
			}
		}
	}
}

func TestNoTerminalIsTooSmall(t *testing.T) {
	for _, typed := range []string{"", "?", "a 1 a 2 b 1 b 2 c 1", "a 1 a 2 b 1 b 2 c 1 r"} {
		model, _ := feed(start(t, newGame(t, "classic", "human", "human", game.X)), keys(typed)...)
		for _, size := range []string{"0x0", "1x1", "5x3", "20x5", "200x2", "2x200"} {
			if plain(resized(t, model, size)) == "" {
				t.Errorf("nothing visible after %q in %s", typed, size)
			}
		}
	}
}

func TestTheWinningLineIsInverse(t *testing.T) {
	model, _ := feed(start(t, newGame(t, "classic", "human", "human", game.X)), keys("a 1 4 b 1 5 c 1")...)
	inverse := regexp.MustCompile("\x1b\\[[0-9;]*\\b7[;m]").FindAllString(model.View().Content, -1)
	if len(inverse) != 1+3*3 { // the result, and three squares of three lines each
		t.Errorf("%d inverse pieces", len(inverse))
	}
}

func TestScreen(t *testing.T) {
	t.Run("a click plays the square that is drawn there", func(t *testing.T) {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 12}} {
			of := tea.WindowSizeMsg{Width: size[0], Height: size[1]}
			model, _ := feed(start(t, newGame(t, "5x5", "human", "human", game.X)), of)
			for y, line := range strings.Split(plain(model), "\n") {
				if before, _, found := strings.Cut(line, "18 "); found {
					model, _ = feed(model, tea.MouseClickMsg{X: len([]rune(before)) + 1, Y: y, Button: tea.MouseLeft})
				}
			}
			named, _ := feed(start(t, newGame(t, "5x5", "human", "human", game.X)), append(keys("c 4"), of)...)
			if plain(model) != plain(named) {
				t.Errorf("in %v:\n%s", size, plain(model))
			}
		}
	})
	t.Run("a click beside the board or on the grid plays nothing", func(t *testing.T) {
		first := start(t, newGame(t, "classic", "human", "human", game.X))
		for _, at := range [][2]int{{0, 0}, {24, 9}, {34, 9}, {30, 10}, {55, 9}, {40, 18}, {40, 40}} {
			model, _ := feed(first, tea.MouseClickMsg{X: at[0], Y: at[1], Button: tea.MouseLeft})
			if plain(model) != plain(first) {
				t.Errorf("a click at %v:\n%s", at, plain(model))
			}
		}
	})
	t.Run("another button of the mouse plays nothing, nor does a click on the help", func(t *testing.T) {
		first := start(t, newGame(t, "classic", "human", "human", game.X))
		middle := tea.MouseClickMsg{X: 40, Y: 11, Button: tea.MouseLeft}
		if model, _ := feed(first, middle); plain(model) == plain(first) {
			t.Fatalf("there is no square to click on:\n%s", plain(first))
		}
		if model, _ := feed(first, tea.MouseClickMsg{X: middle.X, Y: middle.Y, Button: tea.MouseRight}); plain(model) != plain(first) {
			t.Errorf("%s", plain(model))
		}
		if model, _ := feed(first, press("?"), middle, press("esc")); plain(model) != plain(first) {
			t.Errorf("%s", plain(model))
		}
	})
	t.Run("a computer's move for an earlier state of the round is dropped", func(t *testing.T) {
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
			t.Error("the program goes on")
		}
	})
	t.Run("with the help open a key closes it and does nothing else", func(t *testing.T) {
		first := start(t, newGame(t, "classic", "human", "human", game.X))
		for _, key := range []string{"enter", "esc", "5", "?"} {
			if model, _ := feed(first, keys("? "+key)...); plain(model) != plain(first) {
				t.Errorf("%s:\n%s", key, plain(model))
			}
		}
	})
	t.Run("Enter plays the hint", func(t *testing.T) {
		first := start(t, newGame(t, "classic", "human", "human", game.X))
		model, _ := feed(first, keys("a 1 5 c 1 h enter")...) // O must block
		if want, _ := feed(first, keys("a 1 5 c 1 b 1")...); plain(model) != plain(want) {
			t.Errorf("%s", plain(model))
		}
	})
	t.Run("a review is requested once", func(t *testing.T) {
		model, _ := feed(start(t, newGame(t, "classic", "human", "human", game.X)), keys("a 1 4 b 1 5 c 1")...)
		model, review := model.Update(press("r"))
		if _, another := model.Update(press("r")); review == nil || another != nil {
			t.Errorf("first %v, then %v", review != nil, another != nil)
		}
	})
	t.Run("a review that comes after the next round has begun is dropped", func(t *testing.T) {
		model, _ := feed(start(t, newGame(t, "classic", "human", "human", game.X)), keys("a 1 4 b 1 5 c 1")...)
		model, review := model.Update(press("r"))
		model, _ = feed(model, press("n"))
		if late, _ := feed(model, review()); plain(late) != plain(model) {
			t.Errorf("%s", plain(late))
		}
	})
	for typed, named := range map[string]string{"2 b": "b 2", "2 enter": "b 1", "2 5": "b 1 5", "1 2 b": "a 1 b 2", "2": "up", "2 esc": "up", "0": "esc"} {
		t.Run("typed in a moment on 3x3, "+typed+" is like "+named, func(t *testing.T) {
			first := start(t, newGame(t, "classic", "human", "human", game.X))
			hasty := first
			for _, key := range keys(typed) {
				hasty, _ = hasty.Update(key)
			}
			if want, _ := feed(first, keys(named)...); plain(hasty) != plain(want) {
				t.Errorf("%s", plain(hasty))
			}
		})
	}
	t.Run("on 3x3 a digit plays when no letter follows", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			first := start(t, newGame(t, "classic", "human", "human", game.X))
			model, _ := feed(first, press("2"))
			if want, _ := feed(first, keys("b 1")...); plain(model) != plain(want) {
				t.Errorf("%s", plain(model))
			}
		})
	})
	t.Run("on 3x3 a digit is not played once more was typed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			for _, more := range []string{"b", "esc", "up", "h", "?", "esc 2"} {
				model, passed := start(t, newGame(t, "classic", "human", "human", game.X)).Update(press("2"))
				for _, key := range keys(more) {
					model, _ = model.Update(key)
				}
				before := plain(model)
				if model, _ = feed(model, passed()); plain(model) != before {
					t.Errorf("after %s:\n%s", more, plain(model))
				}
			}
		})
	})
	t.Run("escape forgets what has been typed", func(t *testing.T) {
		first := start(t, newGame(t, "5x5", "human", "human", game.X))
		if model, _ := feed(first, keys("c esc")...); plain(model) != plain(first) {
			t.Errorf("%s", plain(model))
		}
	})
	t.Run("Ctrl-C leaves", func(t *testing.T) {
		_, cmd := start(t, newGame(t, "classic", "human", "easy", game.X)).Update(press("ctrl+c"))
		if cmd == nil || cmd() != tea.Quit() {
			t.Error("the program goes on")
		}
	})
	for _, typed := range []string{"q", "? q"} {
		t.Run(typed+" leaves", func(t *testing.T) {
			if _, quit := feed(start(t, newGame(t, "classic", "human", "easy", game.X)), keys(typed)...); !quit {
				t.Error("the program goes on")
			}
		})
	}
}
