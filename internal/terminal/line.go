package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tictactoe/game"
)

// PlayLines plays one round in line mode, until it is over, the input ends, or the person leaves. Errors are those of the
// input, the output, the engines and the context; leaving is none.
func (g *Game) PlayLines(ctx context.Context) error {
	out := &printer{w: g.Out}
	lines := bufio.NewScanner(g.In)
	out.print("X is %s, O is %s. %s.\n", g.X, g.O, g.title())
	if g.people() > 0 {
		out.print("Type a square (b2, 2b, or its number), h for a hint, or q to leave.\n")
	}
	begins := "%s begins.\n"
	if g.ByLot {
		begins = "By lot %s begins.\n"
	}
	out.print(begins, g.Starter)
	if text := g.warning(g.Starter); text != "" {
		out.print("%s\n", text)
	}
	out.print("\n")

	driver := game.Driver{
		X: g.player(ctx, g.X, out, lines), O: g.player(ctx, g.O, out, lines),
		Show: func(r game.Record) { out.print("%s\n", lineBoard(r)) },
	}
	driver.Refused = func(illegal *game.IllegalMoveError) error {
		if g.side(illegal.Position.Turn()).Engine != nil {
			return illegal
		}
		out.print("%s\n", refusal(illegal))
		return out.err
	}
	r, err := driver.Play(game.NewRecord(game.StartWith(g.Rules, g.Starter)))
	switch {
	case errors.Is(err, errLeft):
		out.print("Bye. The game is not kept.\n")
		return out.err
	case err != nil:
		return err
	}
	out.print("%s\n", g.result(r))
	var names []string
	for _, s := range r.Squares() {
		names = append(names, g.Rules.Name(s))
	}
	if g.Starter == game.X {
		out.print("What the moves were worth: tictactoe review --rules %s %s\n", g.Rules.Title(), strings.Join(names, " "))
	}
	return out.err
}

// player is a side as the driver asks it.
func (g *Game) player(ctx context.Context, side Side, out *printer, lines *bufio.Scanner) game.Player {
	return game.PlayerFunc(func(p game.Position) (game.Square, error) {
		if out.err != nil {
			return 0, out.err
		}
		if side.Engine == nil {
			return g.ask(ctx, p, out, lines)
		}
		if g.people() == 0 {
			if err := wait(ctx, g.Delay); err != nil {
				return 0, err
			}
		}
		s, err := side.Engine.Choose(ctx, p)
		if err != nil {
			return 0, err
		}
		why := ""
		if side.explains() {
			why = because(p, s)
		}
		out.print("%s, %s, plays %s%s.\n\n", p.Turn(), side, g.Rules.Name(s), why)
		return s, out.err
	})
}

// ask reads lines until one is a square, saying each time why it was not. The error is errLeft if the person leaves or
// the input ends.
func (g *Game) ask(ctx context.Context, p game.Position, out *printer, lines *bufio.Scanner) (game.Square, error) {
	for {
		if text := vanishing(p); text != "" {
			out.print("%s\n", text)
		}
		out.print("Your move (%s)> ", p.Turn())
		if !lines.Scan() {
			out.print("\n")
			if err := errors.Join(lines.Err(), out.err); err != nil {
				return 0, err
			}
			return 0, errLeft
		}
		switch text := strings.ToLower(strings.TrimSpace(lines.Text())); text {
		case "":
		case "q", "quit", "exit":
			return 0, errLeft
		case "h", "hint":
			hint, err := g.hint(ctx, p)
			if err != nil {
				return 0, err
			}
			out.print("%s\n", hint)
		default:
			s, err := ParseMove(g.Rules, text)
			if err == nil {
				out.print("\n")
				return landing(p, s), out.err
			}
			out.print("%s\n", err)
		}
		if out.err != nil {
			return 0, out.err
		}
	}
}

// lineBoard draws the squares. Empty ones show their number; the winning line is bracketed, since not every terminal has
// colours and not everybody sees them.
func lineBoard(r game.Record) string {
	p := r.Position()
	rules, line, over := p.Rules(), p.Line(), r.Outcome() != game.InProgress
	width := 3
	if rules.Squares() > 9 {
		width = 4
	}
	var b strings.Builder
	b.WriteString("   ")
	for x := range rules.Width() {
		fmt.Fprintf(&b, "%s ", centre(string(rune('a'+x)), width))
	}
	b.WriteString("\n")
	for i := range rules.Squares() {
		if i%rules.Width() == 0 {
			if i > 0 {
				b.WriteString("\n   " + strings.TrimSuffix(strings.Repeat(strings.Repeat("-", width)+"+", rules.Width()), "+") + "\n")
			}
			fmt.Fprintf(&b, "%d  ", i/rules.Width()+1)
		} else {
			b.WriteString("|")
		}
		s := game.Square(i)
		text := p.At(s).String()
		switch {
		case line.Has(s):
			text = "[" + text + "]"
		case p.At(s) == game.None && over:
			text = ""
		case p.At(s) == game.None:
			text = strconv.Itoa(i + 1)
		}
		b.WriteString(centre(text, width))
	}
	b.WriteString("\n")
	return b.String()
}

func centre(text string, width int) string {
	left := (width - len(text)) / 2
	return strings.Repeat(" ", left) + text + strings.Repeat(" ", width-len(text)-left)
}

// printer keeps the first error, so that a broken pipe ends the game rather than being checked at every line.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) print(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}
