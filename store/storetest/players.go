package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

func testPlayers(t *testing.T, open opener) {
	subtest(t, open, "a player has the name last seen, and an unknown one none", func(t *testing.T, s tester) {
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}, {Player: bob, Name: "Bob"}}})
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alicia"}}})
		names := s.names(alice, bob, carol, alice)
		same(t, names, map[match.User]string{alice: "Alicia", bob: "Bob"})
		same(t, s.names(), map[match.User]string{})
	})
	subtest(t, open, "names are data", func(t *testing.T, s tester) {
		names := map[match.User]string{
			"quote":     `Robert'); DROP TABLE players;--`,
			"double":    `"quoted" \ and ` + "`ticked`",
			"markdown":  "**bold** <@1> @everyone ||spoiler||",
			"lines":     "one\ntwo\r\n\ttabbed",
			"rightward": "\u202Eesrever\u202C",
			"joined":    "👩‍👩‍👧‍👦🏳️‍🌈é",
			"long":      strings.Repeat("長", 10_000),
			"?1":        "%s %d :name ?1 $1",
			" ":         " ",
		}
		for p, name := range names {
			s.save(match.Save{Names: []match.Name{{Player: p, Name: name}}})
		}
		for p, name := range names {
			same(t, s.names(p), map[match.User]string{p: name})
		}
		m := in("\" OR 1=1", begin("m", `'; --`, "長", noon()))
		s.create(m)
		same(t, s.match("m"), m)
		same(t, must[[]match.Match](t)(s.OpenMatches(s.ctx, `'; --`)), []match.Match{m})
	})
	subtest(t, open, "mentions are on until they are switched off, and on again", func(t *testing.T, s tester) {
		quiet := func() bool { return must[bool](t)(s.TurnMentionsOff(s.ctx, alice)) }
		same(t, quiet(), false)
		s.do(s.SetTurnMentions(s.ctx, alice, true))
		same(t, quiet(), true)
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		same(t, quiet(), true)
		same(t, must[bool](t)(s.TurnMentionsOff(s.ctx, bob)), false)
		s.do(s.SetTurnMentions(s.ctx, alice, false))
		same(t, quiet(), false)
		same(t, s.names(alice), map[match.User]string{alice: "Alice"})
	})
	subtest(t, open, "a player whose name was never seen has none", func(t *testing.T, s tester) {
		s.do(s.SetTurnMentions(s.ctx, alice, true))
		same(t, s.names(alice), map[match.User]string{})
	})
	testLooks(t, open)
}

// testLooks tests how players are shown, alone and with their matches.
func testLooks(t *testing.T, open opener) {
	subtest(t, open, "how a player is shown has the name, who wants a text board and who hides, whichever is known", func(t *testing.T, s tester) {
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}}})
		s.do(s.SetTextBoard(s.ctx, bob, true))
		s.do(s.SetHidden(s.ctx, alice, true))
		same(t, must[match.Looks](t)(s.Looks(s.ctx, alice, bob, carol)),
			match.Looks{alice: {Name: "Alice", Hidden: true}, bob: {TextBoard: true}})
		s.save(match.Save{Names: []match.Name{{Player: bob, Name: "Bob"}}})
		same(t, must[match.Looks](t)(s.Looks(s.ctx, bob)), match.Looks{bob: {Name: "Bob", TextBoard: true}})
	})
	subtest(t, open, "a match is loaded with how its players are shown", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		same(t, s.match("m").Looks, match.Looks{})
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}, {Player: carol, Name: "Carol"}}})
		s.do(s.SetHidden(s.ctx, alice, true))
		same(t, s.match("m").Looks, match.Looks{alice: {Name: "Alice", Hidden: true}})
		s.do(s.SetTextBoard(s.ctx, bob, true))
		same(t, s.match("m").Looks, match.Looks{alice: {Name: "Alice", Hidden: true}, bob: {TextBoard: true}})
		s.create(match.Start("c", "c", "", game.Classic(), match.Seats{match.Computer("easy"), match.Human(bob)}, time.Hour, 1, noon()))
		same(t, s.match("c").Looks, match.Looks{bob: {TextBoard: true}})
	})
	subtest(t, open, "a match is loaded with whether hints are off in its server", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		noHints := func(want bool) {
			t.Helper()
			same(t, s.match("m").NoHints, want)
		}
		noHints(false)
		was := policy.Policy{Venue: home}
		for _, off := range [][]policy.Feature{{policy.Learn}, {policy.Best, policy.Hints}, nil} {
			to := policy.Policy{Venue: home, Off: off, Version: was.Version + 1}
			s.do(s.SetPolicy(s.ctx, was, to, entryOf(to)))
			noHints(slices.Contains(off, policy.Hints))
			was = to
		}
	})
}
