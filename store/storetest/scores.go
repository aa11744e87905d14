package storetest

import (
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// entries returns the scores of a player.
func (s tester) entries(p match.User) []score.Entry {
	s.t.Helper()
	return must[[]score.Entry](s.t)(s.Own(s.ctx, p))
}

// entryAtHome returns the score of a player against people at home.
func entryAtHome(p match.User, wins, draws, losses int, reached time.Time) score.Entry {
	return score.Entry{Venue: home, Player: p, Tally: score.Tally{Wins: wins, Draws: draws, Losses: losses}, Reached: reached}
}

// testCountedMatches tests which matches count, and that each counts once.
func testCountedMatches(t *testing.T, open opener) {
	subtest(t, open, "a player without matches has no score", func(t *testing.T, s tester) {
		s.create(begin("m", alice, bob, noon()))
		same(t, s.entries(alice), nil)
	})
	subtest(t, open, "a match counts when it ends", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, noon(), xWins())
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 1, 0, 0, m.Ended)})
		same(t, s.entries(bob), []score.Entry{entryAtHome(bob, 0, 0, 1, m.Ended)})
	})
	subtest(t, open, "a resignation and a loss on time count, an abort does not", func(t *testing.T, s tester) {
		for i, end := range []func(match.Match) match.Match{
			func(m match.Match) match.Match {
				m = play(t, m, noon(), "a1", "b2")
				return must[match.Match](t)(m.Resign(alice, 2, after(10)))
			},
			late,
			func(m match.Match) match.Match { return must[match.Match](t)(m.Resign(bob, 0, after(30))) },
		} {
			m := begin(match.ID(rune('a'+i)), alice, bob, noon())
			s.create(m)
			s.replace(m, end(m))
		}
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 0, 0, 2, after(60))})
		same(t, s.entries(bob), []score.Entry{entryAtHome(bob, 2, 0, 0, after(60))})
	})
	subtest(t, open, "a draw counts and does not move when the score was reached", func(t *testing.T, s tester) {
		s.ended("a", alice, bob, noon(), drawn())
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 0, 1, 0, time.Time{})})
		won := s.ended("b", alice, bob, after(100), xWins())
		s.ended("c", alice, bob, after(200), drawn())
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 1, 2, 0, won.Ended)})
	})
	subtest(t, open, "a match counts once, whatever is changed after its end", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, noon(), xWins())
		proposed, _ := askRematch(t, m, alice, m.Version, "n", after(60))
		s.replace(m, proposed)
		s.replace(proposed, must[match.Match](t)(proposed.DeclineRematch(bob)))
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 1, 0, 0, m.Ended)})
	})
	subtest(t, open, "a draw that a moderator called counts", func(t *testing.T, s tester) {
		m := play(t, begin("m", alice, bob, noon()), noon(), "a1")
		s.create(m)
		drawn := must[match.Match](t)(m.CallDraw(after(20)))
		s.replace(m, drawn)
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 0, 1, 0, time.Time{})})
		same(t, s.match("m"), drawn)
	})
	subtest(t, open, "a conflict counts nothing", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, noon(), xWins())
		again := begin("m", alice, bob, noon())
		resigned := must[match.Match](t)(play(t, again, noon(), "a1", "b2").Resign(alice, 2, after(10)))
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: again, To: resigned}}}), match.ErrConflict)
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 1, 0, 0, m.Ended)})
	})
}

// testVoidedScores tests that voiding a match removes exactly its contribution to the scores.
func testVoidedScores(t *testing.T, open opener) {
	subtest(t, open, "voiding a match takes its score back, and when the rest was reached", func(t *testing.T, s tester) {
		first := s.ended("a", alice, bob, noon(), xWins())
		s.ended("b", alice, bob, after(100), drawn())
		last := s.ended("c", alice, bob, after(200), xWins())
		void := s.void(last, after(300))
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 1, 1, 0, first.Ended)})
		same(t, s.entries(bob), []score.Entry{entryAtHome(bob, 0, 1, 1, first.Ended)})
		same(t, s.match("c"), void)

		s.void(first, after(301))
		same(t, s.entries(alice), []score.Entry{entryAtHome(alice, 0, 1, 0, time.Time{})})
		s.void(s.match("b"), after(302))
		same(t, s.entries(alice), nil)
	})
	subtest(t, open, "voiding a match leaves other levels, venues and players alone", func(t *testing.T, s tester) {
		people := s.ended("a", alice, bob, noon(), xWins())
		s.finish(in(away, begin("b", alice, bob, noon())), noon(), xWins())
		s.ended("c", carol, bob, noon(), xWins())
		easy := s.finish(computer("d", alice, "easy", noon()), noon(), xWins())
		s.finish(computer("e", alice, "unbeatable", noon()), noon(), xWins())
		for _, m := range []match.Match{people, easy} {
			s.void(m, after(300))
		}
		won := score.Tally{Wins: 1}
		same(t, s.entries(alice), []score.Entry{
			{Venue: away, Player: alice, Tally: won, Reached: people.Ended},
			{Venue: home, Player: alice, Level: "unbeatable", Tally: won, Reached: people.Ended},
		})
		same(t, s.entries(carol), []score.Entry{entryAtHome(carol, 1, 0, 0, people.Ended)})
		page := must[score.Page](t)(s.Leaderboard(s.ctx, home, onAll(score.Computers), score.Where{Page: 1}, alice))
		same(t, page.Own.Tally, won)
	})
	subtest(t, open, "voiding a match that goes on counts nothing", func(t *testing.T, s tester) {
		m := play(t, begin("m", alice, bob, noon()), noon(), "a1")
		s.create(m)
		s.void(m, after(20))
		same(t, s.entries(alice), nil)
	})
}

// testSeparateScores tests that each venue and each level has a score of its own.
func testSeparateScores(t *testing.T, open opener) {
	subtest(t, open, "venues and levels are counted apart, people first, then by level", func(t *testing.T, s tester) {
		at := s.ended("c", alice, bob, noon(), xWins()).Ended
		s.finish(in(away, begin("a", alice, bob, noon())), noon(), xWins())
		s.finish(in("", begin("b", alice, bob, noon())), noon(), xWins())
		s.finish(computer("d", alice, "unbeatable", noon()), noon(), drawn())
		s.finish(computer("e", alice, "easy", noon()), noon(), xWins())
		won := score.Tally{Wins: 1}
		same(t, s.entries(alice), []score.Entry{
			{Venue: "", Player: alice, Tally: won, Reached: at},
			{Venue: away, Player: alice, Tally: won, Reached: at},
			{Venue: home, Player: alice, Tally: won, Reached: at},
			{Venue: home, Player: alice, Level: "easy", Tally: won, Reached: at},
			{Venue: home, Player: alice, Level: "unbeatable", Tally: score.Tally{Draws: 1}},
		})
	})
	subtest(t, open, "matches against a level that adapts count for nothing, but are in the record", func(t *testing.T, s tester) {
		s.finish(computer("a", alice, "fair:3", noon()), noon(), xWins())
		won := s.finish(computer("b", alice, "easy", noon()), noon(), xWins())
		s.finish(computer("c", alice, "fair:4", noon()), noon(), drawn())
		easy := []score.Entry{{Venue: home, Player: alice, Level: "easy", Tally: score.Tally{Wins: 1}, Reached: won.Ended}}
		same(t, s.entries(alice), easy)
		s.void(won, after(300))
		same(t, s.entries(alice), nil)
		same(t, must[int](t)(s.Store.(Restored).RebuildScores(s.ctx, nil)), 0)
		same(t, len(s.record(profile.Scope{Venue: home}, alice).Computers["fair"]), 2)
	})
	subtest(t, open, "a win over the computer counts on its own board only if its player began and could force it", func(t *testing.T, s tester) {
		infinite, _ := game.OnOffer("infinite")
		on := func(id match.ID, p match.User, level string) match.Match {
			return match.Start(id, id, home, infinite, match.Seats{match.Human(p), match.Computer(level)}, time.Hour, 1, noon())
		}
		s.finish(on("a", alice, "unbeatable"), noon(), xWins())
		s.finish(on("b", alice, "easy"), noon(), oWins())
		second := on("c", bob, "hard")
		second.Seats = second.Seats.Swapped()
		s.finish(second, noon(), oWins())
		same(t, s.page(score.Levels, 1, "").Rows, []score.Row{row(1, bob, 1, 0, 0, levelTally("hard", 1, 0, 0))})
		same(t, s.page(score.Computers, 1, alice).Own, new(row(2, alice, 0, 0, 1, levelTally("easy", 0, 0, 1))))
		board := score.Board{Of: score.Levels, Rules: infinite, Season: season.Latest}
		same(t, len(must[score.Page](t)(s.Leaderboard(s.ctx, home, board, score.Where{Page: 1}, alice)).Rows), 2)
		same(t, must[int](t)(s.Store.(Restored).RebuildScores(s.ctx, nil)), 0)
		best, _ := s.record(profile.Scope{Venue: home}, alice).Best("unbeatable")
		same(t, best, score.Loss)
		best, _ = s.record(profile.Scope{Venue: home, Rules: infinite}, alice).Best("unbeatable")
		same(t, best, score.Win)
	})
}
