package ai

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/game"
)

// Proof counts the cases that [Prove] has checked.
type Proof struct {
	// Positions is the number of positions that arose in which a side could still complete a line. On more than twelve squares
	// all images of a position count as one, except for [Minimax].
	Positions int
	Decisions int // the positions with the engine to move
	Replies   int // the moves of the other side that were tried
	Judged    int // the decisions that a judge had to check, because the engine did not win

	answers map[int]int // the number of answers by the number of nodes that they took
}

// Nodes returns the number of nodes that is enough for the given share of the engine's answers: half of the answers take at most
// Nodes(0.5), and the longest takes Nodes(1). It returns 0 if the engine looks its answers up in a table.
func (p Proof) Nodes(share float64) int {
	var sum int
	for _, nodes := range slices.Sorted(maps.Keys(p.answers)) {
		if sum += p.answers[nodes]; float64(sum) >= share*float64(p.Decisions) {
			return nodes
		}
	}
	return 0
}

// Flaw is a decision in which a player makes an error.
type Flaw struct {
	Position      game.Position
	Moves         []game.Square // the moves from the empty board to the position, and the wrong move
	Best, Reached Value         // the value of the position for the player, and the worst value that the player reached
}

func (f *Flaw) Error() string {
	var moves strings.Builder
	for _, s := range f.Moves {
		moves.WriteString(" " + f.Position.Rules().Name(s))
	}
	return fmt.Sprintf("%s, %s to move: a %s became a %s; the moves:%s",
		f.Position, f.Position.Turn(), f.Best, f.Reached, moves.String())
}

// Prove plays every game that the engine can get into as the given side, from the empty board with X to move: every move that
// the engine might choose against every reply. Other engines of the same solver must not be used meanwhile, because the nodes
// of their answers would be counted, too. Prove calls progress often, unless it is nil. The error is a [*Flaw] if the engine
// reaches less than the value of some position, or the context's error, or it wraps [ErrUnsolved] if positions of these rules
// cannot be evaluated.
//
// Where the engine always wins, play itself is the proof. Elsewhere a judge, which shares nothing with the engine but the list
// of lines, must find that no other play could have reached more. On more than twelve squares a position stands for all its
// images, since the engine plays the same in each; [Minimax] does not, so it is proved in every image. If neither side can
// complete a line any more, the rest of the game is not played.
func Prove(ctx context.Context, engine *Engine, side game.Mark, progress func(Proof)) (Proof, error) {
	if engine == nil || engine.style == nil {
		return Proof{}, fmt.Errorf("prove: %w: the engine is the zero value", game.ErrRules)
	}
	rules := engine.Rules()
	r := &prover{ctx: ctx, engine: engine, ordered: habitsOf(engine.level).ordered, side: side, progress: progress, proof: Proof{answers: map[int]int{}}}
	if r.progress == nil {
		r.progress = func(Proof) {}
	}
	var err error
	switch {
	case cyclic(rules) || rules.Misere() && rules.Squares() <= tableSquares:
		err = r.keep(newSweep(rules))
	case rules.Vanish() || rules.Misere():
		err = fmt.Errorf("%w: %s", ErrUnsolved, rules)
	default:
		r.judge, r.reached = newJudge(rules), map[uint64]Value{}
		_, err = r.reach(game.NewRecord(game.Start(rules)))
	}
	if err != nil {
		return r.proof, fmt.Errorf("prove: %w", err)
	}
	return r.proof, nil
}

type prover struct {
	ctx      context.Context
	engine   *Engine
	ordered  bool // see habits
	side     game.Mark
	progress func(Proof)
	judge    *judge
	reached  map[uint64]Value // the worst value that the side reaches from a position, keyed by the marks of the position
	proof    Proof
}

// open returns the set of moves to be tried in a position in progress: the moves that the engine might choose if it is to move, and
// all legal moves otherwise.
func (r *prover) open(p game.Position) (game.Bitboard, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if r.proof.Positions++; r.proof.Positions%1024 == 0 {
		r.progress(r.proof)
	}
	if p.Turn() != r.side {
		r.proof.Replies += p.Legal().Len()
		return p.Legal(), nil
	}
	before := r.engine.nodes()
	odds, err := r.engine.Odds(p)
	r.proof.Decisions++
	r.proof.answers[int(r.engine.nodes()-before)]++
	return odds.Squares(), err
}

// marks returns the number that identifies a position. On large boards a position gets the number of its canonical position if
// the engine plays the same in all images, because playing each image would take too long.
func (r *prover) marks(p game.Position) uint64 {
	if p.Rules().Squares() > tableSquares && !r.ordered {
		p = p.Canonical()
	}
	me, rival := sides(p)
	return uint64(me)<<32 | uint64(rival)
}

// reach continues a game in all possible ways, and returns the worst value that the side gets.
func (r *prover) reach(record game.Record) (Value, error) {
	p := record.Position()
	if p.Legal() == 0 {
		switch p.Outcome().Winner() {
		case r.side:
			return Win, nil
		case game.None:
			return Draw, nil
		default:
			return Loss, nil
		}
	}
	if r.judge.settled(p) {
		return Draw, nil
	}
	marks := r.marks(p)
	if worst, ok := r.reached[marks]; ok {
		return worst, nil
	}
	squares, err := r.open(p)
	if err != nil {
		return 0, err
	}
	worst, by := Win, game.Square(0)
	for s := range squares.All() {
		next, err := record.Play(s)
		if err != nil {
			return 0, err
		}
		value, err := r.reach(next)
		if err != nil {
			return 0, err
		}
		if value < worst {
			worst, by = value, s
		}
	}
	if p.Turn() == r.side && worst < Win {
		r.proof.Judged++
		if best := r.judge.better(p, worst); best > worst {
			return 0, &Flaw{p, append(record.Squares(), by), best, worst}
		}
	}
	r.reached[marks] = worst
	return worst, nil
}

// keep goes through all positions that can arise and checks that each single move keeps the value of the position. Playing
// games out proves nothing here, since they may go on forever. The tests check that a winning engine also comes closer to its
// win.
func (r *prover) keep(value sweep) error {
	start := game.NewRecord(game.Start(r.engine.Rules()))
	seen := map[game.Position]bool{start.Position(): true}
	for waiting := []game.Record{start}; len(waiting) > 0; {
		record := waiting[0]
		waiting = waiting[1:]
		p := record.Position()
		if p.Legal() == 0 {
			continue
		}
		squares, err := r.open(p)
		if err != nil {
			return err
		}
		if p.Turn() == r.side {
			r.proof.Judged++
		}
		for s := range squares.All() {
			after, err := record.Play(s)
			if err != nil {
				return err
			}
			next := after.Position()
			if worst := -value[next]; p.Turn() == r.side && worst < value[p] {
				return &Flaw{p, after.Squares(), value[p], worst}
			}
			if !seen[next] {
				seen[next] = true
				waiting = append(waiting, after)
			}
		}
	}
	return nil
}
