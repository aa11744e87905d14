package game

import "iter"

// Position is the marks on the squares, with the rules, the side to move and, where marks vanish, the order of the marks. It is
// a comparable value of 32 bytes, and every one that can be built can arise in a game. The zero value is no position: it has no
// rules and no legal move, and its outcome is [InProgress].
type Position struct {
	rules Rules
	turn  Mark
	marks sides[Bitboard]
	order sides[queue] // the order of the marks where they vanish, else 0
}

// sides is a pair: one for the side to move, and one for the other side.
type sides[T any] struct{ mover, other T }

// Start returns the empty board with X to move.
func Start(rules Rules) Position { return Position{rules: rules, turn: X} }

// StartWith returns the empty board with starter to move; None counts as X.
func StartWith(rules Rules, starter Mark) Position {
	if starter != O {
		starter = X
	}
	return Position{rules: rules, turn: starter}
}

// Rules returns the rule set in force.
func (p Position) Rules() Rules { return p.rules }

// Turn returns the side to move. In a finished position it returns the side that would be next.
func (p Position) Turn() Mark { return p.turn }

// Starter returns the side that made or will make the first move, derived from the numbers of marks. Where marks vanish and both
// sides have all the marks that they keep, either may have begun; then Starter returns the side to move.
func (p Position) Starter() Mark {
	if p.marks.mover.Len() == p.marks.other.Len() {
		return p.turn
	}
	return p.turn.Opponent()
}

// Marks returns the set of squares with the given mark, or the empty squares if the mark is None.
func (p Position) Marks(m Mark) Bitboard {
	switch m {
	case None:
		return p.rules.Board() &^ (p.marks.mover | p.marks.other)
	case p.turn:
		return p.marks.mover
	default:
		return p.marks.other
	}
}

// Sides returns the marks of the side to move and the marks of the other side.
func (p Position) Sides() (mover, other Bitboard) { return p.marks.mover, p.marks.other }

// At returns the mark on a square, or None if the square is empty or off the board.
func (p Position) At(s Square) Mark {
	switch {
	case p.marks.mover.Has(s):
		return p.turn
	case p.marks.other.Has(s):
		return p.turn.Opponent()
	default:
		return None
	}
}

// Ply returns the number of marks on the board, which is the number of moves made, or less where marks vanish.
func (p Position) Ply() int { return p.marks.mover.Len() + p.marks.other.Len() }

// Legal returns the set of squares that may be played. It is empty once the game is over. Where marks fall, it contains the squares
// on which they can land.
func (p Position) Legal() Bitboard {
	if p.hasLine() {
		return 0
	}
	return p.open()
}

// Landing returns the square on which a mark played in the column of s lands. Where marks fall, it is the lowest empty square of the
// column. Otherwise, and if the column is full, it is s itself.
func (p Position) Landing(s Square) Square {
	width := Square(p.rules.Width())
	for landing := range p.open().All() {
		if p.rules.Gravity() && landing%width == s%width {
			return landing
		}
	}
	return s
}

// Outcome returns the outcome of the position: a side wins by a line, and a full board without a line is a draw.
func (p Position) Outcome() Outcome {
	switch {
	case p.hasLine() && p.rules.Misere():
		return WinFor(p.turn)
	case p.hasLine():
		return WinFor(p.turn.Opponent())
	case p.Marks(None) == 0 && p.rules != (Rules{}):
		return Draw
	default:
		return InProgress
	}
}

// Line returns the set of all squares that are part of a line. It is empty if there is no line. One move can close several lines.
func (p Position) Line() Bitboard {
	// Only the side that moved last can have a line: had the other side closed one before, the game would have ended there.
	return p.rules.lines().in(p.marks.other)
}

func (p Position) hasLine() bool {
	return p.marks.other.Len() >= p.rules.Run() && p.rules.lines().any(p.marks.other)
}

// Threats returns the set of squares on which the given side, X or O, would complete a line if it were to move. It is empty once
// the game is over.
func (p Position) Threats(m Mark) Bitboard {
	staying := p.marks.mover &^ p.rules.leaving(p.marks.mover, p.order.mover)
	if m != p.turn {
		staying = p.marks.other &^ p.rules.leaving(p.marks.other, p.order.other)
	}
	return p.Legal() & p.rules.lines().completing(staying)
}

// Vanishing returns the square whose mark disappears when the side to move makes its move. It is empty if no mark does, or if the
// game is over.
func (p Position) Vanishing() Bitboard {
	if p.hasLine() {
		return 0
	}
	return p.rules.leaving(p.marks.mover, p.order.mover)
}

// CanBeWon reports whether a side can still complete a line, even if the other side helps. If not, the game ends as a draw, whatever both
// play. With more than four empty squares it may be wrong to return true: it does not count the marks that each side can still place.
func (p Position) CanBeWon() bool {
	const few = 4
	switch lines, board := p.rules.lines(), p.rules.Board(); {
	case p.Legal() == 0:
		return false
	case p.rules.Vanish():
		return true
	case p.Marks(None).Len() > few:
		return lines.any(board&^p.marks.other) || lines.any(board&^p.marks.mover)
	}
	for _, next := range p.Moves() {
		if next.hasLine() || next.CanBeWon() {
			return true
		}
	}
	return false
}

// Play returns the position after the side to move has placed its mark on s. The receiver does not change. The error is an
// [*IllegalMoveError].
func (p Position) Play(s Square) (Position, error) {
	if !p.Legal().Has(s) {
		return p, p.illegal(s)
	}
	return p.place(s), nil
}

// Moves visits every legal square in ascending order, each with the position after it.
func (p Position) Moves() iter.Seq2[Square, Position] {
	return func(yield func(Square, Position) bool) {
		for s := range p.Legal().All() {
			if !yield(s, p.place(s)) {
				return
			}
		}
	}
}

// open returns the set of squares that may be played while the game is in progress.
func (p Position) open() Bitboard {
	empty := p.Marks(None)
	if p.rules.Gravity() {
		return empty &^ (empty >> p.rules.Width())
	}
	return empty
}

// place returns the position after a legal move: the new mark is added, and the oldest mark of its side is removed if the side
// already had all the marks that it keeps.
func (p Position) place(s Square) Position {
	marks, order := p.marks.mover, p.order.mover
	if p.rules.Vanish() {
		if gone := p.rules.leaving(marks, order); gone != 0 {
			marks, order = marks&^gone, order.without()
		}
		order = order.with(s, marks.Len())
	}
	return Position{
		rules: p.rules,
		turn:  p.turn.Opponent(),
		marks: sides[Bitboard]{mover: p.marks.other, other: marks | 1<<(s&31)},
		order: sides[queue]{mover: p.order.other, other: order},
	}
}

// leaving returns the square of the mark that disappears when its side places the next one. It is empty if no mark does.
func (r Rules) leaving(marks Bitboard, order queue) Bitboard {
	if !r.Vanish() || marks.Len() < r.Keep() {
		return 0
	}
	return 1 << order.at(0)
}
