package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// ofMoves is the word on the command line that comes before moves, as for analyse.
const ofMoves = "moves"

// errNoMatch means that the database has no match with the id on the command line.
var errNoMatch = errors.New("there is no match")

type showCommand struct {
	databaseFlag
	Rules *game.Rules `placeholder:"R" help:"The rule set of moves: a name (${rulenames}) or such as 5x4x4+gravity (default: classic)."`
	Move  *int        `placeholder:"N" help:"Begin after so many moves, or print that position alone where this is no terminal."`
	What  []string    `arg:"" help:"The id of a match, as its board names it, or moves and the squares in order."`
}

func (showCommand) Help() string {
	return `Shows the board after each move, and, once the game is over, what the move was worth.

  tictactoe show 1bmcokn2s0000
  tictactoe show moves b2 a1 c3 a3 a2
  tictactoe show --rules infinite --move 3 moves a2 b2 c1 a3 b3

In a terminal the arrow keys, Home and End lead from one position to the next, and q leaves. Elsewhere all positions are printed.`
}

// Validate refuses arguments that cannot be shown.
func (c *showCommand) Validate() error {
	switch {
	case len(c.What) == 0:
		return nil // kong reports the missing argument
	case c.Move != nil && *c.Move < 0:
		return fmt.Errorf("--move %d: 0 is the empty board, 1 the board after the first move", *c.Move)
	case c.What[0] != ofMoves && len(c.What) > 1:
		return fmt.Errorf("one match at a time: say its id alone, or %s and the squares in order", ofMoves)
	case c.What[0] != ofMoves && c.Rules != nil:
		return errors.New("--rules is for moves: a match of the database has its own")
	}
	return nil
}

func (c *showCommand) Run(ctx context.Context, s surroundings) error {
	endAtOnce()
	shown, err := c.find(ctx, s)
	if err != nil {
		return err
	}
	rules := shown.Match.Position().Rules()
	solver, err := ai.NewSolver(rules)
	if err != nil {
		return err
	}
	if view.Reviewable(shown.Match) {
		shown.Review = solver.Review(shown.Match.Record)
	}
	g, err := newGame(s)
	if err != nil {
		return err
	}
	g.Rules, g.Solver = rules, solver
	from, last := 0, shown.Match.Record.Len()
	if c.Move != nil {
		from = *c.Move
	}
	if from > last {
		return fmt.Errorf("--move %d: there are %d moves", from, last)
	}
	return onScreen(s, func() error { return g.ShowScreen(ctx, shown, from) }, func() error { return g.ShowLines(shown, from, c.Move != nil) })
}

// find returns the match with the id on the command line from the database, or a match with the moves on the command line.
func (c *showCommand) find(ctx context.Context, s surroundings) (terminal.Shown, error) {
	if c.What[0] == ofMoves {
		return c.fromMoves(c.What[1:])
	}
	db, err := c.path(s)
	if err != nil {
		return terminal.Shown{}, err
	}
	shown := terminal.Shown{Kept: true}
	id := match.ID(strings.ToLower(c.What[0]))
	err = byKind(db, sqlite.Look, postgres.Look)(ctx, db, func(ctx context.Context, r *sqlite.Reader) error {
		if shown.Match, err = r.Match(ctx, id); errors.Is(err, match.ErrNotFound) {
			return fmt.Errorf("%w %s: its id stands below its board, and /tictactoe show lists one's own", errNoMatch, printable.Line(string(id), 40))
		}
		if err != nil {
			return err
		}
		names, err := r.Names(ctx, shown.Match.Seats.Players()...)
		shown.Names = view.Names(names)
		return err
	})
	return shown, err
}

// fromMoves returns a match with these moves, between two users without names.
func (c *showCommand) fromMoves(moves []string) (terminal.Shown, error) {
	rules := game.Classic()
	if c.Rules != nil {
		rules = *c.Rules
	}
	record, err := replay(rules, moves)
	if err != nil {
		return terminal.Shown{}, err
	}
	people := match.Seats{match.Human(match.User(game.X.String())), match.Human(match.User(game.O.String()))}
	shown := terminal.Shown{Match: match.Match{Seats: people, Record: record}}
	if outcome := record.Outcome(); outcome != game.InProgress {
		shown.Match.Result = match.Result{Outcome: outcome, Cause: match.ByLine}
		if outcome == game.Draw {
			shown.Match.Result.Cause = match.ByFullBoard
		}
	}
	return shown, nil
}
