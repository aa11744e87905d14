package ai

import (
	"slices"
	"sync"
	"sync/atomic"

	"tictactoe/game"
)

// An effort limits the work of a boundedPlayer for one answer.
type effort struct {
	nodes   int // nodes in all, apart from last
	last    int // further nodes to find one move of a known value
	holding int // nodes after which it no longer looks for a second move that holds a draw
	traps   int // nodes to compare the traps that those moves set
	moves   int // number of moves that hold a draw after which it looks for no more
	replies int // how many replies of the other side a trap may need until it works
}

// liveEffort keeps every answer below 60,000 nodes, with some left for the nodes that a search visits while it gives up. No known
// position needs more to be answered without an error, because the book has the positions that do, as docs/proofs.md says.
func liveEffort() effort {
	return effort{nodes: 59_000, last: 800, holding: 15_000, traps: 15_000, moves: 8, replies: 2}
}

// variedMoves is the number of moves from which a boundedPlayer chooses in the first plies; later it plays the best move.
const variedMoves = 2

// variedPlies returns the number of first plies of a game in which moves are varied. On wide boards, variedPlies and trapPlies are
// small enough for a proof to play all games.
func variedPlies(rules game.Rules) int {
	if wide(rules) {
		return 3
	}
	return 4
}

// trapPlies returns the number of first plies of a game in which the unbeatable player sets traps.
func trapPlies(rules game.Rules) int {
	if wide(rules) {
		return 6
	}
	return rules.Squares()
}

// wide reports whether the rules are for a large board without gravity, where many moves are legal.
func wide(rules game.Rules) bool { return rules.Squares() > 20 && !rules.Gravity() }

// A boundedPlayer plays perfectly on boards that are too large for a table. It starts each answer with an empty transposition table,
// so that the answer depends only on the position.
type boundedPlayer struct {
	searches *sync.Pool    // values are *search, each used for one answer at a time
	search   *search       // the search for the present answer
	spent    *atomic.Int64 // counts the nodes of all answers
	effort   effort
	plies    int // number of first plies in which it looks for several moves that hold a draw; later it plays the most promising one
	choose   choice
	calms    bool // after the varied plies, it plays the most promising of the moves that set the least traps
	book     book
}

// options are equally good moves, with the chance that the other side errs after each.
type options struct {
	moves   game.Bitboard
	chances Odds
}

// odds returns the probability of each move. A position and its images get the same odds, up to symmetry.
func (b boundedPlayer) odds(p game.Position) Odds {
	standard, symmetries := standardOf(p)
	o, ok := b.book[entryOf(standard)]
	if !ok {
		b.search = b.searches.Get().(*search)
		before := b.search.nodes
		o = b.options(standard)
		b.spent.Add(int64(b.search.nodes - before))
		b.searches.Put(b.search)
	}
	variety := 1
	if p.Ply() < variedPlies(p.Rules()) {
		variety = variedMoves
	}
	chosen := b.choose(o.moves, o.chances).likeliest(variety)
	// Several symmetries may lead to the standard position. Squares that they exchange get equal shares.
	var odds Odds
	for _, y := range symmetries {
		for s := range p.Legal().All() {
			odds[s] += chosen[p.Rules().Image(s, y)] / float64(len(symmetries))
		}
	}
	return odds
}

// standardOf returns the position that represents p and all its images, whichever side began, and the symmetries that map p to
// it.
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

// options searches for the best moves of a position in standard form; see standardOf.
func (b *boundedPlayer) options(p game.Position) options {
	for _, urgent := range []game.Bitboard{winning(p), blocking(p)} {
		if urgent != 0 {
			return options{moves: urgent}
		}
	}
	clear(b.search.known.entries)
	b.search.allow(b.effort.nodes)
	value := b.search.value(sides(p))
	moves := b.inOrder(p)
	if b.search.spent {
		return options{moves: b.unrefuted(p, moves)}
	}
	switch value {
	case Win:
		return options{moves: b.fastest(p, moves)}
	case Loss:
		return options{moves: b.slowest(p, moves)}
	default:
		return b.holding(p, moves)
	}
}

// sides returns the squares of the side to move and of the other side.
func sides(p game.Position) (me, rival uint32) {
	mover, other := p.Sides()
	return uint32(mover), uint32(other)
}

// inOrder lists the legal moves, the most promising move first.
func (b *boundedPlayer) inOrder(p game.Position) []game.Square {
	var w weights
	me, rival := sides(p)
	b.search.weigh(&w, me, rival, uint32(p.Legal()))
	moves := make([]game.Square, w.n)
	for i := range moves {
		moves[i] = game.Square(w.order[i])
	}
	return moves
}

// atLeast reports whether the score of the side to move in p is t or more. Unlike search.atLeast it takes finished positions, too.
func (b *boundedPlayer) atLeast(p game.Position, t score) bool {
	if p.Legal() == 0 {
		return t <= end(p)
	}
	me, rival := sides(p)
	return b.search.atLeast(me, rival, t)
}

// reaching returns the set of moves that score t or more.
func (b *boundedPlayer) reaching(p game.Position, moves []game.Square, t score) game.Bitboard {
	var squares game.Bitboard
	for _, s := range moves {
		if next, err := p.Play(s); err == nil && !b.atLeast(next, t.refuted()) && !b.search.spent {
			squares |= game.SetOf(s)
		}
	}
	return squares
}

// fastest returns the set of moves that win fastest or, if the search gives up before they are known, one move that wins.
func (b *boundedPlayer) fastest(p game.Position, moves []game.Square) game.Bitboard {
	for plies := 3; !b.search.spent; plies += 2 {
		if squares := b.reaching(p, moves, won-score(plies)); squares != 0 {
			return squares
		}
	}
	return b.any(p, moves, anyWin)
}

// slowest returns the set of moves that lose slowest.
func (b *boundedPlayer) slowest(p game.Position, moves []game.Square) game.Bitboard {
	slowest := game.SetOf(moves...)
	for plies := 4; !b.search.spent; plies += 2 {
		squares := b.reaching(p, moves, lost+score(plies))
		if squares == 0 {
			break
		}
		slowest = squares
	}
	return slowest
}

// holding returns some moves that hold a draw, at most effort.moves, and the chance of an error after each as far as the search sees.
// inOrder lists the legal moves, the most promising first.
func (b *boundedPlayer) holding(p game.Position, inOrder []game.Square) options {
	var o options
	var first game.Bitboard // the first move found, which is the most promising move
	enough, limit := b.effort.moves, b.search.nodes+b.effort.holding
	if p.Ply() >= b.plies {
		enough = 1
	}
	for _, s := range inOrder {
		o.moves |= b.reaching(p, []game.Square{s}, drawn)
		if first == 0 {
			first = o.moves
		}
		if o.moves.Len() >= enough || o.moves != 0 && b.search.nodes > limit {
			break
		}
	}
	if o.moves == 0 {
		o.moves = b.any(p, inOrder, drawn)
	}
	if o.moves.Len() == 1 {
		return o
	}
	b.search.limit = min(b.search.limit, b.search.nodes+b.effort.traps)
	t := newTraps(careful(), func(p game.Position) bool { return b.atLeast(p, anyWin) })
	t.spent = func() bool { return b.search.spent }
	for replies := 1; replies <= b.effort.replies; replies++ {
		if farther := t.chances(p, o.moves, replies); !b.search.spent {
			o.chances = farther
		}
	}
	if o.chances == (Odds{}) {
		o.moves = first // no trap was found
	}
	if b.calms && p.Ply() >= variedPlies(p.Rules()) {
		gentle := b.choose(o.moves, o.chances).Squares()
		o.moves = game.SetOf(inOrder[slices.IndexFunc(inOrder, gentle.Has)])
	}
	return o
}

// any returns the first move that scores t or more. The search has seen one, so it hardly takes a node to find it again.
func (b *boundedPlayer) any(p game.Position, moves []game.Square, t score) game.Bitboard {
	b.search.allow(b.effort.last)
	for _, s := range moves {
		if squares := b.reaching(p, []game.Square{s}, t); squares != 0 {
			return squares
		}
	}
	return b.unrefuted(p, moves)
}

// unrefuted returns the first move after which the search has not found a win for the other side, or the first move if it has found one
// after each. It stands in for a move that is known to be right.
func (b *boundedPlayer) unrefuted(p game.Position, moves []game.Square) game.Bitboard {
	for _, s := range moves {
		next, err := p.Play(s)
		if err == nil && winning(next) == 0 && b.search.known.find(b.search.images.canonical(sides(next))).low < anyWin {
			return game.SetOf(s)
		}
	}
	return game.SetOf(moves[0])
}
