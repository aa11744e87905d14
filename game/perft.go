package game

// Perft returns the number of ways to play exactly depth more moves from p. Games that end sooner do not count. If depth is 0
// or less, Perft returns 1, since there is one way to play no move. Perft is the customary check of a move generator, and the
// time that it takes is the customary measure of its speed.
func Perft(p Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case depth == 1:
		return uint64(p.Legal().Len())
	}
	var n uint64
	for _, next := range p.Moves() {
		n += Perft(next, depth-1)
	}
	return n
}
