package terminal

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tictactoe/ai"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// Shown is a match to look at, move by move.
type Shown struct {
	Match  match.Match
	Names  view.Names // nil if nobody has told any
	Review ai.Review  // of its record; nil if there is none
	Kept   bool       // it is in a database, which has an id and a date for it
}

// screen returns what there is to see after so many moves. Its buttons are for others: a terminal has keys.
func (s Shown) screen(move int) view.Screen {
	screen := view.OfPosition(s.Match, s.Review, move, s.Names, "")
	screen.Buttons = nil
	if !s.Kept {
		screen.Notes = slices.DeleteFunc(screen.Notes, func(t view.Text) bool { return t.Key == "walk.match" })
	}
	return screen
}

// named returns the match with names for its players, if it has none.
func (s Shown) named(g *Game) Shown {
	if s.Names == nil {
		s.Names = g.names()
	}
	return s
}

// ShowLines prints the match from a move on, or that move alone.
func (g *Game) ShowLines(s Shown, from int, alone bool) error {
	l, s := &lines{game: g, out: g.Out}, s.named(g)
	to := s.Match.Record.Len()
	if alone {
		to = from
	}
	for move := from; move <= to; move++ {
		screen := s.screen(move)
		if move < to { // what is the same below each board is said once
			screen.Notes = nil
		}
		l.draw(screen)
	}
	return l.err
}

// ShowScreen shows the match on the whole screen, beginning after that many moves, until the human leaves. The errors are those of
// [Game.PlayScreen].
func (g *Game) ShowScreen(ctx context.Context, s Shown, move int) error {
	model, err := tea.NewProgram(NewWalk(g, s, move), tea.WithInput(g.In), tea.WithOutput(g.Out), tea.WithContext(ctx)).Run()
	last, _ := model.(Walk)
	return ending(err, nil, last.left)
}

// Walk is the state of the full screen on which a match is looked at. It is a value that changes only by [Walk.Update].
type Walk struct {
	shown  Shown
	canvas Screen // draws the board, as in the review of a round
	left   bool
}

// NewWalk returns the screen after that many moves. It takes the terminal for one of 80x24 until that tells its size.
func NewWalk(g *Game, s Shown, move int) Walk {
	canvas := Screen{width: 80, height: 24, round: round{game: g, match: s.Match}, review: ai.Review{}, ply: move}
	return Walk{shown: s.named(g), canvas: canvas}
}

// Init has nothing to ask for.
func (Walk) Init() tea.Cmd { return nil }

// Update returns the screen after a key, or in another size.
func (w Walk) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.canvas.width, w.canvas.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch key := strings.ToLower(msg.String()); key {
		case "ctrl+c":
			return w, tea.Interrupt
		case "ctrl+z":
			return w, tea.Suspend
		case orderQuit.key(), "esc":
			w.left = true
			return w, tea.Quit
		default:
			if move, ok := walk(key, w.canvas.ply, w.shown.Match.Record.Len()); ok {
				w.canvas.ply = move
			}
		}
	}
	return w, nil
}

// View draws the screen.
func (w Walk) View() tea.View {
	v := tea.NewView(w.content())
	v.AltScreen = true
	v.WindowTitle = "Tic-Tac-Toe"
	return v
}

// content draws all that is to be seen, from the top: who moved, board, what it was worth, keys.
func (w Walk) content() string {
	s, show := w.canvas, w.shown.screen(w.canvas.ply)
	l := s.layout()
	_, top := s.corner(l)
	var above, below []string
	above = s.middle(bold().Render(s.round.game.Say(show.Lines[0])))
	if spare := top - len(above) - l.gap(); spare > 0 {
		above = append(make([]string, spare), above...)
	}
	if l.air {
		above, below = append(above, ""), append(below, "")
	}
	for i, t := range append(slices.Clone(show.Lines[1:]), show.InWords().Notes...) {
		style := lipgloss.NewStyle()
		if i >= len(show.Lines)-1 {
			style = faint()
		}
		below = append(below, s.middle(style.Render(s.round.game.Say(t)))...)
	}
	keys := s.middle(w.keys())
	lines := append(above, s.board(show, l)...)
	below = below[:min(len(below), max(0, s.height-len(lines)-len(keys)))]
	blank := make([]string, max(0, s.height-len(lines)-len(below)-len(keys)))
	return strings.Join(slices.Concat(lines, below, blank, keys), "\n")
}

// keys names the keys that do something.
func (w Walk) keys() string {
	g := w.canvas.round.game
	item := func(key string, label view.Text) string {
		return bold().Render(key) + " " + faint().Render(g.Say(label))
	}
	return item(g.Say(view.T("terminal.key.walk", nil)), view.T("terminal.label.walk", nil)) + "   " +
		item("Home", view.T("terminal.label.first", nil)) + "   " + item("End", view.T("terminal.label.last", nil)) + "   " +
		item(orderQuit.key(), orderQuit.label())
}
