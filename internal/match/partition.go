package match

import "strconv"

// Partition is one of several parts into which the venues are divided, if several connections deliver what players do:
// whether the players of one partition are heard does not depend on the others. The zero value is the partition of all
// venues.
//
// The partition of a venue follows from its id alone, as the shard of a server does at Discord; see [PartitionOf]. So it is
// the same for every process, needs no column, and a store can compute it in its own language.
type Partition struct {
	Index int // from 0
	Of    int // how many partitions there are; 0 is the same as 1
}

// PartitionOf returns the partition of a venue, one of the given number: the id without its lowest 22 bits, modulo that
// number. An id that is not a number, such as the empty one of direct messages, belongs to the first partition.
func PartitionOf(v Venue, of int) Partition {
	p := Partition{Of: max(of, 1)}
	id, err := strconv.ParseUint(string(v), 10, 63)
	if err == nil {
		p.Index = int((id >> 22) % uint64(p.Of))
	}
	return p
}

// Count returns how many partitions there are, at least 1.
func (p Partition) Count() int { return max(p.Of, 1) }
