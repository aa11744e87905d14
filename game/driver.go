package game

import (
	"context"
	"errors"
	"fmt"
)

// A Player chooses moves: a person at a keyboard, or a program.
type Player interface {
	// Choose is the square to play in p, a position in progress. An error ends the game.
	Choose(ctx context.Context, p Position) (Square, error)
}

// A Driver lets two players play a game against each other. It is what a front end needs beside its own players and its
// own way of showing a board.
type Driver struct {
	X, O Player
	// Show is told of the game before each move and once it is over. It may be nil.
	Show func(Record)
	// Refused is told of a move that is illegal, and why; then the same player is asked again. If it returns an error, the
	// game ends with that; if it is nil, with the refusal.
	Refused func(Record, *IllegalMoveError) error
}

// Play goes on with the game until it is over, and returns it. If a player or a hook fails, or the context ends, it returns
// the game so far and an error that wraps the cause.
func (d Driver) Play(ctx context.Context, r Record) (Record, error) {
	for {
		if d.Show != nil {
			d.Show(r)
		}
		if r.Outcome() != InProgress {
			return r, nil
		}
		next, err := d.move(ctx, r)
		if err != nil {
			return r, fmt.Errorf("ply %d, %s to move: %w", r.Len(), r.Position().Turn(), err)
		}
		r = next
	}
}

// move asks the side to move until it makes a legal move.
func (d Driver) move(ctx context.Context, r Record) (Record, error) {
	player := d.X
	if r.Position().Turn() == O {
		player = d.O
	}
	for {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		s, err := player.Choose(ctx, r.Position())
		if err != nil {
			return r, err
		}
		next, err := r.Play(s)
		var illegal *IllegalMoveError
		if d.Refused == nil || !errors.As(err, &illegal) {
			return next, err
		}
		if err := d.Refused(r, illegal); err != nil {
			return r, err
		}
	}
}
