package ai_test

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// BenchmarkNewSolver measures the time to make a solver.
func BenchmarkNewSolver(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+misere", "4x3x3", "3x3x3+keep3", "5x5x4"} {
		rules := must(game.ParseRules(text))
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(ai.NewSolver(rules))
			}
		})
	}
}

// BenchmarkEval measures the time of a look-up.
func BenchmarkEval(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+keep3"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		p := must(game.Replay(rules, 0, 4, 8)).Position()
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				solver.Eval(p)
			}
		})
	}
}

// BenchmarkSolveEmpty measures the time to solve the empty board with an empty transposition table.
func BenchmarkSolveEmpty(b *testing.B) {
	for _, text := range []string{"4x4x4", "5x4x4", "5x5x4", "5x4x4+gravity", "5x5x4+gravity"} {
		rules := must(game.ParseRules(text))
		b.Run(text, func(b *testing.B) {
			var nodes int
			for b.Loop() {
				_, nodes = ai.SolveEmpty(rules)
			}
			b.ReportMetric(float64(nodes), "nodes/op")
		})
	}
}

// BenchmarkChoose measures the time to choose a move on the empty board. On 5x4x4+gravity the unbeatable player takes almost as long as for any answer: 59,003 nodes.
func BenchmarkChoose(b *testing.B) {
	for _, text := range []string{"3x3x3", "3x3x3+keep3", "4x4x4", "5x5x4", "5x4x4+gravity"} {
		rules := must(game.ParseRules(text))
		solver := must(ai.NewSolver(rules))
		for _, level := range ai.Levels() {
			b.Run(text+"/"+level.String(), func(b *testing.B) {
				player := newEngine(level, solver)
				p := game.Start(rules)
				b.ReportAllocs()
				for b.Loop() {
					must(player.Choose(b.Context(), p))
				}
			})
		}
	}
}

// worstPositions are the positions whose answers take the most nodes, of all that have been tried: the hard positions that
// book_writer_test.go finds, and 2,000 random ones of each board.
var worstPositions = map[string]string{
	"4x4":      "...X/..X./O.../....",
	"5x5":      ".O.../...../...../...../X..X.",
	"drop":     "...../...../...../.....",
	"drop-5x5": "...../...../...../X..../X.OO.",
}

// BenchmarkWorst measures the longest answer known of each board at each level. Boards that are not in worstPositions need no search;
// there and at the levels without a search it takes the position after a move in the corner.
func BenchmarkWorst(b *testing.B) {
	for _, offer := range game.Offered() {
		solver := must(ai.NewSolver(offer.Rules))
		p := must(game.Start(offer.Rules).Play(game.Square(offer.Rules.Squares() - 1)))
		if text := worstPositions[offer.Name]; text != "" {
			p = must(game.ParsePosition(offer.Rules, text))
		}
		for _, level := range append(ai.Levels(), ai.Fair(6), ai.Fair(ai.MaxSkill)) {
			b.Run(offer.Name+"/"+level.String(), func(b *testing.B) {
				var nodes int64
				for b.Loop() {
					nodes = nodesOf(level, solver, p)
				}
				b.ReportMetric(float64(nodes), "nodes/op")
			})
		}
	}
}

// nodesOf returns the number of nodes that an answer takes.
func nodesOf(level ai.Level, solver *ai.Solver, p game.Position) int64 {
	before := solver.Nodes()
	must(newEngine(level, solver).Odds(p))
	return solver.Nodes() - before
}

// BenchmarkAnswers measures each answer of each level: the worst position, and games in which the level meets random moves or is asked
// about every position of two random players. An operation is a game.
func BenchmarkAnswers(b *testing.B) {
	for _, offer := range game.Offered() {
		for _, level := range append(ai.Levels(), ai.Fair(6), ai.Fair(ai.MaxSkill)) {
			b.Run(offer.Name+"/"+level.String(), func(b *testing.B) {
				solver, random := must(ai.NewSolver(offer.Rules)), rand.New(rand.NewPCG(9, 9))
				var took []time.Duration
				answer := func(p game.Position) game.Square {
					began := time.Now()
					s := must(newEngine(level, solver).Choose(b.Context(), p))
					took = append(took, time.Since(began))
					return s
				}
				if text := worstPositions[offer.Name]; text != "" {
					answer(must(game.ParsePosition(offer.Rules, text)))
				}
				for games := 0; b.Loop(); games++ {
					side := []game.Mark{game.X, game.O}[games%2]
					for p := range randomGame(offer.Rules, random) {
						if games%4 < 2 || p.Turn() == side {
							answer(p)
						}
						if offer.Rules.Vanish() && random.IntN(40) == 0 {
							break
						}
					}
				}
				reportTimes(b, took)
			})
		}
	}
}

// reportTimes reports the median, percentiles and the longest of the times, in milliseconds.
func reportTimes(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	for _, share := range []float64{50, 99, 99.9, 100} {
		ms := float64(took[int(share/100*float64(len(took)-1))].Microseconds()) / 1000
		b.ReportMetric(ms, fmt.Sprintf("p%v-ms", share))
	}
}

// TestEveryAnswerIsBounded checks that no level takes more than 60,000 nodes, whichever way a position arose.
func TestEveryAnswerIsBounded(t *testing.T) { wantBounded(t, 1) }

func TestEveryAnswerIsBoundedInManyGames(t *testing.T) {
	longtest.Only(t)
	wantBounded(t, 4)
}

// wantBounded tries the worst positions and all positions of so many random games of each board.
func wantBounded(t *testing.T, games int) {
	t.Helper()
	for _, offer := range game.Offered() {
		t.Run(offer.Name, func(t *testing.T) {
			solver := must(ai.NewSolver(offer.Rules))
			random := rand.New(rand.NewPCG(3, 8))
			most := map[ai.Level]int64{}
			try := func(p game.Position) {
				for _, level := range []ai.Level{ai.Medium, ai.Hard, ai.Teacher, ai.Unbeatable, ai.Fair(ai.MaxSkill)} {
					nodes := nodesOf(level, solver, p)
					if most[level] = max(most[level], nodes); nodes > 60_000 {
						t.Errorf("%s takes %d nodes in %s", level, nodes, p)
					}
				}
			}
			if text := worstPositions[offer.Name]; text != "" {
				try(must(game.ParsePosition(offer.Rules, text)))
			}
			for range games {
				for p := range randomGame(offer.Rules, random) {
					if try(p); offer.Rules.Vanish() && random.IntN(40) == 0 {
						break
					}
				}
			}
			t.Logf("most nodes: %v", most)
		})
	}
}

// BenchmarkReview measures the review of a whole game by a new solver. Games of weak players need the most work.
func BenchmarkReview(b *testing.B) {
	for _, text := range []string{"infinite", "4x4", "drop", "5x5", "drop-5x5"} {
		rules := must(game.ParseRules(text))
		for _, levels := range [][2]ai.Level{{ai.Random, ai.Random}, {ai.Easy, ai.Textbook}, {ai.Easy, ai.Hard}} {
			b.Run(text+"/"+levels[0].String()+"-"+levels[1].String(), func(b *testing.B) {
				playing := must(ai.NewSolver(rules))
				x, o := newEngine(levels[0], playing), newEngine(levels[1], playing)
				var took []time.Duration
				for b.Loop() {
					b.StopTimer()
					record := game.NewRecord(game.Start(rules))
					for record.Outcome() == game.InProgress {
						record = must(record.Play(must(x.Choose(b.Context(), record.Position()))))
						x, o = o, x
					}
					solver := must(ai.NewSolver(rules))
					b.StartTimer()
					began := time.Now()
					solver.Review(record)
					took = append(took, time.Since(began))
				}
				reportTimes(b, took)
			})
		}
	}
}

// BenchmarkNextReview measures a review by a solver that has already made many reviews, as the solver of a running bot has. The
// players are of level medium, which is about as strong as people.
func BenchmarkNextReview(b *testing.B) {
	for _, offer := range game.Offered() {
		b.Run(offer.Name, func(b *testing.B) {
			solver := must(ai.NewSolver(offer.Rules))
			player := newEngine(ai.Medium, must(ai.NewSolver(offer.Rules)))
			var records []game.Record
			for range 64 {
				record := game.NewRecord(game.Start(offer.Rules))
				for record.Outcome() == game.InProgress {
					record = must(record.Play(must(player.Choose(b.Context(), record.Position()))))
				}
				records = append(records, record)
			}
			b.ResetTimer()
			for n := 0; n < b.N; n++ {
				solver.Review(records[n%len(records)])
			}
		})
	}
}

// BenchmarkFirstAnswer measures the first answer of a newly started program. For comparison it measures a plain minimax search over
// nine cells, and the minimax search of Python tutorials.
func BenchmarkFirstAnswer(b *testing.B) {
	start := game.Start(game.Classic())
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			must(newEngine(ai.Unbeatable, must(ai.NewSolver(game.Classic()))).Choose(b.Context(), start))
		}
	})
	b.Run("minimax", func(b *testing.B) {
		for b.Loop() {
			if m := new(tutorial); m.minimax(1) != 0 || m.nodes != 549_946 {
				b.Fatalf("%d nodes", m.nodes)
			}
		}
	})
	b.Run("python", func(b *testing.B) {
		python, err := exec.LookPath("python3")
		if err != nil {
			b.Skip("no python3")
		}
		var took time.Duration
		n := 0
		for b.Loop() {
			seconds := strings.TrimSpace(string(must(exec.Command(python, "testdata/minimax.py").Output())))
			took += time.Duration(must(strconv.ParseFloat(seconds, 64)) * float64(time.Second))
			n++
		}
		b.ReportMetric(float64(took.Nanoseconds())/float64(n), "ns/answer")
	})
}

// A tutorial is a board as Python tutorials represent it: 0 is an empty cell, and 1 and -1 are the marks.
type tutorial struct {
	cells [9]int
	nodes int
}

// minimax returns the value of the board for side 1. The argument turn is the side to move, 1 or -1.
func (m *tutorial) minimax(turn int) int {
	m.nodes++
	for _, line := range [8][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if sum := m.cells[line[0]] + m.cells[line[1]] + m.cells[line[2]]; sum == 3 || sum == -3 {
			return sum / 3
		}
	}
	best, full := -2*turn, true
	for i, cell := range m.cells {
		if cell != 0 {
			continue
		}
		full = false
		m.cells[i] = turn
		if value := m.minimax(-turn); turn*value > turn*best {
			best = value
		}
		m.cells[i] = 0
	}
	if full {
		return 0
	}
	return best
}

// firstBest returns the odds of a player that knows all values and plays the first best square.
func firstBest(solver *ai.Solver, p game.Position) ai.Odds {
	best := solver.Best(p)
	return evenly(best & -best)
}

// BenchmarkWins measures how often the computer's traps work. It reports the percentages of games won as X and as O: exactly on
// 3x3, and for two hundred games on other boards. The benchmark fails if the computer loses a game.
func BenchmarkWins(b *testing.B) {
	textbook := level(newEngine(ai.Textbook, must(ai.NewSolver(game.Classic()))))
	for _, test := range []struct {
		rules, other string
		against      player
	}{
		{"3x3x3", "random", random},
		{"3x3x3", "win-or-block", tactical},
		{"3x3x3", "textbook", textbook},
		{"3x3x3", "human", human},
		{"4x4x4", "random", random},
		{"4x4x4", "win-or-block", tactical},
		{"5x5x4", "win-or-block", tactical},
		{"5x5x4", "human", human},
		{"5x4x4+gravity", "win-or-block", tactical},
		{"5x5x4+gravity", "win-or-block", tactical},
	} {
		rules := must(game.ParseRules(test.rules))
		solver := must(ai.NewSolver(rules))
		for _, name := range []string{"unbeatable", "first-best"} {
			who := level(newEngine(ai.Unbeatable, solver))
			if name == "first-best" {
				who = func(p game.Position) ai.Odds { return firstBest(solver, p) }
			}
			if name == "first-best" && rules.Squares() > 16 {
				continue // too slow, since this player evaluates every move of every position
			}
			b.Run(test.rules+"/"+name+"/"+test.other, func(b *testing.B) {
				var asX, asO chances
				for b.Loop() {
					if rules.Squares() <= ai.TableSquares {
						asX = expect(who, test.against, game.Start(rules), map[game.Position]chances{})
						asO = expect(test.against, who, game.Start(rules), map[game.Position]chances{})
						continue
					}
					asX = sample(who, test.against, rules)
					asO = sample(test.against, who, rules)
				}
				if asX.loss != 0 || asO.win != 0 {
					b.Errorf("loses %v of the games as X and %v as O", asX.loss, asO.win)
				}
				b.ReportMetric(100*asX.win, "%asX")
				b.ReportMetric(100*asO.loss, "%asO")
			})
		}
	}
}

// sample returns the results for X of two hundred games. The seed is fixed.
func sample(x, o player, rules game.Rules) chances {
	const games = 200
	random := rand.New(rand.NewPCG(5, 6))
	var c chances
	for range games {
		p := game.Start(rules)
		for p.Legal() != 0 {
			mover := x
			if p.Turn() == game.O {
				mover = o
			}
			p = must(p.Play(draw(mover(p), random)))
		}
		switch p.Outcome() {
		case game.XWins:
			c.win += 1. / games
		case game.OWins:
			c.loss += 1. / games
		default:
			c.draw += 1. / games
		}
	}
	return c
}
