package storetest

import (
	"fmt"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// onAll returns the leaderboard of the current season for all rule sets together.
func onAll(of score.Leaderboard) score.Board { return score.Board{Of: of, Season: season.Latest} }

// page returns a page of a leaderboard at home.
func (s tester) page(b score.Leaderboard, n int, own match.User) score.Page {
	s.t.Helper()
	return must[score.Page](s.t)(s.Leaderboard(s.ctx, home, onAll(b), score.Where{Page: n}, own))
}

func row(rank int, p match.User, wins, draws, losses int, levels ...score.LevelTally) score.Row {
	return score.Row{Rank: rank, Player: p, Tally: score.Tally{Wins: wins, Draws: draws, Losses: losses}, Levels: levels}
}

// levelTally returns the achievements against a level with the given tally.
func levelTally(name string, wins, draws, losses int) score.LevelTally {
	l := score.LevelTally{Level: name, Tally: score.Tally{Wins: wins, Draws: draws, Losses: losses}}
	if wins > 0 {
		l.Fewest = 3
	}
	if name == score.Perfect {
		l.Longest = draws // the draws follow each other without a loss
	}
	return l
}

// testRanking tests in which order players are listed.
func testRanking(t *testing.T, open opener) {
	subtest(t, open, "people are ranked by wins, then fewer losses, and listed by who got there first", func(t *testing.T, s tester) {
		s.ended("1", "first", "loser", after(10), xWins())
		s.ended("2", "second", "loser", after(20), xWins())
		s.ended("3", "unlucky", "loser", noon(), xWins())
		s.ended("4", "best", "unlucky", noon(), xWins())
		s.ended("5", "best", "loser", after(90), xWins())
		s.ended("6", "drawer", "second", after(99), drawn())
		same(t, s.page(score.People, 1, ""), score.Page{
			Rows: []score.Row{
				row(1, "best", 2, 0, 0),
				row(2, "first", 1, 0, 0),
				row(2, "second", 1, 1, 0),
				row(4, "unlucky", 1, 0, 1),
				row(5, "drawer", 0, 1, 0),
				row(6, "loser", 0, 0, 4),
			},
			Page: 1, Pages: 1,
		})
	})
	subtest(t, open, "against the computer the strongest beaten level leads, then wins over it, then draws, then fewer losses", func(t *testing.T, s tester) {
		n := 0
		add := func(p match.User, name string, squares []string) {
			n++
			s.finish(computer(match.ID(fmt.Sprint(n)), p, name, after(100*n)), after(100*n), squares)
		}
		add("winner", "unbeatable", oWins())
		add("winner", "easy", xWins())
		add("winner", "easy", xWins())
		add("strong", "unbeatable", oWins())
		add("strong", "unbeatable", xWins())
		add("patient", "unbeatable", drawn())
		add("drawer", "easy", xWins())
		add("drawer", "unbeatable", drawn())
		add("early", "easy", xWins())
		add("late", "easy", xWins())
		add("loser", "easy", xWins())
		add("loser", "unbeatable", oWins())
		s.ended("people", alice, bob, noon(), xWins())
		same(t, s.page(score.Computers, 1, ""), score.Page{
			Rows: []score.Row{
				row(1, "strong", 1, 0, 1, levelTally("unbeatable", 1, 0, 1)),
				row(2, "winner", 2, 0, 1, levelTally("easy", 2, 0, 0), levelTally("unbeatable", 0, 0, 1)),
				row(3, "drawer", 1, 1, 0, levelTally("easy", 1, 0, 0), levelTally("unbeatable", 0, 1, 0)),
				row(4, "early", 1, 0, 0, levelTally("easy", 1, 0, 0)),
				row(4, "late", 1, 0, 0, levelTally("easy", 1, 0, 0)),
				row(6, "loser", 1, 0, 1, levelTally("easy", 1, 0, 0), levelTally("unbeatable", 0, 0, 1)),
				row(7, "patient", 0, 1, 0, levelTally("unbeatable", 0, 1, 0)),
			},
			Page: 1, Pages: 1,
		})
	})
}

// testLeaderboardRows tests which players are listed, and by which name.
func testLeaderboardRows(t *testing.T, open opener) {
	subtest(t, open, "before the first match a leaderboard is one empty page", func(t *testing.T, s tester) {
		for _, b := range []score.Leaderboard{score.People, score.Computers} {
			same(t, s.page(b, 1, alice), score.Page{Page: 1, Pages: 1})
		}
	})
	subtest(t, open, "players have the names last seen", func(t *testing.T, s tester) {
		s.ended("m", alice, bob, noon(), xWins())
		s.finish(computer("c", bob, "easy", noon()), noon(), xWins())
		s.save(match.Save{Names: []match.Name{{Player: bob, Name: "Bob"}}})
		people := s.page(score.People, 1, "")
		same(t, []string{people.Rows[0].Name, people.Rows[1].Name}, []string{"", "Bob"})
		same(t, s.page(score.Computers, 1, "").Rows[0].Name, "Bob")
	})
	subtest(t, open, "other venues do not count, and direct messages have no leaderboard", func(t *testing.T, s tester) {
		for _, m := range []match.Match{begin("m", alice, bob, noon()), computer("c", alice, "easy", noon())} {
			s.finish(in("", m), noon(), xWins())
		}
		for _, b := range []score.Leaderboard{score.People, score.Computers} {
			same(t, s.page(b, 1, alice), score.Page{Page: 1, Pages: 1})
			same(t, must[score.Page](t)(s.Leaderboard(s.ctx, "", onAll(b), score.Where{Player: alice}, alice)), score.Page{Page: 1, Pages: 1})
		}
	})
}

func testLeaderboardPages(t *testing.T, open opener) {
	subtest(t, open, "there are pages, one's own row on each of them, and equal players of several pages share a rank", func(t *testing.T, s tester) {
		const players = 2*score.RowsOnAPage + 3
		for i := range players { // player 01 won first, player 02 second, and so on
			winner := match.User(fmt.Sprintf("%02d", i+1))
			s.finish(computer(match.ID("c"+winner), winner, "easy", after(10*i)), after(10*i), xWins())
			m := begin(match.ID("m"+winner), winner, "loser", after(10*i))
			s.finish(m, after(10*i), xWins())
		}
		for _, test := range []struct {
			board        score.Leaderboard
			asked, shown int
			first, rows  int
		}{
			{score.People, 1, 1, 1, 10},
			{score.People, 2, 2, 11, 10},
			{score.People, 3, 3, 21, 4},
			{score.People, 4, 3, 21, 4},
			{score.People, 1 << 40, 3, 21, 4},
			{score.People, 0, 1, 1, 10},
			{score.People, -7, 1, 1, 10},
			{score.Computers, 1, 1, 1, 10},
			{score.Computers, 3, 3, 21, 3},
			{score.Computers, 9, 3, 21, 3},
		} {
			t.Run(fmt.Sprintf("%s page %d", test.board, test.asked), func(t *testing.T) {
				s := tester{s.Store, t, t.Context()}
				p := s.page(test.board, test.asked, "12")
				same(t, []int{p.Page, p.Pages, len(p.Rows)}, []int{test.shown, 3, test.rows})
				for i, r := range p.Rows {
					rank, player := 1, match.User(fmt.Sprintf("%02d", test.first+i))
					if test.board == score.People && test.first+i == players+1 {
						rank, player = players+1, "loser"
					}
					same(t, r.Rank, rank)
					same(t, r.Player, player)
				}
				var levels []score.LevelTally
				if test.board == score.Computers {
					levels = append(levels, levelTally("easy", 1, 0, 0))
				}
				want := row(1, "12", 1, 0, 0, levels...)
				same(t, p.Own, &want)
				same(t, s.page(test.board, test.asked, "stranger").Own, nil)
			})
		}
		for _, test := range []struct {
			board  score.Leaderboard
			player match.User
			shown  int
		}{
			{score.People, "01", 1},
			{score.People, "10", 1},
			{score.People, "11", 2},
			{score.People, "loser", 3},
			{score.People, "stranger", 1},
			{score.Computers, "23", 3},
			{score.Computers, "loser", 1},
		} {
			t.Run(fmt.Sprintf("%s page of %s", test.board, test.player), func(t *testing.T) {
				p := must[score.Page](t)(s.Leaderboard(t.Context(), home, onAll(test.board), score.Where{Player: test.player, Page: 2}, "12"))
				same(t, []int{p.Page, p.Pages, p.Own.Rank}, []int{test.shown, 3, 1})
			})
		}
	})
}
