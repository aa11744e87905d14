package ai

import (
	"math"
	"sync"

	"tictactoe/game"
)

// What a prober may spend on one answer, and how much its answers vary.
const (
	answerNodes  = 59_000 // a few more are counted while giving up
	holdingNodes = 25_000 // of them, to find more than one move that holds a draw
	holdingMoves = 8      // enough to choose from
	mostReplies  = 2      // the farthest that traps are set
	variedPlies  = 4      // after which the best trap is taken, so that all games can be played through in a proof
	variedMoves  = 2
)

// A prober plays perfectly on boards that are too large for a table. It searches anew for each answer, so that the answer
// depends on the position alone and takes a bounded number of nodes.
type prober struct {
	mu     sync.Mutex // guards search
	search *search
	choose choice
	book   map[game.Position]Odds // by standard position
}

func newProber(rules game.Rules, choose choice) *prober {
	return &prober{search: newSearch(rules, 17), choose: choose}
}

// odds are the same, up to symmetry, for a position and its images.
func (r *prober) odds(p game.Position) Odds {
	standard, symmetries := standardOf(p)
	answer, ok := r.book[standard]
	if !ok {
		r.mu.Lock()
		answer = r.answer(standard)
		r.mu.Unlock()
	}
	// A position with symmetries of its own has several ways to the standard one, and equal squares an equal share.
	var odds Odds
	for _, y := range symmetries {
		for s := range p.Legal().All() {
			odds[s] += answer[p.Rules().Image(s, y)] / float64(len(symmetries))
		}
	}
	return odds
}

// standardOf is the position that stands for p and all its images, whoever began, and the symmetries that lead there.
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

func (r *prober) answer(p game.Position) Odds {
	r.search.memo.clear()
	r.search.allow(answerNodes)
	var odds Odds
	for _, urgent := range []game.Bitboard{winning(p), blocking(p)} {
		if urgent != 0 {
			odds.spread(1, urgent)
			return odds
		}
	}
	moves := r.inOrder(p)
	value := r.search.value(sides(p))
	if r.search.spent {
		// Rather late than wrong. The book is there to prevent this.
		r.search.allow(math.MaxInt - r.search.nodes)
		value = r.search.value(sides(p))
		r.search.allow(answerNodes)
	}
	switch value {
	case Win:
		odds.spread(1, r.fastest(p, moves))
	case Draw:
		return r.choosing(p, r.holding(p, moves))
	default:
		odds.spread(1, r.slowest(p, moves))
	}
	return odds
}

// sides are the squares of the side to move and of the other.
func sides(p game.Position) (me, rival uint32) {
	return uint32(p.Marks(p.Turn())), uint32(p.Marks(p.Turn().Opponent()))
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

// reaching is the set of moves that score t or more.
func (r *prober) reaching(p game.Position, moves []game.Square, t score) game.Bitboard {
	var squares game.Bitboard
	for _, s := range moves {
		if next, err := p.Play(s); err == nil && !r.atLeast(next, t.refuted()) && !r.search.spent {
			squares |= game.SetOf(s)
		}
	}
	return squares
}

// fastest is the set of moves that win fastest; at any rate it is one that wins.
func (r *prober) fastest(p game.Position, moves []game.Square) game.Bitboard {
	for plies := 3; !r.search.spent; plies += 2 {
		if squares := r.reaching(p, moves, won-score(plies)); squares != 0 {
			return squares
		}
	}
	return r.any(p, moves, anyWin)
}

// slowest is the set of moves that lose slowest.
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

// holding is a set of moves that hold a draw.
func (r *prober) holding(p game.Position, moves []game.Square) game.Bitboard {
	var squares game.Bitboard
	limit := r.search.nodes + holdingNodes
	for _, s := range moves {
		squares |= r.reaching(p, []game.Square{s}, drawn)
		if squares.Len() >= holdingMoves || squares != 0 && r.search.nodes > limit {
			break
		}
	}
	if squares == 0 {
		return r.any(p, moves, drawn)
	}
	return squares
}

// any is the first move that scores t or more, however long it takes to find it.
func (r *prober) any(p game.Position, moves []game.Square, t score) game.Bitboard {
	r.search.allow(math.MaxInt - r.search.nodes)
	for _, s := range moves {
		if squares := r.reaching(p, []game.Square{s}, t); squares != 0 {
			return squares
		}
	}
	return game.SetOf(moves[0])
}

// choosing takes one of several moves that hold a draw, by the chances they leave to lose, as far as it can see.
func (r *prober) choosing(p game.Position, moves game.Bitboard) Odds {
	var odds Odds
	if moves.Len() == 1 {
		odds.spread(1, moves)
		return odds
	}
	t := newTraps(careful(), func(p game.Position) bool { return r.atLeast(p, anyWin) })
	t.spent = func() bool { return r.search.spent }
	var chances Odds
	for replies := 1; replies <= mostReplies; replies++ {
		if farther := t.chances(p, moves, replies); !r.search.spent {
			chances = farther
		}
	}
	variety := 1
	if p.Ply() < variedPlies {
		variety = variedMoves
	}
	return r.choose(moves, chances).likeliest(variety)
}
