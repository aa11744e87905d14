package main

import (
	"errors"
	"testing"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
)

func TestEngines(t *testing.T) {
	t.Run("every rule set on offer has every level", func(t *testing.T) {
		var e engines
		for _, offer := range game.Offered() {
			for _, level := range ai.Levels() {
				if _, err := e.Engine(offer.Rules, level.String()); err != nil {
					t.Errorf("%s, %s: %v", offer.Name, level, err)
				}
			}
		}
	})
	t.Run("a level that does not exist has no engine", func(t *testing.T) {
		var e engines
		if _, err := e.Engine(game.Classic(), "godlike"); !errors.Is(err, match.ErrNoEngine) {
			t.Error(err)
		}
	})
}
