package main

import (
	"context"
	"fmt"

	"tictactoe/commands"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/show/view"
	"tictactoe/store/sqlite"
)

type profileCommand struct {
	atServer
	Player string `required:"" placeholder:"ID|NAME" help:"The player: the id at Discord, or the name as the bot last saw it."`
}

func (profileCommand) Help() string {
	return `As /tictactoe profile shows it: the ratings on each board, what was won, drawn and lost at the server, streaks, accuracy, first moves, badges, and the latest games there.

  tictactoe profile --player Alice
  tictactoe profile --server 662988600115200000 --player 1001`
}

func (c *profileCommand) Run(ctx context.Context, s surroundings) error {
	return c.read(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		who, err := c.find(ctx, r, at)
		if err != nil {
			return err
		}
		seasons, err := r.Seasons(ctx, at)
		if err != nil {
			return err
		}
		p, err := commands.LoadProfile(ctx, r, r, r, profile.Scope{Venue: at}, who.Player, seasons)
		if err != nil {
			return err
		}
		people := []match.User{who.Player}
		for _, m := range p.Record.Last {
			people = append(people, m.Seats.Players()...)
		}
		names, err := r.Names(ctx, people...)
		if err != nil {
			return err
		}
		return printScreen(s, view.OfProfile(p, names))
	})
}

// find returns the player whom the command line names by an id, or by a name that only one player has.
func (c *profileCommand) find(ctx context.Context, r *sqlite.Reader, at match.Venue) (match.Name, error) {
	found, err := r.Called(ctx, at, c.Player)
	switch {
	case err != nil:
		return match.Name{}, err
	case len(found) == 0:
		return match.Name{}, fmt.Errorf("nobody called %q, and nobody with that id, has finished a game at server %s: %w with the id, which "+
			"`tictactoe ladder --json` lists, or name another --server", printable.Line(c.Player, 40), printable.Line(string(at), 40), errWhich)
	case len(found) > 1:
		var ids []string
		for _, n := range found {
			ids = append(ids, string(n.Player))
		}
		return match.Name{}, fmt.Errorf("%d players are called %q: %w with --player and the id: %s", len(found), printable.Line(c.Player, 40), errWhich, shortList(ids))
	}
	return found[0], nil
}
