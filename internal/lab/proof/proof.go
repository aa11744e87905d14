// Package proof proves that a computer player never makes an error: it plays every game that the player can get into. It uses only
// what package ai exports, so that it shares no search, no table and no list of lines with the engines.
package proof

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tictactoe/ai"
	"tictactoe/game"
)

// A Player is a player that can be proved, such as an [ai.Engine]. Unless its level is [ai.Minimax], it must play the same in all images
// of a position.
type Player interface {
	Rules() game.Rules
	Level() ai.Level
	Odds(game.Position) (ai.Odds, error)
}

// Proof counts the cases that [Prove] has checked.
type Proof struct {
	// Positions is the number of positions that arose in which a side could still complete a line. On more than twelve squares
	// all images of a position count as one, except for [ai.Minimax].
	Positions int
	Decisions int // the positions with the player to move
	Replies   int // the moves of the other side that were tried
	Judged    int // the decisions that a judge had to check, because the player did not win

	answers map[int]int // the number of answers by the number of nodes that they took
}

// Nodes returns the number of nodes that is enough for the given share of the player's answers: half of the answers take at most
// Nodes(0.5), and the longest takes Nodes(1). It returns 0 if the player looks its answers up in a table.
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
	Best, Reached ai.Value      // the value of the position for the player, and the worst value that the player reached
}

func (f *Flaw) Error() string {
	var moves strings.Builder
	for _, s := range f.Moves {
		moves.WriteString(" " + f.Position.Rules().Name(s))
	}
	return fmt.Sprintf("%s, %s to move: a %s became a %s; the moves:%s",
		f.Position, f.Position.Turn(), f.Best, f.Reached, moves.String())
}

// largest is the number of squares of the largest board of which all positions can be visited.
const largest = 12

// Prove plays every game that the player can get into as the given side, from the empty board with X to move: every move that
// the player might choose against every reply. nodes returns the number of nodes that the player has visited so far, as
// [ai.Solver.Nodes] does. Prove calls progress often, unless it is nil. The error is a [*Flaw] if the player reaches less than
// the value of some position, or the context's error, or says that there are too many positions to visit.
//
// Where the player always wins, play itself is the proof. Elsewhere a judge must find that no other play could have reached more.
// On more than twelve squares a position stands for all its images, since the player plays the same in each; [ai.Minimax] does
// not, so it is proved in every image. If neither side can complete a line any more, the rest of the game is not played.
func Prove(ctx context.Context, player Player, nodes func() int64, side game.Mark, progress func(Proof)) (Proof, error) {
	rules := player.Rules()
	r := &prover{
		ctx: ctx, player: player, nodes: nodes, side: side, progress: progress, proof: Proof{answers: map[int]int{}},
		folds: rules.Squares() > largest && player.Level() != ai.Minimax,
	}
	if r.progress == nil {
		r.progress = func(Proof) {}
	}
	var err error
	switch {
	case rules.Squares() == 0:
		err = fmt.Errorf("%w: the zero player has none", game.ErrRules)
	case (rules.Misere() || rules.Vanish()) && rules.Squares() > largest:
		err = fmt.Errorf("%s has too many positions", rules)
	case rules.Misere() || rules.Vanish():
		err = r.keep()
	default:
		r.judge, r.reached = newJudge(rules), map[uint64]ai.Value{}
		_, err = r.reach(game.NewRecord(game.Start(rules)))
	}
	if err != nil {
		return r.proof, fmt.Errorf("prove: %w", err)
	}
	return r.proof, nil
}

type prover struct {
	ctx      context.Context
	player   Player
	nodes    func() int64
	side     game.Mark
	progress func(Proof)
	folds    bool // all images of a position are one; playing each would take too long on large boards
	judge    *judge
	reached  map[uint64]ai.Value // the worst value that the side reaches from a position
	proof    Proof
}

// open returns the set of moves to be tried in a position in progress: the moves that the player might choose if it is to move, and
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
	before := r.nodes()
	odds, err := r.player.Odds(p)
	r.proof.Decisions++
	r.proof.answers[int(r.nodes()-before)]++
	if err == nil && odds.Squares() == 0 {
		err = fmt.Errorf("the player has no move in %s", p)
	}
	return odds.Squares(), err
}

// key returns the number that identifies a position in progress: its marks. A map of millions of them must be small.
func (r *prover) key(p game.Position) uint64 {
	if r.folds {
		p = p.Canonical()
	}
	me, rival := p.Sides()
	return uint64(me)<<32 | uint64(rival)
}

// reach continues a game in all possible ways, and returns the worst value that the side gets.
func (r *prover) reach(record game.Record) (ai.Value, error) {
	p := record.Position()
	if p.Legal() == 0 {
		switch p.Outcome().Winner() {
		case r.side:
			return ai.Win, nil
		case game.None:
			return ai.Draw, nil
		default:
			return ai.Loss, nil
		}
	}
	if r.judge.settled(p) {
		return ai.Draw, nil
	}
	key := r.key(p)
	if worst, ok := r.reached[key]; ok {
		return worst, nil
	}
	squares, err := r.open(p)
	if err != nil {
		return 0, err
	}
	worst, by := ai.Win, game.Square(0)
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
	if p.Turn() == r.side && worst < ai.Win {
		r.proof.Judged++
		if best := r.judge.better(p, worst); best > worst {
			return 0, &Flaw{p, append(record.Squares(), by), best, worst}
		}
	}
	r.reached[key] = worst
	return worst, nil
}

// keep goes through all positions that can arise and checks that each single move keeps the value of the position. Playing
// games out proves nothing here, since they may go on forever. The tests check that a winning engine also comes closer to its
// win.
func (r *prover) keep() error {
	start := game.NewRecord(game.Start(r.player.Rules()))
	value := sweep(r.player.Rules())
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
			if worst := -value(next); p.Turn() == r.side && worst < value(p) {
				return &Flaw{p, after.Squares(), value(p), worst}
			}
			if !seen[next] {
				seen[next] = true
				waiting = append(waiting, after)
			}
		}
	}
	return nil
}
