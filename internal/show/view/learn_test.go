package view_test

import (
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/show/gallery"
	"tictactoe/internal/show/view"
)

func TestTheLosingMove(t *testing.T) {
	people := match.Seats{match.Human(gallery.Alice), match.Human(gallery.Bob)}
	for _, test := range []struct {
		name, squares string
		end           func(match.Match) match.Match
		want          int // 0 if there is none
	}{
		{"the only mistake", "a1 b2 c3 c1 a3 a2 b3", nil, 4},
		{"the last time that something was given away", "a1 b1 c1 a2 c3 b2 c2", nil, 4},
		{"nobody lost", "a1 b2 c3 b1 b3 a3 c1 c2 a2", nil, 0},
		{"given up without a mistake", "b2 a1", func(m match.Match) match.Match { return gallery.Resigned(t, m, gallery.Bob) }, 0},
		{"given up although it was won", "a1 b1 c1 b2", func(m match.Match) match.Match { return gallery.Resigned(t, m, gallery.Bob) }, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := gallery.PlayedBy(t, "classic", people, time.Minute, test.squares)
			if test.end != nil {
				m = test.end(m)
			}
			if move := view.LosingMove(m, gallery.Review(t, m)); move != test.want {
				t.Errorf("move %d; want %d", move, test.want)
			}
		})
	}
}
