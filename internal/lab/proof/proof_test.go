package proof_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/lab/proof"
	"tictactoe/internal/longtest"
)

// must returns the value, and panics on an error. It is for values that the tests themselves chose.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// prove proves a level of the solver as a side.
func prove(t *testing.T, level ai.Level, solver *ai.Solver, side game.Mark) (proof.Proof, error) {
	t.Helper()
	return proof.Prove(t.Context(), must(ai.NewEngine(level, solver, nil)), solver.Nodes, side, nil)
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
	for line := range strings.Lines(string(must(os.ReadFile("../../../docs/proofs.md")))) {
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
	p, err := prove(t, must(ai.ParseLevel(c.cells[0])), must(ai.NewSolver(must(game.ParseRules(c.cells[1])))), side)
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
	var flaw *proof.Flaw
	for _, level := range []ai.Level{ai.Random, ai.Easy, ai.Textbook} {
		if _, err := prove(t, level, must(ai.NewSolver(rules)), game.O); !errors.As(err, &flaw) {
			t.Errorf("%s: error %v, want a flaw", level, err)
			continue
		}
		wantShown(t, flaw)
	}
}

// An erring player plays a bad square in one position and its images, and otherwise plays like the engine.
type erring struct {
	*ai.Engine
	where game.Position
	bad   game.Square
}

func (e erring) Odds(p game.Position) (ai.Odds, error) {
	for _, y := range p.Rules().Symmetries() {
		if e.where.Image(y) == p {
			var odds ai.Odds
			odds[p.Rules().Image(e.bad, y)] = 1
			return odds, nil
		}
	}
	return e.Engine.Odds(p)
}

// TestTheProofFindsOneWrongMove checks that the proof fails for one wrong answer.
func TestTheProofFindsOneWrongMove(t *testing.T) { wantErrorsFound(t, "4x3x3") }

// TestTheProofFindsOneWrongMoveOnALargeBoard checks that the proof fails for one wrong answer among many thousands.
func TestTheProofFindsOneWrongMoveOnALargeBoard(t *testing.T) {
	longtest.Only(t)
	wantErrorsFound(t, "5x4x4+gravity")
}

// wantErrorsFound plants a few errors into a game of the unbeatable level as X, one at a time.
func wantErrorsFound(t *testing.T, text string) {
	t.Helper()
	var flaw *proof.Flaw
	rules := must(game.ParseRules(text))
	solver := must(ai.NewSolver(rules))
	player := must(ai.NewEngine(ai.Unbeatable, solver, nil))
	var planted int
	for p := game.Start(rules); p.Legal() != 0 && planted < 4; {
		squares := solver.Holding(p)
		if p.Turn() == game.X {
			for s := range (p.Legal() &^ squares).All() {
				planted++
				if _, err := proof.Prove(t.Context(), erring{player, p, s}, solver.Nodes, game.X, nil); !errors.As(err, &flaw) {
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
func wantShown(t *testing.T, flaw *proof.Flaw) {
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
				p, err := prove(t, level, solver, side)
				if err != nil {
					t.Errorf("%s, %s as %s: %v", rules, level, side, err)
				}
				t.Logf("%s, %s as %s: %+v", rules, level, side, p)
			}
			var flaw *proof.Flaw
			if _, err := prove(t, ai.Random, solver, side); !errors.As(err, &flaw) {
				t.Errorf("%s, random as %s: error %v, want a flaw", rules, side, err)
				continue
			}
			wantShown(t, flaw)
		}
	}

	t.Run("the zero player is refused", func(t *testing.T) {
		if _, err := proof.Prove(t.Context(), &ai.Engine{}, new(ai.Solver).Nodes, game.X, nil); !errors.Is(err, game.ErrRules) {
			t.Errorf("error %v, want %v", err, game.ErrRules)
		}
	})
	t.Run("a proof can be cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		solver := must(ai.NewSolver(game.Classic()))
		player := must(ai.NewEngine(ai.Unbeatable, solver, nil))
		if _, err := proof.Prove(ctx, player, solver.Nodes, game.X, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	})
}

// A mute player has no move in any position.
type mute struct{ *ai.Engine }

func (mute) Odds(game.Position) (ai.Odds, error) { return ai.Odds{}, nil }

func TestAPlayerWithoutAMoveIsNotProved(t *testing.T) {
	for _, text := range []string{"3x3x3", "3x3x3+misere"} {
		player := mute{must(ai.NewPlainEngine(ai.Random, must(game.ParseRules(text)), nil))}
		if _, err := proof.Prove(t.Context(), player, new(ai.Solver).Nodes, game.X, nil); err == nil {
			t.Errorf("%s: a player that never moves is proved", text)
		}
	}
}

func TestTooManyPositionsAreRefused(t *testing.T) {
	player := must(ai.NewPlainEngine(ai.Random, must(game.ParseRules("4x4x4+misere")), nil))
	if _, err := proof.Prove(t.Context(), player, new(ai.Solver).Nodes, game.X, nil); err == nil || !strings.Contains(err.Error(), "too many positions") {
		t.Errorf("error %v, want that there are too many positions", err)
	}
}

// TestEachImageOfMinimaxIsProved checks that a proof of minimax plays all images of a position: the first side wins with its second
// mark, so there is one position before the first move, 15 after it, and 15 x 14 after the answer.
func TestEachImageOfMinimaxIsProved(t *testing.T) {
	p, err := prove(t, ai.Minimax, must(ai.NewSolver(must(game.NewRules(5, 3, 2)))), game.X)
	if err != nil || p.Positions != 1+15+15*14 {
		t.Errorf("%d positions, want 226: %v", p.Positions, err)
	}
}
