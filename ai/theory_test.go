package ai_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
)

// The numbers in this file were computed by independent programs.

func TestRunningGamesOfClassicBySideToMove(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	got := map[game.Mark]map[ai.Value]int{game.X: {}, game.O: {}}
	for _, p := range positions(game.Classic()) {
		if p.Starter() == game.X && p.Legal() != 0 {
			got[p.Turn()][solver.Eval(p).Value]++
		}
	}
	want := map[game.Mark]map[ai.Value]int{
		game.X: {ai.Loss: 152, ai.Draw: 441, ai.Win: 1830},
		game.O: {ai.Loss: 480, ai.Draw: 611, ai.Win: 1006},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("positions (-want +got):\n%s", diff)
	}
}

func TestMovesOfClassicThatKeepTheValueButNotThePlies(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	var fastest, slower, sooner int
	for _, p := range positions(game.Classic()) {
		if p.Starter() == game.O || p.Legal() == 0 {
			continue
		}
		best, holding := solver.Best(p).Len(), solver.Holding(p).Len()
		switch solver.Eval(p).Value {
		case ai.Win:
			fastest, slower = fastest+best, slower+holding-best
		case ai.Loss:
			sooner += holding - best
		}
	}
	if fastest != 3430 || slower != 1228 || sooner != 512 {
		t.Errorf("%d moves win fastest, %d slower, %d lose sooner than necessary; want 3430, 1228, 512", fastest, slower, sooner)
	}
}

// TestGamesOfClassicAgainstRandom checks the exact fractions of games won, as X and as O, against a random player.
func TestGamesOfClassicAgainstRandom(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	first := func(p game.Position) ai.Odds { return firstBest(solver, p) }
	for _, test := range []struct {
		name     string
		who      player
		asX, asO float64
	}{
		{"random", random, 737. / 1260, 121. / 420},
		{"the first best square", first, 191. / 192, 254. / 315},
		{"a perfect player that wins most often", mostWins(solver), 191. / 192, 866. / 945},
	} {
		asX := expect(test.who, random, game.Start(game.Classic()), map[game.Position]chances{}).win
		asO := expect(random, test.who, game.Start(game.Classic()), map[game.Position]chances{}).loss
		if math.Abs(asX-test.asX) > 1e-12 || math.Abs(asO-test.asO) > 1e-12 {
			t.Errorf("%s wins %.6f as X and %.6f as O, want %.6f and %.6f", test.name, asX, asO, test.asX, test.asO)
		}
	}
}

// mostWins returns the player that plays, of the squares that keep the value, the square that wins most often against random.
func mostWins(solver *ai.Solver) player {
	var won func(p game.Position, side game.Mark) float64
	choose := func(p game.Position) (best game.Square, most float64) {
		most = -1
		for s := range solver.Holding(p).All() {
			if share := won(must(p.Play(s)), p.Turn()); share > most {
				best, most = s, share
			}
		}
		return best, most
	}
	type asked struct {
		p    game.Position
		side game.Mark
	}
	known := map[asked]float64{}
	won = func(p game.Position, side game.Mark) float64 {
		if p.Legal() == 0 {
			if p.Outcome().Winner() == side {
				return 1
			}
			return 0
		}
		if share, ok := known[asked{p, side}]; ok {
			return share
		}
		var share float64
		if p.Turn() == side {
			_, share = choose(p)
		} else {
			for _, next := range p.Moves() {
				share += won(next, side) / float64(p.Legal().Len())
			}
		}
		known[asked{p, side}] = share
		return share
	}
	return func(p game.Position) ai.Odds {
		s, _ := choose(p)
		return evenly(game.SetOf(s))
	}
}

// TestTrapsInTheOpening checks which replies hold the draw after openings that are traps.
func TestTrapsInTheOpening(t *testing.T) {
	t.Run("on 5x4 one reply fails against b1", func(t *testing.T) {
		rules := must(game.ParseRules("5x4x4"))
		p := must(game.Start(rules).Play(1))
		if got, want := must(ai.NewSolver(rules)).Holding(p), rules.Board()&^game.SetOf(1, 17); got != want {
			t.Errorf("%020b hold, want %020b", got, want)
		}
	})
	t.Run("on 4x4 every reply to every opening holds", func(t *testing.T) {
		rules := must(game.ParseRules("4x4x4"))
		solver := must(ai.NewSolver(rules))
		for s, p := range game.Start(rules).Moves() {
			if got, want := solver.Holding(p), rules.Board()&^game.SetOf(s); got != want {
				t.Errorf("after %s %016b hold, want %016b", rules.Name(s), got, want)
			}
		}
	})
	t.Run("on 5x5 with gravity every column holds", func(t *testing.T) {
		rules := must(game.ParseRules("drop-5x5"))
		p := game.Start(rules)
		if got := must(ai.NewSolver(rules)).Holding(p); got != p.Legal() {
			t.Errorf("%025b hold, want %025b", got, p.Legal())
		}
	})
}

// TestPositionsOfInfiniteByValue counts by value the 73,450 positions from the view of the side to move if each side keeps three
// marks.
func TestPositionsOfInfiniteByValue(t *testing.T) {
	rules := must(game.ParseRules("infinite"))
	solver := must(ai.NewSolver(rules))
	var over, longest int
	got := map[ai.Value]int{}
	for _, p := range positions(rules) {
		if p.Turn() == game.O {
			continue // count each position once: it occurs with either side to move
		}
		e := solver.Eval(p)
		if p.Legal() == 0 {
			over++
			continue
		}
		got[e.Value]++
		if e.Value == ai.Win {
			longest = max(longest, e.Plies)
		}
	}
	if diff := cmp.Diff(map[ai.Value]int{ai.Win: 45709, ai.Draw: 7585, ai.Loss: 13388}, got); diff != "" || over != 6768 || longest != 17 {
		t.Errorf("%d over, want 6768; the longest win takes %d plies, want 17; by value (-want +got):\n%s", over, longest, diff)
	}
}

// TestSolverAgreesWithTheJudgeInTheMiddleOfAGame checks the search in the middle of a game on every kind of board. The positions have
// few empty squares, since the judge slowly plays on to the end.
func TestSolverAgreesWithTheJudgeInTheMiddleOfAGame(t *testing.T) {
	const games = 24
	most := 7 // the number of empty squares
	if underRace {
		most = 6
	}
	values := map[ai.Value]int{}
	for _, text := range []string{
		"4x4x4", "4x4x3", "4x4x2", "5x3x3", "5x3x4", "3x5x5", "5x4x3", "5x4x4", "4x5x4", "5x4x5", "5x5x3", "5x5x4", "5x5x5",
		"4x4x4+gravity", "5x3x3+gravity", "5x4x4+gravity", "4x5x4+gravity", "5x5x3+gravity", "5x5x4+gravity", "5x5x5+gravity",
		"4x3x3+misere", "4x3x3+gravity+misere", "4x3x4",
	} {
		rules := must(game.ParseRules(text))
		solver, chance := must(ai.NewSolver(rules)), rand.New(rand.NewPCG(11, 12))
		for i := range games {
			j := newJudge(rules) // a new judge for each position, because the memory of a shared one would grow too large
			p := middle(rules, most-i%4, chance)
			got, want := solver.Eval(p), j.of(p)
			if got != want {
				t.Errorf("%s: %s, %s to move: %s, want %s", rules, p, p.Turn(), got, want)
			}
			values[want.Value]++
		}
	}
	for _, v := range []ai.Value{ai.Win, ai.Draw, ai.Loss} {
		if values[v] < 50 {
			t.Errorf("only %d positions are a %s", values[v], v)
		}
	}
}

// middle returns a random position with the given number of empty squares, or fewer on a small board. Neither side can win at once,
// unless all attempts end in such a position.
func middle(rules game.Rules, empty int, chance *rand.Rand) game.Position {
	empty = min(empty, rules.Squares()-3)
	for tries := 0; ; tries++ {
		p := game.StartWith(rules, game.X+game.Mark(chance.IntN(2)))
		for p.Legal() != 0 && p.Marks(game.None).Len() > empty {
			p = must(p.Play(draw(random(p), chance)))
		}
		quiet := p.Legal() != 0 && p.Threats(p.Turn()) == 0
		if quiet || tries > 1000 {
			return p
		}
	}
}
