package ai

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/game"
)

// Proof is the size of a proof.
type Proof struct {
	// Positions is how many can arise in which somebody can still complete a line; on more than twelve squares up to
	// symmetry, but for [Minimax].
	Positions int
	Decisions int // of them, with the player to move
	Replies   int // moves of the other side that were tried
	Judged    int // decisions that had to be judged because play did not tell what they are worth

	answers map[int]int // how many took so many nodes
}

// Nodes returns how many nodes are enough for that share of the engine's answers: half of them need no more than Nodes(0.5),
// and the longest needs Nodes(1). A node is a position that a search looks at; where the engine knows a table, it is 0.
func (p Proof) Nodes(share float64) int {
	var sum int
	for _, nodes := range slices.Sorted(maps.Keys(p.answers)) {
		if sum += p.answers[nodes]; float64(sum) >= share*float64(p.Decisions) {
			return nodes
		}
	}
	return 0
}

// Flaw is a decision by which a player gives something away.
type Flaw struct {
	Position      game.Position
	Moves         []game.Square // a game from the empty board that leads there, and the move that is the flaw
	Best, Reached Value         // what the position is worth to the player, and the worst that came of it
}

func (f *Flaw) Error() string {
	var moves strings.Builder
	for _, s := range f.Moves {
		moves.WriteString(" " + f.Position.Rules().Name(s))
	}
	return fmt.Sprintf("%s, %s to move: a %s became a %s; the moves:%s",
		f.Position, f.Position.Turn(), f.Best, f.Reached, moves.String())
}

// Prove plays every game that the engine can get into as that side, from the empty board with X to move: every move that
// it might choose against every reply. While it does, nobody else may ask an engine of the same solver, or their nodes are
// counted, too. It reports its progress often, unless that is nil. The error is a [*Flaw] if the player anywhere reaches
// less than the position is worth, or that of the context, or wraps [ErrUnsolved] where nobody can judge.
//
// What play reaches is proof enough where the player wins. Where it does not, a judge, who shares nothing with the
// player but the list of lines, must find that nobody could have done better. On more than twelve squares a position
// stands for all its images, in which the player plays the same; only [Minimax] does not, and has to prove itself in each.
// Where nobody can complete a line any more, the rest need not be played.
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
	reached  map[uint64]Value // by the marks of a position, for the side: the worst that comes of it
	proof    Proof
}

// open returns the set of moves to be tried in a running game: all that the engine might choose, or all that there are.
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

// marks stand for a position. Small boards are played as they are, whoever plays; on larger ones, where that would take too
// long, a position stands for all its images, if the engine plays the same in all of them.
func (r *prover) marks(p game.Position) uint64 {
	if p.Rules().Squares() > tableSquares && !r.ordered {
		p = p.Canonical()
	}
	me, rival := sides(p)
	return uint64(me)<<32 | uint64(rival)
}

// reach returns the worst that comes of a game, for the side.
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

// keep goes through all positions that can arise, in which the value must be kept move by move: play that may go on for
// ever reaches nothing. That a winner also gets on is left to the tests.
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
