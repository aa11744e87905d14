package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
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

// days is how many days that are.
func (c *bestCommand) days() int {
	if c.Since == "month" {
		return archive.MaxDays
	}
	return 7
}

// bestGames are the games of a server that are worth seeing. The names are read by programs.
type bestGames struct {
	Server   match.Venue `json:"server"`
	Days     int         `json:"days"`
	Shortest []bestGame  `json:"shortest"`
	Longest  []bestGame  `json:"longest"`
	Accurate []bestGame  `json:"accurate"`
	Upsets   []bestGame  `json:"upsets"`
}

// bestGame is one of them.
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
	return c.look(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		found, err := r.Best(ctx, at, time.Now(), c.days())
		if err != nil && !errors.Is(err, match.ErrUnreadable) {
			return err
		}
		best := bestGames{Server: at, Days: c.days()}
		for _, kind := range []struct {
			from []archive.Feat
			into *[]bestGame
		}{{found.Shortest, &best.Shortest}, {found.Longest, &best.Longest}, {found.Accurate, &best.Accurate}, {found.Upsets, &best.Upsets}} {
			*kind.into = []bestGame{}
			for _, f := range kind.from {
				g, err := bestAs(ctx, r, f)
				if err != nil {
					return err
				}
				*kind.into = append(*kind.into, g)
			}
		}
		if c.JSON {
			return writeJSON(s.stdout, best)
		}
		return best.print(s.stdout)
	})
}

func bestAs(ctx context.Context, r *sqlite.Reader, f archive.Feat) (bestGame, error) {
	x, o := f.Seats[0].Player, f.Seats[1].Player
	names, err := r.Names(ctx, x, o)
	g := bestGame{
		ID: f.ID, Ended: f.At.UTC().Format(time.RFC3339), Board: f.Rules.Title(), X: seated{x, names[x]}, O: seated{o, names[o]},
		Moves: f.Moves, Critical: f.Critical, Errors: f.Errors, Ahead: f.Ahead,
	}
	if winner := f.Result.Outcome.Winner(); winner != game.None {
		g.Winner = winner.String()
	}
	return g, err
}

func (b bestGames) print(w io.Writer) error {
	t := table{{"", "X", "O", "winner", "worth", "board", "ended", "id"}}
	for _, kind := range []struct {
		name  string
		games []bestGame
		worth func(bestGame) string
	}{
		{"shortest", b.Shortest, func(g bestGame) string { return fmt.Sprint(g.Moves, " moves") }},
		{"longest", b.Longest, func(g bestGame) string { return fmt.Sprint(g.Moves, " moves") }},
		{"accurate", b.Accurate, func(g bestGame) string { return fmt.Sprintf("%d of %d right", g.Critical-g.Errors, g.Critical) }},
		{"upset", b.Upsets, func(g bestGame) string { return fmt.Sprintf("%d points", g.Ahead) }},
	} {
		for _, g := range kind.games {
			t = append(t, []string{
				kind.name, nameWords(g.X.Name, string(g.X.ID)), nameWords(g.O.Name, string(g.O.ID)), cmp.Or(g.Winner, "-"), kind.worth(g), g.Board, g.Ended, string(g.ID),
			})
		}
	}
	if len(t) == 1 {
		_, err := fmt.Fprintf(w, "No game of the last %d days at server %s is worth seeing yet.\n", b.Days, printable.Line(string(b.Server), 40))
		return err
	}
	t.print(w, 0, 1, 2, 3, 4, 5, 6, 7)
	return nil
}
