package ai_test

import (
	"math/rand/v2"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// TestTrapsWinGames checks the effect of traps. Against a player who wins and blocks but does not plan, a player who plays the first
// move that holds the draw wins 5 % on 4x4x4.
func TestTrapsWinGames(t *testing.T) {
	longtest.Only(t)
	const games = 60 // on each side; the seeds are fixed, so the result is the same in every run
	for _, test := range []struct {
		rules string
		share float64 // the least share of games won
	}{
		{"4x4x4", 0.35},
		{"5x4x4+gravity", 0.35},
		{"5x5x4", 0.90},
	} {
		t.Run(test.rules, func(t *testing.T) {
			rules := must(game.ParseRules(test.rules))
			unbeatable := newEngine(ai.Unbeatable, must(ai.NewSolver(rules)))
			random := rand.New(rand.NewPCG(5, 6))
			won := map[game.Mark]int{}
			for _, side := range []game.Mark{game.X, game.O} {
				for range games {
					p := game.Start(rules)
					for p.Legal() != 0 {
						odds := tactical(p)
						if p.Turn() == side {
							odds = must(unbeatable.Odds(p))
						}
						p = must(p.Play(draw(odds, random)))
					}
					switch p.Outcome().Winner() {
					case side:
						won[side]++
					case side.Opponent():
						t.Fatalf("%s lost: %s", side, p)
					}
				}
			}
			share := float64(won[game.X]+won[game.O]) / (2 * games)
			t.Logf("won %d of %d as X, %d as O", won[game.X], games, won[game.O])
			if share < test.share {
				t.Errorf("won %.0f %% of the games, want %.0f", 100*share, 100*test.share)
			}
		})
	}
}

// draw returns a random square, by its odds.
func draw(odds ai.Odds, random *rand.Rand) game.Square {
	point := random.Float64()
	var last game.Square
	for s := range odds.Squares().All() {
		last = s
		if point -= odds[s]; point < 0 {
			break
		}
	}
	return last
}

func TestTeacherLeavesTheFewestTraps(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	teacher := newEngine(ai.Teacher, solver)
	for _, p := range positions(game.Classic()) {
		if p.Legal() == 0 || solver.Eval(p).Value != ai.Draw {
			continue
		}
		losing := func(s game.Square) float64 {
			next := must(p.Play(s))
			if next.Legal() == 0 {
				return 0
			}
			return 1 - float64(solver.Holding(next).Len())/float64(next.Legal().Len())
		}
		least := 1.0
		for s := range solver.Holding(p).All() {
			least = min(least, losing(s))
		}
		for s := range must(teacher.Odds(p)).Squares().All() {
			if !solver.Holding(p).Has(s) || losing(s) > least+1e-9 {
				t.Errorf("%s: after %s a share of %.3f of the replies loses, want %.3f", p, p.Rules().Name(s), losing(s), least)
			}
		}
	}
}

// TestMinimaxSkipsNothingThatMatters compares the moves of minimax, which stops early where a move is no better, with those of a search
// that never stops early, in a random game on each board.
func TestMinimaxSkipsNothingThatMatters(t *testing.T) {
	chance := rand.New(rand.NewPCG(2, 8))
	for _, offer := range game.Offered() {
		player := newEngine(ai.Minimax, must(ai.NewSolver(offer.Rules)))
		for p := range randomGame(offer.Rules, chance) {
			if p.Ply() == 0 {
				continue // any square
			}
			plies := 4
			if p.Marks(game.None).Len() <= 8 && !offer.Rules.Vanish() {
				plies = 8
			}
			want, _ := exhaustive(p, plies)
			if got := must(player.Odds(p)).Squares(); got != game.SetOf(want) {
				t.Errorf("%s: %s: minimax plays %v, the first best move is %s", offer.Name, p, got, offer.Rules.Name(want))
			}
			if p.Ply() > 20 {
				break
			}
		}
	}
}

// exhaustive returns the first best move of a position by the whole tree of so many plies, and its score: positive for a win, negative
// for a loss, and the larger the sooner.
func exhaustive(p game.Position, plies int) (first game.Square, best int) {
	if winner := p.Outcome().Winner(); winner == p.Turn() {
		return 0, 100 + plies
	} else if winner != game.None {
		return 0, -100 - plies
	}
	if p.Legal() == 0 || plies == 0 {
		return 0, 0
	}
	best = -1000
	for s, next := range p.Moves() {
		if _, score := exhaustive(next, plies-1); -score > best {
			first, best = s, -score
		}
	}
	return first, best
}

// TestMinimaxPlaysTheFirstBestMove checks minimax where it plays the game out.
func TestMinimaxPlaysTheFirstBestMove(t *testing.T) {
	solver := must(ai.NewSolver(game.Classic()))
	player := newEngine(ai.Minimax, solver)
	for _, p := range positions(game.Classic()) {
		if p.Legal() == 0 || p.Starter() == game.O {
			continue
		}
		want := solver.Best(p)
		if p.Ply() > 0 {
			want &= -want // the first
		}
		if got := must(player.Odds(p)).Squares(); got != want {
			t.Errorf("%s: plays %b, want %b", p, got, want)
		}
	}
}

// TestWinsAreFastOnLargeBoards checks that the unbeatable player takes the fastest win even if it has to search for it.
func TestWinsAreFastOnLargeBoards(t *testing.T) {
	longtest.Only(t)
	for _, text := range []string{"4x4x4", "5x5x4", "5x4x4+gravity", "5x5x4+gravity", "4x4x3"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		unbeatable := newEngine(ai.Unbeatable, solver)
		chance := rand.New(rand.NewPCG(7, 8))
		var wins int
		for i := range 16 {
			side := game.X
			if i%2 == 1 {
				side = game.O
			}
			for p := game.Start(rules); p.Legal() != 0; {
				if p.Turn() != side {
					p = must(p.Play(draw(random(p), chance)))
					continue
				}
				candidates := must(unbeatable.Odds(p)).Squares()
				if e := solver.Eval(p); e.Value == ai.Win {
					wins++
					if best := solver.Best(p); candidates&^best != 0 {
						t.Errorf("%s: %s is a %s: may play %b, best are %b", rules, p, e, candidates, best)
					}
				}
				p = must(p.Play(draw(must(unbeatable.Odds(p)), chance)))
			}
		}
		t.Logf("%s: %d won positions", rules, wins)
	}
}
