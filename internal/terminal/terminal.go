// Package terminal is the terminal front end: a match against the computer in line mode, drawn from the same Screen that
// Discord shows.
package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

// you is the person at the keyboard.
const you match.Player = "you"

// Game is a match between the person at the keyboard and an engine, without a clock.
type Game struct {
	In     io.Reader
	Out    io.Writer
	Words  locale.Words
	Engine match.Engine
	Level  string
	Rules  game.Rules
	// HumanFirst gives the person X, which moves first.
	HumanFirst bool
}

// Play plays until the match is over, the input ends, or the person gives up. Errors are those of the input, the output
// and the engine; leaving is none.
func (g *Game) Play(ctx context.Context) error {
	seats := match.Seats{match.Computer(g.Level), match.Human(you)}
	if g.HumanFirst {
		seats = seats.Swapped()
	}
	m := match.Start("terminal", "terminal", "", g.Rules, seats, 0, 1, time.Time{})
	out := &printer{w: g.Out}
	out.print(intro)
	lines := bufio.NewScanner(g.In)

	for !m.Result.Over() && out.err == nil {
		if m.Turn().IsComputer() {
			s, err := g.Engine.Choose(ctx, m.Position())
			if err != nil {
				return err
			}
			if m, err = m.Answer(s, time.Time{}); err != nil {
				return err
			}
			out.print("The computer plays %s.\n\n", g.Rules.Name(s))
			continue
		}
		g.draw(out, m)
		next, left, err := g.ask(out, lines, m)
		if left || err != nil {
			out.print("Bye. The match is not kept.\n")
			return errors.Join(err, out.err)
		}
		m = next
	}
	g.draw(out, m)
	return out.err
}

const intro = "You play against the computer. Type a square (b2, 2b, or its number), or q to leave.\n\n"

// ask reads lines until one is a move, saying each time why it was not. It reports left when the person leaves or the
// input ends.
func (g *Game) ask(out *printer, lines *bufio.Scanner, m match.Match) (next match.Match, left bool, err error) {
	for {
		out.print("Your move> ")
		if !lines.Scan() {
			out.print("\n")
			return m, true, lines.Err()
		}
		text := strings.ToLower(strings.TrimSpace(lines.Text()))
		switch text {
		case "":
			continue
		case "q", "quit", "exit":
			return m, true, nil
		}
		s, err := ParseMove(g.Rules, text)
		if err != nil {
			out.print("%s\n", err)
			continue
		}
		next, err := m.Play(you, m.Record.Len(), s, time.Time{})
		if err == nil {
			out.print("\n")
			return next, false, nil
		}
		refusal := (*match.Refusal)(nil)
		if !errors.As(err, &refusal) {
			return m, false, err
		}
		out.print("%s\n", g.Words.Say(locale.Refusal(refusal, you, names()), plainStyle{}))
	}
}

// ParseMove reads a square as people type it: column and row in either order and case, or the number on the board,
// counted from 1. The error says what to type.
func ParseMove(rules game.Rules, text string) (game.Square, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	if n, err := strconv.Atoi(text); err == nil {
		if 1 <= n && n <= rules.Squares() {
			return game.Square(n - 1), nil
		}
		return 0, fmt.Errorf("there is no square %s: type a number from 1 to %d, or a name such as b2", text, rules.Squares())
	}
	name := text
	if len(text) == 2 && '1' <= text[0] && text[0] <= '9' {
		name = text[1:] + text[:1]
	}
	s, err := rules.ParseSquare(name)
	if err != nil {
		last := rules.Name(game.Square(rules.Squares() - 1))
		return 0, fmt.Errorf("%q is no square: type a1 to %s, a number from 1 to %d, or q to leave", text, last, rules.Squares())
	}
	return s, nil
}

// draw shows the screen of the match: the lines above, the board, the notes below.
func (g *Game) draw(out *printer, m match.Match) {
	s := view.OfMatch(m, names(), score.Running{})
	for _, line := range s.Lines {
		out.print("%s\n", g.Words.Say(line, plainStyle{}))
	}
	out.print("\n%s\n", board(s))
}

// board draws the squares. Empty ones show their number; the winning line is bracketed, since not every terminal has
// colours and not everybody sees them.
func board(s view.Screen) string {
	width := 3
	if len(s.Cells) > 9 {
		width = 4
	}
	var b strings.Builder
	b.WriteString("   ")
	for x := range s.Columns {
		fmt.Fprintf(&b, "%s ", centre(string(rune('a'+x)), width))
	}
	b.WriteString("\n")
	for i, c := range s.Cells {
		if i%s.Columns == 0 {
			if i > 0 {
				b.WriteString("\n   " + strings.TrimSuffix(strings.Repeat(strings.Repeat("-", width)+"+", s.Columns), "+") + "\n")
			}
			fmt.Fprintf(&b, "%d  ", i/s.Columns+1)
		} else {
			b.WriteString("|")
		}
		text := c.Mark.String()
		switch {
		case c.Winning:
			text = "[" + text + "]"
		case c.Mark == game.None && c.Over:
			text = ""
		case c.Mark == game.None:
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

// names calls the person by a noun: the texts speak of players in the third person.
func names() view.Names { return view.Names{you: "Player"} }

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
