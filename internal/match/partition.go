package match

import "strconv"

// Partition is one of several parts into which the venues are dealt out, when several connections bring what players do: each
// of them can be heard, or not, apart from the others. The zero value is all of them.
//
// A venue's part follows from its id alone, as the shard of a server does with Discord: [PartitionOf]. So it is the same for
// every process and needs no column, and a store can say it in its own language.
type Partition struct {
	Index int // from 0
	Of    int // how many parts there are; 0 is the same as 1
}

// PartitionOf is the partition of a venue, of so many: its id, as a number without the lowest 22 bits, modulo their count. An id that
// is no number, as that of direct messages, is the first partition's.
func PartitionOf(v Venue, of int) Partition {
	p := Partition{Of: max(of, 1)}
	id, err := strconv.ParseUint(string(v), 10, 63)
	if err == nil {
		p.Index = int((id >> 22) % uint64(p.Of))
	}
	return p
}

// Count is how many parts there are, 1 at least.
func (p Partition) Count() int { return max(p.Of, 1) }

// Has tells whether the venue is in the partition.
func (p Partition) Has(v Venue) bool { return PartitionOf(v, p.Of).Index == p.Index }
