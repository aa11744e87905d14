package terminal

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// ink returns the style of a mark. People with any colour vision can tell blue and orange apart, and both are readable on a dark and on a
// light background.
func ink(m game.Mark) lipgloss.Style {
	switch m {
	case game.X:
		return bold().Foreground(lipgloss.Color("32"))
	case game.O:
		return bold().Foreground(lipgloss.Color("166"))
	default:
		return faint()
	}
}

func bold() lipgloss.Style  { return lipgloss.NewStyle().Bold(true) }
func faint() lipgloss.Style { return lipgloss.NewStyle().Faint(true) }

// mood returns the style of the headline and of the frame around the cursor, by the tone of the screen.
func mood(t view.Tone) lipgloss.Style {
	switch t {
	case view.TurnX:
		return ink(game.X)
	case view.TurnO:
		return ink(game.O)
	case view.Won:
		return bold().Reverse(true)
	default:
		return bold()
	}
}

// art has, for each mark, its drawing in three lines of text.
type art map[game.Mark][3]string

var (
	large = art{game.X: {"▀▄ ▄▀", "  █  ", "▄▀ ▀▄"}, game.O: {"▄▀▀▀▄", "█   █", "▀▄▄▄▀"}}
	thin  = art{game.X: {"╲ ╱", " ╳ ", "╱ ╲"}, game.O: {"╭───╮", "│   │", "╰───╯"}} // for the mark that vanishes next, and for marks of the final line
)

// board draws the squares, with letters above the columns and numbers beside the rows.
func (s Screen) board(show view.Screen, l layout) []string {
	left, _ := s.corner(l)
	indent := strings.Repeat(" ", left)
	lines := []string{indent + strings.Repeat(" ", margin) + faint().Render(columns(show.Columns, l.wide))}
	rule := strings.TrimSuffix(strings.Repeat(strings.Repeat("─", l.wide)+"┼", show.Columns), "┼")
	for row := range len(show.Cells) / show.Columns {
		if row > 0 && l.grid {
			lines = append(lines, indent+strings.Repeat(" ", margin)+faint().Render(rule))
		}
		for line := range l.high {
			label := " "
			if line == l.high/2 {
				label = strconv.Itoa(row + 1)
			}
			squares := make([]string, show.Columns)
			for column := range squares {
				squares[column] = s.square(show, row*show.Columns+column, line, l)
			}
			lines = append(lines, indent+faint().Render(label)+strings.Repeat(" ", margin-1)+strings.Join(squares, faint().Render("│")))
		}
	}
	return lines
}

// square draws one line of text of square i. After the end, the marks of the final line are inverse and the other marks are pale. The mark
// that vanishes next is pale too.
func (s Screen) square(show view.Screen, i, line int, l layout) string {
	c, text := show.Cells[i], ""
	if part := line - l.high/2 + 1; c.Mark != game.None && l.high >= 3 {
		drawn := large
		if c.Vanishing || c.InLine() {
			drawn = thin
		}
		if 0 <= part && part < 3 {
			text = drawn[c.Mark][part]
		}
	} else if part == 1 || l.high == 1 {
		text = cellText(c, i)
	}
	style := ink(c.Mark)
	switch {
	case c.InLine():
		style = style.Reverse(true)
	case c.Vanishing || show.Tone == view.Won:
		style = style.Bold(false).Faint(true)
	}
	if i != s.pointer() || c.InLine() {
		return style.Render(centre(text, l.wide))
	}
	frame := mood(show.Tone).UnsetReverse()
	return frame.Render("▌") + style.Render(centre(text, l.wide-2)) + frame.Render("▐")
}

// pointer returns the index of the square that gets a frame: the square under the cursor or, in a review, the square of the move. It
// returns -1 if no square gets one.
func (s Screen) pointer() int {
	switch {
	case (s.review != nil || s.shown != nil) && s.ply > 0:
		return int(s.round.match.Record.Square(s.ply - 1))
	case s.review == nil && s.shown == nil && s.round.humanToMove():
		return int(s.cursor)
	default:
		return -1
	}
}

// columns draws the letters of n columns, each above the middle of a column.
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
