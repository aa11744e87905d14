package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/terminal"
	"tictactoe/internal/terminal/console"
)

type playCommand struct {
	X        string        `name:"x" short:"X" default:"human" enum:"human,fair,${levelnames}" placeholder:"PLAYER" help:"Who plays X: human, fair, ${levels} (${default})."`
	O        string        `name:"o" short:"O" default:"unbeatable" enum:"human,fair,${levelnames}" placeholder:"PLAYER" help:"Who plays O (${default})."`
	Starting string        `default:"random" enum:"X,O,random" help:"Which mark begins: X, O or random (${default})."`
	Rules    game.Rules    `default:"classic" placeholder:"R" help:"The rule set: a name or such as 5x4x4+gravity (${default})."`
	Delay    time.Duration `default:"250ms" help:"How long a computer waits before it moves against a computer (${default})."`
	Seed     *uint64       `placeholder:"N" help:"Makes chance repeatable: the same seed and the same moves give the same game."`
}

func (playCommand) Help() string {
	return `On a terminal the board is played with cursor keys, mouse, numbers or names such as b2, and ? tells what else there
is: hints, undo, a review at the end. Elsewhere, and where TERM is dumb, it is played line by line.

  tictactoe play -O easy --starting X
  tictactoe play -X textbook -O unbeatable --rules 4x4 --delay 1s`
}

// Run lets the user play on the screen of a terminal, or one game in line mode.
func (c *playCommand) Run(ctx context.Context, s surroundings) error {
	// In line mode the program waits for a line and has nothing to clean up, so a signal ends it at once.
	endAtOnce()
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	solver, err := ai.NewSolver(c.Rules)
	if err != nil {
		return fmt.Errorf("--rules: %w", err)
	}
	hinter, err := ai.NewEngine(ai.Unbeatable, solver, rand.NewPCG(seed, 4))
	if err != nil {
		return err
	}
	g, err := newGame(s)
	if err != nil {
		return err
	}
	g.Rules, g.Starter, g.ByLot = c.Rules, game.X, c.Starting == "random"
	g.Solver, g.Hinter, g.Delay = solver, hinter, c.Delay
	if c.Starting == "O" || g.ByLot && rand.New(rand.NewPCG(seed, 1)).IntN(2) == 0 {
		g.Starter = game.O
	}
	if g.X, err = sideOf(c.X, solver, rand.NewPCG(seed, 2)); err != nil {
		return fmt.Errorf("-X: %w", err)
	}
	if g.O, err = sideOf(c.O, solver, rand.NewPCG(seed, 3)); err != nil {
		return fmt.Errorf("-O: %w", err)
	}
	return playOn(ctx, s, g)
}

// newGame returns a game in this terminal, in the terminal's language.
func newGame(s surroundings) (*terminal.Game, error) {
	book, err := locale.NewBook()
	if err != nil {
		return nil, err
	}
	return &terminal.Game{In: s.stdin, Out: s.stdout, Words: book.In(languageOf(s.env))}, nil
}

// playOn plays the game on the whole screen of a terminal, or line by line if there is no terminal.
func playOn(ctx context.Context, s surroundings, g *terminal.Game) error {
	return onScreen(s, func() error { return g.PlayScreen(ctx) }, func() error { return g.PlayLines(ctx) })
}

// onScreen calls screen if input and output are a terminal that can draw, and lines otherwise.
func onScreen(s surroundings, screen, lines func() error) error {
	if !console.IsTerminal(s.stdin) || !console.IsTerminal(s.stdout) || s.env("TERM") == "dumb" {
		return lines()
	}
	return screen()
}

// languageOf returns the language of the terminal as a BCP 47 tag, such as "de-DE" for "de_DE.UTF-8".
func languageOf(env func(string) string) string {
	tag, _, _ := strings.Cut(cmp.Or(env("LC_ALL"), env("LC_MESSAGES"), env("LANG")), ".")
	return strings.ReplaceAll(tag, "_", "-")
}

// sideOf returns the player of one side. player is "human" or the name of a level. The terminal keeps no results, so
// "fair" has the skill that suits a person without results.
func sideOf(player string, solver *ai.Solver, source rand.Source) (terminal.Side, error) {
	if player == "human" {
		return terminal.Side{}, nil
	}
	level, err := ai.Fit(solver.Rules(), nil, true), error(nil)
	if player != ai.FairName {
		level, err = ai.ParseLevel(player)
	}
	if err != nil {
		return terminal.Side{}, err
	}
	engine, err := ai.NewEngine(level, solver, source)
	return terminal.Side{Level: level, Engine: engine}, err
}
