package ai

import (
	"math"
	"math/bits"

	"tictactoe/game"
)

// A search finds exact scores on boards that are too large for a table, by alpha-beta with windows of one point: it answers
// whether a score is at least t.
//
// These rules cut the tree, the most effective rule first. Squares are tried by the weight of the lines through them. A side
// whose open lines weigh too little cannot win any more (Erdős and Selfridge, 1973). Scores are stored by position, up to
// symmetry. Wins and blocks are forced. A side that makes two threats at once wins. Where marks fall, a side cannot win if every line
// that is open to it has a square that the other side gets by playing on top of each mark (claimeven; Allis, 1988), and a move is not
// searched if the stored scores already answer the question.
type search struct {
	lines   []uint32
	through [32][]uint32 // by square, the lines through it
	images  images
	board   uint32
	run     int
	landing landing
	// need is the least total weight of the open lines with which the side that is not to move can still win. By the theorem
	// of Erdős and Selfridge it is the weight of one complete line if the defender may choose any empty square. Otherwise it
	// is 1: any open line may be enough.
	need int

	known transpositions
	nodes int // positions looked at so far
	limit int // the number of nodes at which the search gives up
	spent bool
	on    func() bool // called at the limit, reports whether to go on for another slice; nil means no
}

func newSearch(rules game.Rules, tableSize int) *search {
	s := &search{
		lines: linesOf(rules), images: imagesOf(rules), board: uint32(rules.Board()), run: rules.Run(),
		landing: landingOf(rules), need: 1 << rules.Run(), known: newTranspositions(tableSize), limit: unlimited,
	}
	if s.landing.falls() {
		s.need = 1
	}
	for _, line := range s.lines {
		for square := range game.Bitboard(line).All() {
			s.through[square] = append(s.through[square], line)
		}
	}
	return s
}

// allow lets the search visit the given number of further nodes, even if it gave up before.
func (s *search) allow(nodes int) { s.limit, s.spent, s.on = s.nodes+nodes, false, nil }

// slice is the number of nodes that a search visits, in less than a millisecond, before it checks again whether to go on.
const slice = 1 << 12

// allowWhile lets the search go on as long as on returns true.
func (s *search) allowWhile(on func() bool) { s.limit, s.spent, s.on = s.nodes+slice, false, on }

// exhausted reports whether the search has to give up at the limit. If the search may go on, it raises the limit.
func (s *search) exhausted() bool {
	if !s.spent && s.on != nil && s.on() {
		s.limit += slice
		return false
	}
	s.spent = true
	return true
}

// unlimited is more nodes than any search visits. Twice as many still fit in an int.
const unlimited = math.MaxInt / 2

// value returns the value, for the side to move, of a position in which no line is complete.
func (s *search) value(me, rival uint32) Value {
	switch {
	case s.atLeast(me, rival, anyWin):
		return Win
	case s.atLeast(me, rival, drawn):
		return Draw
	default:
		return Loss
	}
}

// plies returns the number of plies to the win or loss in a position of the given value, which must not be a draw.
func (s *search) plies(me, rival uint32, value Value) int {
	n := 1
	if value == Win {
		for !s.atLeast(me, rival, won-score(n)) && !s.spent {
			n += 2
		}
		return n
	}
	for n = 2; s.atLeast(me, rival, lost+score(n)+1) && !s.spent; {
		n += 2
	}
	return n
}

// atLeast reports whether the score of the side to move is t or more. The sets me and rival are the squares of the side to move
// and of the other side; neither contains a line. The result is meaningless once the search has spent its nodes.
func (s *search) atLeast(me, rival uint32, t score) bool {
	if s.nodes++; s.nodes-s.limit > 0 && s.exhausted() { // right even after nodes overflows an int of 32 bits
		return false
	}
	empty := s.board &^ (me | rival)
	if empty == 0 {
		return t <= drawn
	}
	o := s.look(me, rival)
	open := s.landing.squares(empty)
	threats := o.threats & open
	switch {
	case o.wins&open != 0:
		return t <= won-1
	case threats&(threats-1) != 0:
		return t <= lost+2
	case t <= drawn && o.fear < s.need || t <= lost+2:
		return true
	case t > drawn && o.hope == 0 || t > won-3:
		return false
	case threats != 0:
		return !s.atLeast(rival, me|threats, t.refuted())
	}
	if s.landing.falls() {
		if t > drawn && !s.hopeful(rival, s.landing.claimed(empty)) {
			return false
		}
		// A side that plays right below a square on which the other side wins has lost.
		if open &^= o.threats << (s.landing.width & 31); open == 0 {
			return false
		}
	} else {
		switch {
		case s.forks(me, rival):
			return true // t <= won-3
		case t > won-5:
			return false
		case t <= lost+4:
			return true
		}
	}
	return s.someMoveScores(me, rival, open, o.hope, t)
}

// hopeful reports whether a line has neither a mark of the rival nor a square that the rival claims.
func (s *search) hopeful(rival, claimed uint32) bool {
	if claimed == 0 {
		return true
	}
	for _, line := range s.lines {
		if line&(rival|claimed) == 0 {
			return true
		}
	}
	return false
}

// someMoveScores is the part of atLeast that plays moves: it reports whether one of the open squares scores t or more for the side
// to move, whose open lines weigh hope. It reads and fills the transposition table.
func (s *search) someMoveScores(me, rival, open uint32, hope int, t score) bool {
	position := s.images.canonical(me, rival)
	known := s.known.find(position)
	switch {
	case known.low >= t:
		return true
	case known.high < t:
		return false
	}
	var w weights
	s.weigh(&w, me, rival, open)
	if s.landing.falls() { // elsewhere a position has so many images that this takes longer than it saves
		for _, square := range w.order[:w.n] {
			if s.known.find(s.images.canonical(rival, me|1<<(square&31))).high < t.refuted() {
				return true
			}
		}
	}
	for _, square := range w.order[:w.n] {
		// After this move the open lines of the side that made it must still weigh enough for a win.
		if t > drawn && hope+int(w.own[square&31]) < s.need {
			continue
		}
		if !s.atLeast(rival, me|1<<(square&31), t.refuted()) {
			if s.spent {
				return false
			}
			known.low = t
			s.known.keep(position, known)
			return true
		}
	}
	if s.spent {
		return false
	}
	known.high = t - 1
	s.known.keep(position, known)
	return false
}

// An outlook holds the properties of a position that follow from its lines without a search.
type outlook struct {
	wins    uint32 // empty squares on which the side to move completes a line
	threats uint32 // empty squares on which the other side completes a line
	// hope and fear are the weights of the lines that are still open to the side to move and to the other side. Each line
	// weighs two to the power of the marks on it.
	hope, fear int
}

func (s *search) look(me, rival uint32) outlook {
	var o outlook
	for _, line := range s.lines {
		mine, theirs := line&me, line&rival
		switch {
		case theirs == 0:
			n := bits.OnesCount32(mine)
			o.hope += 1 << n
			if n == s.run-1 {
				o.wins |= line ^ mine
			}
			if n == 0 {
				o.fear++ // an empty line is open to both sides
			}
		case mine == 0:
			n := bits.OnesCount32(theirs)
			o.fear += 1 << n
			if n == s.run-1 {
				o.threats |= line ^ theirs
			}
		}
	}
	return o
}

// forks reports whether the side to move can make two threats at once.
func (s *search) forks(me, rival uint32) bool {
	var partners [32]uint32 // for each square, the other empty squares of lines with two empty squares
	for _, line := range s.lines {
		if line&rival != 0 || bits.OnesCount32(line&me) != s.run-2 {
			continue
		}
		pair := line &^ me
		low, high := pair&-pair, pair&(pair-1)
		a, b := &partners[bits.TrailingZeros32(low)&31], &partners[bits.TrailingZeros32(high)&31]
		*a, *b = *a|high, *b|low
		if *a != high || *b != low {
			return true
		}
	}
	return false
}

// weights lists squares in the order in which to try them, the most promising square first.
type weights struct {
	order [25]uint8
	n     int
	own   [32]int16 // by square, the weight of the lines through it that are open to the side to move
}

// weigh orders the open squares by the weight of the lines through them, of both sides.
func (s *search) weigh(w *weights, me, rival, open uint32) {
	var both [32]int16
	for ; open != 0; open &= open - 1 {
		square := bits.TrailingZeros32(open) & 31
		var own, all uint64
		for _, line := range s.through[square] {
			mine, theirs := bits.OnesCount32(line&me)&7, bits.OnesCount32(line&rival)&7
			// The shifts to the right leave nothing of the weight of a closed line.
			own += 1 << mine >> (8 * theirs)
			all += 1 << theirs >> (8 * mine)
		}
		w.own[square], both[square] = int16(own), int16(own+all)
		at := w.n
		for at > 0 && both[w.order[at-1]&31] < both[square] {
			w.order[at] = w.order[at-1]
			at--
		}
		w.order[at] = uint8(square)
		w.n++
	}
}
