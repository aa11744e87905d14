package puzzle

import (
	"context"
	"iter"
	"math/rand/v2"

	"tictactoe/game"
)

// turns is the number of weeks, more than ten years, after which a position may be shown again on a board whose puzzles are sampled.
// The position alone decides in which of these weeks it may be shown. So a weekday never repeats a puzzle within this time, and the
// generator needs no record of earlier puzzles.
const turns = 600

// patience is the number of positions that sample judges before it accepts a puzzle that is easier or harder than the weekday's [Demand]
// requires.
const patience = 2_000

// sample finds the puzzle of a week on a board that has too many puzzles to list: it visits the positions of random games until one of them
// is the start of a puzzle that meets the requirements. The error is the context's error.
func (j judge) sample(ctx context.Context, demand Demand, week int, source *rand.PCG) (line, error) {
	judged, turn := 0, floorMod(week, turns)
	for ctx.Err() == nil {
		for p := range wander(j.solver.Rules(), source) {
			if turnOf(p) != turn || obvious(p) {
				continue
			}
			judged++
			if l, ok := j.line(p); ok && demand.takes(l) && (demand.fits(l) || judged > patience) {
				return l, nil
			}
		}
	}
	return line{}, ctx.Err()
}

// turnOf returns the week, from 0 to turns-1, in which a position may be shown. It is the same for all images of the position.
func turnOf(p game.Position) int {
	mover, other := p.Canonical().Sides()
	h := (uint64(mover)<<32 | uint64(other)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return int((h ^ h>>32) % turns)
}

// wander plays a random game and yields its positions in which a puzzle may begin. The moves are drawn from the source, except that
// threats are blocked. The game ends when a side could win at once.
func wander(rules game.Rules, source *rand.PCG) iter.Seq[game.Position] {
	few, many := rules.Squares()/2-2, rules.Squares()/2+2
	return func(yield func(game.Position) bool) {
		p := game.Start(rules)
		for p.Ply() <= many && p.Threats(p.Turn()) == 0 {
			if p.Ply() >= few && !yield(p) {
				return
			}
			choice := p.Threats(p.Turn().Opponent())
			if choice == 0 {
				choice = p.Legal()
			}
			next, err := p.Play(pick(choice, source))
			if err != nil {
				return // the game is over
			}
			p = next
		}
	}
}

// pick returns a random square of a set, or NoSquare if the set is empty.
func pick(set game.Bitboard, source *rand.PCG) game.Square {
	if set == 0 {
		return game.NoSquare
	}
	skip := draw(source, set.Len())
	for s := range set.All() {
		if skip == 0 {
			return s
		}
		skip--
	}
	return game.NoSquare
}
