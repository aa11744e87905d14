package game

import (
	"fmt"
	"slices"
)

// Where marks vanish, a game can go on forever. It is drawn when a position, with the same side to move and the marks in the
// same order, arises for the MaxRepetitions-th time, or after MaxPlies plies. [Position.Outcome] applies neither rule, and
// [Record.Outcome] applies both.
const (
	MaxRepetitions = 3
	MaxPlies       = 60
)

// Record is a game so far: its first position, the moves in order, and the current position. It is immutable.
// The zero value is no record; use [NewRecord] or [Replay].
type Record struct {
	start   Position
	squares []Square
	now     Position
}

// NewRecord returns the record of a game that begins in the given position and has no moves yet.
func NewRecord(start Position) Record { return Record{start: start, now: start} }

// Replay plays the moves one by one from the empty board, X first. It restores a game from stored moves. The error names the ply
// and wraps an [*IllegalMoveError].
func Replay(rules Rules, squares ...Square) (Record, error) {
	return ReplayFrom(Start(rules), squares...)
}

// ReplayFrom is like [Replay], but begins in the given position.
func ReplayFrom(start Position, squares ...Square) (Record, error) {
	r := NewRecord(start)
	for _, s := range squares {
		next, err := r.Play(s)
		if err != nil {
			return Record{}, fmt.Errorf("ply %d: %w", r.Len(), err)
		}
		r = next
	}
	return r, nil
}

// Play returns the record with one more move. The receiver does not change. The error is an [*IllegalMoveError].
func (r Record) Play(s Square) (Record, error) {
	next, err := r.now.Play(s)
	if err == nil && r.drawn() {
		err = &IllegalMoveError{r.now, s, GameOver}
	}
	if err != nil {
		return r, err
	}
	// The moves are clipped, so that two continuations of one record never write into the same array.
	r.squares = append(slices.Clip(r.squares), s)
	r.now = next
	return r, nil
}

// Start returns the position before the first move.
func (r Record) Start() Position { return r.start }

// Position returns the position after the last move.
func (r Record) Position() Position { return r.now }

// Outcome returns the outcome of the game so far: the outcome of its position, or the draw of an endless game.
func (r Record) Outcome() Outcome {
	if o := r.now.Outcome(); o != InProgress || !r.drawn() {
		return o
	}
	return Draw
}

// drawn reports whether a game is a draw by repetition or by its length.
func (r Record) drawn() bool {
	if !r.now.rules.Vanish() {
		return false
	}
	return r.Len() >= MaxPlies || r.Repetitions() >= MaxRepetitions
}

// Repetitions returns how often the current position has arisen in the game, including this time.
func (r Record) Repetitions() int {
	n, p := 1, r.start
	for _, s := range r.squares {
		if p == r.now {
			n++
		}
		p = p.place(s)
	}
	return n
}

// Len returns the number of moves made.
func (r Record) Len() int { return len(r.squares) }

// Square returns the move made at the given ply, 0 being the first. It returns [NoSquare] unless 0 <= ply < Len.
func (r Record) Square(ply int) Square {
	if ply < 0 || ply >= len(r.squares) {
		return NoSquare
	}
	return r.squares[ply]
}

// Squares returns a copy of the moves in order.
func (r Record) Squares() []Square { return slices.Clone(r.squares) }

// First returns the record of the first moves alone. A number below 0 counts as 0, and a number above Len as Len.
func (r Record) First(moves int) Record {
	moves = max(0, min(moves, r.Len()))
	first := Record{start: r.start, squares: r.squares[:moves:moves], now: r.start}
	for _, s := range first.squares {
		first.now = first.now.place(s)
	}
	return first
}

// Equal reports whether both records have the same moves from the same start.
func (r Record) Equal(other Record) bool {
	return r.start == other.start && slices.Equal(r.squares, other.squares)
}
