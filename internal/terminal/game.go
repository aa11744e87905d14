// Package terminal is the terminal front end: line mode for pipes and plain terminals, and a full screen with keys and
// mouse. Both play a [Game].
package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

// Side is who plays a mark: a person, or an engine of some level.
type Side struct {
	Level  string
	Engine match.Engine // nil for a person
}

// String is such as "human" or "computer (easy)".
func (s Side) String() string {
	if s.Engine == nil {
		return "human"
	}
	return "computer (" + s.Level + ")"
}

// explains tells whether the side says why it moves: those levels do from which one is to learn.
func (s Side) explains() bool { return s.Level == ai.Textbook || s.Level == ai.Teacher }

// Game is what is played at a terminal, and by whom.
type Game struct {
	In      io.Reader
	Out     io.Writer
	X, O    Side
	Rules   game.Rules
	Starter game.Mark     // who begins the first round; the marks take turns in the next ones
	ByLot   bool          // whether chance has named the starter
	Solver  *ai.Solver    // judges and reviews
	Hinter  match.Engine  // whose move is the hint
	Delay   time.Duration // before a move of a computer that plays a computer
}

// side is who plays that mark.
func (g *Game) side(m game.Mark) Side {
	if m == game.X {
		return g.X
	}
	return g.O
}

// people is how many of the sides are people.
func (g *Game) people() int {
	n := 0
	for _, s := range []Side{g.X, g.O} {
		if s.Engine == nil {
			n++
		}
	}
	return n
}

// title names the rules: the name for players, and what they demand.
func (g *Game) title() string {
	goal := fmt.Sprintf("%d in a row wins", g.Rules.Run())
	if g.Rules.Misere() {
		goal = fmt.Sprintf("%d in a row loses", g.Rules.Run())
	}
	if g.Rules.Gravity() {
		goal += ", marks fall"
	}
	if n := g.Rules.Keep(); n > 0 {
		goal += fmt.Sprintf(", each side keeps its newest %d", n)
	}
	return g.Rules.Title() + ": " + goal
}

// forced is the side that wins by force if that mark begins, None where best play draws. Large boards are not judged
// from the start: it would take too long, and of those that are offered none is won.
func (g *Game) forced(starter game.Mark) game.Mark {
	if g.Rules.Squares() > 12 {
		return game.None
	}
	switch g.Solver.Eval(game.StartWith(g.Rules, starter)).Value {
	case ai.Win:
		return starter
	case ai.Loss:
		return starter.Opponent()
	default:
		return game.None
	}
}

// warning says beforehand that a side wins by force; empty where best play draws.
func (g *Game) warning(starter game.Mark) string {
	winner := g.forced(starter)
	if winner == game.None {
		return ""
	}
	text := fmt.Sprintf("With best play %s wins here", winner)
	if g.side(winner.Opponent()).Engine != nil {
		text += fmt.Sprintf(", so %s can be beaten", g.side(winner.Opponent()))
	}
	return text + "."
}

// hint is a square for the side to move, and why.
func (g *Game) hint(ctx context.Context, p game.Position) (string, error) {
	s, err := g.Hinter.Choose(ctx, p)
	if err != nil {
		return "", err
	}
	return "Hint: " + g.Rules.Name(s) + because(p, s), nil
}

// because is the reason for a move in brackets, if there is one.
func because(p game.Position, s game.Square) string {
	if reason := ai.ReasonFor(p, s); reason != ai.NoReason {
		return " (" + reason.String() + ")"
	}
	return ""
}

// result says how a game ended.
func (g *Game) result(r game.Record) string {
	if m := r.Outcome().Winner(); m != game.None {
		return fmt.Sprintf("%s wins: %s.", m, g.side(m))
	}
	return "A draw."
}

// vanishing says which mark goes with the next move; empty where none does.
func vanishing(p game.Position) string {
	for s := range p.Vanishing().All() {
		return fmt.Sprintf("%s vanishes with %s's next move.", p.Rules().Name(s), p.At(s))
	}
	return ""
}

// refusal says why a move cannot be played and what to do.
func refusal(err *game.IllegalMoveError) string {
	return err.Error() + ": choose another square"
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

// landing is where a mark played on that square comes to rest: where marks fall, any empty square of a column will do.
func landing(p game.Position, s game.Square) game.Square {
	if p.Rules().Gravity() && p.At(s) == game.None {
		return p.Landing(s)
	}
	return s
}

// wait returns after the time or with the context, whose error it gives.
func wait(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errLeft tells that the person leaves or the input has ended.
var errLeft = errors.New("the person leaves")
