package ai

import "math/bits"

// transpositions is a transposition table: it stores bounds on the scores of positions. It has a fixed size and drops entries
// for which it has no room.
type transpositions struct {
	entries []uint64 // a position in the upper 50 bits, then a lower and an upper bound of 7 bits each; 0 is a free entry
	shift   int      // turns the hash of a position into its slot
}

// bounds are the least and the greatest score that a position may have.
type bounds struct{ low, high score }

// newTranspositions returns an empty table with room for 1<<size positions.
func newTranspositions(size int) transpositions {
	return transpositions{entries: make([]uint64, 1<<size), shift: 64 - size}
}

// slot returns the index of the first of the two entries for a position.
func (t *transpositions) slot(position uint64) uint32 {
	return uint32(position * 0x9E3779B97F4A7C15 >> t.shift &^ 1)
}

// find returns the bounds of a position. An unknown position may have any score.
func (t *transpositions) find(position uint64) bounds {
	at := t.slot(position)
	for _, e := range t.entries[at : at+2] {
		if e>>14 == position && e != 0 {
			return bounds{score(e>>7&127) + lost, score(e&127) + lost}
		}
	}
	return bounds{lost, won - 1}
}

// keep stores the bounds of a position in the first entry of its slot, unless that entry has another position with fewer marks, which
// took more work. Then it stores them in the second entry, and the previous content of the second entry is lost.
func (t *transpositions) keep(position uint64, b bounds) {
	at := t.slot(position)
	e := position<<14 | uint64(b.low-lost)<<7 | uint64(b.high-lost)
	if first := t.entries[at] >> 14; first == position || bits.OnesCount64(first) >= bits.OnesCount64(position) || first == 0 {
		t.entries[at] = e
		return
	}
	t.entries[at+1] = e
}
