package view_test

import (
	"slices"
	"testing"

	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/view"
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

func TestAProfileSaysWhenARatingIsBeingWorkedOutAgain(t *testing.T) {
	row := gallery.Standing(0, 1500, 100, 2, score.Tally{Wins: 2})
	for _, stale := range []bool{false, true} {
		row.Stale = stale
		rated := view.Standings{"3x3x3": row}
		for name, screen := range map[string]view.Screen{
			"profile": view.OfProfile(view.Profile{Player: "alice", Standings: rated}, nil),
			"duel":    view.OfDuel(view.Duel{A: "alice", B: "bob", RatedB: rated}, nil),
		} {
			said := slices.ContainsFunc(screen.Notes, func(n view.Text) bool { return n.Key == "leaderboard.stale" })
			if said != stale {
				t.Errorf("%s: said %v of what is stale: %v", name, said, stale)
			}
		}
	}
}
