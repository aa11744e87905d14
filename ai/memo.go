package ai

import "math/bits"

// A memo remembers what is known about positions: a score between two bounds. It is of fixed size and forgets what it has
// no room for.
type memo struct {
	entries []uint64 // position in the upper 50 bits, then lower and upper bound of 7 bits each; 0 is free
	shift   int
}

// bounds are the least and the greatest score that a position may have.
type bounds struct{ low, high score }

var anything = bounds{lost, won - 1}

// newMemo has room for 1<<size positions.
func newMemo(size int) memo { return memo{entries: make([]uint64, 1<<size), shift: 64 - size} }

// slots are the two entries in which a position may be.
func (m memo) slots(position uint64) *[2]uint64 {
	at := position * 0x9E3779B97F4A7C15 >> m.shift &^ 1
	return (*[2]uint64)(m.entries[at : at+2])
}

func (m memo) find(position uint64) bounds {
	for _, e := range m.slots(position) {
		if e>>14 == position && e != 0 {
			return bounds{score(e>>7&127) + lost, score(e&127) + lost}
		}
	}
	return anything
}

// keep remembers the bounds of a position, in place of an older one if need be: of two that share a slot, the one with
// fewer marks stays longer, for it took more work.
func (m memo) keep(position uint64, b bounds) {
	slots := m.slots(position)
	e := position<<14 | uint64(b.low-lost)<<7 | uint64(b.high-lost)
	if slots[0]>>14 == position || bits.OnesCount64(slots[0]>>14) >= bits.OnesCount64(position) || slots[0] == 0 {
		slots[0] = e
		return
	}
	slots[1] = e
}

// clear forgets everything.
func (m memo) clear() { clear(m.entries) }
