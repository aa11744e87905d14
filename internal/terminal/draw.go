package terminal

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// View draws the screen for Bubble Tea.
func (s Screen) View() tea.View {
	v := tea.NewView(s.content())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "Tic-Tac-Toe"
	return v
}

// content draws the whole screen. From the top it has the title, players, board, notes and keys.
func (s Screen) content() string {
	g, keys := s.round.game, s.keys()
	if s.help {
		lines := append(s.block(s.round.help(s.pointing()...), -1, s.height-len(keys)-1), "")
		top := make([]string, max(0, s.height-len(lines)-len(keys))/3)
		return strings.Join(slices.Concat(top, lines, keys), "\n")
	}
	show, l := s.round.screen(), s.layout()
	switch {
	case s.shown != nil:
		show = s.walkScreen()
	case s.review != nil:
		show = s.round.past(s.ply)
	}
	_, top := s.corner(l)
	gap := make([]string, l.gap())
	lines := make([]string, top-l.above())
	if l.air {
		title := g.Say(view.T("terminal.title", view.Args{"Board": view.RulesName(g.Rules)}))
		lines = append(lines, s.middle(faint().Render(title))[0], "")
	}
	lines = append(append(lines, s.header(show)...), gap...)
	lines = append(append(lines, s.board(show, l)...), gap...)
	room := max(0, s.height-len(lines)-len(keys))
	notes := s.notes(show, room)
	for len(notes) < min(foot+l.gap(), room) {
		notes = append(notes, "")
	}
	lines = append(lines, notes...)
	return strings.Join(append(lines, keys...), "\n")
}

// header draws the players, the score, and whose turn it is or how the round ended. It always has the same number of lines, so on a narrow
// terminal it leaves out the first texts.
func (s Screen) header(show view.Screen) []string {
	last := len(show.Lines) - 1
	headline := s.middle(mood(show.Tone).Render(" " + s.round.game.Say(show.Lines[last]) + " "))
	headline = headline[:min(len(headline), head)]
	var above []string
	for i := last - 1; i >= 0; i-- {
		if text := s.middle(s.round.game.Say(show.Lines[i])); len(text)+len(above)+len(headline) <= head {
			above = append(text, above...)
		}
	}
	blank := make([]string, head-len(above)-len(headline))
	return slices.Concat(above, blank, headline)
}

// notes draws the texts below the board. room is the maximum number of lines.
func (s Screen) notes(show view.Screen, room int) []string {
	g := s.round.game
	if s.review != nil {
		sums := accuracies(s.review)
		moves := s.block(remarks(g.Rules, s.review), s.ply-1, room-len(sums))
		return append(moves, s.block(sums, -1, max(0, room-len(moves)))...)
	}
	texts := show.InWords().Notes
	switch {
	case s.typed != "" && !s.passing():
		texts = []view.Text{typing(g.Rules, s.typed)}
	case s.awaited:
		texts = []view.Text{view.T("terminal.reviewing", nil)}
	case g.humans() > 0 && s.round.computerToMove():
		texts = append([]view.Text{view.T("terminal.thinking", nil)}, texts...)
	}
	var lines []string
	for i, t := range texts {
		style := faint()
		if i == 0 {
			style = lipgloss.NewStyle()
		}
		if said := s.middle(style.Render(g.Say(t))); i == 0 || len(lines)+len(said) <= room { // a text that does not fit is left out, not cut
			lines = append(lines, said...)
		}
	}
	return lines[:min(len(lines), room)]
}

// middle wraps a text into as many lines as needed, and centres each line.
func (s Screen) middle(text string) []string {
	var lines []string
	for line := range strings.Lines(lipgloss.Wrap(text, max(1, s.width-2), " ")) {
		line = strings.TrimRight(line, " \n")
		lines = append(lines, strings.Repeat(" ", max(0, s.width-lipgloss.Width(line))/2)+line)
	}
	return lines
}

// block draws a centred list with one line for each text. If there are more than room lines, it draws only the lines around the selected
// line.
func (s Screen) block(texts []view.Text, selected, room int) []string {
	room = min(max(1, room), len(texts))
	from := min(max(0, selected-room/2), len(texts)-room)
	widest := 0
	said := make([]string, len(texts))
	for i, t := range texts {
		said[i] = lipgloss.NewStyle().MaxWidth(max(1, s.width-2)).Render(s.round.game.Say(t))
		widest = max(widest, lipgloss.Width(said[i]))
	}
	indent := strings.Repeat(" ", max(0, s.width-widest)/2)
	var lines []string
	for i := from; i < from+room; i++ {
		if i == selected {
			said[i] = lipgloss.NewStyle().Reverse(true).Render(said[i])
		}
		lines = append(lines, indent+said[i])
	}
	return lines
}

// keys draws which keys can be pressed now, on as many lines as needed.
func (s Screen) keys() []string {
	var lines []string
	line := ""
	for _, item := range s.hotkeys() {
		switch joined := line + "   " + item; {
		case line == "":
			line = item
		case lipgloss.Width(joined) <= s.width-2:
			line = joined
		default:
			lines, line = append(lines, s.middle(line)...), item
		}
	}
	return append(lines, s.middle(line)...)
}

// hotkeys returns the keys that can be pressed now, each with a description.
func (s Screen) hotkeys() []string {
	var items []string
	add := func(key string, label view.Text) {
		items = append(items, bold().Render(key)+" "+faint().Render(s.round.game.Say(label)))
	}
	g := s.round.game
	switch {
	case s.help:
		add("?", view.T("terminal.label.back", nil))
		add(orderQuit.key(), orderQuit.label())
		return items
	case s.shown != nil:
		add(g.Say(view.T("terminal.key.walk", nil)), view.T("terminal.label.walk", nil))
		add("Home", view.T("terminal.label.first", nil))
		add("End", view.T("terminal.label.last", nil))
		add(orderQuit.key(), orderQuit.label())
		return items
	case s.review != nil:
		add(g.Say(view.T("terminal.key.walk", nil)), view.T("terminal.label.walk", nil))
	case s.round.humanToMove():
		last := game.Square(g.Rules.Squares() - 1)
		add(g.Say(view.T("terminal.key.play", view.Args{"Number": g.Rules.Squares(), "Name": g.Rules.Name(last)})),
			view.T("terminal.label.play", nil))
	}
	for _, o := range s.round.orders() {
		switch {
		case s.review != nil && o == orderReview:
			add(o.key(), view.T("terminal.label.back", nil))
		case s.review == nil || o != orderHelp:
			add(o.key(), o.label())
		}
	}
	return items
}

// pointing returns the help about arrow and digit keys, which work only on the full screen.
func (s Screen) pointing() []view.Text {
	rules := s.round.game.Rules
	digits := view.T("terminal.help.digit", nil)
	if rules.Squares() > 9 {
		digits = view.T("terminal.help.number", nil)
	}
	return []view.Text{view.T("terminal.help.arrows", nil), digits}
}
