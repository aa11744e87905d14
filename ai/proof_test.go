package ai_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// claim is a row of docs/proofs.md: a level, a rule set and a side, and the numbers of its proof.
type claim struct {
	name    string
	cells   []string
	numbers []string
}

// positions returns the number of positions of the proof.
func (c claim) positions() int { return must(strconv.Atoi(c.numbers[0])) }

// claims reads the claims of docs/proofs.md. No claim may be missing there, and no answer may take too many nodes.
func claims(t *testing.T) []claim {
	t.Helper()
	missing := map[string]bool{"minimax classic X": true, "minimax classic O": true}
	for _, level := range []ai.Level{ai.Teacher, ai.Unbeatable} {
		for _, offer := range game.Offered() {
			for _, side := range []game.Mark{game.X, game.O} {
				missing[fmt.Sprintf("%s %s %s", level, offer.Name, side)] = true
			}
		}
	}
	var all []claim
	for line := range strings.Lines(string(must(os.ReadFile("../docs/proofs.md")))) {
		cells := strings.Fields(strings.ReplaceAll(line, "|", " "))
		if len(cells) != 11 || !missing[strings.Join(cells[:3], " ")] {
			continue
		}
		c := claim{strings.Join(cells[:3], " "), cells[:3], cells[3:10]}
		delete(missing, c.name)
		if longest := must(strconv.Atoi(c.numbers[6])); longest > 60_000 {
			t.Errorf("%s: an answer takes %d nodes, want 60,000 at most", c.name, longest)
		}
		all = append(all, c)
	}
	for name := range missing {
		t.Errorf("the page does not name %s", name)
	}
	return all
}

// prove repeats the proof of the claim, and compares all numbers with docs/proofs.md.
func (c claim) prove(t *testing.T) {
	t.Parallel()
	side := game.X
	if c.cells[2] == "O" {
		side = game.O
	}
	player := newEngine(must(ai.ParseLevel(c.cells[0])), must(ai.NewSolver(must(game.ParseRules(c.cells[1])))))
	p, err := ai.Prove(t.Context(), player, side, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range []int{p.Positions, p.Decisions, p.Replies, p.Judged, p.Nodes(0.5), p.Nodes(0.99), p.Nodes(1)} {
		got = append(got, strconv.Itoa(n))
	}
	if diff := cmp.Diff(c.numbers, got); diff != "" {
		t.Errorf("positions, decisions, replies, judged; nodes: median, 99 %%, longest (-page +proof):\n%s", diff)
	}
}

// quickProof is the largest number of positions of a proof that runs in every test run. longProof is the same limit for the long
// tests.
const quickProof, longProof = 30_000, 100_000

// TestProofsOnThePage proves the claims of docs/proofs.md again, except the slow ones.
func TestProofsOnThePage(t *testing.T) {
	for _, c := range claims(t) {
		if c.positions() <= quickProof {
			t.Run(c.name, c.prove)
		}
	}
}

func TestLargeProofsOnThePage(t *testing.T) {
	longtest.Only(t)
	for _, c := range claims(t) {
		if n := c.positions(); n > quickProof && n <= longProof {
			t.Run(c.name, c.prove)
		}
	}
}

// TestTheProofFailsOnLargeBoards checks that the proof fails for levels that can be beaten.
func TestTheProofFailsOnLargeBoards(t *testing.T) {
	rules := must(game.ParseRules("4x4x4"))
	var flaw *ai.Flaw
	for _, level := range []ai.Level{ai.Random, ai.Easy, ai.Textbook} {
		player := newEngine(level, must(ai.NewSolver(rules)))
		if _, err := ai.Prove(t.Context(), player, game.O, nil); !errors.As(err, &flaw) {
			t.Errorf("%s: error %v, want a flaw", level, err)
			continue
		}
		wantShown(t, flaw)
	}
}

// TestTheProofFindsOneWrongMoveOnALargeBoard checks that the proof fails for one wrong answer among many thousands.
func TestTheProofFindsOneWrongMoveOnALargeBoard(t *testing.T) {
	longtest.Only(t)
	var flaw *ai.Flaw
	rules := must(game.ParseRules("5x4x4+gravity"))
	solver := must(ai.NewSolver(rules))
	player := newEngine(ai.Unbeatable, solver)
	var planted int
	for p := game.Start(rules); p.Legal() != 0 && planted < 4; {
		squares := solver.Holding(p)
		if p.Turn() == game.X {
			for s := range (p.Legal() &^ squares).All() {
				planted++
				if _, err := ai.Prove(t.Context(), ai.Erring(player, p, s), game.X, nil); !errors.As(err, &flaw) {
					t.Errorf("%s in %s: error %v, want a flaw", rules.Name(s), p, err)
				}
			}
			squares = must(player.Odds(p)).Squares()
		}
		for s := range squares.All() {
			p = must(p.Play(s))
			break
		}
	}
	if planted == 0 {
		t.Error("no error was planted")
	}
}

// wantShown checks that the moves of a flaw lead to its position, and that the last of them is an error.
func wantShown(t *testing.T, flaw *ai.Flaw) {
	t.Helper()
	rules := flaw.Position.Rules()
	record, err := game.Replay(rules, flaw.Moves...)
	if err != nil || record.Len() == 0 {
		t.Fatalf("%v: %v", flaw, err)
	}
	if before := record.First(record.Len() - 1).Position(); before != flaw.Position {
		t.Errorf("%v: the moves lead to %s", flaw, before)
	}
	review := must(ai.NewSolver(rules)).Review(record)
	if last := review[len(review)-1]; !last.Grade.Error() || last.Best.Value != flaw.Best {
		t.Errorf("%v: the last move is graded %q", flaw, last.Grade)
	}
}

func TestProofsOfSmallBoards(t *testing.T) {
	for _, text := range []string{"3x3x3", "3x3x3+misere", "3x3x3+keep3", "4x3x3+gravity"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		for _, side := range []game.Mark{game.X, game.O} {
			for _, level := range []ai.Level{ai.Unbeatable, ai.Teacher} {
				if level == ai.Teacher && rules.Vanish() {
					continue // the judge takes seconds for this rule set, and the unbeatable level plays the same moves
				}
				proof, err := ai.Prove(t.Context(), newEngine(level, solver), side, nil)
				if err != nil {
					t.Errorf("%s, %s as %s: %v", rules, level, side, err)
				}
				t.Logf("%s, %s as %s: %+v", rules, level, side, proof)
			}
			var flaw *ai.Flaw
			if _, err := ai.Prove(t.Context(), newEngine(ai.Random, solver), side, nil); !errors.As(err, &flaw) {
				t.Errorf("%s, random as %s: error %v, want a flaw", rules, side, err)
				continue
			}
			wantShown(t, flaw)
		}
	}

	t.Run("a proof can be cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		player := newEngine(ai.Unbeatable, must(ai.NewSolver(game.Classic())))
		if _, err := ai.Prove(ctx, player, game.X, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
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

	// The first side wins with its second mark: there is one position before the first move, 15 after it, 15 x 14 after the answer.
	rules = must(game.NewRules(5, 3, 2))
	proof, err := ai.Prove(t.Context(), newEngine(ai.Minimax, must(ai.NewSolver(rules))), game.X, nil)
	if err != nil || proof.Positions != 1+15+15*14 {
		t.Errorf("%d positions, want 226: %v", proof.Positions, err)
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
