package main

import (
	"encoding/json"
	"fmt"
	"time"

	"tictactoe/game"
)

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
