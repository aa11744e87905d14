package ai_test

import (
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
)

// Search and table have nothing in common but the lines; where both can answer, they must agree.
func TestSearchAgreesWithTheTable(t *testing.T) {
	boards := append(everyRules(10), must(game.NewRules(4, 3, 3)), must(game.NewRules(4, 3, 4)))
	if testing.Short() {
		boards = []game.Rules{game.Classic()}
	}
	for _, rules := range boards {
		table, search := must(ai.NewSolver(rules)), ai.NewSearching(rules)
		for _, p := range positions(rules) {
			if p.Starter() == game.O {
				continue
			}
			if got, want := search.Eval(p), table.Eval(p); got != want {
				t.Errorf("%s: %s: %s, want %s", rules, p, got, want)
				break
			}
		}
	}
}
