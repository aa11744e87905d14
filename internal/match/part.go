package match

import "strconv"

// Part is one of several parts into which the venues are dealt out, when several connections bring what players do: each
// of them can be heard, or not, apart from the others. The zero value is all of them.
//
// A venue's part follows from its id alone, as the shard of a server does with Discord: [PartOf]. So it is the same for
// every process and needs no column, and a store can say it in its own language.
type Part struct {
	Index int // from 0
	Of    int // how many parts there are; 0 is the same as 1
}

// PartOf is the part of a venue, of so many: its id, as a number without the lowest 22 bits, modulo their count. An id that
// is no number, as that of direct messages, is the first part's.
func PartOf(v Venue, of int) Part {
	p := Part{Of: max(of, 1)}
	id, err := strconv.ParseUint(string(v), 10, 63)
	if err == nil {
		p.Index = int((id >> 22) % uint64(p.Of))
	}
	return p
}

// Count is how many parts there are, 1 at least.
func (p Part) Count() int { return max(p.Of, 1) }

// Has tells whether the venue is in the part.
func (p Part) Has(v Venue) bool { return PartOf(v, p.Of).Index == p.Index }
