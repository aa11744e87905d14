package puzzle

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
)

// listed reports whether all puzzles of a rule set are listed in a pool. On larger boards puzzles are sampled.
func listed(rules game.Rules) bool { return rules.Squares() <= 9 }

// A pool lists all puzzles of a weekday, up to symmetry, in the order in which they are shown. The first puzzle follows the last, so
// no puzzle is repeated earlier than necessary.
type pool []line

// at returns the puzzle of a week.
func (p pool) at(week int) line { return p[floorMod(week, len(p))] }

// pool returns the pool of a weekday.
func (j judge) pool(e edition, weekday time.Weekday) pool {
	p := j.puzzles(e.week[weekday])
	p.shuffle(rand.NewPCG(e.seed, uint64(weekday)))
	return p
}

// puzzles returns the puzzles of a rule set that meet a weekday's requirements, sorted by the notation of their start.
func (j judge) puzzles(demand Demand) pool {
	var found pool
	todo := []game.Position{game.Start(j.solver.Rules()).Canonical()}
	seen := map[game.Position]bool{todo[0]: true}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l, ok := j.line(p); ok && demand.takes(l) && demand.fits(l) {
			found = append(found, l)
		}
		for _, next := range p.Moves() {
			if next = next.Canonical(); !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b line) int { return strings.Compare(a.start().String(), b.start().String()) })
	return found
}

// shuffle permutes the puzzles by the algorithm of Fisher and Yates. The order depends only on the source.
func (p pool) shuffle(source *rand.PCG) {
	for i := len(p) - 1; i > 0; i-- {
		k := draw(source, i+1)
		p[i], p[k] = p[k], p[i]
	}
}

// draw returns a number from 0 to n-1.
func draw(source *rand.PCG, n int) int { return int(source.Uint64() % uint64(n)) }
