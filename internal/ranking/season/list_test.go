package season_test

import (
	"testing"
	"time"

	"tictactoe/internal/ranking/season"
)

func TestWhichSeasonIsMeant(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	all := season.WithPreseason([]season.Season{
		{Number: 4, Name: "Spring", Began: noon.Add(3)}, {Number: 3, Name: "1", Began: noon.Add(2)}, {Number: 2, Began: noon.Add(1)}, {Number: 1, Name: "Spring", Began: noon},
	})
	for word, want := range map[string]int{"4": 4, " 2 ": 2, "spring": 4, "1": 1, "0": 0, "": -1, "5": -1, "Autumn": -1, "01": -1} {
		got, is := season.Named(all, word)
		if is != (want >= 0) || is && got.Number != want {
			t.Errorf("%q means season %d, %v", word, got.Number, is)
		}
	}
	if zero := all[4]; zero.Number != 0 || zero.GoesOn() || !zero.Ended.Equal(noon) {
		t.Errorf("the preseason is %+v", zero)
	}
}

func TestWithoutTheFirstSeasonThereIsNoPreseason(t *testing.T) {
	for _, all := range [][]season.Season{nil, {{Number: 3}, {Number: 2}}} {
		if got := season.WithPreseason(all); len(got) != len(all) {
			t.Errorf("%+v", got)
		}
	}
}
