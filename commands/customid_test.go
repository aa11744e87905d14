package commands_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tictactoe/commands"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

func TestCustomID(t *testing.T) {
	for text, want := range map[string]commands.CustomID{
		"play:1a2b3c:0:b2":         {Verb: view.Play, ID: "1a2b3c", Square: "b2"},
		"play:vvvvvvvvvvvvv:24:e5": {Verb: view.Play, ID: "vvvvvvvvvvvvv", N: 24, Square: "e5"},
		"accept:0":                 {Verb: view.Accept, ID: "0"},
		"decline:1":                {Verb: view.Decline, ID: "1"},
		"withdraw:1":               {Verb: view.Withdraw, ID: "1"},
		"resign:1:2":               {Verb: view.Resign, ID: "1", N: 2},
		"rematch:1:999999999":      {Verb: view.Rematch, ID: "1", N: 999999999},
		"norematch:1:7":            {Verb: view.DeclineRematch, ID: "1", N: 7},
		"computer:unbeatable":      {Verb: view.PlayComputer, Word: "unbeatable"},
		"computer:easy:drop-5x5":   {Verb: view.PlayComputer, Word: "easy", Board: "drop-5x5"},
		"show:1a":                  {Verb: view.Show, ID: "1a"},
		"board:players:2":          {Verb: view.TurnPage, Word: "players", N: 2},
		"mentions:off":             {Verb: view.TurnMentions, Word: "off"},
		"settings:nobody":          {Verb: view.Set, Word: "nobody"},
		"privacy:erase":            {Verb: view.Data, Word: "erase"},
		"review:1a":                {Verb: view.Review, ID: "1a"},
		"review:1a:60":             {Verb: view.Review, ID: "1a", N: 60},
	} {
		got, err := commands.ParseCustomID(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%s: %+v, %v, written %s", text, got, err, got)
		}
	}
}

func TestMalformedCustomIDs(t *testing.T) {
	for _, text := range []string{
		"", ":", "::::", "play", "play:", "play:1:0", "play:1:0:b2:", "play:1:0:b2:x", " play:1:0:b2", "play:1:0:b2 ", "play:1:0:b2\n",
		"PLAY:1:0:b2", "play:w:0:b2", "play::0:b2", "play:1::b2", "play:1:-1:b2", "play:1:01:b2", "play:1:+1:b2", "play:1:1e3:b2",
		"play:1:1000000000:b2", "play:1:99999999999999999999:b2", "play:1:0:", "play:1:0:2b", "play:1:0:f1", "play:1:0:a6", "play:1:0:b",
		"play:1:0:B2", "play:1:0:b22", "play:12345678901234:0:b2", "play:1٣:0:b2", "play:1:٣:b2", "play:\x00:0:b2", "play:1:0:b\u0662",
		"accept", "accept:", "accept:1:2", "accept:../../x", "accept:' OR 1=1", "resign:1", "resign:1:", "rematch:1:2:3", "norematch:1",
		"computer:", "computer:Easy", "computer:easy:", "computer:easy:-", "computer:easy:4x4:4x4", "computer:easy:4X4", "show", "show:", "show:1:2", "computer:abcdefghijklmnopq", "board:players", "board:players:-1", "board::1",
		"review", "review:", "review:1:", "review:1:0", "review:1:01", "review:1:-1", "review:1:2:3", "review:1:b2", "review::1",
		"mentions:", "mentions", "settings", "settings:", "settings:1002", "privacy:erase:1002", "privacy", "unknown:1", "delete:1", "\xff\xfe", "play:" + strings.Repeat("1", 100) + ":0:b2", strings.Repeat("x", 1000),
	} {
		if got, err := commands.ParseCustomID(text); !errors.Is(err, commands.ErrCustomID) {
			t.Errorf("%q was read as %+v, %v", text, got, err)
		}
	}
}

// anyCustomID draws every field that its verb has.
func anyCustomID(t *rapid.T) commands.CustomID {
	c := commands.CustomID{Verb: rapid.SampledFrom(commands.Verbs()).Draw(t, "verb")}
	order, ok := commands.Fields(c.Verb)
	if !ok {
		t.Fatalf("%q has a handler and no fields", c.Verb)
	}
	for field := range strings.FieldsSeq(order) {
		switch field {
		case "id":
			c.ID = match.ID(rapid.StringMatching(`[0-9a-v]{1,13}`).Draw(t, "id"))
		case "n", "move":
			c.N = rapid.IntRange(0, 999_999_999).Draw(t, "n")
		case "square":
			c.Square = rapid.StringMatching(`[a-e][1-5]`).Draw(t, "square")
		case "word":
			c.Word = rapid.StringMatching(`[a-z]{1,16}`).Draw(t, "word")
		case "board":
			c.Board = rapid.StringMatching(`([a-z0-9][a-z0-9-]{0,15})?`).Draw(t, "board")
		}
	}
	return c
}

func TestACustomIDIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyCustomID(t)
		text := c.String()
		got, err := commands.ParseCustomID(text)
		if err != nil || got != c {
			t.Fatalf("%s: %+v, %v; want %+v", text, got, err, c)
		}
		if len(text) > commands.MaxCustomID {
			t.Fatalf("%s has %d bytes", text, len(text))
		}
	})
}

func FuzzCustomID(f *testing.F) {
	for _, seed := range []string{"play:1a2b3c:0:b2", "accept:0", "resign:1:2", "computer:easy", "computer:easy:4x4", "show:1a", "board:players:2", "mentions:off", "review:1a", "review:1a:7", "play:::", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := commands.ParseCustomID(text)
		if err != nil {
			if !errors.Is(err, commands.ErrCustomID) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if got := c.String(); got != text {
			t.Errorf("%q was read and is written %q: two ids mean one thing", text, got)
		}
	})
}

func TestIDOf(t *testing.T) {
	for snowflake, want := range map[string]match.ID{"0": "0", "31": "v", "32": "10", "1322547200000000000": "14ml1lfbb0000", "18446744073709551615": "fvvvvvvvvvvvv"} {
		got, err := commands.IDOf(snowflake)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v", snowflake, got, err)
		}
		if _, err := commands.ParseCustomID(commands.CustomID{Verb: view.Accept, ID: got}.String()); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "-1", "x", "18446744073709551616", "1.5", " 1"} {
		if got, err := commands.IDOf(bad); err == nil {
			t.Errorf("%q: %s", bad, got)
		}
	}
}
