package game

// Perft is the number of ways to play exactly depth more moves from p. Games that end sooner do not count; depth 0 and
// less is the one way of playing none. It is the customary check of a move generator, and its speed the customary
// measure of one.
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
