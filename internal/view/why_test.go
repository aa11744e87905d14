package view_test

import (
	"testing"
	"time"

	"tictactoe/ai"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// whyShots are screens that say why a move was wrong, and why another was better.
func whyShots(t *testing.T) map[string]shot {
	t.Helper()
	shots := map[string]shot{}
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
		m := playedBy(t, test.rules, match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, test.squares)
		reviewed := review(t, m)
		if !m.Result.Over() {
			m = resigned(t, m, bob)
		}
		shots["why-"+name] = shot{"OfPosition", view.OfPosition(m, reviewed, test.move, names, bob)}
	}

	// A search may find who wins, and not how soon.
	thrown := resigned(t, playedBy(t, "classic", match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, "a1 b1 c1"), bob)
	far := review(t, thrown)
	far[1].Played.Plies, far[2].Best.Plies = ai.Unknown, ai.Unknown
	shots["why-far-harm"] = shot{"OfPosition", view.OfPosition(thrown, far, 2, names, bob)}
	shots["why-far-better"] = shot{"OfPosition", view.OfPosition(thrown, far, 3, names, bob)}
	return shots
}
