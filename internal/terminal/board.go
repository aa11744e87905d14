package terminal

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/view"
)

// Blue and orange can be told apart by everybody, and read on dark and on light.
var (
	faint = lipgloss.NewStyle().Faint(true)
	marks = map[game.Mark]lipgloss.Style{
		game.X: lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("32")),
		game.O: lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("166")),
	}
	tones = map[view.Tone]lipgloss.Style{view.TurnX: marks[game.X], view.TurnO: marks[game.O]}
)

// glyphs are what a board is drawn with.
type glyphs struct {
	bar, rule, cross string
	frame            [2]string // left and right of the cursor
	large            art
	pale             art // what goes next
	inverse          art // a winning line
	sparkle          string
}

// art are marks of three lines.
type art map[game.Mark][3]string

var (
	thin          = art{game.X: {"╲ ╱", " ╳ ", "╱ ╲"}, game.O: {"╭───╮", "│   │", "╰───╯"}}
	letters       = art{game.X: {`\ /`, " X ", `/ \`}, game.O: {".---.", "|   |", "'---'"}}
	unicodeGlyphs = glyphs{
		"│", "─", "┼", [2]string{"▌", "▐"},
		art{game.X: {"▀▄ ▄▀", "  █  ", "▄▀ ▀▄"}, game.O: {"▄▀▀▀▄", "█   █", "▀▄▄▄▀"}}, thin, thin,
		"✦   ·   ✧   ·   ✦   ·   ✧   ·   ✦",
	}
	asciiGlyphs = glyphs{
		"|", "-", "+", [2]string{"[", "]"},
		letters, art{game.X: {"", "(X)", ""}, game.O: {"", "(O)", ""}}, letters,
		"*   .   +   .   *   .   +   .   *",
	}
)

func (s Screen) glyphs() glyphs {
	if s.round.game.ASCII {
		return asciiGlyphs
	}
	return unicodeGlyphs
}

// board draws the squares with the letters of their columns and the numbers of their rows.
func (s Screen) board(show view.Screen, l layout) []string {
	left, _ := s.corner(l)
	indent, pen := strings.Repeat(" ", left), s.glyphs()
	lines := []string{indent + strings.Repeat(" ", margin) + faint.Render(columns(show.Columns, l.wide))}
	rule := strings.TrimSuffix(strings.Repeat(strings.Repeat(pen.rule, l.wide)+pen.cross, show.Columns), pen.cross)
	for row := range len(show.Cells) / show.Columns {
		if row > 0 && l.grid {
			lines = append(lines, indent+strings.Repeat(" ", margin)+faint.Render(rule))
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
			lines = append(lines, indent+faint.Render(label)+strings.Repeat(" ", margin-1)+strings.Join(squares, faint.Render(pen.bar)))
		}
	}
	return lines
}

// square is one line of a square. The winning line is inverse and the other marks fade; the mark that goes next is pale.
func (s Screen) square(show view.Screen, i, line int, l layout) string {
	c, pen, text := show.Cells[i], s.glyphs(), ""
	if part := line - l.high/2 + 1; c.Mark != game.None && l.high >= 3 {
		drawn := pen.large
		switch {
		case c.Vanishing:
			drawn = pen.pale
		case c.Winning:
			drawn = pen.inverse
		}
		if 0 <= part && part < 3 {
			text = drawn[c.Mark][part]
		}
	} else if part == 1 || l.high == 1 {
		text = cellText(c, i)
	}
	style, marked := marks[c.Mark]
	switch {
	case c.Winning:
		return style.Reverse(true).Render(centre(text, l.wide))
	case !marked || c.Vanishing || s.won(show):
		style = style.Bold(false).Faint(true)
	}
	if i != s.pointer() || l.wide < 5 && l.high > 1 {
		return style.Render(centre(text, l.wide))
	}
	frame := tones[show.Tone]
	return frame.Render(pen.frame[0]) + style.Render(centre(text, l.wide-2)) + frame.Render(pen.frame[1])
}

// pointer is the square to frame: that of the cursor, or in a review that of the move; -1 if none.
func (s Screen) pointer() int {
	switch {
	case s.review != nil && s.ply > 0:
		return int(s.round.match.Record.Square(s.ply - 1))
	case s.review == nil && s.round.persons():
		return int(s.cursor)
	default:
		return -1
	}
}

// won tells whether the screen shows a winning line.
func (s Screen) won(show view.Screen) bool { return show.Tone == view.Won }

// sparkle is the gap above and below the board, which shines when there is something to celebrate.
func (s Screen) sparkle(show view.Screen, l layout) []string {
	if !l.air {
		return nil
	}
	if show.Tone != view.Won || !s.round.celebrated() {
		return []string{""}
	}
	left, _ := s.corner(l)
	_, columns := l.board(s.round.game.Rules)
	shine := lipgloss.NewStyle().Foreground(lipgloss.Color("178")).Render(s.glyphs().sparkle)
	return []string{strings.Repeat(" ", max(0, left+(columns+margin-lipgloss.Width(shine))/2)) + shine}
}
