package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"tictactoe/game"
	"tictactoe/internal/view"
)

// PlayLines plays in line mode until the input ends or the person leaves; two computers play one round. Errors are those of
// the input, the output, the engines and the context; leaving is none.
func (g *Game) PlayLines(ctx context.Context) error {
	l := &lines{game: g, in: bufio.NewScanner(g.In), out: g.Out}
	if g.people() > 0 {
		l.say(view.T("terminal.welcome", nil))
	}
	r := g.first()
	l.draw(r.screen())
	for l.err == nil {
		switch {
		case r.persons() || r.over() && g.people() > 0:
			var left bool
			if r, left = l.ask(ctx, r); left {
				return l.err
			}
		case r.over():
			return nil
		default:
			square, err := r.think(ctx)
			if err == nil {
				r, err = r.answer(square)
			}
			if err != nil {
				return err
			}
			l.draw(r.screen())
		}
	}
	return l.err
}

// lines is the conversation of line mode. It keeps the first error, so that a broken pipe ends the game rather than being
// checked at every line.
type lines struct {
	game *Game
	in   *bufio.Scanner
	out  io.Writer
	err  error
}

// ask reads a line and is the round after it, or reports that the person has left or the input has ended.
func (l *lines) ask(ctx context.Context, r round) (next round, left bool) {
	prompt := view.T("terminal.prompt", view.Args{"Mark": view.Mark(r.match.Position().Turn())})
	if r.over() {
		prompt = view.T("terminal.prompt.over", nil)
	}
	l.print("%s> ", l.game.say(prompt))
	if !l.in.Scan() {
		l.print("\n")
		l.fail(l.in.Err())
		l.leave(r)
		return r, true
	}
	text := strings.ToLower(strings.TrimSpace(l.in.Text()))
	switch r.readOrder(text) {
	case orderQuit:
		l.leave(r)
		return r, true
	case orderHelp:
		l.say(help(l.game.Rules)...)
	case orderHint:
		hinted, _, err := r.hint(ctx)
		l.fail(err)
		l.say(hinted.notes...)
	case orderUndo:
		r = r.undo()
		l.draw(r.screen())
	case orderReview:
		review := l.game.Solver.Review(r.match.Record)
		l.say(remarks(l.game.Rules, review)...)
		l.say(accuracies(review)...)
	case orderNext:
		r = r.again()
		l.draw(r.screen())
	default:
		return l.play(r, text), false
	}
	return r, l.err != nil
}

// play is the round after a line that is no order.
func (l *lines) play(r round, text string) round {
	if text == "" || r.over() {
		return r
	}
	square, ok := ParseMove(l.game.Rules, text)
	if !ok {
		l.say(noSquare(l.game.Rules, text))
		return r
	}
	next, played, err := r.play(square)
	switch {
	case err != nil:
		l.fail(err)
	case !played:
		l.say(next.notes...)
		return r
	case next.persons() || next.over():
		l.draw(next.screen())
	}
	return next
}

func (l *lines) leave(r round) {
	if !r.over() {
		l.say(view.T("terminal.bye", nil))
	}
}

// draw shows a screen: the lines above, the board, the notes below.
func (l *lines) draw(s view.Screen) {
	l.print("\n")
	l.say(s.Lines...)
	l.print("\n%s\n", lineBoard(s))
	l.say(s.Notes...)
}

func (l *lines) say(texts ...view.Text) {
	for _, t := range texts {
		l.print("%s\n", l.game.say(t))
	}
}

func (l *lines) print(format string, args ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.out, format, args...)
	}
}

func (l *lines) fail(err error) {
	l.err = errors.Join(l.err, err)
}

// lineBoard draws the squares. Empty ones show their number; the winning line is bracketed and the mark that goes next in
// parentheses, since not every terminal has colours and not everybody sees them.
func lineBoard(s view.Screen) string {
	width := 3
	if len(s.Cells) > 9 {
		width = 4
	}
	var b strings.Builder
	fmt.Fprintf(&b, "   %s\n", columns(s.Columns, width))
	for i, c := range s.Cells {
		if i%s.Columns == 0 {
			if i > 0 {
				b.WriteString("\n   " + strings.TrimSuffix(strings.Repeat(strings.Repeat("-", width)+"+", s.Columns), "+") + "\n")
			}
			fmt.Fprintf(&b, "%d  ", i/s.Columns+1)
		} else {
			b.WriteString("|")
		}
		b.WriteString(centre(cellText(c, i), width))
	}
	b.WriteString("\n")
	return b.String()
}

// columns are the letters of the columns, each above the middle of its squares.
func columns(n, width int) string {
	var b strings.Builder
	for x := range n {
		b.WriteString(centre(string(rune('a'+x)), width) + " ")
	}
	return strings.TrimRight(b.String(), " ")
}

// cellText is a square in at most three letters.
func cellText(c view.Cell, i int) string {
	switch {
	case c.Winning:
		return "[" + c.Mark.String() + "]"
	case c.Vanishing:
		return "(" + c.Mark.String() + ")"
	case c.Mark != game.None:
		return c.Mark.String()
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
