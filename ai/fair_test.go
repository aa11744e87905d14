package ai

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/longtest"
)

var (
	strengths = flag.String("strengths", "", "fit strengths on this board to new games, and log them for fair.go")
	games     = flag.Int("games", 40, "the number of games of each pair and order that -strengths plays")
)

// TestStrengths fits strengths on the classic board to new games. They must be near the strengths in fair.go.
func TestStrengths(t *testing.T) {
	if rules, ok := game.OnOffer(*strengths); ok {
		t.Logf("%+v", fitScale(t, rules, *games))
		return
	}
	longtest.Only(t)
	stored, fitted := scales["classic"], fitScale(t, game.Classic(), 40)
	for _, level := range Levels() {
		if off := math.Abs(stored.strength(level) - fitted.strength(level)); off > 100 {
			t.Errorf("%v: the fitted strength differs by %.0f points", level, off)
		}
	}
	for skill := range MaxSkill + 1 {
		if off := math.Abs(stored.fair[skill] - fitted.fair[skill]); off > 100 {
			t.Errorf("skill %d: the fitted strength differs by %.0f points", skill, off)
		}
		if skill > 0 && stored.fair[skill] < stored.fair[skill-1] {
			t.Errorf("skill %d is weaker than the skill below it", skill)
		}
	}
}

// fitScale lets all levels and the human model play the given number of games in each pair and order, and fits a scale to the
// results by gradient ascent on the likelihood.
func fitScale(t *testing.T, rules game.Rules, games int) scale {
	solver, err := NewSolver(rules)
	if err != nil {
		t.Fatal(err)
	}
	players := []style{people()}
	for _, level := range Levels() {
		players = append(players, habitsOf(level).style(solver))
	}
	for skill := range MaxSkill + 1 {
		players = append(players, habitsOf(Fair(skill)).style(solver))
	}
	random := rand.New(rand.NewPCG(1, 2))
	type pair struct {
		x, o    int
		results [3]float64 // wins of X, draws, wins of O
	}
	var pairs []pair
	for i, player := range players {
		players[i] = opening(player)
	}
	for x := range players {
		for o := range players {
			if x == o {
				continue
			}
			p := pair{x: x, o: o}
			for range games {
				p.results[int(2-2*playOut(rules, players[x], players[o], random))]++
			}
			pairs = append(pairs, p)
		}
	}
	strength := make([]float64, len(players)) // in units of 800/ln 10 points, like the variable first
	draws, first, all := 0.0, 0.0, float64(games*len(pairs))
	for range 30_000 {
		slopes, ofDraws, ofFirst := make([]float64, len(players)), 0.0, 0.0
		for _, p := range pairs {
			half := math.Exp(strength[p.x] - strength[p.o] + first)
			sum := half + math.Exp(draws) + 1/half
			slope := p.results[0] - p.results[2] - float64(games)*(half-1/half)/sum
			slopes[p.x], slopes[p.o], ofFirst = slopes[p.x]+slope, slopes[p.o]-slope, ofFirst+slope
			ofDraws += p.results[1] - float64(games)*math.Exp(draws)/sum
		}
		for i, slope := range slopes {
			strength[i] += slope/all*float64(len(players)) - strength[i]*3e-5 // the last term keeps the strengths of levels that never lose finite
		}
		draws, first = draws+2*ofDraws/all, first+ofFirst/all
	}
	points := func(i int) float64 { return math.Round((strength[i] - strength[1]) * 800 / math.Ln10) }
	s := scale{draws: math.Exp(draws), first: math.Round(first * 800 / math.Ln10), people: points(0)}
	for i := range s.levels {
		s.levels[i] = points(1 + i)
	}
	for i := range s.fair {
		s.fair[i] = points(1 + len(s.levels) + i)
	}
	return s
}

// TestFairLevelsFitTheirPlayers has model players play ten games, from which the level adapts to them, and ten more games that are
// scored. The score must be about half of the points, also after the player has improved.
func TestFairLevelsFitTheirPlayers(t *testing.T) {
	for _, board := range []string{"classic", "misere", "infinite"} {
		t.Run(board, func(t *testing.T) { wantFair(t, board, 40, 1) })
	}
}

// TestFairLevelsFitTheirPlayersOnLargeBoards is the same with fewer players and games, because each move is searched.
func TestFairLevelsFitTheirPlayersOnLargeBoards(t *testing.T) {
	longtest.Only(t)
	for _, board := range []string{"4x4", "drop"} {
		t.Run(board, func(t *testing.T) { wantFair(t, board, 8, 3) })
	}
}

// A person is a model of a person: the probabilities of taking a win, of blocking a threat, and otherwise of playing a best move.
type person struct{ wins, blocks, plans float64 }

// wantFair checks the scores of players from the strength of easy to nearly perfect, in the mean of so many repetitions. Of seven players
// it takes each, or each third.
func wantFair(t *testing.T, board string, repetitions, every int) {
	t.Helper()
	people := []person{{0.85, 0.50, 0}, {0.90, 0.70, 0}, {0.95, 0.85, 0.10}, {1, 1, 0}, {1, 0.95, 0.50}, {1, 1, 0.85}, {1, 1, 0.97}}
	rules, _ := game.OnOffer(board)
	solver, err := NewSolver(rules)
	if err != nil {
		t.Fatal(err)
	}
	sound, levels := opening(solver.sound()), map[Level]style{}
	for skill := range MaxSkill + 1 {
		levels[Fair(skill)] = opening(habitsOf(Fair(skill)).style(solver))
	}
	random := rand.New(rand.NewPCG(1, 1))
	check := func(phases ...person) {
		var share float64
		for range repetitions {
			share += shareOf(rules, levels, sound, random, phases) / float64(repetitions)
		}
		if t.Logf("%v scores %.2f", phases, share); math.Abs(share-0.5) > 0.1 {
			t.Errorf("%v scores %.2f, want 0.40 to 0.60", phases, share)
		}
	}
	for i := 0; i < len(people); i += every {
		person := people[i]
		check(person, person)
		if better := people[min(i+2, len(people)-1)]; better != person {
			check(person, person, better, better)
		}
	}
}

// shareOf returns the share of the points that a person scores against the fair levels in the last ten games. In each phase the person
// plays ten games.
func shareOf(rules game.Rules, levels map[Level]style, sound style, random *rand.Rand, phases []person) (share float64) {
	var results []Result
	for n := range 10 * len(phases) {
		h, r := phases[n/10], Result{First: n%2 == 0}
		person := noticing(h.wins, winning, noticing(h.blocks, blocking, mixed(h.plans, sound, anyOf(sane))))
		if r.Level = Fit(rules, results, r.First); r.First {
			r.Score = playOut(rules, person, levels[r.Level], random)
		} else {
			r.Score = 1 - playOut(rules, levels[r.Level], person, random)
		}
		if results = append(results, r); n >= 10*(len(phases)-1) {
			share += r.Score / 10
		}
	}
	return share
}

// opening returns a style that remembers its odds in the first plies, whose searches are long and recur in every game.
func opening(player style) style {
	known := map[game.Position]Odds{}
	return func(p game.Position) Odds {
		odds, ok := known[p]
		if !ok {
			odds = player(p)
			if p.Ply() < 5 {
				known[p] = odds
			}
		}
		return odds
	}
}

// playOut plays a game of at most 80 plies. It returns 1 if X wins, 0 if O wins, and 0.5 otherwise.
func playOut(rules game.Rules, x, o style, random *rand.Rand) float64 {
	p := game.Start(rules)
	for p.Legal() != 0 && p.Ply() < 80 {
		odds := map[game.Mark]style{game.X: x, game.O: o}[p.Turn()](p)
		p, _ = p.Play(odds.at(random.Float64()))
	}
	switch p.Outcome() {
	case game.XWins:
		return 1
	case game.OWins:
		return 0
	default:
		return 0.5
	}
}
