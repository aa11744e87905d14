package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
)

type proveCommand struct {
	Rules ruleSet `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 4x4x4 (${default})."`
	Level string  `default:"unbeatable" enum:"${levelnames}" help:"Whose play is to be proven (${default})."`
}

// Help shows how it is used.
func (proveCommand) Help() string {
	return `Plays every game that a level can get into, as either side, and finds out whether it ever gives anything away.

  tictactoe prove --rules 5x5`
}

// Run proves, or finds the flaw.
func (c *proveCommand) Run(ctx context.Context, s surroundings) error {
	rules := c.Rules.Rules
	solver, err := ai.NewSolver(rules)
	if err != nil {
		return err
	}
	player, err := ai.NewPlayer(c.Level, solver, rand.NewPCG(1, 1))
	if err != nil {
		return err
	}
	for _, side := range []game.Mark{game.X, game.O} {
		began := time.Now()
		proof, err := ai.Prove(ctx, player, side)
		if err != nil {
			return fmt.Errorf("%s as %s on %s: %w", c.Level, side, rules, err)
		}
		fmt.Fprintf(s.stdout, "%s as %s on %s gives nothing away: %d positions, %d decisions, %d of them judged, in %.1f s\n",
			c.Level, side, rules, proof.Positions, proof.Decisions, proof.Judged, time.Since(began).Seconds())
	}
	return nil
}
