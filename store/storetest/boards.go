package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// reference is the message that shows the board of match m; referred is the stored board after a save of reference.
var (
	reference = board.Reference{
		ID: "m", Guild: "guild", Channel: "channel", Message: "message", Token: "token", Expires: after(900), Member: true,
		Locale: "de",
	}
	referred = board.Board{
		ID: "m", Guild: "guild", Channel: "channel", Message: "message", Token: "token", Expires: after(900), Member: true,
		Locale: "de",
	}
)

// referenceTo returns the reference for the board of another match.
func referenceTo(id match.ID) board.Reference {
	r := reference
	r.ID = id
	return r
}

// board returns the board of match m.
func (s tester) board() board.Board {
	s.t.Helper()
	return must[board.Board](s.t)(s.Board(s.ctx, "m"))
}

// behind returns the ids of the boards that must be redrawn, of all partitions.
func (s tester) behind(after match.ID, limit int) []match.ID {
	s.t.Helper()
	return must[[]match.ID](s.t)(s.Behind(s.ctx, match.Partition{}, after, limit))
}

// move moves the board of match m to another channel.
func (s tester) move() {
	s.t.Helper()
	s.do(s.Move(s.ctx, match.Permit{Venue: "guild"}, board.Reference{
		ID: "m", Guild: "guild", Channel: "elsewhere", Token: "of the move", Expires: after(1800), Member: true,
	}))
}

// testReferences tests that the latest reference says where a board is shown.
func testReferences(t *testing.T, open opener) {
	subtest(t, open, "a match that no message shows has no board", func(t *testing.T, s tester) {
		fails(t, errorOf(s.Board(s.ctx, "m")), match.ErrNotFound)
	})
	subtest(t, open, "a sighting is where it is shown", func(t *testing.T, s tester) {
		s.extra(reference)
		same(t, s.board(), referred)
	})
	subtest(t, open, "a later sighting replaces the first, and keeps the message if it has none", func(t *testing.T, s tester) {
		s.extra(reference)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 3}))
		s.do(s.SaveMention(s.ctx, "m", board.Mention{}, board.Mention{Ply: 2, Message: "ping"}))
		s.extra(board.Reference{ID: "m", Channel: "other", Token: "newer", Expires: after(1800)})
		want := board.Board{
			ID: "m", Guild: "guild", Channel: "other", Message: "message", Token: "newer", Expires: after(1800),
			Shown: 3, Mention: board.Mention{Ply: 2, Message: "ping"}, Locale: "de",
		}
		same(t, s.board(), want)
	})
	subtest(t, open, "the language stays the one that the board began with", func(t *testing.T, s tester) {
		for id, guild := range map[match.ID]string{"m": "guild", "n": ""} {
			first := referenceTo(id)
			first.Guild = guild
			s.extra(first)
			first.Locale = "fr"
			s.extra(first)
			same(t, must[board.Board](t)(s.Board(s.ctx, id)).Locale, "de")
		}
		silent := board.Reference{ID: "s", Guild: "guild", Channel: "channel"}
		s.extra(silent)
		silent.Locale = "fr"
		s.extra(silent)
		same(t, must[board.Board](t)(s.Board(s.ctx, "s")).Locale, "fr")
	})
	subtest(t, open, "a match is loaded with the language of its board", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		same(t, s.match("m").Locale, "")
		s.extra(reference)
		same(t, s.match("m").Locale, "de")
	})
	subtest(t, open, "another message than the one that shows the board is no sighting of it, and nothing is saved with it", func(t *testing.T, s tester) {
		s.extra(reference)
		other := reference
		other.Message, other.Token = "another", "newer"
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{To: begin("m", alice, bob, noon())}}, Extras: []match.Extra{other}}), board.ErrMoved)
		same(t, s.board(), referred)
		fails(t, errorOf(s.Match(s.ctx, "m")), match.ErrNotFound)
	})
	subtest(t, open, "a change of a missing board changes nothing", func(t *testing.T, s tester) {
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1, Message: "message"}))
		fails(t, s.SaveMention(s.ctx, "m", board.Mention{}, board.Mention{Ply: 1}), match.ErrConflict)
		fails(t, errorOf(s.Board(s.ctx, "m")), match.ErrNotFound)
	})
	subtest(t, open, "several boards come by their ids, unknown ones are absent", func(t *testing.T, s tester) {
		s.extra(reference, referenceTo("n"), referenceTo("o"))
		also := referred
		also.ID = "n"
		boards := must[map[match.ID]board.Board](t)(s.Boards(s.ctx, "m", "n", "unknown"))
		same(t, boards, map[match.ID]board.Board{"m": referred, "n": also})
		same(t, must[map[match.ID]board.Board](t)(s.Boards(s.ctx)), map[match.ID]board.Board{})
	})
}

// testShownBoards tests what is recorded after a board was drawn, its player was mentioned, or its message was deleted.
func testShownBoards(t *testing.T, open opener) {
	subtest(t, open, "the shown version only grows", func(t *testing.T, s tester) {
		untold := reference
		untold.Message = ""
		s.extra(untold)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 3, Channel: "thread", Message: "told later"}))
		want := referred
		want.Shown, want.Channel, want.Message = 3, "thread", "told later"
		same(t, s.board(), want)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 2, Channel: "late", Message: "late"}))
		same(t, s.board(), want)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 3}))
		same(t, s.board(), want)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 4, Message: "another"}))
		same(t, s.board(), want)
	})
	subtest(t, open, "a mention is kept until there is another or none", func(t *testing.T, s tester) {
		s.extra(reference)
		none, ping := board.Mention{}, board.Mention{Ply: 1, Message: "ping"}
		s.do(s.SaveMention(s.ctx, "m", none, ping))
		want := referred
		want.Mention = ping
		same(t, s.board(), want)
		s.do(s.SaveMention(s.ctx, "m", ping, none))
		same(t, s.board(), referred)
	})
	subtest(t, open, "of two that note a mention in place of the same one, one does", func(t *testing.T, s tester) {
		s.extra(reference)
		none, first := board.Mention{}, board.Mention{Ply: 1}
		s.do(s.SaveMention(s.ctx, "m", none, first))
		for _, was := range []board.Mention{none, {Ply: 1, Message: "another"}, {Ply: 2}} {
			fails(t, s.SaveMention(s.ctx, "m", was, board.Mention{Ply: 3}), match.ErrConflict)
		}
		want := referred
		want.Mention = first
		same(t, s.board(), want)
	})
	subtest(t, open, "a message that is lost shows nothing, unless the board is in another by now", func(t *testing.T, s tester) {
		s.extra(reference)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1}))
		s.do(s.SaveDeleted(s.ctx, "m", "another"))
		want := referred
		want.Shown = 1
		same(t, s.board(), want)
		s.do(s.SaveDeleted(s.ctx, "m", "message"))
		want.Shown, want.Message, want.Token, want.Expires = 0, "", "", time.Time{}
		same(t, s.board(), want)
	})
}

// testMovedBoards tests that a board that is posted again knows its previous message.
func testMovedBoards(t *testing.T, open opener) {
	subtest(t, open, "a board that moves remembers where it was, until that says so", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		s.extra(reference)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1}))
		s.do(s.SaveRefused(s.ctx, "m"))
		s.move()
		want := referred
		want.Channel, want.Message, want.Token, want.Expires = "elsewhere", "", "of the move", after(1800)
		want.Past = board.Place{Channel: "channel", Message: "message"}
		same(t, s.board(), want)
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1, Message: "new"}))
		want.Message, want.Shown = "new", 1
		same(t, s.board(), want)
		s.move() // the same delivery arrives twice
		same(t, s.board(), want)
		s.do(s.SaveMention(s.ctx, "m", board.Mention{}, board.Mention{Ply: 2, Message: "ping"}))
		want.Mention = board.Mention{Ply: 2, Message: "ping"}
		s.do(s.SaveDeparted(s.ctx, "m", "another"))
		same(t, s.board(), want)
		s.do(s.SaveDeparted(s.ctx, "m", "message"))
		want.Past, want.Mention.Message = board.Place{}, ""
		same(t, s.board(), want)
	})
	subtest(t, open, "where the bot was no member there is nothing to remember", func(t *testing.T, s tester) {
		guest := reference
		guest.Member = false
		s.extra(guest)
		s.move()
		same(t, s.board().Past, board.Place{})
	})
}

// testGivenUpBoards tests which boards the bot gives up because Discord refuses to draw them, and which of these boards it tries again.
func testGivenUpBoards(t *testing.T, open opener) {
	for name, after := range map[string]func(tester){
		"used": func(s tester) { s.extra(reference) }, "drawn": func(s tester) { s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1})) },
	} {
		subtest(t, open, "refusals are counted until the board is "+name, func(t *testing.T, s tester) {
			s.extra(reference)
			for range board.MaxRefused {
				same(t, s.board().GivenUp(), false)
				s.do(s.SaveRefused(s.ctx, "m"))
			}
			same(t, s.board().GivenUp(), true)
			same(t, s.board().Refused, board.MaxRefused)
			after(s)
			same(t, s.board().Refused, 0)
		})
	}
	subtest(t, open, "a server that is left takes its boards with it, and brings them back", func(t *testing.T, s tester) {
		abroad := referenceTo("n")
		abroad.Guild = "abroad"
		s.extra(reference, abroad, referenceTo("o"))
		s.do(s.SaveRefused(s.ctx, "o"))
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", board.Left)), 0)
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", 1)), 1)
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", 1)), 0)
		s.do(s.SaveGuildLeft(s.ctx, "guild"))
		s.do(s.SaveRefused(s.ctx, "m"))
		s.extra(reference)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m"})) // an earlier edit succeeds after all
		same(t, s.board().GivenUp(), true)
		same(t, must[board.Board](t)(s.Board(s.ctx, "n")).GivenUp(), false)
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", board.Left)), 2)
		same(t, s.board(), referred)
	})
}

// testEdits tests that a board counts as outdated while an edit of its message may be under way.
func testEdits(t *testing.T, open opener) {
	subtest(t, open, "a board is behind while an edit may be under way, whatever its message is said to show", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		next := play(t, m, after(1), "a1")
		s.create(m)
		s.extra(reference, referenceTo("n"))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: m.Version}))
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Message: "message", Name: "edit"}))
		same(t, s.board().Edit, "edit")
		same(t, s.behind("", 9), []match.ID{"m"})
		s.save(match.Save{Matches: []match.MatchChange{{From: m, To: next}}, Extras: []match.Extra{reference}})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: next.Version, Message: "message"})) // a reply does not finish the edit
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: m.Version, Message: "message", Edit: "edit"})) // an older edit does not finish it either
		same(t, s.board().Shown, next.Version)
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Message: "message", Name: "another"}))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: next.Version, Message: "message", Edit: "edit"}))
		same(t, s.board().Edit, "another")
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: next.Version, Message: "message", Edit: "another"}))
		same(t, s.board().Edit, "")
		same(t, s.behind("", 9), nil)
	})
	subtest(t, open, "a post is named once, and takes its name along when it arrives", func(t *testing.T, s tester) {
		unposted := referenceTo("m")
		unposted.Message = ""
		s.create(begin("m", alice, bob, noon()))
		s.extra(unposted)
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Name: "post"}))
		fails(t, s.BeginEdit(s.ctx, board.Edit{ID: "m", Name: "another"}), board.ErrMoved)
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Was: "post"}))
		same(t, s.board().Edit, "")
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Name: "another"}))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1, Message: "posted", Edit: "another"}))
		same(t, s.board().Edit, "")
		same(t, s.board().Message, "posted")
		fails(t, s.BeginEdit(s.ctx, board.Edit{ID: "m", Name: "late"}), board.ErrMoved)
	})
	subtest(t, open, "an edit is over with a message that is gone", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		s.extra(reference)
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Message: "message", Name: "edit"}))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: board.Gone, Edit: "edit"}))
		same(t, s.behind("", 9), nil)
	})
	subtest(t, open, "no other message than the board's is edited, and what it leaves takes its edit along", func(t *testing.T, s tester) {
		edit := board.Edit{ID: "m", Message: "message", Name: "edit"}
		refused := func(e board.Edit) {
			t.Helper()
			before, _ := s.Board(s.ctx, e.ID)
			fails(t, s.BeginEdit(s.ctx, e), board.ErrMoved)
			now, _ := s.Board(s.ctx, e.ID)
			same(t, now, before)
		}
		refused(edit)
		s.extra(reference)
		refused(board.Edit{ID: "m", Message: "another", Name: "edit"})
		s.do(s.BeginEdit(s.ctx, edit))
		s.move()
		same(t, s.board().Edit, "")
		refused(edit)
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Message: "found", Name: "edit"}))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: 1, Message: "found"}))
		s.do(s.SaveDeleted(s.ctx, "m", "found"))
		same(t, s.board().Edit, "")
	})
}

// testBoardsAfter tests the boards of matches that follow others.
func testBoardsAfter(t *testing.T, open opener) {
	subtest(t, open, "a board after another one is in its channel, and nothing shows it yet", func(t *testing.T, s tester) {
		first, next := begin("m", alice, bob, noon()), begin("n", bob, alice, noon())
		s.save(match.Save{Matches: []match.MatchChange{{To: first}}, Extras: []match.Extra{reference}})
		s.save(match.Save{Matches: []match.MatchChange{{To: next}}, Extras: []match.Extra{match.BoardAfter{ID: "n", After: "m"}}})
		got := must[board.Board](t)(s.Board(s.ctx, "n"))
		same(t, got, board.Board{ID: "n", Guild: reference.Guild, Channel: reference.Channel, Member: reference.Member, Locale: reference.Locale})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: first.Version}))
		same(t, s.behind("", 9), []match.ID{"n"})
	})
	subtest(t, open, "a match after one without a board has none", func(t *testing.T, s tester) {
		s.save(match.Save{
			Matches: []match.MatchChange{{To: begin("n", bob, alice, noon())}}, Extras: []match.Extra{match.BoardAfter{ID: "n", After: "m"}},
		})
		_, err := s.Board(s.ctx, "n")
		fails(t, err, match.ErrNotFound)
	})
}

// testTidyBoards tests when the boards of ended matches shrink.
func testTidyBoards(t *testing.T, open opener) {
	untidy := func(s tester, by time.Time) []match.ID {
		s.t.Helper()
		return must[[]match.ID](s.t)(s.Untidy(s.ctx, match.Partition{}, by, 9))
	}
	tidy := policy.Policy{Venue: home, TidyAfter: time.Minute, Version: 1}
	subtest(t, open, "a board shrinks some time after the end of its match, and at once if nobody has moved", func(t *testing.T, s tester) {
		s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: home}, tidy, entryOf(tidy)))
		played, unplayed := begin("m", alice, bob, noon()), begin("n", alice, bob, noon())
		for _, m := range []match.Match{played, unplayed, begin("o", alice, bob, noon())} {
			s.create(m)
			s.extra(referenceTo(m.ID))
			s.do(s.SaveShown(s.ctx, board.Shown{ID: m.ID, Version: m.Version}))
		}
		moved := play(t, played, after(1), "a1")
		s.replace(played, moved)
		for _, m := range []match.Match{moved, unplayed} {
			s.replace(m, must[match.Match](t)(m.Resign(alice, m.Record.Len(), after(2))))
			s.do(s.SaveShown(s.ctx, board.Shown{ID: m.ID, Version: m.Version + 1}))
		}
		same(t, untidy(s, after(1)), nil)
		same(t, untidy(s, after(61)), []match.ID{"n"})
		same(t, untidy(s, after(62)), []match.ID{"n", "m"})
		s.do(s.Shrink(s.ctx, "edit", "m", "n", "o"))
		same(t, untidy(s, after(62)), nil)
		same(t, s.behind("", 9), []match.ID{"m", "n"})
		if !s.board().Small || !s.match("m").Small || s.match("o").Small {
			t.Error("the boards of the two ended matches should be small")
		}
		s.do(s.BeginEdit(s.ctx, board.Edit{ID: "m", Message: "message", Name: "drawn"}))
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: moved.Version + 1, Edit: "drawn"}))
		same(t, s.behind("", 9), []match.ID{"n"})
	})
	subtest(t, open, "boards stay as they are where nobody wants them to shrink", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		s.create(m)
		s.extra(reference)
		s.replace(m, must[match.Match](t)(m.Resign(alice, 0, after(2))))
		s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: home}, tidy, entryOf(tidy)))
		same(t, untidy(s, after(9999)), nil)
	})
}

// testBoardsBehind tests which boards are found because their messages show an older version than the store has.
func testBoardsBehind(t *testing.T, open opener) {
	subtest(t, open, "a board is behind while its message shows an older version", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		s.save(match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{reference}})
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: m.Version}))
		same(t, s.behind("", 9), nil)
		next := play(t, m, after(1), "a1")
		s.replace(m, next)
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: next.Version}))
		same(t, s.behind("", 9), nil)
		s.credit(match.Partition{}, missed(noon(), match.BriefGap))
		same(t, s.behind("", 9), []match.ID{"m"})
	})
	subtest(t, open, "a brief absence makes no board outdated, and leaves outdated boards outdated", func(t *testing.T, s tester) {
		over := s.ended("rematch", alice, carol, noon(), xWins())
		proposed, _ := askRematch(t, over, alice, over.Version, "n", after(7))
		s.replace(over, proposed)
		s.invite(invite(t, "challenge", alice, bob, noon()))
		s.create(begin("shown", alice, bob, noon()), begin("behind", alice, bob, noon()), begin("lost", alice, bob, after(-60)))
		for id, version := range map[match.ID]int{"shown": 1, "behind": 0, "lost": 1, "challenge": 1, "rematch": proposed.Version} {
			s.extra(referenceTo(id))
			s.do(s.SaveShown(s.ctx, board.Shown{ID: id, Version: version}))
		}
		const brief = match.BriefGap - time.Millisecond
		for i := range 3 {
			same(t, s.credit(match.Partition{}, missed(noon().Add(time.Duration(i)*brief), brief)), 4)
			same(t, s.behind("", 9), []match.ID{"behind"})
		}
		for id, version := range map[match.ID]int{"shown": 4, "behind": 0, "lost": 1, "challenge": 4, "rematch": proposed.Version + 3} {
			same(t, must[board.Board](t)(s.Board(s.ctx, id)).Shown, version)
		}
		m := s.match("shown")
		s.replace(m, play(t, m, after(9), "a1"))
		same(t, s.behind("", 9), []match.ID{"behind", "shown"})
	})
	subtest(t, open, "it does not matter whether the board or its match is saved first", func(t *testing.T, s tester) {
		other := reference
		other.ID = "c"
		s.extra(reference, other)
		s.create(begin("m", alice, bob, noon()))
		s.invite(invite(t, "c", alice, bob, noon()))
		same(t, s.behind("", 9), []match.ID{"c", "m"})
	})
	subtest(t, open, "a board of a match that was never saved is not behind", func(t *testing.T, s tester) {
		s.extra(reference)
		same(t, s.behind("", 9), nil)
	})
	subtest(t, open, "boards that are behind come in pages, by their ids", func(t *testing.T, s tester) {
		for _, id := range []match.ID{"d", "b", "a", "c"} {
			s.create(begin(id, alice, bob, noon()))
			s.extra(referenceTo(id))
		}
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "b", Version: 1}))
		same(t, s.behind("", 2), []match.ID{"a", "c"})
		same(t, s.behind("c", 2), []match.ID{"d"})
		same(t, s.behind("d", 2), nil)
	})
}

// testChallengesBehind tests the boards of challenges, and of the matches that follow from them.
func testChallengesBehind(t *testing.T, open opener) {
	subtest(t, open, "a challenge is behind as well, and then the match it leads to", func(t *testing.T, s tester) {
		c := invite(t, "m", alice, bob, noon())
		accepted, m := accept(t, c)
		s.save(match.Save{Challenge: match.ChallengeChange{To: c}, Extras: []match.Extra{reference}})
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: c.Version}))
		same(t, s.behind("", 9), nil)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: accepted}, Matches: []match.MatchChange{{To: m}}})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: accepted.Version}))
		same(t, s.behind("", 9), []match.ID{"m"})
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: m.Version}))
		same(t, s.behind("", 9), nil)
	})
	subtest(t, open, "a match that began without a message shown is found from its sighting on", func(t *testing.T, s tester) {
		c := invite(t, "m", alice, bob, noon())
		accepted, m := accept(t, c)
		s.invite(c)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: accepted}, Matches: []match.MatchChange{{To: m}}})
		s.extra(reference)
		s.do(s.SaveShown(s.ctx, board.Shown{ID: "m", Version: accepted.Version}))
		same(t, s.behind("", 9), []match.ID{"m"})
	})
}

// testWithoutMention tests the search for matches without a recorded mention for the current ply.
func testWithoutMention(t *testing.T, open opener) {
	withoutMention := func(s tester, after match.ID, limit int) []match.ID {
		s.t.Helper()
		return must[[]match.ID](s.t)(s.WithoutMention(s.ctx, match.Partition{}, after, limit))
	}
	subtest(t, open, "a match is without a mention until one is noted for its ply, and again after a move", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		s.create(m)
		same(t, withoutMention(s, "", 9), nil) // no message shows the match
		s.extra(reference)
		same(t, withoutMention(s, "", 9), []match.ID{"m"})
		first := board.Mention{Ply: 1, Message: "ping"}
		s.do(s.SaveMention(s.ctx, "m", board.Mention{}, first))
		same(t, withoutMention(s, "", 9), nil)
		next := play(t, m, after(1), "a1")
		s.replace(m, next)
		same(t, withoutMention(s, "", 9), []match.ID{"m"})
		s.do(s.SaveMention(s.ctx, "m", first, board.Mention{Ply: 2}))
		same(t, withoutMention(s, "", 9), nil)
	})
	subtest(t, open, "no mention is due in an ended match, against a computer, or where the bot is no member", func(t *testing.T, s tester) {
		for _, id := range []match.ID{"over", "computer", "guest", "untold", "m"} {
			b := referenceTo(id)
			b.Member = id != "guest"
			if id == "untold" {
				b.Message = ""
			}
			s.extra(b)
		}
		s.ended("over", alice, carol, noon(), xWins())
		against := begin("computer", alice, bob, noon())
		against.Seats[1] = match.Computer("easy")
		s.create(against, begin("guest", alice, bob, noon()), begin("untold", alice, bob, noon()), begin("m", alice, bob, noon()))
		same(t, withoutMention(s, "", 9), []match.ID{"m"})
	})
	subtest(t, open, "a match whose board is given up is not among those without a mention, until the server opens again", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		s.extra(reference)
		for range board.MaxRefused {
			same(t, withoutMention(s, "", 9), []match.ID{"m"})
			s.do(s.SaveRefused(s.ctx, "m"))
		}
		same(t, withoutMention(s, "", 9), nil)
		must[int](t)(s.Reopen(s.ctx, reference.Guild, 1))
		same(t, withoutMention(s, "", 9), []match.ID{"m"})
	})
	subtest(t, open, "the matches of a partition without a mention come in pages, sorted by id", func(t *testing.T, s tester) {
		for _, v := range everywhere() {
			for _, id := range []match.ID{"a", "b"} {
				b := referenceTo(id + match.ID(v))
				b.Guild = string(v)
				s.create(in(v, begin(b.ID, alice, bob, noon())))
				s.extra(b)
			}
		}
		for i, want := range [][]match.ID{{"a", "a" + match.ID(first), "b"}, {"a" + match.ID(second), "b" + match.ID(second)}} {
			same(t, must[[]match.ID](t)(s.WithoutMention(s.ctx, partition(i, 4), "", 3)), want)
		}
		same(t, must[[]match.ID](t)(s.WithoutMention(s.ctx, partition(0, 4), "b", 3)), []match.ID{"b" + match.ID(first)})
		same(t, must[[]match.ID](t)(s.WithoutMention(s.ctx, partition(3, 4), "", 3)), nil)
	})
}
