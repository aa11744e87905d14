package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/terminal"
)

type playCommand struct {
	Level string  `default:"unbeatable" enum:"${levelnames}" help:"How strong the computer is: ${levels} (${default})."`
	First string  `default:"random" enum:"random,me,computer" help:"Who moves first: random, me or computer (${default})."`
	Seed  *uint64 `placeholder:"N" help:"Makes chance repeatable: the same seed and the same moves give the same game."`
}

// Run plays one game.
func (c *playCommand) Run(ctx context.Context, s surroundings) error {
	endAtOnce()
	seed := rand.Uint64()
	if c.Seed != nil {
		seed = *c.Seed
	}
	random := rand.New(rand.NewPCG(seed, 1))
	solver, err := ai.NewSolver(game.Classic())
	if err != nil {
		return err
	}
	engine, err := ai.NewPlayer(c.Level, solver, rand.NewPCG(seed, 2))
	if err != nil {
		return fmt.Errorf("--level: %w", err)
	}
	book, err := locale.NewBook()
	if err != nil {
		return err
	}
	g := &terminal.Game{
		In: s.stdin, Out: s.stdout, Words: book.In(language(s.env)), Engine: engine, Level: c.Level, Rules: game.Classic(),
		HumanFirst: c.First == "me" || c.First == "random" && random.IntN(2) == 0,
	}
	return g.Play(ctx)
}

// language is the language of the terminal as a BCP 47 tag: "de_DE.UTF-8" is "de-DE".
func language(env func(string) string) string {
	tag, _, _ := strings.Cut(orDefault(env("LC_ALL"), orDefault(env("LC_MESSAGES"), env("LANG"))), ".")
	return strings.ReplaceAll(tag, "_", "-")
}
