package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
)

// testKeptMatches tests that matches are stored unchanged.
func testKeptMatches(t *testing.T, open opener) {
	t.Run("a match comes back as it was saved, after every move", func(t *testing.T) {
		for name, squares := range map[string][]string{"won by X": xWins(), "won by O": oWins(), "drawn": drawn()} {
			subtest(t, open, name, func(t *testing.T, s tester) {
				m := begin("m", alice, bob, noon())
				s.create(m)
				same(t, s.match("m"), m)
				for i, square := range squares {
					next := play(t, m, after(i), square)
					s.replace(m, next)
					same(t, s.match("m"), next)
					m = next
				}
				if !m.Result.Over() {
					t.Fatal("the match goes on")
				}
			})
		}
	})
	subtest(t, open, "what one change adds is saved, also several moves", func(t *testing.T, s tester) {
		m := computer("m", alice, "unbeatable", noon())
		s.create(m)
		next := play(t, m, after(1), "a1", "b2")
		s.replace(m, next)
		same(t, s.match("m"), next)
	})
	subtest(t, open, "a match may begin with the computer's move", func(t *testing.T, s tester) {
		m := computer("m", alice, "easy", noon())
		m.Seats = m.Seats.Swapped()
		m = play(t, m, noon(), "c3")
		s.create(m)
		same(t, s.match("m"), m)
	})
	subtest(t, open, "a computer of another level is kept", func(t *testing.T, s tester) {
		m := computer("m", alice, "unbeatable", noon())
		s.create(m)
		next := must[match.Match](t)(m.Ease(alice, 1, "hard", after(1)))
		s.replace(m, next)
		same(t, s.match("m"), next)
	})
	subtest(t, open, "every rule set is kept", func(t *testing.T, s tester) {
		m := match.Start("m", "m", home, must[game.Rules](t)(game.NewRules(5, 4, 3)),
			match.Seats{match.Human(alice), match.Human(bob)}, time.Hour, 1, noon())
		m = play(t, m, noon(), "e4", "a1")
		s.create(m)
		same(t, s.match("m"), m)
	})
}

// testKeptEnds tests that results and rematches are stored unchanged.
func testKeptEnds(t *testing.T, open opener) {
	t.Run("every kind of result is stored", func(t *testing.T) {
		begun := play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2")
		for name, over := range map[string]match.Match{
			"resigned": must[match.Match](t)(begun.Resign(alice, 2, after(9))),
			"aborted":  must[match.Match](t)(begin("m", alice, bob, noon()).Resign(bob, 0, after(9))),
			"on time":  late(begun),
		} {
			subtest(t, open, name, func(t *testing.T, s tester) {
				first := begin("m", alice, bob, noon())
				s.create(first)
				s.replace(first, over)
				same(t, s.match("m"), over)
			})
		}
	})
	subtest(t, open, "how a voided match ended is kept, and it counts again if that is undone", func(t *testing.T, s tester) {
		for id, end := range map[match.ID]func(match.Match) match.Match{
			"line": func(m match.Match) match.Match { return play(t, m, noon(), xWins()...) },
			"full": func(m match.Match) match.Match { return play(t, m, noon(), drawn()...) },
			"resign": func(m match.Match) match.Match {
				return must[match.Match](t)(play(t, m, noon(), "a1", "b2").Resign(alice, 2, after(9)))
			},
			"time": late,
			"agreed": func(m match.Match) match.Match {
				m = play(t, m, noon(), "a1", "b2")
				m = must[match.Match](t)(m.AskWish(alice, m.Stage(), match.WishDraw, after(8)))
				return must[match.Match](t)(m.AnswerWish(bob, m.Stage(), true, after(9)))
			},
			"draw":    func(m match.Match) match.Match { return must[match.Match](t)(m.CallDraw(after(9))) },
			"abort":   func(m match.Match) match.Match { return must[match.Match](t)(m.Resign(bob, 0, after(9))) },
			"no show": late,
		} {
			begun := begin(id, alice, bob, noon())
			if id == "no show" {
				begun.Proposer = game.X
			}
			s.create(begun)
			over := end(begun)
			void := must[match.Match](t)(over.Void(after(60)))
			restored := must[match.Match](t)(void.Restore())
			for _, c := range []match.MatchChange{{From: begun, To: over}, {From: over, To: void}, {From: void, To: restored}} {
				s.replace(c.From, c.To)
				same(t, s.match(id), c.To)
				same(t, must[match.Found](t)(s.Find(s.ctx, id)), match.Found{Match: &c.To})
			}
		}
		won := s.entries(alice)
		same(t, len(won) == 1 && won[0].Wins == 1 && won[0].Draws == 3 && won[0].Losses == 2, true)
	})
	t.Run("every state of a rematch is stored", func(t *testing.T) {
		over := play(t, begin("m", alice, bob, noon()), noon(), xWins()...)
		proposed, _ := askRematch(t, over, alice, over.Version, "n", after(60))
		declined := must[match.Match](t)(proposed.DeclineRematch(bob))
		expired, _ := proposed.Expire(proposed.Rematch.Deadline)
		started, next := askRematch(t, proposed, bob, proposed.Version, "n", after(61))
		for name, m := range map[string]match.Match{"declined": declined, "expired": expired, "started": started} {
			subtest(t, open, name, func(t *testing.T, s tester) {
				s.create(over)
				s.replace(over, proposed)
				same(t, s.match("m"), proposed)
				s.save(match.Save{Matches: []match.MatchChange{{From: proposed, To: m}, {To: *next}}})
				same(t, s.match("m"), m)
				same(t, s.match("n"), *next)
			})
		}
	})
	subtest(t, open, "a rematch against the computer has no proposer", func(t *testing.T, s tester) {
		over := s.finish(computer("m", alice, "easy", noon()), noon(), xWins())
		started, next := askRematch(t, over, alice, over.Version, "n", after(60))
		s.save(match.Save{Matches: []match.MatchChange{{From: over, To: started}, {To: *next}}})
		same(t, s.match("m"), started)
	})
}

// testMatchConflicts tests that a version of a match can be changed only once.
// testWishes tests that wishes and their answers are stored.
func testWishes(t *testing.T, open opener) {
	subtest(t, open, "a declined wish is kept over the next move", func(t *testing.T, s tester) {
		m := play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2")
		s.create(m)
		declined := s.wish(m, alice, bob, match.WishDraw, false, after(9))
		moved := play(t, declined, after(10), "c3")
		s.replace(declined, moved)
		same(t, s.match("m"), moved)
		same(t, moved.Wish.Kind, match.WishDeclined)
	})
	subtest(t, open, "an agreed draw counts as a draw, for ratings too", func(t *testing.T, s tester) {
		begun, _ := ratedMatch(s, "m", alice, bob, rating.Half, noon(), nil)
		m := play(t, begun, noon(), "a1", "b2")
		s.create(m)
		over := s.wish(m, bob, alice, match.WishDraw, true, after(9))
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 0, 1, 0, time.Time{})})
		want, _ := rating.Match(rating.New(), rating.New(), rating.Draw, 0.5, over.Ended)
		same(t, s.ratingOf(alice), want)
		same(t, must[[]match.Past](t)(s.Series(s.ctx, "m")), []match.Past{{Seats: m.Seats, Result: over.Result, Count: 1}})
	})
	subtest(t, open, "moves that were taken back are gone, and others take their place", func(t *testing.T, s tester) {
		m := play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2", "b1", "c1")
		s.create(m)
		back := s.wish(m, alice, bob, match.WishBack, true, after(9))
		same(t, back.Record.Len(), 2)
		same(t, must[match.Found](t)(s.Find(s.ctx, "m")).Match.Record, back.Record)
		again := play(t, back, after(10), "c3", "a3", "b1")
		s.replace(back, again)
		same(t, s.match("m"), again)
	})
	subtest(t, open, "a move that came first keeps all moves", func(t *testing.T, s tester) {
		m := play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2")
		asked := must[match.Match](t)(m.AskWish(bob, m.Stage(), match.WishBack, after(1)))
		s.create(asked)
		moved := play(t, asked, after(2), "c3")
		s.replace(asked, moved)
		back := must[match.Match](t)(asked.AnswerWish(alice, asked.Stage(), true, after(3)))
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: asked, To: back}}}), match.ErrConflict)
		same(t, s.match("m"), moved)
	})
}

func testMatchConflicts(t *testing.T, open opener) {
	subtest(t, open, "one that is not there is not found", func(t *testing.T, s tester) {
		fails(t, errorOf(s.Match(s.ctx, "m")), match.ErrNotFound)
	})
	subtest(t, open, "an id can be taken once", func(t *testing.T, s tester) {
		first := begin("m", alice, bob, noon())
		s.create(first)
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{To: begin("m", carol, bob, noon())}}}), match.ErrExists)
		same(t, s.match("m"), first)
	})
	t.Run("of two changes to one version the second is a conflict", func(t *testing.T) {
		begun := play(t, begin("m", alice, bob, noon()), noon(), "a1", "b2")
		move := play(t, begun, after(5), "c3")
		resigned := must[match.Match](t)(begun.Resign(bob, 2, after(5)))
		for name, pair := range map[string][2]match.Match{
			"the same move twice":           {move, move},
			"two moves":                     {move, play(t, begun, after(5), "c1")},
			"a move after a resignation":    {resigned, move},
			"a resignation after a move":    {move, resigned},
			"a resignation after the other": {resigned, must[match.Match](t)(begun.Resign(alice, 2, after(5)))},
		} {
			subtest(t, open, name, func(t *testing.T, s tester) {
				s.create(begun)
				s.replace(begun, pair[0])
				fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: begun, To: pair[1]}}}), match.ErrConflict)
				same(t, s.match("m"), pair[0])
			})
		}
	})
	subtest(t, open, "a change to one that is not there is a conflict", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: m, To: play(t, m, after(1), "a1")}}}), match.ErrConflict)
	})
	subtest(t, open, "a move of a ply that is there already is a conflict, whatever the version", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		s.create(m)
		moved := play(t, m, after(1), "a1")
		s.replace(m, moved)
		forged := m
		forged.Version = moved.Version
		next := play(t, forged, after(2), "b2")
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: forged, To: next}}}), match.ErrConflict)
		same(t, s.match("m"), moved)
	})
}

// testMatchesOfPlayers tests how matches are found.
func testMatchesOfPlayers(t *testing.T, open opener) {
	subtest(t, open, "the running matches of a player are found on both sides, oldest first", func(t *testing.T, s tester) {
		late := begin("a", alice, bob, after(2))
		early := begin("b", carol, alice, after(1))
		engine := computer("c", alice, "easy", after(3))
		s.create(late, early, engine, begin("d", carol, bob, noon()))
		s.ended("e", alice, bob, noon(), xWins())
		same(t, must[[]match.Match](t)(s.OpenMatches(s.ctx, alice)), []match.Match{early, late, engine})
		same(t, must[[]match.Match](t)(s.OpenMatches(s.ctx, "nobody")), nil)
	})
	subtest(t, open, "the matches of a player that ended at a time or later are found, oldest first", func(t *testing.T, s tester) {
		s.ended("a", alice, bob, noon(), xWins()) // ends 4 s after noon
		second := s.ended("b", carol, alice, after(20), xWins())
		first := s.ended("c", alice, bob, after(10), oWins())
		s.ended("d", carol, bob, after(30), xWins())
		s.create(begin("e", alice, bob, after(30)))
		same(t, must[[]match.Match](t)(s.EndedMatches(s.ctx, alice, first.Ended)), []match.Match{first, second})
		same(t, must[[]match.Match](t)(s.EndedMatches(s.ctx, alice, second.Ended.Add(time.Millisecond))), nil)
	})
	subtest(t, open, "a series is counted by seats and result, as far as it has ended", func(t *testing.T, s tester) {
		chain := func(id match.ID, at time.Time, squares []string) match.Match {
			m := begin(id, alice, bob, at)
			m.Series = "s"
			return s.finish(m, at, squares)
		}
		second := chain("b", after(20), drawn())
		first := chain("c", after(10), xWins())
		third := chain("f", after(30), xWins())
		if third.Seats != first.Seats || third.Result != first.Result {
			t.Fatal("not of the same kind")
		}
		goesOn := begin("d", bob, alice, after(40))
		goesOn.Series = "s"
		s.create(goesOn)
		s.ended("e", alice, bob, noon(), oWins())
		counted := must[[]match.Past](t)(s.Series(s.ctx, "s"))
		slices.SortFunc(counted, func(a, b match.Past) int { return b.Count - a.Count })
		same(t, counted, []match.Past{
			{Seats: first.Seats, Result: first.Result, Count: 2},
			{Seats: second.Seats, Result: second.Result, Count: 1},
		})
		same(t, must[[]match.Past](t)(s.Series(s.ctx, "none")), nil)

		games := must[[]match.Match](t)(s.Games(s.ctx, "s"))
		slices.SortFunc(games, func(a, b match.Match) int { return strings.Compare(string(a.ID), string(b.ID)) })
		same(t, games, []match.Match{second, first, third})
		moved := must[[]time.Time](t)(s.MoveTimes(s.ctx, first.ID))
		if len(moved) != first.Record.Len() || !moved[len(moved)-1].Equal(first.Ended) {
			t.Errorf("moves at %s, and the end at %s", moved, first.Ended)
		}
	})
	subtest(t, open, "the number of games, and who left one, are stored", func(t *testing.T, s tester) {
		c := invite(t, "c", alice, bob, noon())
		c.BestOf = 7
		s.save(match.Save{Challenge: match.ChallengeChange{To: c}})
		same(t, must[match.Challenge](t)(s.Challenge(s.ctx, "c")), c)
		m := begin("m", carol, bob, noon())
		m.BestOf = 3
		s.create(m)
		same(t, s.match("m"), m)
		left := m
		end(&left, game.InProgress, match.ByAbort)
		left.LeftBy, left.Version = game.O, left.Version+1
		s.save(match.Save{Matches: []match.MatchChange{{From: m, To: left}}})
		same(t, s.match("m"), left)
	})
}
