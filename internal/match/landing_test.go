package match_test

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestMarksFall(t *testing.T) {
	rules, err := game.ParseRules("drop")
	if err != nil {
		t.Fatal(err)
	}
	m := match.Start("m", "m", "venue", rules, match.Seats{match.Human(alice), match.Human(bob)}, time.Minute, 1, noon)
	press := func(m match.Match, by match.User, name string) (match.Match, error) {
		square, err := rules.ParseSquare(name)
		if err != nil {
			t.Fatal(err)
		}
		return m.Play(by, m.Record.Len(), square, noon)
	}
	m, err = press(m, alice, "c1")
	if err != nil {
		t.Fatal(err)
	}
	m, err = press(m, bob, "c2")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Position().String(), "...../...../..O../..X.."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	t.Run("a mark in a column with room is taken all the same", func(t *testing.T) {
		_, err := press(m, alice, "c4")
		refused(t, err, match.SquareTaken)
	})
}
