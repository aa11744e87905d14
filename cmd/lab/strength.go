package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/terminal/console"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

type strengthCommand struct {
	DB string `name:"db" required:"" placeholder:"DB" help:"The database: a file, or postgres://user@host/name."`
}

func (strengthCommand) Help() string {
	return `Counts what people got against each level of the computer, and compares it with what the model of the level fair predicted before each
game, from the earlier games of the same person. A prediction outside of the interval is marked with an exclamation mark: the model is wrong
there, or the games of a few persons outweigh the others. Games with hints, games that a moderator decided, and games of people who have
left do not count. The bot may be running.

  lab strength --db tictactoe.db`
}

// played is a game of a person against the computer.
type played struct {
	person string
	rules  game.Rules
	ended  string // the time of the end; as a text it sorts in the order of time
	ai.Result
}

// expected compares the games of people against a level with the predictions.
type expected struct {
	games     int
	seen      [3]int     // wins, draws and losses of people
	predicted [3]float64 // their expected numbers
}

func (c *strengthCommand) Run(s streams) error {
	bar := console.NewProgress(s.stderr)
	games, left, err := readGames(context.Background(), c.DB, bar.Of("read", "games"))
	bar.End()
	if err != nil {
		return fmt.Errorf("read the games of the database: %w", err)
	}
	rows := compare(games)
	fmt.Fprintf(s.stdout, "%d games of people against the computer; %d more do not count\n", len(games), left)
	for _, offer := range game.Offered() {
		for _, level := range append([]string{ai.FairName}, ai.LevelNames()...) {
			if row := rows[offer.Name+" "+level]; row != nil {
				fmt.Fprintf(s.stdout, "%-9s %-10s %7d games", offer.Name, level, row.games)
				for i, what := range []string{"won", "drawn", "lost"} {
					fmt.Fprintf(s.stdout, "  %s", row.words(what, i))
				}
				fmt.Fprintln(s.stdout)
			}
		}
	}
	return nil
}

// words tells people how often result i occurred: its share with the 95 % interval, and the predicted share. name is the result's name.
func (e *expected) words(name string, i int) string {
	n, within := float64(e.games), wilson(e.seen[i], e.games)
	seen, predicted, mark := float64(e.seen[i])/n, e.predicted[i]/n, " "
	if predicted < within[0] || predicted > within[1] {
		mark = "!"
	}
	return fmt.Sprintf("%5s %5.1f %% (%5.1f to %5.1f), predicted %5.1f %%%s", name, 100*seen, 100*within[0], 100*within[1], 100*predicted, mark)
}

// compare returns the comparison for each board and level. games are sorted by their ends.
func compare(games []played) map[string]*expected {
	rows := make(map[string]*expected)
	earlier := make(map[string][]ai.Result) // by person and rules
	for _, g := range games {
		level, _, _ := strings.Cut(g.Level.String(), ":")
		own := g.person + " " + g.rules.Title()
		chances, known := ai.Predict(g.rules, earlier[own], g.Level, g.First)
		earlier[own] = append(earlier[own], g.Result)
		if !known {
			continue
		}
		row := rows[g.rules.Title()+" "+level]
		if row == nil {
			row = new(expected)
			rows[g.rules.Title()+" "+level] = row
		}
		row.games++
		row.seen[int(2-2*g.Score)]++
		for i, chance := range chances {
			row.predicted[i] += chance
		}
	}
	return rows
}

// readGames returns the games of people against the computer, sorted by their ends, and the number of finished games that do not count.
func readGames(ctx context.Context, db string, progress func(done, all int)) (games []played, left int, err error) {
	export := sqlite.Export
	if postgres.IsAddress(db) {
		export = postgres.Export
	}
	lines, into := io.Pipe()
	exported := make(chan error, 1)
	go func() {
		_, err := export(ctx, db, into, progress)
		into.Close()
		exported <- err
	}()
	defer func() {
		lines.Close() // ends an export whose reader has failed
		err = errors.Join(err, <-exported)
	}()
	for decoder := json.NewDecoder(bufio.NewReader(lines)); ; {
		var line exportedGame
		switch err := decoder.Decode(&line); {
		case errors.Is(err, io.EOF):
			slices.SortStableFunc(games, func(a, b played) int { return cmp.Compare(a.ended, b.ended) })
			return games, left, nil
		case err != nil:
			return nil, 0, err
		}
		if line.X.Level == "" && line.O.Level == "" || line.Outcome == "" {
			continue
		}
		if g, counts := line.played(); counts {
			games = append(games, g)
		} else {
			left++
		}
	}
}

// exportedGame has the fields of a line of an export that matter here.
type exportedGame struct {
	Rules, Outcome, Cause, Ended string
	Helped                       bool
	X, O                         struct{ Player, Level string }
}

// played returns the game, and false if it says nothing about the strength of a person.
func (e exportedGame) played() (g played, counts bool) {
	rules, unruly := game.ParseRules(e.Rules)
	level, unknown := ai.ParseLevel(cmp.Or(e.X.Level, e.O.Level))
	g = played{cmp.Or(e.X.Player, e.O.Player), rules, e.Ended, ai.Result{Level: level, First: e.X.Level == "", Score: 0.5}}
	if e.Outcome != "draw" {
		g.Score = 0
		if (e.Outcome == "X") == g.First {
			g.Score = 1
		}
	}
	return g, unruly == nil && unknown == nil && !e.Helped && e.Cause != "moderator" && g.person != "left"
}
