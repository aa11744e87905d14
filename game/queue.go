package game

import "iter"

// queue is the squares of one side's marks where marks vanish, the oldest first, five bits each. Its length is the number
// of marks, which is at most 12: with more kept, no board is large enough for one to vanish.
type queue uint64

const squareBits = 5

func (q queue) oldest() Square { return Square(q & (1<<squareBits - 1)) }

// newest is the last of n.
func (q queue) newest(n int) Square { return Square(q >> (squareBits * (n - 1))) }

// without is the queue without its oldest.
func (q queue) without() queue { return q >> squareBits }

// with is a queue of n with s behind.
func (q queue) with(s Square, n int) queue { return q | queue(s)<<(squareBits*n) }

// first visits n squares, the oldest first.
func (q queue) first(n int) iter.Seq[Square] {
	return func(yield func(Square) bool) {
		for ; n > 0; n-- {
			if !yield(q.oldest()) {
				return
			}
			q = q.without()
		}
	}
}
