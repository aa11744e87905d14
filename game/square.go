package game

import (
	"iter"
	"math/bits"
)

// Square is a place on the board: row*width + column, both counted from 0 at the top left. Its written form, such as
// "b2", depends on the width and is given by [Rules.Name].
type Square uint8

// NoSquare is on no board. [Rules.Name] writes it "?", and no move there is legal.
const NoSquare Square = 255

// Bitboard is a set of squares; square s is bit s.
type Bitboard uint32

// SetOf returns the set of the given squares.
func SetOf(squares ...Square) Bitboard {
	var b Bitboard
	for _, s := range squares {
		b |= 1 << s
	}
	return b
}

// Has reports whether s is in the set.
func (b Bitboard) Has(s Square) bool { return b>>s&1 != 0 }

// Len returns the number of squares in the set.
func (b Bitboard) Len() int { return bits.OnesCount32(uint32(b)) }

// All visits the squares of the set in ascending order.
func (b Bitboard) All() iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; b != 0; b &= b - 1 {
			if !yield(b.first()) {
				return
			}
		}
	}
}

// first returns the lowest square of a set that has one.
func (b Bitboard) first() Square { return Square(bits.TrailingZeros32(uint32(b))) }
