package main

import (
	"context"
	"fmt"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/terminal"
)

type dailyCommand struct {
	Date     *puzzle.Day `placeholder:"D" help:"The day of the puzzle, in UTC, such as 2026-11-23. Today, if it is left out."`
	Solution bool        `help:"Do not play, but print the solution, with the reason for each move."`
}

func (dailyCommand) Help() string {
	return `There is one puzzle a day, the same for everybody. You have to find the only move that wins, or the only one that holds the
draw, several times in a row, while the computer answers as well as it can. You have three tries.

  tictactoe daily
  tictactoe daily --date 2026-11-23 --solution

It is played as a match is: on the whole screen of a terminal, and line by line elsewhere. Nothing is stored.`
}

// Validate refuses days in the future, whose puzzles are still a secret.
func (c *dailyCommand) Validate() error {
	if today := puzzle.DayOf(time.Now()); c.Date != nil && *c.Date > today {
		return fmt.Errorf("--date %s: that day has not come yet; in UTC it is %s", c.Date, today)
	}
	return nil
}

// Run lets the user solve the puzzle of the day in the terminal, or prints it.
func (c *dailyCommand) Run(ctx context.Context, s surroundings) error {
	day := puzzle.DayOf(time.Now())
	if c.Date != nil {
		day = *c.Date
	}
	p, err := puzzle.Of(ctx, day)
	if err != nil {
		return err
	}
	g, err := newGame(s)
	if err != nil {
		return err
	}
	g.Rules, g.Puzzle = p.Start.Rules(), &terminal.Puzzle{Puzzle: p, Now: time.Now}
	if c.Solution {
		return g.TellSolution()
	}
	endAtOnce() // in line mode the program waits for a line and has nothing to clean up, so a signal ends it at once
	if g.Solver, err = ai.NewSolver(g.Rules); err != nil {
		return err
	}
	computer, err := sideOf(ai.Unbeatable.String(), g.Solver, nil)
	if err != nil {
		return err
	}
	g.X = computer
	if p.Start.Turn() == game.X {
		g.X, g.O = g.O, g.X
	}
	return playOn(ctx, s, g)
}
