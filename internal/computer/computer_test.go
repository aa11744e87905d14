package computer_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/computer"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
)

// played is an archive that returns the same latest matches for every player.
type played struct{ latest []archive.Played }

func (p played) Latest(context.Context, match.User, int) ([]archive.Played, error) {
	return p.latest, nil
}

func TestEngines(t *testing.T) {
	t.Run("every rule set on offer has every level", func(t *testing.T) {
		var e computer.Engines
		for _, offer := range game.Offered() {
			for _, level := range ai.Levels() {
				if _, err := e.Engine(offer.Rules, level.String()); err != nil {
					t.Errorf("%s, %s: %v", offer.Name, level, err)
				}
			}
		}
	})
	t.Run("the fair level follows the results on the same board", func(t *testing.T) {
		past := func(rules game.Rules, level string, outcome game.Outcome, cause match.Cause) archive.Played {
			return archive.Played{
				Rules: rules, Seats: match.Seats{match.Human("1"), match.Computer(level)}, Result: match.Result{Outcome: outcome, Cause: cause},
			}
		}
		drop, _ := game.OnOffer("drop")
		lost := slices.Repeat([]archive.Played{past(game.Classic(), "easy", game.OWins, match.ByLine)}, 10)
		won := slices.Repeat([]archive.Played{past(game.Classic(), "fair:9", game.XWins, match.ByLine)}, 10)
		skill := func(latest ...archive.Played) int {
			level, err := computer.Fit(played{latest})(t.Context(), "fair", game.Classic(), "1", true)
			parsed, parseErr := ai.ParseLevel(level)
			n, is := parsed.Skill()
			if err != nil || parseErr != nil || !is {
				t.Fatal(level, err, parseErr)
			}
			return n
		}
		unknown := skill()
		if weak, strong := skill(lost...), skill(won...); weak >= unknown || strong <= unknown {
			t.Errorf("skill %d after losses, %d at first, %d after wins", weak, unknown, strong)
		}
		if got := skill(
			past(drop, "easy", game.OWins, match.ByLine), past(game.Classic(), "retired", game.OWins, match.ByLine),
			past(game.Classic(), "", game.OWins, match.ByLine), past(game.Classic(), "easy", game.OWins, match.ByAbort),
		); got != unknown {
			t.Errorf("skill %d after matches that do not count, %d without", got, unknown)
		}
		if level, err := computer.Fit(played{lost})(t.Context(), "hard", game.Classic(), "1", true); level != "hard" || err != nil {
			t.Errorf("hard became %q, %v", level, err)
		}
	})
	t.Run("a level that does not exist has no engine", func(t *testing.T) {
		var e computer.Engines
		if _, err := e.Engine(game.Classic(), "godlike"); !errors.Is(err, match.ErrNoEngine) {
			t.Error(err)
		}
	})
}
