package ai

import (
	"context"
	"fmt"
	"strings"

	"tictactoe/game"
)

// Proof is the size of a proof.
type Proof struct {
	Positions int // that can arise; up to symmetry, where every game comes to an end
	Decisions int // of them, with the player to move
	Judged    int // of these, how many had to be judged because play did not tell what they are worth
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

// Prove plays every game that the player can get into as that side, from the empty board with X to move: every move that
// it might choose against every reply. The error is a [*Flaw] if the player anywhere reaches less than the position is
// worth, or that of the context, or wraps [ErrUnsolved] where nobody can judge.
//
// What play reaches is proof enough where the player wins. Where it does not, a judge, who shares nothing with the
// player but the list of lines, must find that nobody could have done better. A position stands for all its images, in
// which the player plays the same.
func Prove(ctx context.Context, player *Player, side game.Mark) (Proof, error) {
	rules := player.Rules()
	r := &prover{ctx: ctx, player: player, side: side}
	var err error
	switch {
	case cyclic(rules) || rules.Misere() && rules.Squares() <= tableSquares:
		err = r.keep(newSweep(rules))
	case rules.Vanish() || rules.Misere():
		err = fmt.Errorf("%w: %s", ErrUnsolved, rules)
	default:
		r.judge, r.reached = newJudge(rules), map[game.Position]Value{}
		_, err = r.reach(game.NewRecord(game.Start(rules)))
	}
	if err != nil {
		return r.proof, fmt.Errorf("prove: %w", err)
	}
	return r.proof, nil
}

type prover struct {
	ctx     context.Context
	player  *Player
	side    game.Mark
	judge   *judge
	reached map[game.Position]Value // by canonical position, for the side; the worst that comes of it
	proof   Proof
}

// reach is the worst that comes of a game, for the side.
func (r *prover) reach(record game.Record) (Value, error) {
	p := record.Position()
	if p.Legal() == 0 {
		worth := map[game.Mark]Value{r.side: Win, game.None: Draw, r.side.Opponent(): Loss}
		return worth[p.Outcome().Winner()], nil
	}
	canonical := p.Canonical()
	if worst, ok := r.reached[canonical]; ok {
		return worst, nil
	}
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	r.proof.Positions++
	squares, worst, by := p.Legal(), Win, game.Square(0)
	if p.Turn() == r.side {
		r.proof.Decisions++
		odds, err := r.player.Odds(p)
		if err != nil {
			return 0, err
		}
		squares = odds.Squares()
	}
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
	r.reached[canonical] = worst
	return worst, nil
}

// keep goes through all positions that can arise, in which the value must be kept move by move: play that may go on for
// ever reaches nothing. That a winner also gets on is left to the tests.
func (r *prover) keep(value sweep) error {
	start := game.NewRecord(game.Start(r.player.Rules()))
	seen := map[game.Position]bool{start.Position(): true}
	for open := []game.Record{start}; len(open) > 0; {
		record := open[0]
		open = open[1:]
		p := record.Position()
		if p.Legal() == 0 {
			continue
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.proof.Positions++
		squares := p.Legal()
		if p.Turn() == r.side {
			r.proof.Decisions++
			r.proof.Judged++
			odds, err := r.player.Odds(p)
			if err != nil {
				return err
			}
			squares = odds.Squares()
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
				open = append(open, after)
			}
		}
	}
	return nil
}
