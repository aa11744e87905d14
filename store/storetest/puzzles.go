package storetest

import (
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/server/posting"
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
		same(t, must[posting.Post](t)(s.Post(s.ctx, home, posting.Puzzle)), posting.Post{Venue: home, Kind: posting.Puzzle})
		same(t, must[posting.Post](t)(s.Post(s.ctx, away, posting.Puzzle)).Channel, "5001")
	})
}
