package ai_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// proof plays every game that a player can get into: every move that the player may choose against every move that the
// opponent can make. The judge knows the value of each position.
type proof struct {
	candidates func(game.Position) game.Bitboard
	side       game.Mark // the side of the player
	judge      *judge

	seen      map[game.Position]bool
	decisions []game.Position // the positions with the player to move
}

func newProof(player *ai.Engine, side game.Mark, j *judge) *proof {
	return &proof{candidates: func(p game.Position) game.Bitboard { return must(player.Odds(p)).Squares() }, side: side, judge: j, seen: map[game.Position]bool{}}
}

// from plays all continuations from p. The error names the first wrong move of the player.
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

// kept returns an error if the move lost value, won later than possible or lost sooner than necessary.
func (r *proof) kept(p game.Position, s game.Square, next game.Position) error {
	before, after := r.judge.of(p), r.judge.of(next)
	if endless := before.Plies == ai.Unknown && after.Plies == ai.Unknown; after.Value != -before.Value ||
		after.Plies != before.Plies-1 && !endless {
		return fmt.Errorf("%s in %s: from a %s for itself to a %s for the other side", p.Rules().Name(s), p, before, after)
	}
	return nil
}

func newEngine(level ai.Level, table *ai.Solver) *ai.Engine {
	return must(ai.NewEngine(level, table, rand.NewPCG(1, 2)))
}

func TestUnbeatableNeverGivesAnythingAway(t *testing.T) {
	wantNothingGivenAway(t, game.Classic())
}

func TestUnbeatableNeverGivesAnythingAwayOnAnySmallBoard(t *testing.T) {
	longtest.Only(t)
	wantNothingGivenAway(t, smallRules()...)
}

func wantNothingGivenAway(t *testing.T, boards ...game.Rules) {
	t.Helper()
	for _, rules := range boards {
		j := newJudge(rules)
		player := newEngine(ai.Unbeatable, must(ai.NewSolver(rules)))
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

// TestTheProofFindsOneWrongEntry checks that the proof fails if the table has one wrong entry.
func TestTheProofFindsOneWrongEntry(t *testing.T) {
	longtest.Only(t)
	const every = 10 // one in ten possible errors is planted, because planting all is slow
	table, j := must(ai.NewSolver(game.Classic())), newJudge(game.Classic())
	for _, side := range []game.Mark{game.X, game.O} {
		sound := newProof(newEngine(ai.Unbeatable, table), side, j)
		if err := sound.from(game.Start(game.Classic())); err != nil {
			t.Fatal(err)
		}
		var tried int
		for i, p := range sound.decisions {
			for s := range (p.Legal() &^ table.Best(p)).All() {
				if tried++; tried%every != 0 {
					continue
				}
				// The table is changed so that a bad move looks as good as the best.
				best := j.of(p)
				bad := must(p.Play(s))
				broken := ai.WithError(table, bad, ai.Eval{Value: -best.Value, Plies: best.Plies - 1})
				if newProof(newEngine(ai.Unbeatable, broken), side, j).from(game.Start(game.Classic())) == nil {
					t.Errorf("the proof did not detect that %s is a %s for the player of %s, not a %s", bad, best, side, j.of(bad))
				}
			}
			if i%every == 0 {
				// If the value of a position is above the values of all its moves, there is no move to choose.
				broken := ai.WithError(table, p, ai.Eval{Value: ai.Win, Plies: 0})
				if newProof(newEngine(ai.Unbeatable, broken), side, j).from(game.Start(game.Classic())) == nil {
					t.Errorf("the proof did not detect that %s is no win in 0", p)
				}
			}
		}
		t.Logf("unbeatable is %s: %d decisions, %d errors planted", side, len(sound.decisions), tried/every)
	}
}

func TestTheProofFailsForEasy(t *testing.T) {
	table, j := must(ai.NewSolver(game.Classic())), newJudge(game.Classic())
	for _, side := range []game.Mark{game.X, game.O} {
		if newProof(newEngine(ai.Easy, table), side, j).from(game.Start(game.Classic())) == nil {
			t.Errorf("easy, as %s, is proven unbeatable", side)
		}
	}
}

// TestThePlayerIsTheSameInAllImages checks that the player plays the same in all images of a position, whichever side began, since
// a proof plays only one image.
func TestThePlayerIsTheSameInAllImages(t *testing.T) {
	longtest.Only(t)
	for _, text := range []string{"3x3x3", "3x3x3+keep3", "4x4x4", "5x4x4", "5x5x4+gravity"} {
		rules := must(game.ParseRules(text))
		player := newEngine(ai.Unbeatable, must(ai.NewSolver(rules)))
		random := rand.New(rand.NewPCG(3, 4))
		for range 2 {
			for p, q := game.Start(rules), game.StartWith(rules, game.O); p.Legal() != 0 && p.Ply() < 10; {
				odds := must(player.Odds(p))
				for _, y := range rules.Symmetries() {
					for _, image := range []ai.Odds{must(player.Odds(p.Image(y))), must(player.Odds(q.Image(y)))} {
						for s := range p.Legal().All() {
							if got, want := image[rules.Image(s, y)], odds[s]; math.Abs(got-want) > 1e-9 {
								t.Fatalf("%s: %s: %s has chance %v, in image %d %v", rules, p, rules.Name(s), want, y, got)
							}
						}
					}
				}
				s := slices.Collect(p.Legal().All())[random.IntN(p.Legal().Len())]
				p, q = must(p.Play(s)), must(q.Play(s))
				if rules.Vanish() && random.IntN(10) == 0 {
					break
				}
			}
		}
	}
}

// TestAllLevelsButMinimaxPlayTheSameInAllImages checks all levels. Minimax is the exception, since it plays the first of equally
// good squares; so its proof must play all images of a position.
func TestAllLevelsButMinimaxPlayTheSameInAllImages(t *testing.T) {
	rules := must(game.ParseRules("4x4x4"))
	solver := must(ai.NewSolver(rules))
	p := must(game.ParsePosition(rules, "X.../.O../..../...X"))
	for _, level := range ai.Levels() {
		player := newEngine(level, solver)
		odds, same := must(player.Odds(p)), true
		for _, y := range rules.Symmetries() {
			image := must(player.Odds(p.Image(y)))
			for s := range p.Legal().All() {
				same = same && math.Abs(image[rules.Image(s, y)]-odds[s]) < 1e-9
			}
		}
		if same != (level != ai.Minimax) {
			t.Errorf("%s plays the same in all images: %t", level, same)
		}
	}
}

// TestWhatLevelsPromise has the table of promises in docs/proofs.md: it tries every position of the boards with nine squares.
func TestWhatLevelsPromise(t *testing.T) {
	for _, offer := range game.Offered() {
		if offer.Rules.Squares() == 9 {
			t.Run(offer.Name, func(t *testing.T) { wantPromises(t, offer.Rules, positions(offer.Rules)) })
		}
	}
}

// TestWhatLevelsPromiseOnLargeBoards tries the positions of random games.
func TestWhatLevelsPromiseOnLargeBoards(t *testing.T) {
	longtest.Only(t)
	for _, offer := range game.Offered() {
		if offer.Rules.Squares() > 9 {
			t.Run(offer.Name, func(t *testing.T) {
				random := rand.New(rand.NewPCG(2, 7))
				var all []game.Position
				for range 3_000 {
					for p := range randomGame(offer.Rules, random) {
						all = append(all, p)
					}
				}
				wantPromises(t, offer.Rules, all)
			})
		}
	}
}

// wantPromises checks in the positions that each level takes a win, blocks the only threat, and completes no losing line that it can
// avoid, if the level promises so.
func wantPromises(t *testing.T, rules game.Rules, all []game.Position) {
	t.Helper()
	solver := must(ai.NewSolver(rules))
	var fair []ai.Level // indexed by skill
	for skill := range ai.MaxSkill + 1 {
		fair = append(fair, ai.Fair(skill))
	}
	engines := map[ai.Level]*ai.Engine{}
	for _, level := range append(ai.Levels(), fair...) {
		engines[level] = newEngine(level, solver)
	}
	counts := map[string]int{}
	for i, p := range all {
		wins, blocks := p.Threats(p.Turn()), p.Threats(p.Turn().Opponent())
		want, promise := wins, "win"
		levels := []ai.Level{ai.Textbook, ai.Teacher, ai.Unbeatable}
		switch {
		case rules.Misere() && wins != 0 && wins != p.Legal():
			want, promise = p.Legal()&^wins, "avoid"
			levels = append(levels, ai.Easy)
		case wins != 0 && !rules.Misere():
			levels = append(append(levels, ai.Medium, ai.Hard), fair...)
		case blocks.Len() == 1 && !rules.Misere():
			want, promise = blocks, "block"
			levels = append(append(levels, ai.Hard), fair[9:]...)
		default:
			continue
		}
		counts[promise]++
		// Minimax takes long on large boards. Where marks fall it may leave a threat whose block loses as soon.
		if (i%20 == 0 || rules.Squares() == 9) && !(promise == "block" && rules.Gravity()) {
			counts["of minimax"]++
			levels = append(levels, ai.Minimax)
		}
		for _, level := range levels {
			if odds := must(engines[level].Odds(p)); odds.Squares()&^want != 0 {
				t.Fatalf("%s does not %s: %s, %s to move", level, promise, p, p.Turn())
			}
		}
	}
	t.Logf("%v", counts)
}
