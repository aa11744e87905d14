// Package terminal is the front end for terminals. It has a line mode for pipes and plain terminals, and a full screen with keys and mouse.
// Both play rounds of a [Game] and draw the screens that package view makes.
package terminal

import (
	"io"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// Side is the player of one mark: a human, or a computer with an engine of some level. The zero value is a human.
type Side struct {
	Level  ai.Level
	Engine game.Player // nil for a human
}

// Game has the players at a terminal, who play rounds, solve a puzzle or take the course.
type Game struct {
	In      io.Reader
	Out     io.Writer
	Words   locale.Words
	X, O    Side
	Rules   game.Rules
	Puzzle  *Puzzle       // a puzzle with the same rules, for a human against a computer; nil if there is none
	Course  Course        // the course, for humans; nil if something else is played
	Starter game.Mark     // the mark that begins the first round; in later rounds the marks take turns
	ByLot   bool          // the starter was chosen by chance
	Solver  *ai.Solver    // judges positions and reviews rounds
	Hinter  game.Player   // chooses the move that a hint proposes
	Delay   time.Duration // before each move if both players are computers
}

// side returns the player of a mark.
func (g *Game) side(m game.Mark) Side {
	if m == game.X {
		return g.X
	}
	return g.O
}

// humans returns how many of the two players are humans.
func (g *Game) humans() int {
	n := 0
	for _, s := range []Side{g.X, g.O} {
		if s.Engine == nil {
			n++
		}
	}
	return n
}

// seats returns both players as the seats of a match. A human is identified by the mark.
func (g *Game) seats() match.Seats {
	seat := func(m game.Mark) match.Seat {
		if s := g.side(m); s.Engine != nil {
			return match.Computer(s.Level.String())
		}
		return match.Human(match.User(m.String()))
	}
	return match.Seats{seat(game.X), seat(game.O)}
}

// names returns names for the humans, such as "Player One", because the program does not know their real names.
func (g *Game) names() view.Names {
	names := view.Names{}
	people := g.seats().Players()
	if len(people) == 2 {
		names[people[0]] = g.Say(view.T("terminal.player.one", nil))
		names[people[1]] = g.Say(view.T("terminal.player.two", nil))
	} else if len(people) == 1 {
		names[people[0]] = g.Say(view.T("terminal.player", nil))
	}
	return names
}

// name returns the name of the player of a mark.
func (g *Game) name(m game.Mark) any { return g.names().Seat(g.seats().Of(m)) }

// at returns a match between the players with the moves of the record.
func (g *Game) at(record game.Record) match.Match {
	return match.Match{ID: "terminal", Seats: g.seats(), Record: record, Version: record.Len() + 1}
}

// tabled is the largest number of squares for which the solver has a table, with which it judges every position at once.
const tabled = 12

// forced returns the side that wins by force if starter begins, or None if best play is a draw. For the large offered boards it returns
// None without asking the solver, which would take long on the empty board of 5x5 with gravity. On other boards the solver takes some
// milliseconds.
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
