package main

import (
	"context"

	"tictactoe/internal/terminal"
)

type learnCommand struct{}

func (learnCommand) Help() string {
	return `The lessons are those of /tictactoe learn: a board each, with one move to find. A wrong square costs nothing, and you are told what is wrong with it.

  tictactoe learn

It is played as a match is: on the whole screen of a terminal, and line by line elsewhere. When you leave, it says which lessons you have solved. Nothing is stored.`
}

// Run lets the user take the course in the terminal.
func (c *learnCommand) Run(ctx context.Context, s surroundings) error {
	g, err := newGame(s)
	if err != nil {
		return err
	}
	g.Course = terminal.Course{}
	endAtOnce() // in line mode the program waits for a line and has nothing to clean up, so a signal ends it at once
	if err := playOn(ctx, s, g); err != nil {
		return err
	}
	return g.TellCourse()
}
