package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/venue"
)

func (s tester) note(news venue.News, at time.Time) {
	s.t.Helper()
	s.do(s.Note(s.ctx, news, at))
}

// prune deletes the data of servers that the bot left by the given time, and returns the number of deleted matches.
func (s tester) prune(before time.Time) int {
	s.t.Helper()
	return must[int](s.t)(s.Prune(s.ctx, match.Partition{}, before, before))
}

func present(v ...match.Venue) venue.News { return venue.News{Present: v} }
func gone(v ...match.Venue) venue.News    { return venue.News{Gone: v} }

// leaveHome lets the bot leave a server for good, and stay in another.
func (s tester) leaveHome() {
	s.t.Helper()
	s.note(present(home, away), noon())
	s.note(gone(home), noon())
	s.prune(noon())
}

// played saves a match, a challenge, a board and scores at home, and a match elsewhere.
func (s tester) played() {
	s.t.Helper()
	s.save(match.Save{Extras: []match.Extra{board.Reference{ID: "m", Guild: "home", Channel: "1", Message: "2"}}})
	s.ended("m", alice, bob, noon(), xWins())
	s.answered("c", alice, bob, match.Declined, noon())
	s.finish(in(away, begin("e", alice, bob, noon())), noon(), xWins())
}

// testLeftServers tests which servers the bot is recorded as having left, and since when.
func testLeftServers(t *testing.T, open opener) {
	for _, tt := range []struct {
		name  string
		notes []venue.News // noted one per second from noon
		want  int          // the number of matches that are deleted
	}{
		{"a server that was left", []venue.News{present(home, away), gone(home)}, 1},
		{"left is known by its absence too", []venue.News{present(home, away), {All: true, Present: []match.Venue{away}}}, 1},
		{"all are left by a bot that is in none", []venue.News{present(home, away), {All: true}}, 2},
		{"the bot is there", []venue.News{present(home, away)}, 0},
		{"the bot came back", []venue.News{present(home), gone(home), present(home)}, 0},
		{"the bot came back while it was away", []venue.News{present(home), gone(home), {All: true, Present: []match.Venue{home}}}, 0},
		{"where the bot never was, players brought it along", []venue.News{gone(home), {All: true}}, 0},
		{"an empty list of servers changes nothing", []venue.News{present(home), {}}, 0},
	} {
		subtest(t, open, tt.name, func(t *testing.T, s tester) {
			s.played()
			for i, news := range tt.notes {
				s.note(news, after(i))
			}
			same(t, s.prune(after(10)), tt.want)
			same(t, s.prune(after(10)), 0)
		})
	}
	subtest(t, open, "the first time when it was left counts", func(t *testing.T, s tester) {
		s.played()
		s.note(present(home), noon())
		s.note(gone(home), after(10))
		s.note(venue.News{All: true}, after(20))
		same(t, s.prune(after(9)), 0)
		same(t, s.prune(after(10)), 1)
	})
}

// testPrunedServers tests which data of a server is deleted after the bot has left it.
func testPrunedServers(t *testing.T, open opener) {
	subtest(t, open, "nothing of the place stays, and nothing of another goes", func(t *testing.T, s tester) {
		s.played()
		s.leaveHome()
		s.missing("m")
		refuses(t, errorOf(s.Challenge(s.ctx, "c")))
		s.do(errorOf(s.Match(s.ctx, "e")))
		same(t, s.own(alice), []score.Entry{{Venue: away, Player: alice, Tally: score.Tally{Wins: 1}}})
	})
	subtest(t, open, "nor what its moderators have said and done", func(t *testing.T, s tester) {
		s.played()
		for _, v := range []match.Venue{home, away} {
			quiet := policy.Policy{Venue: v, MentionsOff: true, Version: 1}
			s.do(s.SetPolicy(s.ctx, policy.Policy{Venue: v}, quiet, entryOf(quiet)))
			s.do(s.ResetScores(s.ctx, resetOf(v, after(60))))
		}
		s.leaveHome()
		for v, want := range map[match.Venue]int{home: 0, away: 1} {
			same(t, must[policy.Policy](t)(s.Policy(s.ctx, v)).Version, want)
			same(t, len(s.auditLog(v, 0, 10)), 2*want)
			s.finish(in(v, begin(match.ID("after "+v), alice, bob, after(30))), after(30), xWins())
		}
		// A match that ended before the reset counts again once the reset is deleted with the server.
		same(t, s.own(alice), []score.Entry{{Venue: home, Player: alice, Tally: score.Tally{Wins: 1}}})
	})
	subtest(t, open, "what goes on there does, and its end counts", func(t *testing.T, s tester) {
		s.played()
		going := begin("g", alice, bob, noon())
		c := invite(t, "g", alice, bob, noon())
		s.save(match.Save{Challenge: match.ChallengeChange{To: c}, Matches: []match.MatchChange{{To: going}}, Extras: []match.Extra{board.Reference{ID: "g", Guild: "home", Channel: "1", Message: "3"}}})
		s.note(present(home), noon())
		s.note(gone(home), noon())
		same(t, s.prune(noon()), 1)
		same(t, s.match("g"), going)
		s.replace(going, play(t, going, after(1), xWins()...))
		same(t, s.own(alice)[1], score.Entry{Venue: home, Player: alice, Tally: score.Tally{Wins: 1}})
	})
	subtest(t, open, "back-offs that are forgotten go too", func(t *testing.T, s tester) {
		s.answered("c", alice, bob, match.Declined, noon())
		s.prune(after(119))
		same(t, len(s.data(alice).LeaveAlone), 1)
		s.prune(after(120))
		same(t, len(s.data(alice).LeaveAlone), 0)
	})
}
