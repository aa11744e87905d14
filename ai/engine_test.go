package ai_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/ai"
	"tictactoe/game"
)

func TestLevels(t *testing.T) {
	names := []string{"random", "easy", "textbook", "medium", "hard", "minimax", "teacher", "unbeatable"}
	if diff := cmp.Diff(names, ai.LevelNames()); diff != "" {
		t.Errorf("levels (-want +got):\n%s", diff)
	}
	table := must(ai.NewSolver(game.Classic()))
	for i, level := range ai.Levels() {
		engine, err := ai.NewEngine(level, table, rand.NewPCG(1, 2))
		if err != nil || engine.Level() != level || engine.Rules() != game.Classic() {
			t.Errorf("%s: an engine of level %s, error %v", level, engine.Level(), err)
		}
		if read, err := ai.ParseLevel(names[i]); read != level || err != nil {
			t.Errorf("%s was read as %s with error %v", names[i], read, err)
		}
		text := must(json.Marshal(level))
		var read ai.Level
		if err := json.Unmarshal(text, &read); read != level || err != nil || string(text) != `"`+names[i]+`"` {
			t.Errorf("%s was written as %s and read as %s with error %v", level, text, read, err)
		}
	}
	for _, name := range []string{"", "Easy", "impossible", "no level"} {
		if _, err := ai.ParseLevel(name); !errors.Is(err, ai.ErrLevel) {
			t.Errorf("%q: error %v, want %v", name, err, ai.ErrLevel)
		}
	}
	for _, level := range []ai.Level{0, ai.Fair(ai.MaxSkill) + 1, 255} {
		if _, err := ai.NewEngine(level, table, nil); !errors.Is(err, ai.ErrLevel) {
			t.Errorf("level %d: error %v, want %v", level, err, ai.ErrLevel)
		}
		if _, err := ai.NewPlainEngine(level, game.Classic(), nil); !errors.Is(err, ai.ErrLevel) {
			t.Errorf("plain level %d: error %v, want %v", level, err, ai.ErrLevel)
		}
		if _, err := json.Marshal(level); !errors.Is(err, ai.ErrLevel) {
			t.Errorf("level %d was written: error %v, want %v", level, err, ai.ErrLevel)
		}
	}
}

func TestChooseRefuses(t *testing.T) {
	table := must(ai.NewSolver(game.Classic()))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		p    game.Position
		want error
	}{
		{"a won game", t.Context(), must(game.ParsePosition(game.Classic(), "XXX/OO./...")), ai.ErrGameOver},
		{"a full board", t.Context(), must(game.ParsePosition(game.Classic(), "XXO/OOX/XXO")), ai.ErrGameOver},
		{"a position of other rules", t.Context(), game.Start(must(game.NewRules(4, 3, 3))), ai.ErrOtherRules},
		{"the zero position", t.Context(), game.Position{}, ai.ErrOtherRules},
		{"a cancelled context", cancelled, game.Start(game.Classic()), context.Canceled},
	} {
		for _, level := range ai.Levels() {
			t.Run(test.name+" at level "+level.String(), func(t *testing.T) {
				player := newEngine(level, table)
				if _, err := player.Choose(test.ctx, test.p); !errors.Is(err, test.want) {
					t.Errorf("error %v, want %v", err, test.want)
				}
			})
		}
	}
}

func TestEasyOverlooks(t *testing.T) {
	player := newEngine(ai.Easy, must(ai.NewSolver(game.Classic())))
	for _, test := range []struct {
		name, position string
		want           map[game.Square]float64
	}{
		{"one win in seven", "XX./.OO/...", map[game.Square]float64{
			2: 0.85 + 0.15*0.50/5, // the right move is seen, or played by chance
			3: 0.15 * (0.50 + 0.50/5),
			6: 0.15 * 0.50 / 5, 7: 0.15 * 0.50 / 5, 8: 0.15 * 0.50 / 5,
		}},
		{"every other threat", "X../.X./O..", map[game.Square]float64{
			8: 0.50 + 0.50/6, // the right move is seen, or played by chance
			1: 0.50 / 6, 2: 0.50 / 6, 3: 0.50 / 6, 5: 0.50 / 6, 7: 0.50 / 6,
		}},
		{"two wins no more than one", "XX./XO./.OO", map[game.Square]float64{
			2: 0.85/2 + 0.15*0.50/3,
			5: 0.15 * 0.50 / 3,
			6: 0.85/2 + 0.15*(0.50+0.50/3), // the move wins and also blocks
		}},
		{"nothing where there is nothing", "X.O/.../...", map[game.Square]float64{
			1: 1. / 7, 3: 1. / 7, 4: 1. / 7, 5: 1. / 7, 6: 1. / 7, 7: 1. / 7, 8: 1. / 7,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			odds, err := player.Odds(must(game.ParsePosition(game.Classic(), test.position)))
			if err != nil {
				t.Fatal(err)
			}
			for s, got := range odds {
				if want := test.want[game.Square(s)]; math.Abs(got-want) > 1e-12 {
					t.Errorf("square %d has chance %.4f, want %.4f", s, got, want)
				}
			}
		})
	}
}

func TestOddsAddUpToOneAndAreOnLegalSquares(t *testing.T) {
	table := must(ai.NewSolver(game.Classic()))
	for _, level := range ai.Levels() {
		player := newEngine(level, table)
		for _, p := range positions(game.Classic()) {
			if p.Outcome() != game.InProgress {
				continue
			}
			odds, err := player.Odds(p)
			if err != nil {
				t.Fatal(err)
			}
			var sum float64
			for _, chance := range odds {
				sum += chance
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Errorf("%s in %s: odds add up to %v", level, p, sum)
			}
			if odds.Squares()&^p.Legal() != 0 {
				t.Errorf("%s in %s: may play %b, legal are %b", level, p, odds.Squares(), p.Legal())
			}
		}
	}
}

// chances are the probabilities of the results of a game, for one of the sides.
type chances struct{ win, draw, loss float64 }

// A player returns the odds of each move in a position: the odds of a level, of a random player or of a model of a person.
type player func(game.Position) ai.Odds

func level(l *ai.Engine) player {
	return func(p game.Position) ai.Odds { return must(l.Odds(p)) }
}

func random(p game.Position) ai.Odds {
	var odds ai.Odds
	for s := range p.Legal().All() {
		odds[s] = 1 / float64(p.Legal().Len())
	}
	return odds
}

// expect returns the exact chances of X in a game from p.
func expect(x, o player, p game.Position, known map[game.Position]chances) chances {
	switch p.Outcome() {
	case game.XWins:
		return chances{win: 1}
	case game.OWins:
		return chances{loss: 1}
	case game.Draw:
		return chances{draw: 1}
	}
	if c, ok := known[p]; ok {
		return c
	}
	mover := x
	if p.Turn() == game.O {
		mover = o
	}
	odds := mover(p)
	var sum chances
	for s, next := range p.Moves() {
		if odds[s] == 0 {
			continue
		}
		c := expect(x, o, next, known)
		sum.win += odds[s] * c.win
		sum.draw += odds[s] * c.draw
		sum.loss += odds[s] * c.loss
	}
	known[p] = sum
	return sum
}

// uniform plays all best moves with equal probability.
func uniform(solver *ai.Solver) player {
	return func(p game.Position) ai.Odds { return evenly(solver.Best(p)) }
}

func evenly(squares game.Bitboard) ai.Odds {
	var odds ai.Odds
	for s := range squares.All() {
		odds[s] = 1 / float64(squares.Len())
	}
	return odds
}

// human is a model of a person who takes a win 19 times in 20, blocks a threat four times in five, and otherwise plays a random
// square. The player tactical never misses a win or a threat.
func human(p game.Position) ai.Odds    { return seeing(p, 0.95, 0.80) }
func tactical(p game.Position) ai.Odds { return seeing(p, 1, 1) }

func seeing(p game.Position, win, block float64) ai.Odds {
	odds := evenly(p.Legal())
	for _, eye := range []struct {
		squares game.Bitboard
		chance  float64
	}{{p.Threats(p.Turn().Opponent()), block}, {p.Threats(p.Turn()), win}} {
		if eye.squares == 0 {
			continue
		}
		seen := evenly(eye.squares)
		for s := range odds {
			odds[s] = (1-eye.chance)*odds[s] + eye.chance*seen[s]
		}
	}
	return odds
}

// TestStrength compares results with exact values from other programs, in percent, rounded to one digit.
func TestStrength(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	at := func(name ai.Level) player { return level(newEngine(name, solver)) }
	uniform := uniform(solver)
	for _, test := range []struct {
		name       string
		who, other player
		asX, asO   chances // the chances of the first player, as X and as O
	}{
		{"random against random", random, random, chances{58.5, 12.7, 28.8}, chances{28.8, 12.7, 58.5}},
		{"textbook against random", at(ai.Textbook), random, chances{96, 4, 0}, chances{84.8, 14, 1.2}},
		{"textbook against a human", at(ai.Textbook), human, chances{60.5, 39.5, 0}, chances{27, 58.6, 14.5}},
		{"textbook against a perfect player", at(ai.Textbook), uniform, chances{0, 100, 0}, chances{0, 80.8, 19.2}},
		{"easy against random", at(ai.Easy), random, chances{83.7, 8.7, 7.6}, chances{58.3, 16.6, 25.1}},
		{"easy against a human", at(ai.Easy), human, chances{35.2, 27.2, 37.6}, chances{15.8, 21.8, 62.4}},
		{"easy against a perfect player", at(ai.Easy), uniform, chances{0, 47.2, 52.8}, chances{0, 9.9, 90.1}},
		{"medium against random", at(ai.Medium), random, chances{93.3, 5.9, 0.8}, chances{74.2, 22, 3.7}},
		{"medium against a human", at(ai.Medium), human, chances{63.5, 28.5, 8}, chances{31.1, 53.2, 15.7}},
		{"medium against a perfect player", at(ai.Medium), uniform, chances{0, 89.3, 10.7}, chances{0, 54.9, 45.1}},
		{"hard against random", at(ai.Hard), random, chances{95.8, 4, 0.2}, chances{77, 22.2, 0.8}},
		{"hard against a human", at(ai.Hard), human, chances{77.3, 20.6, 2.1}, chances{32.4, 63.7, 3.9}},
		{"hard against a perfect player", at(ai.Hard), uniform, chances{0, 97.4, 2.6}, chances{0, 86, 14}},
		{"a perfect player against random", uniform, random, chances{96.8, 3.2, 0}, chances{77.7, 22.3, 0}},
		{"unbeatable against random", at(ai.Unbeatable), random, chances{98.6, 1.4, 0}, chances{86, 14, 0}},
		{"unbeatable against tactics", at(ai.Unbeatable), tactical, chances{91, 9, 0}, chances{21.3, 78.7, 0}},
		{"unbeatable against textbook", at(ai.Unbeatable), at(ai.Textbook), chances{83.5, 16.5, 0}, chances{0, 100, 0}},
		{"unbeatable against a human", at(ai.Unbeatable), human, chances{93, 7, 0}, chances{38.8, 61.2, 0}},
		{"unbeatable against itself", at(ai.Unbeatable), at(ai.Unbeatable), chances{0, 100, 0}, chances{0, 100, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			asX := expect(test.who, test.other, game.Start(game.Classic()), map[game.Position]chances{})
			asO := expect(test.other, test.who, game.Start(game.Classic()), map[game.Position]chances{})
			asO.win, asO.loss = asO.loss, asO.win
			for _, c := range []struct {
				side      string
				got, want chances
			}{{"X", asX, test.asX}, {"O", asO, test.asO}} {
				// The wanted percentages of wins, draws and losses are rounded. If two are rounded in the same direction, the third
				// can be off by a tenth.
				if math.Abs(100*c.got.win-c.want.win) > 0.051 || math.Abs(100*c.got.loss-c.want.loss) > 0.051 ||
					math.Abs(100*c.got.draw-c.want.draw) > 0.11 {
					t.Errorf("as %s: wins %.2f %%, draws %.2f %%, loses %.2f %%; want %.1f, %.1f, %.1f", c.side,
						100*c.got.win, 100*c.got.draw, 100*c.got.loss, c.want.win, c.want.draw, c.want.loss)
				}
			}
		})
	}
}

func TestChooseFollowsTheOdds(t *testing.T) {
	const n = 20000
	table := must(ai.NewSolver(game.Classic()))
	for _, level := range ai.Levels() {
		player := newEngine(level, table)
		for _, text := range []string{".../.../...", "X../.../...", "XX./.OO/...", "X.O/.../..."} {
			p := must(game.ParsePosition(game.Classic(), text))
			odds := must(player.Odds(p))
			if odds.Squares().Len() == 1 {
				continue // the choice is not random
			}
			var counts [len(odds)]float64
			for range n {
				counts[must(player.Choose(t.Context(), p))]++
			}
			for s, chance := range odds {
				// Five standard deviations; the seed is fixed, so the result is the same in every run.
				if math.Abs(counts[s]-n*chance) > 5*math.Sqrt(n*chance*(1-chance)) {
					t.Errorf("%s in %s: square %d chosen %v times of %d, its chance is %.4f", level, p, s, counts[s], n, chance)
				}
			}
		}
	}
}

func TestTheSameSeedGivesTheSameGame(t *testing.T) {
	table := must(ai.NewSolver(game.Classic()))
	play := func(seed uint64) []game.Square {
		player := must(ai.NewEngine(ai.Easy, table, rand.NewPCG(seed, 0)))
		record := game.NewRecord(game.Start(game.Classic()))
		for record.Outcome() == game.InProgress {
			record = must(record.Play(must(player.Choose(t.Context(), record.Position()))))
		}
		return record.Squares()
	}
	games := map[string]bool{}
	for seed := range uint64(20) {
		first, second := play(seed), play(seed)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("seed %d (-first +second):\n%s", seed, diff)
		}
		games[string(must(game.Replay(game.Classic(), first...)).Position().String())] = true
	}
	if len(games) < 10 {
		t.Errorf("20 seeds gave only %d different final positions", len(games))
	}
}

func TestEnginesAreSafeForConcurrentUse(t *testing.T) {
	player := newEngine(ai.Unbeatable, must(ai.NewSolver(game.Classic())))
	all := positions(game.Classic())
	var group sync.WaitGroup
	for worker := range 8 {
		group.Go(func() {
			for i := worker; i < len(all); i += 8 {
				p := all[i]
				if p.Outcome() != game.InProgress {
					continue
				}
				s, err := player.Choose(t.Context(), p)
				if err != nil || !must(player.Odds(p)).Squares().Has(s) {
					t.Errorf("%s: square %d, error %v", p, s, err)
				}
			}
		})
	}
	group.Wait()
}

func TestChoosingAllocatesNothing(t *testing.T) {
	table := must(ai.NewSolver(game.Classic()))
	p := must(game.ParsePosition(game.Classic(), "X../.O./..X"))
	for _, level := range ai.Levels() {
		player := newEngine(level, table)
		if n := testing.AllocsPerRun(100, func() { player.Choose(t.Context(), p) }); n != 0 {
			t.Errorf("%s: Choose allocates %v times", level, n)
		}
	}
	if n := testing.AllocsPerRun(100, func() { table.Eval(p); table.Best(p) }); n != 0 {
		t.Errorf("the table allocates %v times", n)
	}
}

func TestFairLevelsAreNamedBySkill(t *testing.T) {
	for skill := range ai.MaxSkill + 1 {
		level := ai.Fair(skill)
		read, err := ai.ParseLevel(fmt.Sprintf("fair:%d", skill))
		got, is := level.Skill()
		if err != nil || read != level || got != skill || !is || level.String() != fmt.Sprintf("fair:%d", skill) {
			t.Errorf("skill %d: %v, read %v, %v", skill, level, read, err)
		}
	}
	for _, name := range []string{"fair", "fair:", "fair:13", "fair:-1", "fair:07", "fair:x", "easy:3"} {
		if level, err := ai.ParseLevel(name); err == nil {
			t.Errorf("%q was read as %v", name, level)
		}
	}
	if ai.Fair(-1) != ai.Fair(0) || ai.Fair(99) != ai.Fair(ai.MaxSkill) {
		t.Error("a skill out of range is not replaced by the nearest valid one")
	}
}

func TestFairLevelsTakeEveryWin(t *testing.T) {
	for _, offer := range game.Offered() {
		solver := must(ai.NewSolver(offer.Rules))
		random := rand.New(rand.NewPCG(7, 7))
		for range 300 {
			for p := range randomGame(offer.Rules, random) {
				if wins := p.Threats(p.Turn()); wins != 0 && !offer.Rules.Misere() {
					odds := must(must(ai.NewEngine(ai.Fair(random.IntN(ai.MaxSkill+1)), solver, nil)).Odds(p))
					if odds.Squares()&^wins != 0 {
						t.Fatalf("the level may miss a win\n%s", p)
					}
				}
			}
		}
	}
}

// randomGame yields the positions in progress of a game of random moves.
func randomGame(rules game.Rules, random *rand.Rand) func(func(game.Position) bool) {
	return func(yield func(game.Position) bool) {
		for p := game.Start(rules); p.Legal() != 0 && yield(p); {
			squares := p.Legal()
			n := random.IntN(squares.Len())
			for s := range squares.All() {
				if n--; n < 0 {
					p = must(p.Play(s))
					break
				}
			}
		}
	}
}

func TestStrongerComparesLevelsOnOneBoard(t *testing.T) {
	unknown := must(game.ParseRules("4x3x3"))
	for _, c := range []struct {
		rules       game.Rules
		level, than ai.Level
		want        bool
	}{
		{game.Classic(), ai.Textbook, ai.Fair(0), true},
		{game.Classic(), ai.Textbook, ai.Fair(ai.MaxSkill), false},
		{game.Classic(), ai.Unbeatable, ai.Fair(ai.MaxSkill), true},
		{game.Classic(), ai.Easy, ai.Easy, false},
		{unknown, ai.Unbeatable, ai.Easy, false},
	} {
		if got := ai.Stronger(c.rules, c.level, c.than); got != c.want {
			t.Errorf("Stronger(%v, %v, %v) = %t", c.rules, c.level, c.than, got)
		}
	}
}

func TestPredictionsFollowTheResultsOfThePerson(t *testing.T) {
	after := func(score float64, n int) [3]float64 {
		chances, known := ai.Predict(game.Classic(), slices.Repeat([]ai.Result{{Level: ai.Easy, Score: score}}, n), ai.Easy, true)
		if sum := chances[0] + chances[1] + chances[2]; !known || math.Abs(sum-1) > 1e-9 {
			t.Errorf("known %t, the chances add up to %v", known, sum)
		}
		return chances
	}
	won, unknown, lost := after(1, 10), after(0, 0), after(0, 10)
	if won[0] <= unknown[0] || unknown[0] <= lost[0] || won[2] >= unknown[2] || unknown[2] >= lost[2] {
		t.Errorf("after wins %v, without results %v, after losses %v", won, unknown, lost)
	}
	if _, known := ai.Predict(must(game.ParseRules("4x3x3")), nil, ai.Easy, true); known {
		t.Error("there is a prediction for rules that are not on offer")
	}
}
