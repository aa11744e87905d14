package profile_test

import (
	"slices"
	"testing"

	"tictactoe/game"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
)

// results parses results: capital letters (W, D, L) are matches as X, small letters matches as O.
func results(letters string) (rs profile.Results) {
	for _, letter := range letters {
		rs = append(rs, map[rune]profile.Result{
			'W': {Mark: game.X, Outcome: score.Win}, 'D': {Mark: game.X, Outcome: score.Draw}, 'L': {Mark: game.X, Outcome: score.Loss},
			'w': {Mark: game.O, Outcome: score.Win}, 'd': {Mark: game.O, Outcome: score.Draw}, 'l': {Mark: game.O, Outcome: score.Loss},
		}[letter])
	}
	return rs
}

func TestResultsAreCountedByMark(t *testing.T) {
	rs := results("WWDLwdddll")
	for mark, want := range map[game.Mark]score.Tally{
		game.X: {Wins: 2, Draws: 1, Losses: 1}, game.O: {Wins: 1, Draws: 3, Losses: 2}, game.None: {Wins: 3, Draws: 4, Losses: 3},
	} {
		if got := rs.Tally(mark); got != want {
			t.Errorf("as %v: %v, not %v", mark, got, want)
		}
	}
}

func TestStreaks(t *testing.T) {
	for letters, want := range map[string][2]int{
		"": {0, 0}, "W": {1, 1}, "Ww": {2, 2}, "WwL": {0, 2}, "WwDw": {1, 2}, "LWwWlWw": {2, 3}, "dDl": {0, 0},
	} {
		if now, best := results(letters).Streak(score.Win); now != want[0] || best != want[1] {
			t.Errorf("%s: %d now, %d at best, not %v", letters, now, best, want)
		}
	}
}

func TestBest(t *testing.T) {
	helped := profile.Results{{Outcome: score.Win, Helped: true}}
	r := profile.Record{Computers: map[string]profile.Results{
		"random": results("LdW"), "easy": append(helped, results("lDl")...), "fair": helped, "hard": results("L"),
	}}
	for level, want := range map[string]score.Outcome{"random": score.Win, "easy": score.Draw, "fair": score.Loss, "hard": score.Loss} {
		if best, met := r.Best(level); best != want || !met {
			t.Errorf("%s: %d, met %t", level, best, met)
		}
	}
	if _, met := r.Best("minimax"); met {
		t.Error("the player has met a level without a match")
	}
}

func TestBadges(t *testing.T) {
	for _, c := range []struct {
		name, level, letters string
		want                 []profile.Badge
	}{
		{"a win against hard", "hard", "LLdW", []profile.Badge{profile.BeatHard}},
		{"draws against hard", "hard", "DdDd", nil},
		{"a win against easy", "easy", "W", nil},
		{"ten draws in a row against unbeatable", "unbeatable", "LDdDdDdDdDdl", []profile.Badge{profile.Held}},
		{"ten draws against unbeatable, and a loss between", "unbeatable", "DdDdDlDdDdD", nil},
		{"ten draws in a row against easy", "easy", "DdDdDdDdDd", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := profile.Record{Computers: map[string]profile.Results{c.level: results(c.letters)}}
			if got := r.Badges(); !slices.Equal(got, c.want) {
				t.Errorf("badges %v, not %v", got, c.want)
			}
		})
	}
}

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
