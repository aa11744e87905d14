package ai

import "math/bits"

// A memo remembers what is known about positions: a score between two bounds. It is of fixed size and forgets what it has
// no room for.
type memo struct {
	entries []uint64 // position in the upper 50 bits, then lower and upper bound of 7 bits each; 0 is free
	shift   int
	used    []uint32 // the slots in use, as long as they are few
}

// fewSlots is so much less than the slots there are that it pays to clear them one by one.
const fewSlots = 1 << 10

// bounds are the least and the greatest score that a position may have.
type bounds struct{ low, high score }

// newMemo has room for 1<<size positions.
func newMemo(size int) memo {
	return memo{entries: make([]uint64, 1<<size), shift: 64 - size, used: make([]uint32, 0, fewSlots)}
}

// slot returns the first of the two entries in which a position may be.
func (m *memo) slot(position uint64) uint32 {
	return uint32(position * 0x9E3779B97F4A7C15 >> m.shift &^ 1)
}

// find returns what is known about a position: of an unknown one, that it may have any score.
func (m *memo) find(position uint64) bounds {
	at := m.slot(position)
	for _, e := range m.entries[at : at+2] {
		if e>>14 == position && e != 0 {
			return bounds{score(e>>7&127) + lost, score(e&127) + lost}
		}
	}
	return bounds{lost, won - 1}
}

// keep remembers the bounds of a position, in place of an older one if need be: of two that share a slot, the one with
// fewer marks stays longer, for it took more work.
func (m *memo) keep(position uint64, b bounds) {
	at := m.slot(position)
	if len(m.used) < fewSlots {
		m.used = append(m.used, at)
	}
	e := position<<14 | uint64(b.low-lost)<<7 | uint64(b.high-lost)
	if first := m.entries[at] >> 14; first == position || bits.OnesCount64(first) >= bits.OnesCount64(position) || first == 0 {
		m.entries[at] = e
		return
	}
	m.entries[at+1] = e
}

// clear forgets everything.
func (m *memo) clear() {
	if len(m.used) == fewSlots {
		clear(m.entries)
	}
	for _, at := range m.used {
		m.entries[at], m.entries[at+1] = 0, 0
	}
	m.used = m.used[:0]
}
