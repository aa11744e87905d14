package view_test

import (
	"testing"

	"tictactoe/internal/gallery"
	"tictactoe/internal/score"
	"tictactoe/internal/view"
)

func TestTheBusiestBoardIsCharted(t *testing.T) {
	for want, rated := range map[string]view.Standings{
		"4x4x4": {"3x3x3": gallery.Standing(0, 0, 0, 0, score.Tally{Wins: 2}), "4x4x4": gallery.Standing(0, 0, 0, 0, score.Tally{Draws: 3})},
		"3x3x3": {"3x3x3": gallery.Standing(0, 0, 0, 0, score.Tally{Wins: 2}), "4x4x4": gallery.Standing(0, 0, 0, 0, score.Tally{Draws: 2})},
	} {
		if got, is := rated.Busiest(); !is || got.String() != want {
			t.Errorf("%v of %v, not %s", got, rated, want)
		}
	}
	if got, is := (view.Standings{}).Busiest(); is {
		t.Errorf("%v, though nothing is rated", got)
	}
}
