package main

import (
	"context"
	"errors"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/show/view"
	"tictactoe/store/sqlite"
)

type bestCommand struct {
	atServer
	Since string `enum:"week,month" default:"week" help:"How far to look back: week, or month, which is 31 days (${default})."`
}

func (bestCommand) Help() string {
	return `As /tictactoe best shows them: the shortest wins, the longest games, the most accurate ones, and the greatest upsets, three of each, between people. Days are those of UTC, and that of today counts. Games are there once they are reviewed, a little after their end; games of players who hide are not.

  tictactoe best
  tictactoe best --server 662988600115200000 --since month --json`
}

// bestGame is a game worth seeing. The names are read by programs.
type bestGame struct {
	ID       match.ID `json:"id"`
	Ended    string   `json:"ended"`
	Board    string   `json:"board"`
	X        seated   `json:"x"`
	O        seated   `json:"o"`
	Winner   string   `json:"winner"` // X or O, empty of a draw
	Moves    int      `json:"moves,omitempty"`
	Critical int      `json:"critical_moves,omitempty"`
	Errors   int      `json:"errors,omitempty"`
	Ahead    int      `json:"ahead,omitempty"` // by how many points the loser was rated higher
}

// seated is a player of a game.
type seated struct {
	ID   match.User `json:"id"`
	Name string     `json:"name"`
}

func (c *bestCommand) Run(ctx context.Context, s surroundings) error {
	days := 7
	if c.Since == "month" {
		days = archive.MaxDays
	}
	return c.look(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		best, err := r.Best(ctx, at, time.Now(), days)
		if err != nil && !errors.Is(err, match.ErrUnreadable) {
			return err
		}
		kinds := map[string][]archive.Feat{"shortest": best.Shortest, "longest": best.Longest, "accurate": best.Accurate, "upsets": best.Upsets}
		var people []match.User
		for _, feats := range kinds {
			for _, f := range feats {
				people = append(people, f.Seats.Players()...)
			}
		}
		names, err := r.Names(ctx, people...)
		if err != nil {
			return err
		}
		if !c.JSON {
			return printScreen(s, view.OfBest(best, days, names, false))
		}
		report := map[string]any{"server": at, "days": days}
		for kind, feats := range kinds {
			games := []bestGame{}
			for _, f := range feats {
				games = append(games, bestAs(f, names))
			}
			report[kind] = games
		}
		return writeJSON(s.stdout, report)
	})
}

func bestAs(f archive.Feat, names view.Names) bestGame {
	x, o := f.Seats[0].Player, f.Seats[1].Player
	g := bestGame{
		ID: f.ID, Ended: f.At.UTC().Format(time.RFC3339), Board: f.Rules.Title(), X: seated{x, names[x]}, O: seated{o, names[o]},
		Moves: f.Moves, Critical: f.Critical, Errors: f.Errors, Ahead: f.Ahead,
	}
	if winner := f.Result.Outcome.Winner(); winner != game.None {
		g.Winner = winner.String()
	}
	return g
}
