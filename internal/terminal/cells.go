package terminal

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// columns draws the letters of the columns, each above the middle of its squares.
func columns(n, width int) string {
	var b strings.Builder
	for x := range n {
		b.WriteString(centre(string(rune('a'+x)), width) + " ")
	}
	return strings.TrimRight(b.String(), " ")
}

// cellText draws a square in at most three characters.
func cellText(c view.Cell, i int) string {
	switch {
	case c.InLine():
		return "[" + c.Mark.String() + "]"
	case c.Vanishing:
		return "(" + c.Mark.String() + ")"
	case c.Mark != game.None:
		return c.Mark.String()
	case c.Better:
		return "*"
	case c.Over:
		return ""
	default:
		return strconv.Itoa(i + 1)
	}
}

func centre(text string, width int) string {
	room := max(0, width-utf8.RuneCountInString(text))
	return strings.Repeat(" ", room/2) + text + strings.Repeat(" ", room-room/2)
}
