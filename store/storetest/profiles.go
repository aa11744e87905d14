package storetest

import (
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
)

// resultsOf parses results: for example, "Wd" is a win as X and then a draw as O.
func resultsOf(letters string) (rs profile.Results) {
	for _, letter := range letters {
		if letter == 'E' { // a draw that does not count as a feat
			rs = append(rs, profile.Result{Mark: game.X, Outcome: score.Draw, Helped: true})
			continue
		}
		r := profile.Result{Mark: game.X, Outcome: score.Outcome(strings.IndexRune("LDW", letter))}
		if i := strings.IndexRune("ldw", letter); i >= 0 {
			r = profile.Result{Mark: game.O, Outcome: score.Outcome(i)}
		}
		rs = append(rs, r)
	}
	return rs
}

func (s tester) record(in profile.Scope, p match.User) profile.Record {
	s.t.Helper()
	return must[profile.Record](s.t)(s.Record(s.ctx, in, p))
}

// endedAt saves a match of two people that was played to its end in a venue.
func (s tester) endedAt(v match.Venue, rules game.Rules, id match.ID, x, o match.User, at time.Time, squares []string) match.Match {
	s.t.Helper()
	return s.finish(match.Start(id, id, v, rules, match.Seats{match.Human(x), match.Human(o)}, time.Minute, 1, at), at, squares)
}

// testRecords tests the records of one player.
func testRecords(t *testing.T, open opener) {
	atHome := profile.Scope{Venue: home}
	t.Run("the record of a player without matches is empty", func(t *testing.T) {
		same(t, start(t, open).record(atHome, alice), profile.Record{Computers: map[string]profile.Results{}, Judged: map[string]profile.Judged{}})
	})
	subtest(t, open, "results come in the order in which the matches ended, against people and each level", func(t *testing.T, s tester) {
		s.ended("5", alice, bob, after(50), drawn())
		s.ended("1", alice, bob, after(10), xWins())
		s.ended("2", bob, alice, after(20), xWins())
		s.ended("3", carol, alice, after(30), oWins())
		s.ended("4", bob, alice, after(40), drawn())
		s.ended("6", alice, carol, after(60), oWins())
		s.ended("7", carol, bob, after(70), oWins())
		s.finish(computer("8", alice, "easy", after(80)), after(80), xWins())
		s.finish(computer("9", alice, "hard", after(90)), after(90), oWins())
		r := s.record(atHome, alice)
		same(t, r.People, resultsOf("WlwdDL"))
		same(t, r.Computers, map[string]profile.Results{"easy": resultsOf("W"), "hard": resultsOf("L")})
		var last []match.ID
		for _, m := range r.Last {
			last = append(last, m.ID)
		}
		same(t, last, []match.ID{"9", "8", "6", "5", "4"})
	})
	subtest(t, open, "what goes on, was called off or was voided is not in it; what ended by resignation, by the clock or by a moderator is",
		func(t *testing.T, s tester) {
			s.create(begin("open", alice, bob, noon()))
			s.aborted("called off", noon())
			s.void(s.ended("void", alice, bob, after(2), xWins()), after(9))
			s.resigned("resigned", after(10))
			slow := begin("late", bob, alice, after(20))
			s.create(slow)
			s.replace(slow, late(slow))
			drawnByForce := begin("drawn", alice, bob, after(100))
			s.create(drawnByForce)
			s.replace(drawnByForce, must[match.Match](t)(drawnByForce.CallDraw(after(101))))
			same(t, s.record(atHome, alice).People, resultsOf("LwE"))
		})
}

// testScopes tests the scopes of records.
func testScopes(t *testing.T, open opener) {
	atHome := profile.Scope{Venue: home}
	subtest(t, open, "a record is of a venue, of a board, of both, or of all there is", func(t *testing.T, s tester) {
		fourInARow := must[game.Rules](t)(game.ParseRules("4x4"))
		wins := []string{"a1", "a2", "b1", "b2", "c1", "c2", "d1"}
		s.endedAt(home, game.Classic(), "1", alice, bob, after(10), xWins())
		s.endedAt(away, game.Classic(), "2", alice, bob, after(20), drawn())
		s.endedAt(home, fourInARow, "3", bob, alice, after(30), wins)
		s.endedAt("", fourInARow, "4", alice, bob, after(40), wins)
		for want, in := range map[string]profile.Scope{
			"Wl": atHome, "D": {Venue: away}, "WD": {Rules: game.Classic()}, "l": {Venue: home, Rules: fourInARow}, "WDlW": {},
		} {
			r := s.record(in, alice)
			same(t, r.People, resultsOf(want))
			same(t, len(r.Last), len(want))
		}
	})
	subtest(t, open, "after a reset of the leaderboards only later matches count, in that venue alone", func(t *testing.T, s tester) {
		s.endedAt(home, game.Classic(), "1", alice, bob, after(10), xWins())
		s.endedAt(away, game.Classic(), "2", alice, bob, after(10), drawn())
		s.do(s.ResetScores(s.ctx, resetOf(home, after(100))))
		s.endedAt(home, game.Classic(), "3", bob, alice, after(200), xWins())
		same(t, s.record(atHome, alice).People, resultsOf("l"))
		same(t, s.record(profile.Scope{}, alice).People, resultsOf("Dl"))
		duel := must[profile.Duel](t)(s.Duel(s.ctx, atHome, alice, bob))
		same(t, duel.Tally(), score.Tally{Losses: 1})
	})
}

// testDuels tests the results of matches between two players.
func testDuels(t *testing.T, open opener) {
	subtest(t, open, "two players are counted board by board, as the first of them sees it", func(t *testing.T, s tester) {
		fourInARow := must[game.Rules](t)(game.ParseRules("4x4"))
		s.ended("1", alice, bob, after(10), xWins())
		s.ended("2", bob, alice, after(20), oWins())
		s.ended("3", bob, alice, after(30), drawn())
		s.ended("4", alice, carol, after(40), oWins())
		s.endedAt(away, game.Classic(), "5", alice, bob, after(50), oWins())
		s.endedAt(home, fourInARow, "6", bob, alice, after(60), []string{"a1", "a2", "b1", "b2", "c1", "c2", "d1"})
		duel := func(in profile.Scope, a, b match.User) (d profile.Duel, last string) {
			t.Helper()
			d = must[profile.Duel](t)(s.Duel(s.ctx, in, a, b))
			for _, m := range d.Last {
				last += string(m.ID)
			}
			return d, last
		}
		d, last := duel(profile.Scope{Venue: home}, alice, bob)
		same(t, d.Boards, []profile.OnBoard{
			{Rules: game.Classic(), Tally: score.Tally{Wins: 2, Draws: 1}}, {Rules: fourInARow, Tally: score.Tally{Losses: 1}},
		})
		same(t, last, "6321")
		d, _ = duel(profile.Scope{Venue: home}, bob, alice)
		same(t, d.Tally(), score.Tally{Wins: 1, Draws: 1, Losses: 2})
		d, last = duel(profile.Scope{Venue: home, Rules: game.Classic()}, alice, bob)
		same(t, d.Tally(), score.Tally{Wins: 2, Draws: 1})
		same(t, last, "321")
		d, last = duel(profile.Scope{Venue: home}, bob, carol)
		same(t, d.Boards, nil)
		same(t, last, "")
	})
}

// testHiddenPlayers tests that other players do not see a hidden player.
func testHiddenPlayers(t *testing.T, open opener) {
	subtest(t, open, "leaderboards do not show the name of a hidden player", func(t *testing.T, s tester) {
		s.save(match.Save{Names: []match.Name{{Player: alice, Name: "Alice"}, {Player: bob, Name: "Bob"}}})
		s.playRated("1", alice, bob, rating.Full, after(10), xWins())
		s.do(s.SetHidden(s.ctx, alice, true))
		for _, own := range []match.User{"", alice} {
			rows := s.page(score.People, 1, own).Rows
			if !rows[0].Hidden || rows[0].Name != "" || rows[1].Hidden || rows[1].Name != "Bob" {
				t.Errorf("the leaderboard has %+v", rows)
			}
			ranked := s.ladder(1, own).Rows
			if !ranked[0].Hidden || ranked[0].Name != "" || ranked[1].Hidden || ranked[1].Name != "Bob" {
				t.Errorf("the ladder has %+v", ranked)
			}
		}
		s.do(s.SetHidden(s.ctx, alice, false))
		if rows := s.page(score.People, 1, "").Rows; rows[0].Hidden || rows[0].Name != "Alice" {
			t.Errorf("after the player is shown again, the leaderboard has %+v", rows[0])
		}
	})
	subtest(t, open, "to have one's data deleted ends it", func(t *testing.T, s tester) {
		s.do(s.SetHidden(s.ctx, alice, true))
		s.erase(alice, after(1))
		same(t, must[user.Settings](t)(s.Settings(s.ctx, alice)).Hidden, false)
	})
}
