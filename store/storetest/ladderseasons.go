package storetest

import (
	"testing"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// standingIn returns the standing of a player on the ladder of 3x3 in a season, without the player's place on a page. It is zero if
// the player has no standing.
func (s tester) standingIn(number int, p match.User) ladder.Standing {
	s.t.Helper()
	row := must[map[string]ladder.Row](s.t)(s.Standings(s.ctx, home, number, p))[game.Classic().String()]
	return row.Standing
}

// standingsNow returns the standings with which a player begins the next match.
func (s tester) standingsNow(p match.User) map[string]ladder.Row {
	s.t.Helper()
	return must[map[string]ladder.Row](s.t)(ladder.StandingsNow(s.ctx, s, home, p, must[[]season.Season](s.t)(s.Seasons(s.ctx, home))))
}

// onLadder returns the players on the ladder of 3x3 in a season, in its order.
func (s tester) onLadder(number int) (players []match.User) {
	s.t.Helper()
	page := must[ladder.Page](s.t)(s.Ladder(s.ctx, home, game.Classic(), number, score.Where{Page: 1}, ""))
	for _, row := range page.Rows {
		players = append(players, row.Player)
	}
	return players
}

func testLadderSeasons(t *testing.T, open opener) {
	s := start(t, open)
	s.playRated("r1", "ann", "ben", rating.Full, after(1), xWins())
	before := s.standingIn(0, "ann")
	began := after(20)
	s.season(seasonOf(home, 1, 20))
	softened := before.Rating.Into(began)
	t.Run("a player is not on the ladder of a season before playing in it", func(t *testing.T) {
		same(t, s.onLadder(season.Latest), nil)
		same(t, s.onLadder(0), []match.User{"ann", "ben"})
		same(t, s.standingIn(0, "ann").Rating, before.Rating)
		pair := must[ladder.Pair](t)(s.Pair(s.ctx, home, game.Classic(), "ann", "zoe", after(21)))
		same(t, pair.A, softened)
	})
	t.Run("a player without a match in the season has a starting rating for each rule set played before", func(t *testing.T) {
		want := map[string]ladder.Row{game.Classic().String(): {Standing: ladder.Standing{Player: "ann", Rating: softened}}}
		same(t, s.standingsNow("ann"), want)
		same(t, len(s.standingsNow("zoe")), 0)
	})
	m := s.playRated("r2", "ann", "cat", rating.Full, after(30), drawn())
	after2, _ := rating.Match(softened, rating.New(), rating.Draw, 1, m.Ended)
	t.Run("a player begins with a softened rating, and with nothing else from the season before", func(t *testing.T) {
		want := ladder.Standing{Player: "ann", Rating: after2, Tally: score.Tally{Draws: 1}, Opponents: 1}
		same(t, s.standingIn(season.Latest, "ann"), want)
		same(t, s.standingIn(1, "ann"), want)
		same(t, s.standingIn(0, "ann"), before)
		same(t, s.onLadder(1), []match.User{"ann", "cat"})
	})
	t.Run("the leaderboard shows the rating change since the season began", func(t *testing.T) {
		changes := must[[]ladder.Change](t)(s.Changes(s.ctx, "r2"))
		same(t, len(changes), 2)
		same(t, changes[0].Before, softened.On(m.Ended))
		same(t, changes[0].After, after2)
		same(t, changes[1].Before.Value, 1500.0)
	})
	t.Run("a course goes through all seasons", func(t *testing.T) {
		var ids []match.ID
		for _, p := range must[[]ladder.Point](t)(s.Course(s.ctx, home, game.Classic(), "ann", ladder.CourseLength)) {
			ids = append(ids, p.Match)
		}
		same(t, ids, []match.ID{"r1", "r2"})
	})
	t.Run("each opponent counts as new once in a season", func(t *testing.T) {
		s.playRated("r3", "ben", "ann", rating.Full, after(40), drawn())
		s.playRated("r4", "ann", "ben", rating.Full, after(50), drawn())
		same(t, s.standingIn(1, "ann").Opponents, 2)
		same(t, s.standingIn(1, "ben").Opponents, 1)
	})
	t.Run("each season softens, even a season without matches", func(t *testing.T) {
		s.season(seasonOf(home, 2, 70))
		s.season(seasonOf(home, 3, 80))
		cat := s.standingIn(1, "cat").Rating.Into(after(70)).Into(after(80))
		pair := must[ladder.Pair](t)(s.Pair(s.ctx, home, game.Classic(), "cat", "zoe", after(90)))
		same(t, pair.A, cat)
		same(t, s.standingsNow("cat")[game.Classic().String()].Rating, cat)
		m := s.playRated("r5", "cat", "zoe", rating.Full, after(90), xWins())
		won, _ := rating.Match(cat, rating.New(), rating.Win, 1, m.Ended)
		same(t, s.standingIn(season.Latest, "cat").Rating, won)
		same(t, s.standingsNow("cat")[game.Classic().String()].Standing, s.standingIn(season.Latest, "cat"))
		same(t, s.onLadder(2), nil)
	})
	t.Run("a player who leaves is gone from every season", func(t *testing.T) {
		s.erase("cat", after(99))
		same(t, s.onLadder(1), []match.User{"ann", "ben"})
		same(t, s.onLadder(3), []match.User{"zoe"})
	})
}

// testMovedBoundaries tests matches that end while a season begins, and matches that are added or voided later.
func testMovedBoundaries(t *testing.T, open opener) {
	// played saves three matches of the same two players. They end at the given seconds, in that order.
	played := func(s tester, seconds ...int) {
		for _, second := range seconds {
			s.playRated(match.ID("r"+string(rune('a'+second))), "ann", "ben", rating.Full, after(second-4), xWins()) // the match takes four seconds
		}
	}
	// wins returns the number of ann's wins in the seasons 0, 1 and so on.
	wins := func(s tester, seasons int) (all []int) {
		for number := range seasons {
			all = append(all, s.standingIn(number, "ann").Wins)
		}
		return all
	}
	subtest(t, open, "a match that ended at a boundary is of the season before, even if the next begins later", func(t *testing.T, s tester) {
		played(s, 9, 10, 11)
		s.season(seasonOf(home, 1, 10))
		same(t, wins(s, 2), []int{2, 1})
		same(t, s.standingIn(1, "ann").Opponents, 1)
	})
	subtest(t, open, "and whenever it was saved", func(t *testing.T, s tester) {
		s.season(seasonOf(home, 1, 10))
		played(s, 11, 10, 9)
		same(t, wins(s, 2), []int{2, 1})
		first, _ := rating.Match(rating.New(), rating.New(), rating.Win, 1, after(9))
		same(t, s.standingIn(0, "ann").Rating.Value > first.Value, true)
		same(t, s.standingIn(0, "ann").Opponents, 1)
	})
	subtest(t, open, "a void of a match of a former season corrects that one, and what came after", func(t *testing.T, s tester) {
		played(s, 9)
		old := s.playRated("old", "ann", "cat", rating.Full, after(6), xWins()) // ends at second 10
		s.season(seasonOf(home, 1, 10))
		played(s, 15)
		before := s.standingIn(1, "ann")
		s.void(old, after(20))
		same(t, wins(s, 2), []int{1, 1})
		same(t, s.standingIn(0, "ann").Opponents, 1)
		same(t, s.onLadder(0), []match.User{"ann", "ben"})
		if now := s.standingIn(1, "ann"); now.Rating == before.Rating || now.Tally != before.Tally {
			t.Errorf("%+v was %+v", now, before)
		}
	})
	subtest(t, open, "a season that is undone was never there", func(t *testing.T, s tester) {
		played(s, 9, 15)
		want := s.standingIn(0, "ann")
		s.season(seasonOf(home, 1, 10))
		same(t, wins(s, 2), []int{1, 1})
		s.undone(seasonOf(home, 1, 10), 20)
		same(t, s.standingIn(0, "ann"), want)
		same(t, s.standingIn(1, "ann"), ladder.Standing{})
		same(t, s.onLadder(season.Latest), []match.User{"ann", "ben"})
	})
	subtest(t, open, "a match that ended after the planned end does not count for the season, even if the season was ended late", func(t *testing.T, s tester) {
		planned := seasonOf(home, 1, 6)
		planned.Ends = after(10)
		s.season(planned)
		played(s, 9, 11)
		same(t, wins(s, 3), []int{0, 2, 0})
		s.EndSeasons(s.ctx, after(12))
		same(t, wins(s, 3), []int{0, 1, 1})
	})
	subtest(t, open, "a reset in a season forgets the seasons before it", func(t *testing.T, s tester) {
		played(s, 9)
		s.season(seasonOf(home, 1, 10))
		played(s, 15, 25)
		s.do(s.ResetScores(s.ctx, resetOf(home, after(20))))
		same(t, wins(s, 2), []int{0, 1})
		first, _ := rating.Match(rating.New(), rating.New(), rating.Win, 1, after(25))
		same(t, s.standingIn(1, "ann").Rating, first)
	})
}
