package ai_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

// proof plays every game that a player can get into: every move that the player may choose against every move that the
// opponent can make. The judge knows what each position is worth.
type proof struct {
	candidates func(game.Position) game.Bitboard
	side       game.Mark // that the player plays
	judge      *judge

	seen      map[game.Position]bool
	decisions []game.Position // in which the player was asked
}

func newProof(player *ai.Player, side game.Mark, j *judge) *proof {
	return &proof{candidates: player.Candidates, side: side, judge: j, seen: map[game.Position]bool{}}
}

// from plays on from p. The error tells the first move of the player that gave something away.
func (r *proof) from(p game.Position) error {
	if r.seen[p] {
		return nil
	}
	r.seen[p] = true
	if p.Outcome() != game.InProgress {
		return nil
	}
	squares := p.Legal()
	if p.Turn() == r.side {
		r.decisions = append(r.decisions, p)
		squares = r.candidates(p)
		if squares == 0 {
			return fmt.Errorf("%s: no move", p)
		}
	}
	for s := range squares.All() {
		next, err := p.Play(s)
		if err != nil {
			return err
		}
		if p.Turn() == r.side {
			if err := r.kept(p, s, next); err != nil {
				return err
			}
		}
		if err := r.from(next); err != nil {
			return err
		}
	}
	return nil
}

// kept is an error if the move lost value, won later than possible or lost sooner than necessary.
func (r *proof) kept(p game.Position, s game.Square, next game.Position) error {
	before, after := r.judge.of(p), r.judge.of(next)
	if after.Value != -before.Value || after.Plies != before.Plies-1 {
		return fmt.Errorf("%s in %s: from a %s for itself to a %s for the other side", p.Rules().Name(s), p, before, after)
	}
	return nil
}

func newPlayer(level string, table *ai.Solver) *ai.Player {
	return must(ai.NewPlayer(level, table, rand.NewPCG(1, 2)))
}

func TestUnbeatableNeverGivesAnythingAway(t *testing.T) {
	for _, rules := range smallRules() {
		j := newJudge(rules)
		player := newPlayer(ai.Unbeatable, must(ai.NewSolver(rules)))
		for _, start := range []game.Position{game.StartWith(rules, game.X), game.StartWith(rules, game.O)} {
			for _, side := range []game.Mark{game.X, game.O} {
				r := newProof(player, side, j)
				if err := r.from(start); err != nil {
					t.Errorf("%s, %s begins, unbeatable is %s: %v", rules, start.Starter(), side, err)
				}
				if rules != game.Classic() {
					continue
				}
				t.Logf("%s begins, unbeatable is %s: %d positions", start.Starter(), side, len(r.seen))
				for p := range r.seen {
					if p.Outcome().Winner() == side.Opponent() {
						t.Errorf("%s begins, unbeatable is %s and lost: %s", start.Starter(), side, p)
					}
				}
			}
		}
	}
}

// A proof that cannot fail proves nothing.
func TestTheProofFindsOneWrongEntry(t *testing.T) {
	const every = 10 // of the possible errors are tried one in so many; all are noticed, but it takes a while
	table, j := must(ai.NewSolver(game.Classic())), newJudge(game.Classic())
	for _, side := range []game.Mark{game.X, game.O} {
		sound := newProof(newPlayer(ai.Unbeatable, table), side, j)
		if err := sound.from(game.Start(game.Classic())); err != nil {
			t.Fatal(err)
		}
		var tried int
		for i, p := range sound.decisions {
			for s := range (p.Legal() &^ table.Best(p)).All() {
				if tried++; tried%every != 0 {
					continue
				}
				// The table is made to believe that a bad move is as good as the best one.
				best := j.of(p)
				bad := must(p.Play(s))
				broken := table.WithError(bad, ai.Eval{Value: -best.Value, Plies: best.Plies - 1})
				if newProof(newPlayer(ai.Unbeatable, broken), side, j).from(game.Start(game.Classic())) == nil {
					t.Errorf("nobody noticed that %s is a %s for the player of %s, not a %s", bad, best, side, j.of(bad))
				}
			}
			if i%every == 0 {
				// A position that is valued above all its moves leaves none to choose.
				broken := table.WithError(p, ai.Eval{Value: ai.Win, Plies: 0})
				if newProof(newPlayer(ai.Unbeatable, broken), side, j).from(game.Start(game.Classic())) == nil {
					t.Errorf("nobody noticed that %s is no win in 0", p)
				}
			}
		}
		t.Logf("unbeatable is %s: %d decisions, %d errors planted", side, len(sound.decisions), tried/every)
	}
}

func TestTheProofFailsForEasy(t *testing.T) {
	table, j := must(ai.NewSolver(game.Classic())), newJudge(game.Classic())
	for _, side := range []game.Mark{game.X, game.O} {
		if newProof(newPlayer(ai.Easy, table), side, j).from(game.Start(game.Classic())) == nil {
			t.Errorf("easy, as %s, is proven unbeatable", side)
		}
	}
}
