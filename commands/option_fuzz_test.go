package commands_test

import (
	"strings"
	"testing"

	"tictactoe/bot"
)

// FuzzOptions tests that every value of an option gets an answer, and that a value that Discord never offered begins no match.
func FuzzOptions(f *testing.F) {
	for _, seed := range [][4]string{
		{"challenge", "1m", "me", "classic"}, {"challenge", "24h", "random", "5x5"}, {"challenge", "", "", ""},
		{"ai", "unbeatable", "them", "infinite"}, {"ai", "godlike", "me", "drop"}, {"challenge", "-1m", "ME", "3x3x9+gravity"},
		{"ai", "\x00", "🎲", strings.Repeat("x", 200)}, {"leaderboard", "computer", "", ""}, {"games", "", "", ""},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	f.Fuzz(func(t *testing.T, command, clock, first, rules string) {
		d := newDesk(t)
		reply := d.run(alice, command, "opponent="+bob, "clock="+clock, "level="+clock, "against="+clock, "first="+first, "board="+rules)
		if reply.Kind == bot.Post && len(reply.Components) == 0 {
			t.Errorf("%q %q %q %q: an answer without content", command, clock, first, rules)
		}
		open := d.openMatches()
		for _, m := range open {
			if command != "ai" || m.Position().Rules().String() == "" {
				t.Errorf("%q began %+v", command, m)
			}
		}
	})
}
