package storetest

import (
	"errors"
	"testing"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

func testBoards(t *testing.T, open func(t *testing.T) Store) {
	seen := board.Reference{
		ID: "m", Guild: "guild", Channel: "channel", Message: "message", Token: "token", Expires: after(900), Member: true,
		Locale: "de",
	}
	known := board.Board{
		ID: "m", Guild: "guild", Channel: "channel", Message: "message", Token: "token", Expires: after(900), Member: true,
		Locale: "de",
	}
	get := func(s tester) board.Board {
		s.t.Helper()
		return must[board.Board](s.t)(s.Board(s.ctx, "m"))
	}
	behind := func(s tester, after match.ID, limit int) []match.ID {
		s.t.Helper()
		return must[[]match.ID](s.t)(s.Behind(s.ctx, match.Partition{}, after, limit))
	}

	t.Run("what is shown nowhere is not found", func(t *testing.T) {
		s := start(t, open)
		if _, err := s.Board(s.ctx, "m"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a sighting is where it is shown", func(t *testing.T) {
		s := start(t, open)
		s.save(seen)
		same(t, get(s), known)
	})
	t.Run("a later sighting replaces the first, and keeps the message if it has none", func(t *testing.T) {
		s := start(t, open)
		s.save(seen, board.Shown{ID: "m", Version: 3}, board.Mentioned{ID: "m", Mention: board.Mention{Ply: 2, Message: "ping"}})
		s.save(board.Reference{ID: "m", Channel: "other", Token: "newer", Expires: after(1800)})
		want := board.Board{
			ID: "m", Guild: "guild", Channel: "other", Message: "message", Token: "newer", Expires: after(1800),
			Shown: 3, Mention: board.Mention{Ply: 2, Message: "ping"},
		}
		same(t, get(s), want)
		s.save(board.Reference{ID: "m", Channel: "other", Message: "message", Locale: "fr"})
		want.Token, want.Expires, want.Locale = "", time.Time{}, "fr"
		same(t, get(s), want)
	})
	t.Run("what is shown only grows", func(t *testing.T) {
		s := start(t, open)
		untold := seen
		untold.Message = ""
		s.save(untold, board.Shown{ID: "m", Version: 3, Channel: "thread", Message: "told later"})
		want := known
		want.Shown, want.Channel, want.Message = 3, "thread", "told later"
		same(t, get(s), want)
		s.save(board.Shown{ID: "m", Version: 2, Channel: "late", Message: "late"})
		same(t, get(s), want)
		s.save(board.Shown{ID: "m", Version: 3})
		same(t, get(s), want)
		s.save(board.Shown{ID: "m", Version: 4, Message: "another"})
		same(t, get(s), want)
	})
	t.Run("outside of servers the language stays that of whoever began", func(t *testing.T) {
		s := start(t, open)
		direct := seen
		direct.Guild = ""
		s.save(direct)
		direct.Locale = "fr"
		s.save(direct)
		same(t, get(s).Locale, "de")
	})
	t.Run("another message than the one that shows the board is no sighting of it, and nothing is saved with it", func(t *testing.T) {
		s := start(t, open)
		s.save(seen)
		other := seen
		other.Message, other.Token = "another", "newer"
		err := s.Save(s.ctx, match.CreateMatch{Match: begin("m", alice, bob, noon())}, other)
		if !errors.Is(err, board.ErrMoved) {
			t.Errorf("got %v", err)
		}
		same(t, get(s), known)
		if _, err := s.Match(s.ctx, "m"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	moved := board.Moved{Reference: board.Reference{
		ID: "m", Guild: "guild", Channel: "elsewhere", Token: "of the move", Expires: after(1800), Member: true,
	}}
	t.Run("a board that moves remembers where it was, until that says so", func(t *testing.T) {
		s := start(t, open)
		s.save(match.CreateMatch{Match: begin("m", alice, bob, noon())}, seen, board.Shown{ID: "m", Version: 1}, board.Refused{ID: "m"})
		s.save(moved)
		want := known
		want.Channel, want.Message, want.Token, want.Expires = "elsewhere", "", "of the move", after(1800)
		want.Past = board.Place{Channel: "channel", Message: "message"}
		same(t, get(s), want)
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: 1, Message: "new"})
		want.Message, want.Shown = "new", 1
		same(t, get(s), want)
		s.save(moved) // delivered twice
		same(t, get(s), want)
		s.save(board.Departed{ID: "m", Message: "another"})
		same(t, get(s), want)
		s.save(board.Departed{ID: "m", Message: "message"})
		want.Past = board.Place{}
		same(t, get(s), want)
	})
	t.Run("where the bot was no member there is nothing to remember", func(t *testing.T) {
		s := start(t, open)
		guest := seen
		guest.Member = false
		s.save(guest, moved)
		same(t, get(s).Past, board.Place{})
	})
	t.Run("a message that is lost shows nothing, unless the board is in another by now", func(t *testing.T) {
		s := start(t, open)
		s.save(seen, board.Shown{ID: "m", Version: 1}, board.Lost{ID: "m", Message: "another"})
		want := known
		want.Shown = 1
		same(t, get(s), want)
		s.save(board.Lost{ID: "m", Message: "message"})
		want.Shown, want.Message, want.Token, want.Expires = 0, "", "", time.Time{}
		same(t, get(s), want)
	})
	t.Run("refusals are counted until the board is used, drawn, or open again", func(t *testing.T) {
		for name, after := range map[string]match.Change{"used": seen, "drawn": board.Shown{ID: "m", Version: 1}} {
			s := start(t, open)
			s.save(seen)
			for range board.MaxRefused {
				if get(s).GivenUp() {
					t.Error("too early")
				}
				s.save(board.Refused{ID: "m"})
			}
			if b := get(s); !b.GivenUp() || b.Refused != board.MaxRefused {
				t.Errorf("%+v", b)
			}
			s.save(after)
			if b := get(s); b.Refused != 0 {
				t.Errorf("%s: %+v", name, b)
			}
		}
	})
	t.Run("a server that is left takes its boards with it, and brings them back", func(t *testing.T) {
		s := start(t, open)
		abroad, refused := seen, seen
		abroad.ID, abroad.Guild, refused.ID = "n", "abroad", "o"
		s.save(seen, abroad, refused, board.Refused{ID: "o"})
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", board.Left)), 0)
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", 1)), 1)
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", 1)), 0)
		s.save(board.GuildLeft{Guild: "guild"}, board.Refused{ID: "m"})
		s.save(seen, board.Shown{ID: "m"}) // what was on its way
		if !get(s).GivenUp() || must[board.Board](t)(s.Board(s.ctx, "n")).GivenUp() {
			t.Error("not the boards of that server alone")
		}
		same(t, must[int](t)(s.Reopen(s.ctx, "guild", board.Left)), 2)
		same(t, get(s), known)
	})
	t.Run("a mention is kept until there is another or none", func(t *testing.T) {
		s := start(t, open)
		s.save(seen, board.Mentioned{ID: "m", Mention: board.Mention{Ply: 1, Message: "ping"}})
		want := known
		want.Mention = board.Mention{Ply: 1, Message: "ping"}
		same(t, get(s), want)
		s.save(board.Mentioned{ID: "m"})
		same(t, get(s), known)
	})
	t.Run("what is said of a board that is not there changes nothing", func(t *testing.T) {
		s := start(t, open)
		s.save(board.Shown{ID: "m", Version: 1, Message: "message"}, board.Mentioned{ID: "m", Mention: board.Mention{Ply: 1}})
		if _, err := s.Board(s.ctx, "m"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("several boards come by their ids, unknown ones are absent", func(t *testing.T) {
		s := start(t, open)
		other := seen
		other.ID = "n"
		third := seen
		third.ID = "o"
		s.save(seen, other, third)
		also := known
		also.ID = "n"
		boards := must[map[match.ID]board.Board](t)(s.Boards(s.ctx, "m", "n", "unknown"))
		same(t, boards, map[match.ID]board.Board{"m": known, "n": also})
		same(t, must[map[match.ID]board.Board](t)(s.Boards(s.ctx)), map[match.ID]board.Board{})
	})
	t.Run("a board is behind while its message shows an older version", func(t *testing.T) {
		s := start(t, open)
		m := begin("m", alice, bob, noon())
		s.save(match.CreateMatch{Match: m}, seen)
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: m.Version})
		same(t, behind(s, "", 9), nil)
		next := play(t, m, after(1), "a1")
		s.save(match.UpdateMatch{From: m, To: next})
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: next.Version})
		same(t, behind(s, "", 9), nil)
		must[int](t)(s.GiveBack(s.ctx, match.Partition{}, noon(), match.BriefGap))
		same(t, behind(s, "", 9), []match.ID{"m"})
	})
	t.Run("a brief time away leaves what is up to date up to date, and what is behind behind", func(t *testing.T) {
		s := start(t, open)
		over := s.ended("rematch", alice, carol, noon(), xWins())
		proposed, _, err := over.AskRematch(alice, over.Version, "n", after(7))
		if err != nil {
			t.Fatal(err)
		}
		s.save(match.UpdateMatch{From: over, To: proposed})
		s.save(match.CreateMatch{Match: begin("shown", alice, bob, noon())},
			match.CreateMatch{Match: begin("behind", alice, bob, noon())},
			match.CreateMatch{Match: begin("lost", alice, bob, after(-60))}, // its time had run out before
			match.CreateChallenge{Challenge: invite(t, "challenge", alice, bob, noon())})
		for id, version := range map[match.ID]int{"shown": 1, "behind": 0, "lost": 1, "challenge": 1, "rematch": proposed.Version} {
			b := seen
			b.ID = id
			s.save(b, board.Shown{ID: id, Version: version})
		}
		for i := range 3 {
			if n := must[int](t)(s.GiveBack(s.ctx, match.Partition{}, after(i), match.BriefGap-time.Millisecond)); n != 4 {
				t.Errorf("%d deadlines moved", n)
			}
			same(t, behind(s, "", 9), []match.ID{"behind"})
		}
		for id, version := range map[match.ID]int{"shown": 4, "behind": 0, "lost": 1, "challenge": 4, "rematch": proposed.Version + 3} {
			if b := must[board.Board](t)(s.Board(s.ctx, id)); b.Shown != version {
				t.Errorf("%s: version %d is shown", id, b.Shown)
			}
		}
		m := must[match.Match](t)(s.Match(s.ctx, "shown"))
		s.save(match.UpdateMatch{From: m, To: play(t, m, after(9), "a1")})
		same(t, behind(s, "", 9), []match.ID{"behind", "shown"})
	})
	t.Run("a board is behind while an edit may be under way, whatever its message is said to show", func(t *testing.T) {
		s := start(t, open)
		m := begin("m", alice, bob, noon())
		next := play(t, m, after(1), "a1")
		other := seen
		other.ID = "n"
		s.save(match.CreateMatch{Match: m}, seen, board.Shown{ID: "m", Version: m.Version}, other)
		s.save(board.Edit{ID: "m", Message: "message", Name: "edit"})
		same(t, get(s).Edit, "edit")
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(match.UpdateMatch{From: m, To: next}, seen)
		s.save(board.Shown{ID: "m", Version: next.Version, Message: "message"}) // a reply says nothing of the edit
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: m.Version, Message: "message", Edit: "edit"}) // nor does an older one end it
		same(t, get(s).Shown, next.Version)
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Edit{ID: "m", Message: "message", Name: "another"})
		s.save(board.Shown{ID: "m", Version: next.Version, Message: "message", Edit: "edit"})
		same(t, get(s).Edit, "another")
		s.save(board.Shown{ID: "m", Version: next.Version, Message: "message", Edit: "another"})
		same(t, get(s).Edit, "")
		same(t, behind(s, "", 9), nil)
	})
	t.Run("an edit is over with a message that is gone", func(t *testing.T) {
		s := start(t, open)
		s.save(match.CreateMatch{Match: begin("m", alice, bob, noon())}, seen, board.Edit{ID: "m", Message: "message", Name: "edit"},
			board.Shown{ID: "m", Version: board.Gone, Edit: "edit"})
		same(t, behind(s, "", 9), nil)
	})
	t.Run("no other message than the board's is edited, and what it leaves takes its edit along", func(t *testing.T) {
		s := start(t, open)
		edit := board.Edit{ID: "m", Message: "message", Name: "edit"}
		refused := func(e board.Edit) {
			t.Helper()
			before, _ := s.Board(s.ctx, e.ID)
			if err := s.Save(s.ctx, e); !errors.Is(err, board.ErrMoved) {
				t.Errorf("got %v", err)
			}
			now, _ := s.Board(s.ctx, e.ID)
			same(t, now, before)
		}
		refused(edit)
		s.save(seen)
		refused(board.Edit{ID: "m", Message: "another", Name: "edit"})
		s.save(edit, moved)
		same(t, get(s).Edit, "")
		refused(edit)
		s.save(board.Edit{ID: "m", Message: "found", Name: "edit"})
		s.save(board.Shown{ID: "m", Version: 1, Message: "found"}, board.Lost{ID: "m", Message: "found"})
		same(t, get(s).Edit, "")
	})
	t.Run("it does not matter whether the board or what it shows is saved first", func(t *testing.T) {
		s := start(t, open)
		other := seen
		other.ID = "c"
		s.save(seen, match.CreateMatch{Match: begin("m", alice, bob, noon())},
			other, match.CreateChallenge{Challenge: invite(t, "c", alice, bob, noon())})
		same(t, behind(s, "", 9), []match.ID{"c", "m"})
	})
	t.Run("a board of what was never saved is not behind", func(t *testing.T) {
		s := start(t, open)
		s.save(seen)
		same(t, behind(s, "", 9), nil)
	})
	t.Run("a challenge is behind as well, and then the match it leads to", func(t *testing.T) {
		s := start(t, open)
		c := invite(t, "m", alice, bob, noon())
		accepted, m, err := c.Accept(bob, false, after(1))
		if err != nil {
			t.Fatal(err)
		}
		s.save(seen, match.CreateChallenge{Challenge: c})
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: c.Version})
		same(t, behind(s, "", 9), nil)
		s.save(match.CreateMatch{Match: m}, match.UpdateChallenge{From: c, To: accepted})
		s.save(board.Shown{ID: "m", Version: accepted.Version})
		same(t, behind(s, "", 9), []match.ID{"m"})
		s.save(board.Shown{ID: "m", Version: m.Version})
		same(t, behind(s, "", 9), nil)
	})
	t.Run("a match that began without a message shown is found from its sighting on", func(t *testing.T) {
		s := start(t, open)
		c := invite(t, "m", alice, bob, noon())
		accepted, m, err := c.Accept(bob, false, after(1))
		if err != nil {
			t.Fatal(err)
		}
		s.save(match.CreateChallenge{Challenge: c})
		s.save(match.UpdateChallenge{From: c, To: accepted}, match.CreateMatch{Match: m})
		s.save(seen)
		s.save(board.Shown{ID: "m", Version: accepted.Version})
		same(t, behind(s, "", 9), []match.ID{"m"})
	})
	t.Run("boards that are behind come in pages, by their ids", func(t *testing.T) {
		s := start(t, open)
		for _, id := range []match.ID{"d", "b", "a", "c"} {
			b := seen
			b.ID = id
			s.save(match.CreateMatch{Match: begin(id, alice, bob, noon())}, b)
		}
		s.save(board.Shown{ID: "b", Version: 1})
		same(t, behind(s, "", 2), []match.ID{"a", "c"})
		same(t, behind(s, "c", 2), []match.ID{"d"})
		same(t, behind(s, "d", 2), nil)
	})
}
