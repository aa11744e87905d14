package ai_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// must returns the value, and panics on an error. It is for values that the tests themselves chose.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// everyRules lists all rule sets with at most the given number of squares.
func everyRules(squares int) []game.Rules {
	var all []game.Rules
	for width := 1; width <= game.MaxSide; width++ {
		for height := 1; height <= game.MaxSide; height++ {
			for run := 1; run <= max(width, height) && width*height <= squares; run++ {
				all = append(all, must(game.NewRules(width, height, run)))
			}
		}
	}
	return all
}

// smallRules lists the rule sets that the slow judge can evaluate: all up to 9 squares, and one that has the largest size for a
// table and that X wins.
func smallRules() []game.Rules {
	all := append(everyRules(9), must(game.NewRules(4, 3, 3)))
	for _, text := range []string{
		"3x3x3+misere", "3x3x2+misere", "3x3x3+gravity", "3x2x3+gravity+misere", "4x3x3+gravity", "3x3x3+keep3",
	} {
		all = append(all, must(game.ParseRules(text)))
	}
	return all
}

// positions lists every reachable position, with either side beginning.
func positions(rules game.Rules) []game.Position {
	var all []game.Position
	seen := map[game.Position]bool{}
	var visit func(p game.Position)
	visit = func(p game.Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		all = append(all, p)
		for _, next := range p.Moves() {
			visit(next)
		}
	}
	visit(game.StartWith(rules, game.X))
	visit(game.StartWith(rules, game.O))
	return all
}

// compare returns an error for the first position about which the solver and the judge disagree.
func compare(solver *ai.Solver, j *judge, positions []game.Position) error {
	for _, p := range positions {
		if got, want := solver.Eval(p), j.of(p); got != want {
			return fmt.Errorf("%s, %s to move: %s, want %s", p, p.Turn(), got, want)
		}
	}
	return nil
}

func TestSolverAgreesWithTheJudge(t *testing.T) {
	rules := game.Classic()
	if err := compare(must(ai.NewSolver(rules)), newJudge(rules), positions(rules)); err != nil {
		t.Error(err)
	}
}

func TestSolverAgreesWithTheJudgeOnAllSmallBoards(t *testing.T) {
	longtest.Only(t)
	for _, rules := range smallRules() {
		if err := compare(must(ai.NewSolver(rules)), newJudge(rules), positions(rules)); err != nil {
			t.Errorf("%s: %v", rules, err)
		}
	}
}

func TestTheJudgeNoticesOneWrongEntry(t *testing.T) {
	solver, j, all := must(ai.NewSolver(game.Classic())), newJudge(game.Classic()), positions(game.Classic())
	for i, p := range all {
		if i%50 != 0 {
			continue
		}
		right := j.of(p)
		for _, wrong := range []ai.Eval{{Value: ai.Win, Plies: 1}, {Value: ai.Draw}, {Value: ai.Loss, Plies: right.Plies + 2}} {
			if wrong.Value == right.Value && (wrong.Plies == right.Plies || wrong.Value == ai.Draw) {
				continue
			}
			if compare(ai.WithError(solver, p, wrong), j, all) == nil {
				t.Errorf("the judge did not detect that %s is %s, not %s", p, right, wrong)
			}
		}
	}
}

// TestSolverOfClassic compares the solver with numbers that other programs computed, like the tests below. The number of positions
// by value is also in the header comment of GamesmanClassic's mttt.c.
func TestSolverOfClassic(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	var all []game.Position
	for _, p := range positions(game.Classic()) {
		if p.Starter() == game.X {
			all = append(all, p)
		}
	}

	t.Run("positions by value", func(t *testing.T) {
		got, gotCanonical := map[ai.Value]int{}, map[ai.Value]int{}
		for _, p := range all {
			got[solver.Eval(p).Value]++
			if p == p.Canonical() {
				gotCanonical[solver.Eval(p).Value]++
			}
		}
		if diff := cmp.Diff(map[ai.Value]int{ai.Win: 2836, ai.Draw: 1068, ai.Loss: 1574}, got); diff != "" {
			t.Errorf("all (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[ai.Value]int{ai.Win: 390, ai.Draw: 151, ai.Loss: 224}, gotCanonical); diff != "" {
			t.Errorf("up to symmetry (-want +got):\n%s", diff)
		}
	})

	t.Run("running games by evaluation", func(t *testing.T) {
		got := map[ai.Eval]int{}
		for _, p := range all {
			if p.Outcome() == game.InProgress {
				got[solver.Eval(p)]++
			}
		}
		want := map[ai.Eval]int{
			{Value: ai.Loss, Plies: 2}: 508, {Value: ai.Loss, Plies: 4}: 124,
			{Value: ai.Win, Plies: 1}: 2358, {Value: ai.Win, Plies: 3}: 356, {Value: ai.Win, Plies: 5}: 122,
		}
		for i, n := range []int{80, 200, 200, 264, 136, 138, 24, 9, 1} {
			want[ai.Eval{Value: ai.Draw, Plies: i + 1}] = n
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("evaluations (-want +got):\n%s", diff)
		}
	})

	t.Run("moves", func(t *testing.T) {
		var legal, holding, best, critical int
		holdingSizes, bestSizes := map[int]int{}, map[int]int{}
		transitions := map[[2]ai.Value]int{}
		for _, p := range all {
			if p.Outcome() != game.InProgress {
				continue
			}
			h, b := solver.Holding(p), solver.Best(p)
			legal, holding, best = legal+p.Legal().Len(), holding+h.Len(), best+b.Len()
			holdingSizes[h.Len()]++
			bestSizes[b.Len()]++
			if h != p.Legal() {
				critical++
			}
			for _, m := range solver.Moves(p) {
				transitions[[2]ai.Value{solver.Eval(p).Value, m.Eval.Value}]++
			}
		}
		if legal != 16167 || holding != 8863 || best != 7123 || critical != 3191 {
			t.Errorf("%d legal moves, %d hold the value, %d are best, %d positions allow a mistake; want 16167, 8863, 7123, 3191",
				legal, holding, best, critical)
		}
		if diff := cmp.Diff(map[int]int{1: 2406, 2: 892, 3: 520, 4: 499, 5: 116, 6: 74, 7: 12, 9: 1}, holdingSizes); diff != "" {
			t.Errorf("positions by the number of moves that hold (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[int]int{1: 3142, 2: 664, 3: 280, 4: 395, 5: 16, 6: 10, 7: 12, 9: 1}, bestSizes); diff != "" {
			t.Errorf("positions by the number of best moves (-want +got):\n%s", diff)
		}
		wantTransitions := map[[2]ai.Value]int{
			{ai.Win, ai.Win}: 4658, {ai.Win, ai.Draw}: 1384, {ai.Win, ai.Loss}: 3816,
			{ai.Draw, ai.Draw}: 1789, {ai.Draw, ai.Loss}: 2104, {ai.Loss, ai.Loss}: 2416,
		}
		if diff := cmp.Diff(wantTransitions, transitions); diff != "" {
			t.Errorf("moves by value before and after (-want +got):\n%s", diff)
		}
	})

	t.Run("replies to an opening", func(t *testing.T) {
		corners, centre := game.SetOf(0, 2, 6, 8), game.SetOf(4)
		for opening, want := range map[game.Square]game.Bitboard{
			0: centre, 2: centre, 6: centre, 8: centre,
			1: game.SetOf(0, 2, 4, 7), 3: game.SetOf(0, 6, 4, 5), 5: game.SetOf(2, 8, 4, 3), 7: game.SetOf(6, 8, 4, 1),
			4: corners,
		} {
			p := must(game.Start(game.Classic()).Play(opening))
			for _, m := range solver.Moves(p) {
				eval := ai.Eval{Value: ai.Loss, Plies: 6}
				if want.Has(m.Square) {
					eval = ai.Eval{Value: ai.Draw, Plies: 8}
				}
				if m.Eval != eval {
					t.Errorf("%s: %s is a %s, want a %s", p, p.Rules().Name(m.Square), m.Eval, eval)
				}
			}
			if got := solver.Best(p); got != want {
				t.Errorf("%s: best %v, want %v", p, got, want)
			}
		}
	})
}

// TestEmptyBoards compares the values of empty boards with published values: D. Friedman 2020, Uiterwijk 2017, Winning Ways.
func TestEmptyBoards(t *testing.T) {
	for _, rules := range everyRules(ai.TableSquares) {
		var want ai.Eval
		long, short := max(rules.Width(), rules.Height()), min(rules.Width(), rules.Height())
		switch k := rules.Run(); {
		case k == 1:
			want = ai.Eval{Value: ai.Win, Plies: 1}
		case k == 2 && (long >= 3 || short >= 2):
			want = ai.Eval{Value: ai.Win, Plies: 3}
		case k == 3 && long >= 4 && short >= 3:
			want = ai.Eval{Value: ai.Win, Plies: 7}
		default:
			want = ai.Eval{Value: ai.Draw, Plies: rules.Squares()}
		}
		solver := must(ai.NewSolver(rules))
		for _, starter := range []game.Mark{game.X, game.O} {
			if got := solver.Eval(game.StartWith(rules, starter)); got != want {
				t.Errorf("%s, %s begins: %s, want %s", rules, starter, got, want)
			}
		}
	}

	t.Run("on 4x3 two openings lose", func(t *testing.T) {
		rules := must(game.NewRules(4, 3, 3))
		solver := must(ai.NewSolver(rules))
		var losing []string
		for _, m := range solver.Moves(game.Start(rules)) {
			if m.Eval.Value == ai.Loss {
				losing = append(losing, fmt.Sprintf("%s: %s", rules.Name(m.Square), m.Eval))
			}
		}
		if diff := cmp.Diff([]string{"a2: loss in 10", "d2: loss in 10"}, losing); diff != "" {
			t.Errorf("losing openings (-want +got):\n%s", diff)
		}
	})
}

func TestFinishedPositions(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	for text, want := range map[string]ai.Eval{
		"XXX/OO./...": {Value: ai.Loss},
		"XXO/OOX/XXO": {Value: ai.Draw},
	} {
		p := must(game.ParsePosition(game.Classic(), text))
		if got := solver.Eval(p); got != want {
			t.Errorf("%s: %s, want %s", p, got, want)
		}
		if len(solver.Moves(p)) != 0 || solver.Best(p) != 0 || solver.Holding(p) != 0 {
			t.Errorf("%s: there are moves, want none", p)
		}
	}
}

func TestNewSolverRefuses(t *testing.T) {
	if _, err := ai.NewSolver(game.Rules{}); !errors.Is(err, game.ErrRules) {
		t.Errorf("the zero value: error %v, want %v", err, game.ErrRules)
	}
}

func TestSolverPanicsOnOtherRules(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	other := game.Start(must(game.NewRules(4, 3, 3)))
	for name, ask := range map[string]func(){
		"Eval": func() { solver.Eval(other) }, "Moves": func() { solver.Moves(other) },
		"Best": func() { solver.Best(other) }, "Holding": func() { solver.Holding(other) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			ask()
		})
	}
}

func TestUnsolvableRulesAreRefused(t *testing.T) {
	for _, text := range []string{"5x4x4+misere", "5x5x3+misere", "4x4x3+keep3", "4x4x4+keep7", "5x5x3+keep12"} {
		rules := must(game.ParseRules(text))
		if _, err := ai.NewSolver(rules); !errors.Is(err, ai.ErrUnsolved) || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: error %v, want %v", text, err, ai.ErrUnsolved)
		}
	}
	if _, err := ai.NewSolver(game.Rules{}); !errors.Is(err, game.ErrRules) {
		t.Errorf("the zero value: error %v, want %v", err, game.ErrRules)
	}
}
