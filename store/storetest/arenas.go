package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/user"
	"tictactoe/internal/server/policy"
)

// announce returns a new arena with the given entrants, which begins after five minutes. It does not save it.
func announce(t *testing.T, id match.ID, v match.Venue, channel string, players ...match.User) arena.Arena {
	t.Helper()
	a, err := arena.New(id, v, channel, carol, arena.Terms{
		Name: "Friday", Rules: arena.Boards()[0].Rules, TurnTime: 30 * time.Second, Lasts: 20 * time.Minute, Begins: after(300), Rated: true,
	}, noon())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range players {
		a = must[arena.Arena](t)(a.Join(p, after(len(a.Entrants))))
	}
	return a
}

// run saves an arena with entrants that has begun and has paired them, and returns it with its games.
func (s tester) run(id match.ID, v match.Venue, channel string, players ...match.User) (arena.Arena, []match.Match) {
	s.t.Helper()
	a := announce(s.t, id, v, channel, players...)
	s.extra(arena.Change{To: a})
	begun, _ := a.Pass(a.Begins)
	paired, games := begun.Paired(begun.Pairs(a.Begins), a.Begins)
	save := match.Save{Extras: []match.Extra{arena.Change{From: a, To: paired}}}
	for _, m := range games {
		save.Matches = append(save.Matches, match.MatchChange{To: m})
	}
	s.save(save)
	return paired, games
}

func (s tester) arena(id match.ID) arena.Arena {
	s.t.Helper()
	return must[arena.Arena](s.t)(s.Arena(s.ctx, id))
}

// testArenas tests what is kept of an arena.
func testArenas(t *testing.T, open opener) {
	subtest(t, open, "an arena is kept with its entrants and its games", func(t *testing.T, s tester) {
		a, games := s.run("a", home, "channel", alice, bob)
		same(t, s.arena("a"), a)
		m := games[0]
		same(t, s.match(m.ID), m)
		for i, square := range []string{"a1", "b1", "a1", "b1", "a1", "b1", "a1"} {
			next := play(t, m, after(301+i), square)
			s.replace(m, next)
			m = next
		}
		a.Pairings[0].Result, a.Pairings[0].Plies, a.Pairings[0].Ended = m.Result, 7, m.Ended
		same(t, s.arena("a"), a)
		same(t, s.arena("a").Standings()[0].Points, 2)
		void := must[match.Match](t)(m.Void(after(400)))
		s.replace(m, void)
		same(t, s.arena("a").Standings()[0].Points, 0)
		fails(t, errorOf(s.Arena(s.ctx, "b")), match.ErrNotFound)
	})
	subtest(t, open, "a change is saved from the version it was made for", func(t *testing.T, s tester) {
		a := announce(t, "a", home, "channel", alice)
		s.extra(arena.Change{To: a})
		joined, left := must[arena.Arena](t)(a.Join(bob, after(2))), must[arena.Arena](t)(a.Leave(alice, after(2)))
		s.extra(arena.Change{From: a, To: joined})
		game := match.MatchChange{To: begin("m", alice, bob, noon())}
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{game}, Extras: []match.Extra{arena.Change{From: a, To: left}}}), match.ErrConflict)
		fails(t, errorOf(s.Match(s.ctx, "m")), match.ErrNotFound)
		same(t, s.arena("a"), joined)
		off := must[arena.Arena](t)(joined.CallOff(arena.ByHost, after(3)))
		s.extra(arena.Change{From: joined, To: off.Shown("message", "thread")})
		same(t, s.arena("a"), off.Shown("message", "thread"))
	})
	subtest(t, open, "a channel has one open arena", func(t *testing.T, s tester) {
		a := announce(t, "a", home, "channel")
		s.extra(arena.Change{To: a}, arena.Change{To: announce(t, "elsewhere", home, "other channel")})
		same(t, must[arena.Arena](t)(s.OpenArena(s.ctx, home, "channel")), a)
		second := match.Save{Extras: []match.Extra{arena.Change{To: announce(t, "b", home, "channel")}}}
		same(t, s.refusal(second).Reason, arena.Taken)
		fails(t, s.Save(s.ctx, match.Save{Extras: []match.Extra{arena.Change{To: a}}}), match.ErrExists)
		s.extra(arena.Change{From: a, To: must[arena.Arena](t)(a.CallOff(arena.ByHost, after(1)))})
		fails(t, errorOf(s.OpenArena(s.ctx, home, "channel")), match.ErrNotFound)
		s.save(second)
	})
	subtest(t, open, "players who have blocked each other are kept apart", func(t *testing.T, s tester) {
		a := announce(t, "a", home, "channel", alice, bob)
		s.extra(arena.Change{To: a})
		begun, _ := a.Pass(a.Begins)
		for _, by := range []match.User{alice, bob} {
			other := alice
			if by == alice {
				other = bob
			}
			s.do(s.SetBlocked(s.ctx, by, []match.User{other}))
			same(t, s.arena("a").Apart, [][2]match.User{{by, other}})
			paired, games := begun.Paired(begun.Pairs(a.Begins), a.Begins)
			if r := s.refusal(match.Save{Matches: []match.MatchChange{{To: games[0]}}, Extras: []match.Extra{arena.Change{From: a, To: paired}}}); r.Reason == "" {
				t.Error("they were paired")
			}
			s.do(s.SetBlocked(s.ctx, by, nil))
		}
		s.do(s.SetBlocked(s.ctx, alice, []match.User{bob}))
		s.erase(bob, after(2))
		again := must[arena.Arena](t)(s.arena("a").Join(bob, after(3)))
		s.extra(arena.Change{From: s.arena("a"), To: again})
		same(t, s.arena("a").Apart, [][2]match.User{{alice, bob}})
	})
	subtest(t, open, "games of arenas do not count for quotas", func(t *testing.T, s tester) {
		s.run("a", home, "channel", alice, bob)
		same(t, s.refusal(match.Save{Quota: match.Quota{By: alice, Other: bob, Limits: match.Limits{Open: 1, Pair: 1}}}), match.Refusal{})
		same(t, must[user.Held](t)(s.Held(s.ctx, alice)).Open, 1)
	})
}

// testArenasInTime tests when something is to be done for an arena.
func testArenasInTime(t *testing.T, open opener) {
	subtest(t, open, "the save of a result requests that the arena's message be drawn again", func(t *testing.T, s tester) {
		behind := func() []match.ID { return must[[]match.ID](t)(s.Behind(s.ctx, match.Partition{}, "", 10)) }
		draw := func(a arena.Arena) {
			edit := must[board.Board](t)(s.Board(s.ctx, a.ID)).Edit
			s.do(s.SaveShown(s.ctx, board.Shown{ID: a.ID, Version: a.Version, Channel: a.Channel, Message: string(a.ID), Edit: edit}))
			same(t, behind(), nil)
		}
		show := func(a arena.Arena) {
			s.extra(board.Reference{ID: a.ID, Guild: string(home), Channel: a.Channel, Message: string(a.ID), Member: true})
			draw(a)
		}
		a, games := s.run("a", home, "channel", alice, bob)
		show(a)
		moved := play(t, games[0], after(301), "a1")
		s.replace(games[0], moved)
		same(t, behind(), nil)
		resigned := must[match.Match](t)(moved.Resign(alice, 1, after(302)))
		s.replace(moved, resigned)
		same(t, behind(), []match.ID{"a"})
		draw(a)
		s.replace(resigned, must[match.Match](t)(resigned.Void(after(400))))
		same(t, behind(), []match.ID{"a"})
		draw(a)

		b, _ := s.run("b", away, "other", alice, bob)
		left := must[arena.Arena](t)(b.Leave(alice, after(401)))
		s.extra(arena.Change{From: b, To: left})
		show(left)
		s.bar(away, alice, time.Time{}, policy.Cancel)
		same(t, behind(), []match.ID{"b"})
	})
	subtest(t, open, "an arena is due when it begins, when it ends, and when two may be free", func(t *testing.T, s tester) {
		due := func(now time.Time) arena.Due { return must[arena.Due](t)(s.DueArenas(s.ctx, match.Partition{}, now)) }
		same(t, due(after(0)), arena.Due{})
		a := announce(t, "a", home, "channel", alice, bob)
		s.extra(arena.Change{To: a})
		same(t, due(a.Begins.Add(-1e6)), arena.Due{Next: a.Begins})
		same(t, due(a.Begins), arena.Due{Next: a.Begins, Arenas: []match.ID{"a"}})
		running, games := s.run("b", home, "other channel", alice, bob)
		same(t, due(a.Begins.Add(-1e6)), arena.Due{Next: a.Begins, Running: true})
		s.replace(games[0], must[match.Match](t)(games[0].Resign(alice, 0, after(301))))
		same(t, due(a.Begins.Add(-1e6)), arena.Due{Next: a.Begins, Running: true, Arenas: []match.ID{"b"}})
		paused := must[arena.Arena](t)(running.Pause(alice, after(301)))
		s.extra(arena.Change{From: running, To: paused})
		same(t, due(a.Begins.Add(-1e6)), arena.Due{Next: a.Begins, Running: true})
		same(t, due(running.Ends), arena.Due{Next: a.Begins, Running: true, Arenas: []match.ID{"a", "b"}})
		over, _ := paused.Pass(paused.Ends.Add(arena.Grace))
		s.extra(arena.Change{From: paused, To: over})
		same(t, due(running.Ends).Running, false)
		same(t, must[[]arena.Arena](t)(s.PlayedArenas(s.ctx, home, alice, 5))[0].Status, arena.Over)
		same(t, must[[]arena.Arena](t)(s.PlayedArenas(s.ctx, home, carol, 5)), nil)
		same(t, must[[]arena.Arena](t)(s.PlayedArenas(s.ctx, away, alice, 5)), nil)
		same(t, len(must[[]arena.Arena](t)(s.PlayedArenas(s.ctx, "", alice, 5))), 1)
		same(t, len(must[[]arena.Arena](t)(s.VenueArenas(s.ctx, home, 5))), 2)
		same(t, must[[]arena.Arena](t)(s.VenueArenas(s.ctx, away, 5)), nil)
	})
	subtest(t, open, "the end of a running arena moves by the time that its players missed", func(t *testing.T, s tester) {
		a, _ := s.run("a", home, "channel", alice, bob)
		planned := announce(t, "b", home, "other channel")
		s.extra(arena.Change{To: planned}, board.Reference{ID: "a", Guild: string(home), Channel: "channel", Message: "message", Member: true})
		s.do(errorOf(s.Credit(s.ctx, match.Partition{}, clock.Span{From: after(310), To: after(340)})))
		same(t, s.arena("a").Ends, a.Ends.Add(30*time.Second))
		same(t, s.arena("a").Version, a.Version+1)
		same(t, s.arena("b"), planned)
		same(t, must[[]match.ID](t)(s.Behind(s.ctx, match.Partition{}, "", 10)), []match.ID{"a"})
	})
}

// testErasedEntrants tests what is left of a player in arenas.
func testErasedEntrants(t *testing.T, open opener) {
	subtest(t, open, "a player is known by the arenas that he hosts and enters", func(t *testing.T, s tester) {
		a, games := s.run("a", home, "channel", alice, bob)
		same(t, s.data(alice).Held.Arenas, 1)
		same(t, s.data(alice).Entered, []user.Entered{{Arena: "a", Entrant: a.Entrants[0]}})
		same(t, s.data(alice).Played[0].Match, games[0])
		a.Entrants, a.Pairings = nil, nil
		same(t, s.data(carol).Hosted, []arena.Arena{a})
		same(t, must[user.Held](t)(s.Held(s.ctx, carol)).Since, noon())
	})
	subtest(t, open, "an erased entrant is gone, the game counts for the other, and no pair of the entrant is saved", func(t *testing.T, s tester) {
		a, games := s.run("a", home, "channel", alice, bob)
		same(t, s.erase(alice, after(310)), []match.ID{games[0].ID})
		left := s.arena("a")
		same(t, left.Entrants, a.Entrants[1:])
		same(t, left.Standings()[0].Points, 2)
		fails(t, s.Save(s.ctx, match.Save{Extras: []match.Extra{arena.Change{From: a, To: must[arena.Arena](t)(a.Pause(bob, after(311)))}}}), match.ErrConflict)
		s.erase(carol, after(320))
		same(t, s.arena("a").Host, match.Left)
		same(t, s.data(carol).Hosted, nil)
		s.erase(bob, after(330))
		same(t, s.arena("a").Pairings, nil)
	})
}
