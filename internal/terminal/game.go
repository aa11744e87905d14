// Package terminal is the terminal front end: line mode for pipes and plain terminals, and a full screen with keys and
// mouse. Both play rounds of a [Game] and draw the Screen that view makes of each.
package terminal

import (
	"io"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// Side is who plays a mark: a human, or a computer whose engine plays at some level. The zero value is a human.
type Side struct {
	Level  ai.Level
	Engine game.Player // nil for a human
}

// Game is what is played at a terminal, and by whom.
type Game struct {
	In      io.Reader
	Out     io.Writer
	Words   locale.Words
	ASCII   bool // the terminal shows nothing else
	X, O    Side
	Rules   game.Rules
	Starter game.Mark     // who begins the first round; the marks take turns in the next ones
	ByLot   bool          // whether chance has named the starter
	Solver  *ai.Solver    // judges and reviews
	Hinter  game.Player   // whose move is the hint
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

// seats are both sides as a match knows them. A person is known by the mark.
func (g *Game) seats() match.Seats {
	seat := func(m game.Mark) match.Seat {
		if s := g.side(m); s.Engine != nil {
			return match.Computer(s.Level.String())
		}
		return match.Human(match.User(m.String()))
	}
	return match.Seats{seat(game.X), seat(game.O)}
}

// names are what the people are called, who have not introduced themselves.
func (g *Game) names() view.Names {
	names := view.Names{}
	people := g.seats().Players()
	if len(people) == 2 {
		names[people[0]] = g.say(view.T("terminal.player.one", nil))
		names[people[1]] = g.say(view.T("terminal.player.two", nil))
	} else if len(people) == 1 {
		names[people[0]] = g.say(view.T("terminal.player", nil))
	}
	return names
}

// name is what whoever plays that mark is called.
func (g *Game) name(m game.Mark) any { return g.names().Seat(g.seats().Of(m)) }

// at is a match of the game that stands there.
func (g *Game) at(record game.Record) match.Match {
	return match.Match{ID: "terminal", Seats: g.seats(), Record: record, Version: record.Len() + 1}
}

// tabled is up to how many squares the solver has a table, so that judging any position takes no time.
const tabled = 12

// forced is the side that wins by force if that mark begins, None where best play draws. An empty board is judged in some
// milliseconds, but where marks fall on 5x5; of the larger boards that are offered none is won.
func (g *Game) forced(starter game.Mark) game.Mark {
	if offered := g.Rules.Title() != g.Rules.String(); offered && g.Rules.Squares() > tabled {
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
