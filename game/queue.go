package game

// queue lists the squares of one side's marks where marks vanish, the oldest first, in five bits each. It does not hold its own
// length, which is the number of marks of the side. The length is at most 12: if a side keeps more, no board is large enough for a
// mark to vanish.
type queue uint64

// at returns the square at index i, 0 being the oldest.
func (q queue) at(i int) Square { return Square(q >> (5 * i) & 31) }

// without returns the queue without its oldest square.
func (q queue) without() queue { return q >> 5 }

// with returns the queue with s added as its newest square. Before that, the queue has n squares.
func (q queue) with(s Square, n int) queue { return q | queue(s)<<(5*n) }
