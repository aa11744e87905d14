package storetest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/policy"
)

// today returns the day of [noon].
func today() puzzle.Day { return puzzle.DayOf(noon()) }

// attempt returns the attempt of a user at today's puzzle, begun at noon, with presses in their stored format.
func (s tester) attempt(p match.User, presses string) daily.Attempt {
	s.t.Helper()
	return daily.Attempt{User: p, Day: today(), Started: noon(), Presses: must[daily.Presses](s.t)(daily.ParsePresses(presses))}
}

// solved returns the attempt after it was solved, the given number of seconds after noon.
func solved(a daily.Attempt, second int) daily.Attempt {
	a.Solved = after(second)
	return a
}

// tried begins the given attempt and returns the stored attempt.
func (s tester) tried(a daily.Attempt) daily.Attempt {
	s.t.Helper()
	return must[daily.Attempt](s.t)(s.BeginAttempt(s.ctx, a))
}

func testAttempts(t *testing.T, open opener) {
	subtest(t, open, "an attempt is read as it was saved, by its user and day", func(t *testing.T, s tester) {
		first := s.tried(s.attempt(alice, ""))
		same(t, first, s.attempt(alice, ""))
		next := solved(s.attempt(alice, "a!b"), 60)
		s.do(s.SaveAttempt(s.ctx, first, next))
		same(t, must[daily.Attempt](t)(s.Attempt(s.ctx, alice, today())), next)
		for _, other := range []struct {
			user match.User
			day  puzzle.Day
		}{{bob, today()}, {alice, today() + 1}} {
			fails(t, errorOf(s.Attempt(s.ctx, other.user, other.day)), match.ErrNotFound)
		}
	})
	subtest(t, open, "an attempt begins once, and brings the name along", func(t *testing.T, s tester) {
		first := s.tried(s.attempt(alice, ""))
		s.do(s.SaveAttempt(s.ctx, first, s.attempt(alice, "a!")))
		again := s.attempt(alice, "")
		again.Started = after(30)
		got := must[daily.Attempt](t)(s.BeginAttempt(s.ctx, again, match.Name{Player: alice, Name: "Alice"}))
		same(t, got, s.attempt(alice, "a!"))
		same(t, s.names(alice), map[match.User]string{alice: "Alice"})
	})
	subtest(t, open, "of two presses that were made at the same time one is saved", func(t *testing.T, s tester) {
		first := s.tried(s.attempt(alice, ""))
		s.do(s.SaveAttempt(s.ctx, first, s.attempt(alice, "a!")))
		for _, late := range []daily.Attempt{s.attempt(alice, "a!"), s.attempt(alice, "b")} {
			fails(t, s.SaveAttempt(s.ctx, first, late), match.ErrConflict)
		}
		same(t, must[daily.Attempt](t)(s.Attempt(s.ctx, alice, today())), s.attempt(alice, "a!"))
	})
	subtest(t, open, "days count that were solved within a day of their beginning", func(t *testing.T, s tester) {
		for _, a := range []struct {
			day  puzzle.Day
			took int // how many seconds the solution took; 0 means not solved
		}{{1, 60}, {0, 86_400}, {3, 86_401}, {4, 0}, {-1, 1}} {
			from := s.attempt(alice, "")
			from.Day += a.day
			to := from
			if a.took > 0 {
				to = solved(to, a.took)
			}
			to.Presses = daily.Presses{{}}
			s.do(s.SaveAttempt(s.ctx, s.tried(from), to))
		}
		s.tried(solved(s.attempt(bob, "a"), 1))
		same(t, must[[]puzzle.Day](t)(s.SolvedDays(s.ctx, alice)), []puzzle.Day{today() - 1, today(), today() + 1})
	})
	subtest(t, open, "attempts belong to their user, who is told of them and can have them deleted", func(t *testing.T, s tester) {
		a := s.tried(solved(s.attempt(alice, "a"), 10))
		b := s.tried(s.attempt(bob, "b!"))
		for _, v := range []match.Venue{home, away} {
			s.do(s.SetListed(s.ctx, v, alice, true))
		}
		data := s.data(alice)
		same(t, data.Puzzles, []daily.Attempt{a})
		same(t, data.Listed, []match.Venue{away, home})
		same(t, data.Held.Puzzles, 1)
		same(t, data.Since, noon())
		s.erase(alice, after(20))
		data = s.data(alice)
		same(t, len(data.Puzzles)+len(data.Listed)+data.Held.Puzzles, 0)
		same(t, must[daily.Attempt](t)(s.Attempt(s.ctx, bob, today())), b)
	})
}

// testSolvers tests a server's list of users who have solved a puzzle.
func testSolvers(t *testing.T, open opener) {
	type list struct {
		First []daily.Solver
		Of    int
	}
	solvers := func(s tester, v match.Venue, limit int) list {
		s.t.Helper()
		first, of, err := s.Solvers(s.ctx, v, today(), limit)
		s.do(err)
		return list{first, of}
	}
	subtest(t, open, "only users who want to be are listed in a server", func(t *testing.T, s tester) {
		s.do(s.SetListed(s.ctx, home, alice, true, match.Name{Player: alice, Name: "Alice"}))
		s.do(s.SetListed(s.ctx, home, alice, true))
		s.do(s.SetListed(s.ctx, away, bob, true))
		s.tried(solved(s.attempt(alice, "a!b"), 30))
		s.tried(solved(s.attempt(bob, "b"), 10))
		same(t, solvers(s, home, 9), list{[]daily.Solver{{User: alice, Name: "Alice", Try: 2, Took: 30 * time.Second}}, 1})
		same(t, must[bool](t)(s.Listed(s.ctx, home, alice)), true)
		same(t, must[bool](t)(s.Listed(s.ctx, home, bob)), false)
		s.do(s.SetListed(s.ctx, home, alice, false))
		same(t, solvers(s, home, 9), list{})
		same(t, must[bool](t)(s.Listed(s.ctx, home, alice)), false)
	})
	subtest(t, open, "the fewest tries come first, then the least time, and all are counted", func(t *testing.T, s tester) {
		for p, a := range map[match.User]daily.Attempt{
			"quick": solved(s.attempt("quick", "b"), 10), "slow": solved(s.attempt("slow", "b"), 40),
			"second": solved(s.attempt("second", "a!b"), 5), "open": s.attempt("open", "b"),
		} {
			s.tried(a)
			s.do(s.SetListed(s.ctx, home, p, true))
		}
		same(t, solvers(s, home, 2), list{[]daily.Solver{
			{User: "quick", Try: 1, Took: 10 * time.Second}, {User: "slow", Try: 1, Took: 40 * time.Second},
		}, 3})
		same(t, solvers(s, home, 9).First[2], daily.Solver{User: "second", Try: 2, Took: 5 * time.Second})
	})
	subtest(t, open, "of very many listed people some are looked at, always the same ones", func(t *testing.T, s tester) {
		name := func(i int) match.User { return match.User(fmt.Sprintf("p%04d", i)) }
		for i := range daily.MaxListed + 1 {
			s.do(s.SetListed(s.ctx, home, name(i), true))
		}
		for _, i := range []int{0, daily.MaxListed - 1, daily.MaxListed} {
			s.tried(solved(s.attempt(name(i), "b"), 10))
		}
		got := solvers(s, home, 9)
		same(t, got.Of, 2)
		same(t, got.First[1].User, name(daily.MaxListed-1))
		same(t, solvers(s, home, 9), got)
	})
	subtest(t, open, "who hides is not listed", func(t *testing.T, s tester) {
		s.do(s.SetListed(s.ctx, home, alice, true))
		s.tried(solved(s.attempt(alice, "b"), 10))
		s.do(s.SetHidden(s.ctx, alice, true))
		same(t, solvers(s, home, 9), list{})
	})
	subtest(t, open, "a server that was left for good has no list and no post", func(t *testing.T, s tester) {
		for _, v := range []match.Venue{home, away} {
			s.do(s.SetListed(s.ctx, v, alice, true))
			s.posted(v, today())
		}
		s.leaveHome()
		same(t, s.data(alice).Listed, []match.Venue{away})
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), daily.Post{Venue: home})
		same(t, must[daily.Post](t)(s.Post(s.ctx, away)).Channel, "5001")
	})
}

// posted chooses the channel in which a server gets the puzzles, from the given day on.
func (s tester) posted(v match.Venue, from puzzle.Day) daily.Post {
	s.t.Helper()
	p := daily.Post{Venue: v, Channel: "5001", Language: "pt-BR", Next: from}
	s.do(s.SetPost(s.ctx, p, postEntry(v)))
	return p
}

// postEntry returns a new audit entry of carol, who chooses where puzzles are posted.
func postEntry(v match.Venue) policy.AuditEntry {
	return policy.AuditEntry{ID: match.ID(rand.Text()), Venue: v, By: carol, At: noon(), Kind: policy.PostPuzzles, Chosen: []string{"5001"}}
}

func testPuzzlePosts(t *testing.T, open opener) {
	due := func(s tester, day puzzle.Day) []daily.Post {
		s.t.Helper()
		return must[[]daily.Post](s.t)(s.DuePosts(s.ctx, day, 9))
	}
	subtest(t, open, "a server says where, and the audit log who said so", func(t *testing.T, s tester) {
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), daily.Post{Venue: home})
		p := daily.Post{Venue: home, Channel: "5001", Next: today()}
		entry := postEntry(home)
		s.do(s.SetPost(s.ctx, p, entry, match.Name{Player: carol, Name: "Carol"}))
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), p)
		same(t, s.auditLog(home, 0, 9), []policy.AuditEntry{entry})
		same(t, s.names(carol), map[match.User]string{carol: "Carol"})
	})
	subtest(t, open, "a post is due from its next day on, the posts of the earliest day first", func(t *testing.T, s tester) {
		b, a := s.posted(home, today()), s.posted(away, today())
		late := s.posted("late", today()-1)
		same(t, due(s, today()-1), []daily.Post{late})
		same(t, due(s, today()), []daily.Post{late, a, b})
		same(t, len(must[[]daily.Post](t)(s.DuePosts(s.ctx, today(), 2))), 2)
	})
	subtest(t, open, "a server that wants none has none due", func(t *testing.T, s tester) {
		p := s.posted(home, today())
		p.Channel = ""
		s.do(s.SetPost(s.ctx, p, postEntry(home)))
		same(t, due(s, today()), nil)
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), p)
	})
	subtest(t, open, "another channel does not have the puzzle of a day again", func(t *testing.T, s tester) {
		p := s.posted(home, today())
		p = must[daily.Post](t)(s.ClaimPost(s.ctx, p, today(), noon()))
		s.do(s.SettlePost(s.ctx, p, false))
		s.do(s.SetPost(s.ctx, daily.Post{Venue: home, Channel: "5002", Next: today()}, postEntry(home)))
		same(t, due(s, today()), nil)
		same(t, due(s, today()+1), []daily.Post{{Venue: home, Channel: "5002", Next: today() + 1}})
	})
}

// testClaimedPosts tests that at most one process posts the puzzle of a day.
func testClaimedPosts(t *testing.T, open opener) {
	claim := func(s tester, p daily.Post, day puzzle.Day, second int) daily.Post {
		s.t.Helper()
		return must[daily.Post](s.t)(s.ClaimPost(s.ctx, p, day, after(second)))
	}
	refused := func(s tester, p daily.Post, day puzzle.Day) {
		s.t.Helper()
		if got, err := s.ClaimPost(s.ctx, p, day, after(99)); !errors.Is(err, match.ErrConflict) {
			s.t.Errorf("got %+v, %v", got, err)
		}
	}
	subtest(t, open, "of all who have read that it is due one claims it", func(t *testing.T, s tester) {
		p := s.posted(home, today()-3)
		got := claim(s, p, today(), 1)
		same(t, got, daily.Post{Venue: home, Channel: "5001", Language: "pt-BR", Next: today() + 1, Claimed: after(1)})
		refused(s, p, today())
		same(t, must[[]daily.Post](t)(s.ClaimedPosts(s.ctx)), []daily.Post{got})
		same(t, must[[]daily.Post](t)(s.DuePosts(s.ctx, today(), 9)), nil)
	})
	subtest(t, open, "a claim without a known result is claimed again by one process", func(t *testing.T, s tester) {
		first := claim(s, s.posted(home, today()), today(), 1)
		second := claim(s, first, today(), 2)
		same(t, second.Claimed, after(2))
		refused(s, first, today())
		s.do(s.SettlePost(s.ctx, first, false)) // too late: another process has claimed the post
		same(t, must[[]daily.Post](t)(s.ClaimedPosts(s.ctx)), []daily.Post{second})
	})
	subtest(t, open, "a settled post is not claimed again that day", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		s.do(s.SettlePost(s.ctx, p, false))
		same(t, len(must[[]daily.Post](t)(s.ClaimedPosts(s.ctx))), 0)
		refused(s, p, today())
		p.Claimed = time.Time{}
		refuses(t, errorOf(s.ClaimPost(s.ctx, p, today(), after(9))))
		claim(s, p, today()+1, 9)
	})
	subtest(t, open, "a post that was not sent is due again", func(t *testing.T, s tester) {
		p := s.posted(home, today())
		s.do(s.ReleasePost(s.ctx, claim(s, p, today(), 1)))
		same(t, must[[]daily.Post](t)(s.DuePosts(s.ctx, today(), 9)), []daily.Post{p})
	})
	subtest(t, open, "a closed channel gets no posts until a moderator chooses a channel", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		s.do(s.SettlePost(s.ctx, p, true))
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), daily.Post{Venue: home, Language: "pt-BR", Next: today() + 1, Closed: "5001"})
		same(t, must[[]daily.Post](t)(s.DuePosts(s.ctx, today()+5, 9)), nil)
		next := s.posted(home, today()+1)
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), next)
	})
	subtest(t, open, "a channel that was chosen meanwhile stays open", func(t *testing.T, s tester) {
		p := claim(s, s.posted(home, today()), today(), 1)
		s.do(s.SetPost(s.ctx, daily.Post{Venue: home, Channel: "5002", Next: today() + 1}, postEntry(home)))
		s.do(s.SettlePost(s.ctx, p, true))
		same(t, must[daily.Post](t)(s.Post(s.ctx, home)), daily.Post{Venue: home, Channel: "5002", Next: today() + 1})
	})
}
