package game

import (
	"context"
	"errors"
	"fmt"
)

// ErrNoPlayer is wrapped when the side to move has no player.
var ErrNoPlayer = errors.New("no player")

// A Player chooses moves: a human at a keyboard or a computer. Every engine of package ai is a Player.
type Player interface {
	// Choose returns the square to play in p, a position in progress. An error ends the game.
	Choose(ctx context.Context, p Position) (Square, error)
}

// PlayerFunc is a function that is a [Player].
type PlayerFunc func(ctx context.Context, p Position) (Square, error)

// Choose calls f. If f is nil, it returns [ErrNoPlayer].
func (f PlayerFunc) Choose(ctx context.Context, p Position) (Square, error) {
	if f == nil {
		return 0, ErrNoPlayer
	}
	return f(ctx, p)
}

// A Driver lets two players play a game against each other. Two players and a function that shows the board are all that a
// front end needs.
type Driver struct {
	X, O Player
	// Show is called before each move and once the game is over. It may be nil.
	Show func(Record)
	// Refused is called when a player has chosen an illegal move. If it returns nil, the player is asked again. If it
	// returns an error, the game ends. If Refused is nil, every illegal move ends the game.
	Refused func(*IllegalMoveError) error
}

// Play continues the game until it is over, and returns it. If a player or Refused fails, Play returns the game so far and
// an error that names the ply and wraps the cause. The error wraps [ErrNoPlayer] if the side to move has no player, and
// [ErrRules] if r is the zero value. The context is passed to the players; once it is done, no player is asked any more and
// the error wraps the context's error.
func (d Driver) Play(ctx context.Context, r Record) (Record, error) {
	if r.now.rules == (Rules{}) {
		return r, fmt.Errorf("play: %w: the record is the zero value", ErrRules)
	}
	for {
		if d.Show != nil {
			d.Show(r)
		}
		if r.Outcome() != InProgress {
			return r, nil
		}
		next, err := d.move(ctx, r)
		if err != nil {
			return r, fmt.Errorf("ply %d: %w", r.Len(), err)
		}
		r = next
	}
}

// move asks the side to move until it makes a legal move.
func (d Driver) move(ctx context.Context, r Record) (Record, error) {
	mark, player := X, d.X
	if r.now.turn == O {
		mark, player = O, d.O
	}
	if player == nil {
		return r, fmt.Errorf("%w for %s", ErrNoPlayer, mark)
	}
	for {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		s, err := player.Choose(ctx, r.now)
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
