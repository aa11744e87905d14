package terminal

import (
	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// keys draws the keys that can be pressed now, on as many lines as they take.
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

// hotkeys returns the keys that do something now, each with what it does.
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

// pointing returns the help about the arrow and digit keys, which only the full screen has.
func (s Screen) pointing() []view.Text {
	rules := s.round.game.Rules
	digits := view.T("terminal.help.digit", nil)
	if rules.Squares() > 9 {
		digits = view.T("terminal.help.number", nil)
	}
	return []view.Text{view.T("terminal.help.arrows", nil), digits}
}
