package terminal

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// ink returns the style of a mark. Blue and orange can be told apart by everybody, and read on a dark and on a light background.
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

// mood returns the style of a screen's headline and of the frame around the cursor.
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

// glyphs are what a board is drawn with.
type glyphs struct {
	bar, rule, cross string
	frame            [2]string // left and right of the cursor
	large            art
	pale             art // for the mark that vanishes next
	inverse          art // for the marks of a line
	sparkle          string
}

// art is how each mark is drawn in three lines of text.
type art map[game.Mark][3]string

func (g *Game) glyphs() glyphs {
	if g.ASCII {
		letters := art{game.X: {`\ /`, " X ", `/ \`}, game.O: {".---.", "|   |", "'---'"}}
		return glyphs{
			"|", "-", "+", [2]string{"[", "]"},
			letters, art{game.X: {"", "(X)", ""}, game.O: {"", "(O)", ""}}, letters,
			"*   .   +   .   *   .   +   .   *",
		}
	}
	thin := art{game.X: {"╲ ╱", " ╳ ", "╱ ╲"}, game.O: {"╭───╮", "│   │", "╰───╯"}}
	return glyphs{
		"│", "─", "┼", [2]string{"▌", "▐"},
		art{game.X: {"▀▄ ▄▀", "  █  ", "▄▀ ▀▄"}, game.O: {"▄▀▀▀▄", "█   █", "▀▄▄▄▀"}}, thin, thin,
		"✦   ·   ✧   ·   ✦   ·   ✧   ·   ✦",
	}
}

// board draws the squares with the letters of their columns and the numbers of their rows.
func (s Screen) board(show view.Screen, l layout) []string {
	left, _ := s.corner(l)
	indent, pen := strings.Repeat(" ", left), s.round.game.glyphs()
	lines := []string{indent + strings.Repeat(" ", margin) + faint().Render(columns(show.Columns, l.wide))}
	rule := strings.TrimSuffix(strings.Repeat(strings.Repeat(pen.rule, l.wide)+pen.cross, show.Columns), pen.cross)
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
			lines = append(lines, indent+faint().Render(label)+strings.Repeat(" ", margin-1)+strings.Join(squares, faint().Render(pen.bar)))
		}
	}
	return lines
}

// square draws one line of text of a square. The marks of the line that ended the game are inverse and the other marks fade. The
// mark that vanishes next is pale.
func (s Screen) square(show view.Screen, i, line int, l layout) string {
	c, pen, text := show.Cells[i], s.round.game.glyphs(), ""
	if part := line - l.high/2 + 1; c.Mark != game.None && l.high >= 3 {
		drawn := pen.large
		switch {
		case c.Vanishing:
			drawn = pen.pale
		case c.InLine():
			drawn = pen.inverse
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
	return frame.Render(pen.frame[0]) + style.Render(centre(text, l.wide-2)) + frame.Render(pen.frame[1])
}

// pointer returns the square to frame: that of the cursor, or in a review that of the move. It returns -1 if there is none.
func (s Screen) pointer() int {
	switch {
	case s.review != nil && s.ply > 0:
		return int(s.round.match.Record.Square(s.ply - 1))
	case s.review == nil && s.round.humanToMove():
		return int(s.cursor)
	default:
		return -1
	}
}

// sparkle draws the gap above and below the board, which shines when there is something to celebrate.
func (s Screen) sparkle(show view.Screen, l layout) []string {
	if !l.air {
		return nil
	}
	left, _ := s.corner(l)
	_, columns := l.board(s.round.game.Rules)
	shine := lipgloss.NewStyle().Foreground(lipgloss.Color("178")).Render(s.round.game.glyphs().sparkle)
	if show.Tone != view.Won || !s.round.celebrated() || lipgloss.Width(shine) > s.width {
		return []string{""}
	}
	return []string{strings.Repeat(" ", max(0, left+(columns+margin-lipgloss.Width(shine))/2)) + shine}
}
