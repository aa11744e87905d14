package terminal

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"tictactoe/game"
)

// Where the board stands, so that a click finds its square.
const (
	boardTop   = 6 // lines above the first row of squares
	boardLeft  = 6 // columns left of the first square
	cellWidth  = 7
	frameLines = boardTop + 6 // all lines that are not squares, when there is no review
)

// cellHeight is how many lines a square has. A review takes the room of the large marks.
func (s Screen) cellHeight() int {
	if s.tall && s.review == nil {
		return 3
	}
	return 1
}

// squareAt is the square at a place of the screen, and false for a line of the grid or what is beside it.
func (s Screen) squareAt(x, y int) (game.Square, bool) {
	x, y = x-boardLeft, y-boardTop
	wide, high := cellWidth+1, s.cellHeight()+1
	if x < 0 || y < 0 || x%wide == cellWidth || y%high == high-1 {
		return 0, false
	}
	column, row := x/wide, y/high
	rules := s.game.Rules
	return game.Square(row*rules.Width() + column), column < rules.Width() && row < rules.Height()
}

// The colours are those of the terminal, so that they fit its background.
func colour(m game.Mark) lipgloss.Style {
	style := lipgloss.NewStyle().Bold(true)
	if m == game.X {
		return style.Foreground(lipgloss.BrightCyan)
	}
	return style.Foreground(lipgloss.BrightRed)
}

func faint(text string) string { return lipgloss.NewStyle().Faint(true).Render(text) }

// View draws the screen.
func (s Screen) View() tea.View {
	v := tea.NewView(s.content())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "Tic-Tac-Toe"
	return v
}

func (s Screen) content() string {
	var b strings.Builder
	indent := strings.Repeat(" ", boardLeft)
	fmt.Fprintf(&b, "\n  %s  %s\n", lipgloss.NewStyle().Bold(true).Render("Tic-Tac-Toe"), faint(s.game.title()))
	fmt.Fprintf(&b, "  %s %s  %d : %d  %s %s%s\n", colour(game.X).Render("X"), s.game.X, s.wins[game.X], s.wins[game.O],
		s.game.O, colour(game.O).Render("O"), faint(fmt.Sprintf("   drawn %d", s.drawn)))
	fmt.Fprintf(&b, "  %s\n\n", s.status())

	rules := s.game.Rules
	b.WriteString(indent)
	for x := range rules.Width() {
		b.WriteString(faint(centre(string(rune('a'+x)), cellWidth+1)))
	}
	b.WriteString("\n")
	grid := strings.TrimSuffix(strings.Repeat(strings.Repeat("─", cellWidth)+"┼", rules.Width()), "┼")
	for y := range rules.Height() {
		if y > 0 {
			b.WriteString(indent + faint(grid) + "\n")
		}
		for line := range s.cellHeight() {
			label := " "
			if line == s.cellHeight()/2 {
				label = string(rune('1' + y))
			}
			b.WriteString("   " + faint(label) + "  ")
			for x := range rules.Width() {
				if x > 0 {
					b.WriteString(faint("│"))
				}
				b.WriteString(s.cell(game.Square(y*rules.Width()+x), line))
			}
			b.WriteString("\n")
		}
	}
	fmt.Fprintf(&b, "\n  %s\n", s.note)
	for _, line := range s.review {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	fmt.Fprintf(&b, "\n  %s", faint(s.keys()))
	return b.String()
}

// large is a line of a mark where there is room for three.
func large(m game.Mark, line int) string {
	if m == game.X {
		return [3]string{"╲ ╱", " ╳ ", "╱ ╲"}[line]
	}
	return [3]string{"╭─╮", "│ │", "╰─╯"}[line]
}

// cell is one line of a square. The cursor is bracketed, the winning line reversed; the mark that goes next is pale.
func (s Screen) cell(square game.Square, line int) string {
	p := s.record.Position()
	mark, middle := p.At(square), line == s.cellHeight()/2
	text := "   "
	switch {
	case mark != game.None && s.cellHeight() > 1:
		text = large(mark, line)
	case mark != game.None:
		text = " " + mark.String() + " "
	case middle && !s.over():
		text = centre(fmt.Sprint(int(square)+1), 3)
	}
	left, right := "  ", "  "
	switch {
	case middle && p.Line().Has(square):
		left, right = " *", "* "
	case middle && square == s.cursor && !s.over():
		left, right = "▐ ", " ▌"
	}
	style := colour(mark)
	switch {
	case p.Line().Has(square):
		return style.Reverse(true).Render(left + text + right)
	case mark == game.None:
		style = lipgloss.NewStyle().Faint(true)
	case p.Vanishing().Has(square) && !s.over():
		style = style.Bold(false).Faint(true).Blink(true)
	}
	return left + style.Render(text) + right
}

// status says whose move it is, or how the round ended.
func (s Screen) status() string {
	if s.over() {
		return lipgloss.NewStyle().Bold(true).Render(s.celebration())
	}
	p := s.record.Position()
	text := fmt.Sprintf("%s to move", s.turn())
	switch {
	case s.turn().Engine != nil:
		text = fmt.Sprintf("%s is thinking...", s.turn())
	case s.game.people() == 1:
		text = "Your move"
	}
	if s.record.Len() == 0 && s.game.ByLot && s.starter == s.game.Starter {
		text += " (by lot)"
	}
	if gone := vanishing(p); gone != "" {
		text += "   " + faint(gone)
	}
	if s.typed != "" {
		text += "   " + s.typed + "_"
	}
	return colour(p.Turn()).Render(p.Turn().String()) + " " + text
}

// celebration is how the round ended, from where the person sits.
func (s Screen) celebration() string {
	winner := s.record.Outcome().Winner()
	switch {
	case winner == game.None:
		return "A draw. Well held!"
	case s.game.people() == 1 && s.game.side(winner).Engine == nil:
		return "You win! \\o/"
	case s.game.people() == 1:
		return fmt.Sprintf("%s wins. Once more?", winner)
	default:
		return s.game.result(s.record)
	}
}

// keys tells what can be pressed now.
func (s Screen) keys() string {
	switch {
	case s.over():
		return "n play again · r review · q quit"
	case s.turn().Engine != nil:
		return "q quit"
	default:
		return "arrows+enter, click, 5 or b2 play · h hint · u undo · q quit"
	}
}
