package ai_test

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/longtest"
)

// TestMemoryOfAllLevelsOnAllBoards checks that the engines of all levels on all offered rule sets take at most 64 MiB after they
// have played.
func TestMemoryOfAllLevelsOnAllBoards(t *testing.T) {
	longtest.Only(t)
	inUse := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	games := 3
	if underRace {
		games = 1
	}
	before := inUse()
	var players []*ai.Engine
	for _, offer := range game.Offered() {
		solver := must(ai.NewSolver(offer.Rules))
		chance := rand.New(rand.NewPCG(9, 9))
		for _, name := range ai.Levels() {
			player := newEngine(name, solver)
			players = append(players, player)
			for i := range games {
				for p := game.Start(offer.Rules); p.Legal() != 0; {
					odds := random(p)
					if p.Ply()%2 == i%2 {
						odds = must(player.Odds(p))
					}
					p = must(p.Play(draw(odds, chance)))
				}
			}
		}
		t.Logf("%s: %.1f MiB so far", offer.Name, float64(inUse()-before)/(1<<20))
	}
	if used := inUse() - before; used > 64<<20 {
		t.Errorf("%.1f MiB in use, want at most 64", float64(used)/(1<<20))
	}
	runtime.KeepAlive(players)
}
