package game

// queue is the squares of one side's marks where marks vanish, the oldest first, five bits each. How many they are, the
// set of the marks tells; at most 12, for where more are kept, no board is large enough for one to vanish.
type queue uint64

// at returns the square at that place, 0 being the oldest.
func (q queue) at(i int) Square { return Square(q >> (5 * i) & 31) }

// without returns the queue without its oldest.
func (q queue) without() queue { return q >> 5 }

// with returns a queue of n with one behind.
func (q queue) with(s Square, n int) queue { return q | queue(s)<<(5*n) }
