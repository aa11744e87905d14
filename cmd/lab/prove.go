package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/lab/proof"
	"tictactoe/internal/terminal/console"
)

type proveCommand struct {
	Rules game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 4x4x4 (${default})."`
	Level ai.Level   `default:"unbeatable" enum:"${levelnames}" help:"Whose play is to be proven (${default})."`
	All   bool       `help:"Every level that claims to give nothing away, on every rule set that is offered; the teacher on 5x5, which takes 20 minutes, only if TICTACTOE_LONG is set."`
}

func (proveCommand) Help() string {
	return `Plays every game that a level can get into, as either side, and finds out whether it ever gives anything away.

  lab prove --rules 5x5`
}

// theorem is the claim that a level never makes an error under a rule set.
type theorem struct {
	level ai.Level
	rules game.Rules
}

// theorems returns the theorems that the command line asks to prove.
func (c *proveCommand) theorems() []theorem {
	if !c.All {
		return []theorem{{c.Level, c.Rules}}
	}
	var all []theorem
	for _, level := range []ai.Level{ai.Unbeatable, ai.Teacher} {
		for _, offer := range game.Offered() {
			if level == ai.Teacher && offer.Name == "5x5" && os.Getenv("TICTACTOE_LONG") == "" {
				continue
			}
			all = append(all, theorem{level, offer.Rules})
		}
	}
	return append(all, theorem{ai.Minimax, game.Classic()}) // with other rules, minimax does not search whole games
}

func (c *proveCommand) Run(s streams) error {
	fmt.Fprintln(s.stdout, "| level      | board    | side | positions | decisions |   replies |    judged | median | 99 % | longest | seconds |")
	fmt.Fprintln(s.stdout, "|------------|----------|------|----------:|----------:|----------:|----------:|-------:|-----:|--------:|--------:|")
	bar := console.NewProgress(s.stderr)
	for _, t := range c.theorems() {
		solver, err := ai.NewSolver(t.rules)
		if err != nil {
			return err
		}
		engine, err := ai.NewEngine(t.level, solver, nil)
		if err != nil {
			return err
		}
		for _, side := range []game.Mark{game.X, game.O} {
			who := fmt.Sprintf("%s as %s on %s", t.level, side, t.rules.Title())
			began := time.Now()
			p, err := proof.Prove(context.Background(), engine, solver.Nodes, side, func(p proof.Proof) { bar.Say("%s: %d positions", who, p.Positions) })
			bar.End()
			if err != nil {
				return fmt.Errorf("%s: %w", who, err)
			}
			fmt.Fprintf(s.stdout, "| %-10s | %-8s | %-4s | %9d | %9d | %9d | %9d | %6d | %4d | %7d | %7.1f |\n",
				t.level, t.rules.Title(), side, p.Positions, p.Decisions, p.Replies, p.Judged,
				p.Nodes(0.5), p.Nodes(0.99), p.Nodes(1), time.Since(began).Seconds())
		}
	}
	fmt.Fprintln(s.stdout, "\nNothing is given away. Median, 99 % and longest are the nodes that an answer took.")
	return nil
}

type perftCommand struct {
	Rules game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Depth int        `default:"9" placeholder:"N" help:"How many moves deep (${default})."`
	JSON  bool       `name:"json" help:"One JSON object."`
}

func (perftCommand) Help() string {
	return `Counts the games of each length from the empty board: the customary check of a move generator. As is customary, too,
the moves of the last plies are counted and not made; the speed is in nodes counted.

  lab perft --rules 4x3x3 --depth 8`
}

// perftCount is the number of nodes at one depth. Other programs read it as JSON, so the names of the fields must stay.
type perftCount struct {
	Depth int    `json:"depth"`
	Nodes uint64 `json:"nodes"`
}

func (c *perftCommand) Validate() error {
	if c.Depth < 0 || c.Depth > game.MaxPlies {
		return fmt.Errorf("--depth: %d; it is 0 to %d", c.Depth, game.MaxPlies)
	}
	return nil
}

func (c *perftCommand) Run(s streams) error {
	rules := c.Rules
	var counts []perftCount
	var total uint64
	began := time.Now()
	for depth := range c.Depth + 1 {
		n := game.Perft(game.Start(rules), depth)
		total += n
		counts = append(counts, perftCount{depth, n})
		if !c.JSON {
			fmt.Fprintf(s.stdout, "%2d %15d\n", depth, n)
		}
	}
	took := time.Since(began).Seconds()
	speed := 0.0
	if took > 0 {
		speed = float64(total) / took
	}
	if !c.JSON {
		_, err := fmt.Fprintf(s.stdout, "%d nodes in %.3f s: %.1f million a second\n", total, took, speed/1e6)
		return err
	}
	return json.NewEncoder(s.stdout).Encode(struct {
		Rules   string       `json:"rules"`
		Counts  []perftCount `json:"counts"`
		Nodes   uint64       `json:"nodes"`
		Seconds float64      `json:"seconds"`
		Speed   float64      `json:"nodes_per_second"`
	}{rules.String(), counts, total, took, speed})
}
