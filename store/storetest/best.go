package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/rating"
)

// worthSeeing returns the ids of the best matches of each kind in a venue, in the week that ends with the day after noon.
func (s tester) worthSeeing(v match.Venue) string {
	s.t.Helper()
	b := must[archive.Best](s.t)(s.Best(s.ctx, v, noon().AddDate(0, 0, 1), 7))
	var kinds []string
	for _, feats := range [][]archive.Feat{b.Shortest, b.Longest, b.Accurate, b.Upsets} {
		var ids []string
		for _, f := range feats {
			ids = append(ids, string(f.ID))
		}
		kinds = append(kinds, strings.Join(ids, " "))
	}
	return strings.Join(kinds, " | ")
}

// reviewed saves reviews of the given matches, with the given numbers of critical moves and errors of X and O.
func (s tester) reviewed(x, o profile.Side, ids ...match.ID) {
	s.t.Helper()
	for _, id := range ids {
		s.judge(id, x, o)
	}
}

func day(n int) time.Time { return noon().AddDate(0, 0, n) }

// testBest tests which matches of a venue are worth seeing.
func testBest(t *testing.T, open opener) {
	subtest(t, open, "the shortest wins and the longest matches of all days are the first", func(t *testing.T, s tester) {
		s.ended("drawn", alice, bob, day(-3), drawn())
		s.ended("short", alice, bob, day(-4), xWins())
		s.ended("late", alice, bob, day(-1), xWinsLate())
		s.ended("six", bob, carol, day(0), oWins())
		s.reviewed(profile.Side{}, profile.Side{}, "drawn", "short", "late", "six")
		same(t, s.worthSeeing(home), "short six late | drawn late six |  | ")
		same(t, s.worthSeeing(away), " |  |  | ")
	})
	subtest(t, open, "of equally short wins the latest come first, three at most", func(t *testing.T, s tester) {
		for i := range 9 {
			id := match.ID(fmt.Sprint(i))
			s.ended(id, alice, bob, noon().Add(time.Duration(i%3)*time.Hour).AddDate(0, 0, -i/3), xWins())
			s.reviewed(profile.Side{}, profile.Side{}, id)
		}
		best := must[archive.Best](t)(s.Best(s.ctx, home, noon(), 7))
		same(t, len(best.Shortest), archive.MaxEach)
		same(t, strings.HasPrefix(s.worthSeeing(home), "2 1 0 | "), true)
	})
	subtest(t, open, "a match is accurate that has enough critical moves, few errors, and then many critical moves", func(t *testing.T, s tester) {
		for _, id := range []match.ID{"many", "wrong", "right", "few", "blunders"} {
			s.ended(id, alice, bob, day(0), drawn())
		}
		s.reviewed(profile.Side{Critical: 3}, profile.Side{Critical: 3}, "many")
		s.reviewed(profile.Side{Critical: 4, Errors: 1}, profile.Side{Critical: 5}, "wrong")
		s.reviewed(profile.Side{Critical: 2}, profile.Side{Critical: 2}, "right")
		s.reviewed(profile.Side{Critical: 1}, profile.Side{Critical: 2}, "few")
		s.reviewed(profile.Side{Critical: 2, Errors: 1}, profile.Side{Critical: 2, Errors: 1}, "blunders")
		same(t, strings.Split(s.worthSeeing(home), " | ")[2], "many right wrong")
		best := must[archive.Best](t)(s.Best(s.ctx, home, noon(), 1)).Accurate[2]
		same(t, []int{best.Critical, best.Errors}, []int{9, 1})
	})
	testWhatIsWorthSeeing(t, open)
	testUpsets(t, open)
}

// testWhatIsWorthSeeing tests which matches the best matches of a venue do not include.
func testWhatIsWorthSeeing(t *testing.T, open opener) {
	subtest(t, open, "only finished matches between people in the venue and on the days are listed", func(t *testing.T, s tester) {
		s.ended("good", alice, bob, day(0), xWins())
		s.ended("old", alice, bob, day(-6), xWins())
		s.ended("next", alice, bob, day(2), xWins())
		s.endedAt(away, game.Classic(), "away", alice, bob, day(0), xWins())
		s.finish(computer("computer", alice, "easy", day(0)), day(0), xWins())
		s.resigned("resigned", day(0))
		s.ended("unseen", alice, bob, day(0), xWins())
		s.reviewed(profile.Side{}, profile.Side{}, "good", "old", "next", "away", "computer", "resigned")
		same(t, s.worthSeeing(home), "good | good |  | ")
	})
	subtest(t, open, "a match that is voided is not, until it is restored", func(t *testing.T, s tester) {
		m := s.ended("m", alice, bob, day(0), xWins())
		s.reviewed(profile.Side{Critical: 4}, profile.Side{}, "m")
		void := s.void(m, day(1))
		same(t, s.worthSeeing(home), " |  |  | ")
		s.replace(void, must[match.Match](t)(void.Restore()))
		same(t, s.worthSeeing(home), "m | m | m | ")
	})
	subtest(t, open, "nothing is shown of who hides, as long as that one hides", func(t *testing.T, s tester) {
		s.playRated("m", alice, bob, rating.Full, day(0), xWins())
		s.ended("others", bob, carol, day(0), xWins())
		s.reviewed(profile.Side{Critical: 4}, profile.Side{}, "m", "others")
		for p, left := range map[match.User]string{alice: "others | others | others | ", bob: " |  |  | "} {
			s.do(s.SetHidden(s.ctx, p, true))
			same(t, s.worthSeeing(home), left)
			s.do(s.SetHidden(s.ctx, p, false))
		}
		same(t, s.worthSeeing(home), "others m | others m | others m | ")
	})
	subtest(t, open, "a match stays when one of its players has left", func(t *testing.T, s tester) {
		s.ended("m", alice, bob, day(0), xWins())
		s.reviewed(profile.Side{}, profile.Side{}, "m")
		s.erase(bob, day(1))
		same(t, s.worthSeeing(home), "m | m |  | ")
	})
}

// testUpsets tests the wins against better players.
func testUpsets(t *testing.T, open opener) {
	subtest(t, open, "the greater the lead of who lost, the greater the upset", func(t *testing.T, s tester) {
		n := 0
		win := func(id match.ID, x, o match.User) {
			n++
			s.playRated(id, x, o, rating.Full, noon().Add(time.Duration(n)*time.Minute), xWins())
		}
		for i := range 6 {
			win(match.ID(fmt.Sprint("strong", i)), alice, match.User(fmt.Sprint("guest", i)))
			win(match.ID(fmt.Sprint("weak", i)), match.User(fmt.Sprint("host", i)), bob)
		}
		win("small", carol, alice)
		win("great", bob, alice)
		b := must[archive.Best](t)(s.Best(s.ctx, home, noon(), 7))
		same(t, b.Upsets[0].ID, match.ID("great"))
		changes, err := s.Changes(s.ctx, "great")
		s.do(err)
		same(t, b.Upsets[0].Ahead, int(changes[1].Before.Value-changes[0].Before.Value+0.5))
		for _, f := range b.Upsets {
			if strings.HasPrefix(string(f.ID), "strong") || f.Ahead <= 0 {
				t.Errorf("%s with a lead of %d is an upset", f.ID, f.Ahead)
			}
		}
	})
}
