package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/terminal"
)

type playCommand struct {
	X        string        `name:"x" short:"X" default:"human" enum:"human,${levelnames}" placeholder:"PLAYER" help:"Who plays X: human, ${levels} (${default})."`
	O        string        `name:"o" short:"O" default:"unbeatable" enum:"human,${levelnames}" placeholder:"PLAYER" help:"Who plays O (${default})."`
	Starting string        `default:"random" enum:"X,O,random" help:"Which mark begins: X, O or random (${default})."`
	Rules    ruleSet       `default:"classic" placeholder:"R" help:"The rule set: a name or such as 5x4x4+gravity (${default})."`
	Delay    time.Duration `default:"250ms" help:"How long a computer waits before it moves against a computer (${default})."`
	Seed     *uint64       `placeholder:"N" help:"Makes chance repeatable: the same seed and the same moves give the same game."`
}

// Help shows how it is used.
func (playCommand) Help() string {
	return `On a terminal the board is played with cursor keys, mouse, digits or names such as b2; elsewhere line by line.

  tictactoe play -O easy --starting X
  tictactoe play -X textbook -O unbeatable --rules 4x4 --delay 1s`
}

// Run plays on the terminal, or one round in line mode.
func (c *playCommand) Run(ctx context.Context, s surroundings) error {
	// An interrupt ends the program at once: it waits for a line, and has nothing to put away.
	signal.Reset(os.Interrupt, syscall.SIGTERM)
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	solver, err := ai.NewSolver(c.Rules.Rules)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	hinter, err := ai.NewPlayer(ai.Unbeatable, solver, rand.NewPCG(seed, 4))
	if err != nil {
		return err
	}
	g := &terminal.Game{
		In: s.stdin, Out: s.stdout, Rules: c.Rules.Rules, Starter: game.X, ByLot: c.Starting == "random",
		Solver: solver, Hinter: hinter, Delay: c.Delay,
	}
	if c.Starting == "O" || g.ByLot && rand.New(rand.NewPCG(seed, 1)).IntN(2) == 0 {
		g.Starter = game.O
	}
	if g.X, err = sideOf(c.X, solver, rand.NewPCG(seed, 2)); err != nil {
		return fmt.Errorf("-X: %w", err)
	}
	if g.O, err = sideOf(c.O, solver, rand.NewPCG(seed, 3)); err != nil {
		return fmt.Errorf("-O: %w", err)
	}
	if isTerminal(s.stdin) && isTerminal(s.stdout) {
		return g.PlayScreen(ctx)
	}
	return g.PlayLines(ctx)
}

func sideOf(player string, solver *ai.Solver, source rand.Source) (terminal.Side, error) {
	if player == "human" {
		return terminal.Side{}, nil
	}
	engine, err := ai.NewPlayer(player, solver, source)
	return terminal.Side{Level: player, Engine: engine}, err
}

// isTerminal tells whether a stream is a terminal and not a file, a pipe or a buffer.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}
