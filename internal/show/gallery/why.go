package gallery

import (
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// whyShots returns screens that say why a move was wrong, and why another was better.
func whyShots(t T) map[string]Screen {
	t.Helper()
	shots := map[string]Screen{}
	for name, test := range map[string]struct {
		rules, squares string
		move           int
	}{
		"a-line-that-loses":  {"misere", "a1 b1 c1 a2 b2 c2 a3", 7},
		"released":           {"infinite", "a1 b1 a2 a3 c1 b2 c3", 1},
		"stranded":           {"misere", "a1 b1 a2 c1 b2 c2", 6},
		"beside-a-fork":      {"4x3x3+gravity", "a3 a2 d3 b3 b2 c3 a1", 7},
		"a-square-gets-free": {"infinite", "a1 b1 c1 a2 b3 c2 a3", 6},
	} {
		m := PlayedBy(t, test.rules, match.Seats{match.Human(Alice), match.Human(Bob)}, time.Minute, test.squares)
		reviewed := Review(t, m)
		if !m.Result.Over() {
			m = Resigned(t, m, Bob)
		}
		shots["why-"+name] = Screen{"OfPosition", view.OfPosition(m, reviewed, test.move, Names, Bob)}
	}
	return shots
}
