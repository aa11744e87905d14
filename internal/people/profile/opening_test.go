package profile_test

import (
	"testing"

	"tictactoe/game"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
)

// TestZones tests that a square and its symmetric images have the same zone, and counts the squares of each zone for the offered
// rule sets.
func TestZones(t *testing.T) {
	for _, offer := range game.Offered() {
		zones := map[profile.Zone]int{}
		for square := range offer.Rules.Board().All() {
			zone := profile.ZoneOf(offer.Rules, square)
			zones[zone]++
			for _, y := range offer.Rules.Symmetries() {
				image := offer.Rules.Image(square, y)
				if got := profile.ZoneOf(offer.Rules, image); got != zone {
					t.Errorf("%s: %v is in %v, and its image %v in %v", offer.Name, square, zone, image, got)
				}
			}
		}
		want := map[string]map[profile.Zone]int{
			"3x3": {{Kind: profile.OfCorner}: 4, {Kind: profile.OfEdge}: 4, {Kind: profile.OfCentre}: 1},
			"4x4": {{Kind: profile.OfCorner}: 4, {Kind: profile.OfEdge}: 8, {Kind: profile.OfCentre}: 4},
			"5x5": {{Kind: profile.OfCorner}: 4, {Kind: profile.OfEdge}: 12, {Kind: profile.OfInside}: 8, {Kind: profile.OfCentre}: 1},
		}[offer.Rules.String()[:3]]
		if offer.Rules.Gravity() {
			rows := offer.Rules.Height()
			want = map[profile.Zone]int{
				{Kind: profile.OfColumn}: 2 * rows, {Kind: profile.OfColumn, Column: 1}: 2 * rows, {Kind: profile.OfColumn, Column: 2}: rows,
			}
		}
		if len(want) != len(zones) {
			t.Errorf("%s: %v, not %v", offer.Name, zones, want)
		}
		for zone, n := range want {
			if zones[zone] != n {
				t.Errorf("%s: %d squares in %v, not %d", offer.Name, zones[zone], zone, n)
			}
		}
	}
}

func TestFavouriteOpenings(t *testing.T) {
	drop, err := game.ParseRules("drop")
	if err != nil {
		t.Fatal(err)
	}
	five, err := game.ParseRules("5x5")
	if err != nil {
		t.Fatal(err)
	}
	won := func(rules game.Rules, square game.Square, n int) profile.FirstMove {
		return profile.FirstMove{Rules: rules, Square: square, Tally: score.Tally{Wins: n}}
	}
	r := profile.Record{Openings: profile.OpeningsOf([]profile.FirstMove{
		won(drop, 0, 9), won(five, 0, 2), won(five, 1, 1), won(five, 4, 2), won(five, 6, 2), won(five, 12, 5),
	})}
	var got []profile.ZoneKind
	for _, o := range r.Favourites() {
		if o.Rules != five {
			t.Errorf("an opening on %v", o.Rules)
		}
		got = append(got, o.Zone.Kind)
	}
	if len(got) != 3 || got[0] != profile.OfCentre || got[1] != profile.OfCorner || got[2] != profile.OfInside {
		t.Errorf("%v", got)
	}
	if some := (profile.Record{}).Favourites(); len(some) > 0 {
		t.Errorf("the favourites of a player without openings are %v", some)
	}
}
