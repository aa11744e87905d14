package game

// Perft returns the number of ways to play exactly depth more moves from p. Games that end sooner do not count. If depth is 0
// or less, Perft returns 1, since there is one way to play no move. Perft is the customary check of a move generator, and the
// time that it takes is the customary measure of its speed.
func Perft(p Position, depth int) uint64 {
	switch {
	case depth <= 0:
		return 1
	case p.hasLine():
		return 0
	}
	w := walk{lines: p.rules.lines(), spread: !p.rules.Gravity() && !p.rules.Vanish()}
	return w.count(p, depth)
}

// walk counts the ways to play a number of moves.
type walk struct {
	lines  lines
	spread bool             // after each move the same squares are open, except its own
	known  [1 << 9]Bitboard // on small boards, the results of completing by set of marks, with the top bit set
}

// count is Perft for a position in progress and a depth of at least 1.
func (w *walk) count(p Position, depth int) uint64 {
	open := p.open()
	if depth == 1 {
		return uint64(open.Len())
	}
	// A move that completes a line ends the game.
	open &^= w.completing(p.marks.mover &^ p.rules.leaving(p.marks.mover, p.order.mover))
	if depth == 2 && w.spread {
		return uint64(open.Len() * (p.Marks(None).Len() - 1))
	}
	var n uint64
	for ; open != 0; open &= open - 1 {
		n += w.count(p.place(open.first()), depth-1)
	}
	return n
}

func (w *walk) completing(marks Bitboard) Bitboard {
	const answered = 1 << 31
	if int(marks) >= len(w.known) {
		return w.lines.completing(marks)
	}
	if w.known[marks] == 0 {
		w.known[marks] = w.lines.completing(marks) | answered
	}
	return w.known[marks]
}
