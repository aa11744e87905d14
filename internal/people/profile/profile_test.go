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
