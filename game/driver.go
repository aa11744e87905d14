package game

import (
	"errors"
	"fmt"
)

// A Player chooses moves: a person at a keyboard, or a program.
type Player interface {
	// Choose is the square to play in p, a position in progress. An error ends the game.
	Choose(p Position) (Square, error)
}

// PlayerFunc is a function that chooses moves.
type PlayerFunc func(p Position) (Square, error)

// Choose calls the function.
func (f PlayerFunc) Choose(p Position) (Square, error) { return f(p) }

// A Driver lets two players play against each other. With players and a way to show a board it makes a front end.
type Driver struct {
	X, O Player
	// Show is called before each move and once the game is over. It may be nil.
	Show func(Record)
	// Refused is called when a player has chosen an illegal move. If it returns nil, the player is asked again; an error
	// ends the game. If Refused is nil, every illegal move ends the game.
	Refused func(*IllegalMoveError) error
}

// Play goes on with the game until it is over, and returns it. If a player or Refused fails, it returns the game so far and
// an error that names the ply and wraps the cause.
func (d Driver) Play(r Record) (Record, error) {
	for {
		if d.Show != nil {
			d.Show(r)
		}
		if r.Outcome() != InProgress {
			return r, nil
		}
		next, err := d.move(r)
		if err != nil {
			return r, fmt.Errorf("ply %d: %w", r.Len(), err)
		}
		r = next
	}
}

// move asks the side to move until it makes a legal move.
func (d Driver) move(r Record) (Record, error) {
	player := d.X
	if r.Position().Turn() == O {
		player = d.O
	}
	for {
		s, err := player.Choose(r.Position())
		if err != nil {
			return r, err
		}
		next, err := r.Play(s)
		var illegal *IllegalMoveError
		if d.Refused == nil || !errors.As(err, &illegal) {
			return next, err
		}
		if err := d.Refused(illegal); err != nil {
			return r, err
		}
	}
}
