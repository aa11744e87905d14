package main

import (
	"context"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal"
)

type dailyCommand struct {
	Date     *puzzle.Day `placeholder:"D" help:"The day of the puzzle, in UTC, such as 2026-11-23. Today, if it is left out."`
	Solution bool        `help:"Do not play, but print the solution, with the reason for each move."`
	JSON     bool        `name:"json" help:"Do not play, but print one JSON object, with the solution only if --solution asks for it."`
}

func (dailyCommand) Help() string {
	return `There is one puzzle a day, the same for everybody. You have to find the only move that wins, or the only one that holds the
draw, several times in a row, while the computer answers as well as it can. You have three tries.

  tictactoe daily
  tictactoe daily --date 2026-11-23 --solution
  tictactoe daily --json | jq -r .position

It is played as a match is: on the whole screen of a terminal, and line by line elsewhere. Nothing is stored.`
}

// Run has the human solve the puzzle of the day, or prints it.
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
	switch {
	case c.JSON:
		return writeJSON(s.stdout, describe(g, c.Solution))
	case c.Solution:
		return g.TellSolution()
	}
	endAtOnce() // in line mode a signal ends the program: it waits for a line, and has nothing to put away
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

// dailyPuzzle describes a puzzle. The names are read by programs.
type dailyPuzzle struct {
	Date       puzzle.Day   `json:"date"`
	Board      string       `json:"board"`
	Rules      string       `json:"rules"`
	Position   string       `json:"position"`
	Turn       string       `json:"turn"` // of whoever solves it
	Goal       puzzle.Goal  `json:"goal"`
	Decisions  int          `json:"decisions"`
	Difficulty float64      `json:"difficulty"`
	Solution   []puzzleMove `json:"solution,omitempty"`
}

// puzzleMove is a move of the solution.
type puzzleMove struct {
	Position string  `json:"position"`
	Square   string  `json:"square"`
	Why      string  `json:"why"`
	Answer   *string `json:"answer"` // of the computer; null after the last move
}

// describe returns what is to be told about the puzzle of a terminal, with the solution if that is wanted.
func describe(g *terminal.Game, solution bool) dailyPuzzle {
	p, rules := g.Puzzle.Puzzle, g.Rules
	d := dailyPuzzle{
		Date: p.Day, Board: p.Board, Rules: rules.String(), Position: p.Start.String(), Turn: p.Start.Turn().String(), Goal: p.Goal,
		Decisions: p.Decisions, Difficulty: p.Difficulty,
	}
	if !solution {
		return d
	}
	for _, m := range p.Solution() {
		why := g.Say(view.PuzzleReason(p, m))
		move := puzzleMove{Position: m.Before.String(), Square: rules.Name(m.Right), Why: why}
		if m.Answer != game.NoSquare {
			move.Answer = new(rules.Name(m.Answer))
		}
		d.Solution = append(d.Solution, move)
	}
	return d
}
