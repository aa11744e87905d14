package terminal

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/show/view"
)

// These errors say what a human wants to do instead of a move.
var (
	errLeft   = errors.New("the player has left")
	errTurned = errors.New("the player has turned to another ply or round")
)

// PlayLines plays in line mode until the input ends or a human leaves. Two computers play one round. It returns nil if a human leaves, and
// otherwise an error of the input, the output, an engine or the context.
func (g *Game) PlayLines(ctx context.Context) error {
	l := &lines{game: g, round: g.first(), in: bufio.NewScanner(g.In), out: g.Out}
	if g.humans() > 0 {
		l.say(view.T("terminal.welcome", nil))
	}
	l.game = l.round.game
	l.draw(l.round.screen())
	for l.err == nil && !(l.round.over() && l.round.ends()) {
		err := l.step(ctx)
		if errors.Is(err, errLeft) {
			if l.round.attempt == nil && l.round.lesson == nil && !l.round.over() {
				l.say(view.T("terminal.bye", nil))
			}
			return l.err
		}
		if err != nil {
			return err
		}
	}
	return l.err
}

// step lets the side to move play, and draws the board. After a human's move against a computer it does not draw the board, because the
// computer's answer follows at once.
func (l *lines) step(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	choose := l.ask
	switch {
	case l.round.computerToMove():
		choose = l.round.think
	case l.round.over() && l.round.lesson != nil:
		choose = func(context.Context) (game.Square, error) {
			l.round = l.round.again()
			return 0, errTurned
		}
	}
	square, err := choose(ctx)
	if err == nil {
		before := l.round
		if l.round, err = before.play(square); err != nil {
			return err
		}
		if refused := l.round.match.Version == before.match.Version; refused && before.attempt == nil && before.lesson == nil {
			l.say(l.round.notes...)
			l.round = before
			return nil
		}
		if before.humanToMove() && l.round.computerToMove() {
			return nil
		}
	} else if !errors.Is(err, errTurned) {
		return err
	}
	l.game = l.round.game
	l.draw(l.round.screen())
	return nil
}

// lines is the state of line mode: the round, the input and the output. It remembers the first error of the output, so that a broken pipe
// ends the game without a check after each line.
type lines struct {
	game  *Game
	round round
	in    *bufio.Scanner
	out   io.Writer
	err   error
}

// ask reads what the human types, and carries out orders, until the human names a square. It returns errLeft if the human wants to leave,
// and errTurned if the round is no longer the same, as after an undo.
func (l *lines) ask(ctx context.Context) (game.Square, error) {
	for l.err == nil {
		text, err := l.read()
		if err != nil {
			return 0, err
		}
		switch r := l.round; r.readOrder(text) {
		case orderQuit:
			return 0, errLeft
		case orderHelp:
			l.say(slices.DeleteFunc(r.screen().Notes, func(t view.Text) bool { return !aboutRules(t) })...)
			l.say(r.help()...)
		case orderHint:
			hinted, _, err := r.hint(ctx)
			if err != nil {
				return 0, err
			}
			l.say(hinted.notes...)
		case orderReview:
			review := l.game.Solver.Review(r.match.Record)
			l.say(remarks(l.game.Rules, review)...)
			l.say(accuracies(review)...)
		case orderUndo:
			l.round = r.undo()
			return 0, errTurned
		case orderNext:
			l.round = r.again()
			return 0, errTurned
		default:
			if text == "" || r.over() {
				continue
			}
			square, ok := ParseMove(l.game.Rules, text)
			switch p := r.match.Position(); {
			case ok && p.At(square) == game.None:
				return p.Landing(square), nil
			case ok:
				return square, nil
			}
			l.say(noSquare(l.game.Rules, text))
		}
	}
	return 0, l.err
}

// read returns the next line of the input, or errLeft at the end of the input.
func (l *lines) read() (string, error) {
	prompt := view.T("terminal.prompt", view.Args{"Mark": view.Mark(l.round.match.Position().Turn())})
	if l.round.over() {
		prompt = view.AnyText(orderNext.label(), orderReview.label(), orderQuit.label())
	}
	l.print("%s> ", l.game.Say(prompt))
	if !l.in.Scan() {
		l.print("\n")
		return "", cmp.Or(l.in.Err(), errLeft)
	}
	return strings.ToLower(strings.TrimSpace(l.in.Text())), nil
}

// aboutRules reports whether a note explains the rules. Line mode shows such a note only when a round begins, and with the help.
func aboutRules(t view.Text) bool { return t.Key == "rules.note" }

// PrintLines prints a screen without a board. It leaves out buttons and menus.
func (g *Game) PrintLines(s view.Screen) error {
	l := &lines{game: g, out: g.Out}
	s = s.InWords()
	l.say(s.Lines...)
	if len(s.Notes) > 0 {
		l.print("\n")
		l.say(s.Notes...)
	}
	return l.err
}

// draw prints a screen: the lines above the board, the board, and the notes below it.
func (l *lines) draw(s view.Screen) {
	s = s.InWords()
	l.print("\n")
	l.say(s.Lines...)
	l.print("\n%s\n", lineBoard(s))
	if s.Ply > 0 {
		s.Notes = slices.DeleteFunc(s.Notes, aboutRules)
	}
	l.say(s.Notes...)
}

func (l *lines) say(texts ...view.Text) {
	for _, t := range texts {
		l.print("%s\n", l.game.Say(t))
	}
}

func (l *lines) print(format string, args ...any) {
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.out, format, args...)
	}
}

// lineBoard draws the board. Empty squares show their number. The marks of the final line are in brackets, and the mark that vanishes next
// is in parentheses, because not every terminal has colours and not everyone sees them.
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
