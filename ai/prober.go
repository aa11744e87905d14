package ai

import (
	"sync"
	"sync/atomic"

	"tictactoe/game"
)

// An effort is what a prober may spend on one answer.
type effort struct {
	nodes   int // in all
	holding int // of them, to find more than one move that holds a draw
	moves   int // that hold a draw, which is enough to choose from
	replies int // the farthest that traps are set
}

// liveEffort keeps an answer below 60,000 nodes: a few more are counted while the search gives up.
func liveEffort() effort { return effort{nodes: 59_000, holding: 25_000, moves: 8, replies: 2} }

// variedMoves is how many moves a prober chooses from in the first plies; later it takes the best.
const variedMoves = 2

// variedPlies returns how many plies these are, and trapPlies in how many the unbeatable player sets traps. On a board with many
// open squares both are so few that all games can be played through in a proof.
func variedPlies(rules game.Rules) int {
	if wide(rules) {
		return 3
	}
	return 4
}

func trapPlies(rules game.Rules) int {
	if wide(rules) {
		return 6
	}
	return rules.Squares()
}

// wide reports whether there are many moves to choose from.
func wide(rules game.Rules) bool { return rules.Squares() > 20 && !rules.Gravity() }

// A prober plays perfectly on boards that are too large for a table. It searches anew for each answer, so that the answer
// depends on the position alone and takes a bounded number of nodes.
type prober struct {
	mu     sync.Mutex // guards search
	search *search
	spent  *atomic.Int64 // counts the nodes of all answers
	effort effort
	plies  int // in which it looks for several moves that hold; then it takes the most promising
	choose choice
	book   book
}

// options are equally good moves and the chances they leave to the other side to go wrong.
type options struct {
	moves   game.Bitboard
	chances Odds
}

// newProber returns a prober that adds the nodes of its answers to those spent.
func newProber(rules game.Rules, choose choice, spent *atomic.Int64) *prober {
	return &prober{
		search: newSearch(rules, 17), spent: spent, effort: liveEffort(), plies: rules.Squares(), choose: choose, book: bookOf(rules),
	}
}

// odds returns how likely each move is. A position and its images get the same odds, up to symmetry.
func (r *prober) odds(p game.Position) Odds {
	standard, symmetries := standardOf(p)
	o, ok := r.book[entryOf(standard)]
	if !ok {
		r.mu.Lock()
		before := r.search.nodes
		o = r.options(standard)
		r.spent.Add(int64(r.search.nodes - before))
		r.mu.Unlock()
	}
	variety := 1
	if p.Ply() < variedPlies(p.Rules()) {
		variety = variedMoves
	}
	chosen := r.choose(o.moves, o.chances).likeliest(variety)
	// A position with symmetries of its own has several ways to the standard one, and equal squares an equal share.
	var odds Odds
	for _, y := range symmetries {
		for s := range p.Legal().All() {
			odds[s] += chosen[p.Rules().Image(s, y)] / float64(len(symmetries))
		}
	}
	return odds
}

// standardOf returns the position that stands for p and all its images, whoever began, and the symmetries that lead there.
func standardOf(p game.Position) (game.Position, []game.Symmetry) {
	var least game.Position
	var ways []game.Symmetry
	for _, y := range p.Rules().Symmetries() {
		image := p.Image(y)
		switch {
		case ways == nil || image.Marks(p.Turn()) < least.Marks(p.Turn()) || image.Marks(p.Turn()) == least.Marks(p.Turn()) &&
			image.Marks(p.Turn().Opponent()) < least.Marks(p.Turn().Opponent()):
			least, ways = image, []game.Symmetry{y}
		case image == least:
			ways = append(ways, y)
		}
	}
	return least, ways
}

// options searches for the best moves.
func (r *prober) options(p game.Position) options {
	for _, urgent := range []game.Bitboard{winning(p), blocking(p)} {
		if urgent != 0 {
			return options{moves: urgent}
		}
	}
	r.search.memo.clear()
	r.search.allow(r.effort.nodes)
	value := r.search.value(sides(p))
	if r.search.spent {
		// Rather late than wrong. The book is there to prevent this.
		r.search.allow(unlimited)
		value = r.search.value(sides(p))
		r.search.allow(r.effort.nodes)
	}
	moves := r.inOrder(p)
	switch value {
	case Win:
		return options{moves: r.fastest(p, moves)}
	case Loss:
		return options{moves: r.slowest(p, moves)}
	default:
		return r.holding(p, moves)
	}
}

// sides returns the squares of the side to move and of the other.
func sides(p game.Position) (me, rival uint32) {
	mover, other := p.Sides()
	return uint32(mover), uint32(other)
}

// inOrder lists the legal moves, the most promising first.
func (r *prober) inOrder(p game.Position) []game.Square {
	var w weights
	me, rival := sides(p)
	r.search.weigh(&w, me, rival, uint32(p.Legal()))
	moves := make([]game.Square, w.n)
	for i := range moves {
		moves[i] = game.Square(w.order[i])
	}
	return moves
}

// atLeast is search.atLeast for a position that may be finished.
func (r *prober) atLeast(p game.Position, t score) bool {
	if p.Legal() == 0 {
		return t <= end(p)
	}
	me, rival := sides(p)
	return r.search.atLeast(me, rival, t)
}

// reaching returns the set of moves that score t or more.
func (r *prober) reaching(p game.Position, moves []game.Square, t score) game.Bitboard {
	var squares game.Bitboard
	for _, s := range moves {
		if next, err := p.Play(s); err == nil && !r.atLeast(next, t.refuted()) && !r.search.spent {
			squares |= game.SetOf(s)
		}
	}
	return squares
}

// fastest returns the set of moves that win fastest; at any rate it is one that wins.
func (r *prober) fastest(p game.Position, moves []game.Square) game.Bitboard {
	for plies := 3; !r.search.spent; plies += 2 {
		if squares := r.reaching(p, moves, won-score(plies)); squares != 0 {
			return squares
		}
	}
	return r.any(p, moves, anyWin)
}

// slowest returns the set of moves that lose slowest.
func (r *prober) slowest(p game.Position, moves []game.Square) game.Bitboard {
	slowest := game.SetOf(moves...)
	for plies := 4; !r.search.spent; plies += 2 {
		squares := r.reaching(p, moves, lost+score(plies))
		if squares == 0 {
			break
		}
		slowest = squares
	}
	return slowest
}

// holding returns a set of moves that hold a draw, with the traps that they set as far as the prober can see.
func (r *prober) holding(p game.Position, inOrder []game.Square) options {
	var o options
	var first game.Bitboard // that was found, the most promising
	enough, limit := r.effort.moves, r.search.nodes+r.effort.holding
	if p.Ply() >= r.plies {
		enough = 1
	}
	for _, s := range inOrder {
		o.moves |= r.reaching(p, []game.Square{s}, drawn)
		if first == 0 {
			first = o.moves
		}
		if o.moves.Len() >= enough || o.moves != 0 && r.search.nodes > limit {
			break
		}
	}
	if o.moves == 0 {
		o.moves = r.any(p, inOrder, drawn)
	}
	if o.moves.Len() == 1 {
		return o
	}
	t := newTraps(careful(), func(p game.Position) bool { return r.atLeast(p, anyWin) })
	t.spent = func() bool { return r.search.spent }
	for replies := 1; replies <= r.effort.replies; replies++ {
		if farther := t.chances(p, o.moves, replies); !r.search.spent {
			o.chances = farther
		}
	}
	if o.chances == (Odds{}) {
		o.moves = first // where no trap can be set, the one that matters most
	}
	return o
}

// any returns the first move that scores t or more, however long it takes to find it.
func (r *prober) any(p game.Position, moves []game.Square, t score) game.Bitboard {
	r.search.allow(unlimited)
	for _, s := range moves {
		if squares := r.reaching(p, []game.Square{s}, t); squares != 0 {
			return squares
		}
	}
	return game.SetOf(moves[0])
}
