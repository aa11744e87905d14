package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/lease"
)

// Sharing tests two stores on one database whose bots run at the same time. It does not apply to a database that only one bot may
// use.
func Sharing(t *testing.T, open pair) {
	testHolding(t, open)
	testPartitionsApart(t, open)
	testFirstOfTwo(t, open)
	testSharedClock(t, open)
	testSessionsInUse(t, open)
	testComingBack(t, open)
}

// testHolding tests that each of two stores takes only the deadlines that the other does not hold.
func testHolding(t *testing.T, open pair) {
	subtestOfTwo(t, open, "a deadline is left to who holds it, until that ends", func(t *testing.T, one, other tester) {
		take := func(s tester, now int, want ...match.ID) {
			s.t.Helper()
			same(s.t, must[[]match.ID](s.t)(s.TakeDue(s.ctx, match.Partition{}, after(now), 9, after(now+30))), want)
		}
		next := func(s tester, want time.Time) {
			s.t.Helper()
			same(s.t, must[time.Time](s.t)(s.NextDeadline(s.ctx, match.Partition{}, time.Time{})), want)
		}
		m := begin("m", alice, bob, noon()) // each turn lasts a minute
		c := invite(t, "c", alice, bob, noon())
		one.save(match.Save{Challenge: match.ChallengeChange{To: c}, Matches: []match.MatchChange{{To: m}}})
		take(one, 300, "c", "m")
		take(one, 300, "c", "m") // the holder may take the same deadlines again
		take(other, 300)
		next(one, m.Deadline)
		next(other, time.Time{})
		take(other, 329)
		take(other, 330, "c", "m") // the time of the first holder has passed
		take(one, 331)
		moved := play(t, m, after(10), "b2")
		one.replace(m, moved)
		next(one, moved.Deadline) // a change of the match ends the hold
		take(one, 340, "m")
	})
	subtestOfTwo(t, open, "each of those takes what the others leave", func(t *testing.T, one, other tester) {
		for i := range 5 { // the deadlines are minutes apart, so their order is known
			one.create(begin(match.ID(fmt.Sprint(i)), alice, bob, after(120*i)))
		}
		ids := must[[]match.ID](t)(one.TakeDue(one.ctx, match.Partition{}, after(600), 3, after(630)))
		same(t, ids, []match.ID{"4", "3", "2"})
		ids = must[[]match.ID](t)(other.TakeDue(other.ctx, match.Partition{}, after(600), 3, after(630)))
		same(t, ids, []match.ID{"1", "0"})
	})
}

// testPartitionsApart tests that partitions are independent: a bot that hears one partition does not affect another partition.
func testPartitionsApart(t *testing.T, open pair) {
	subtestOfTwo(t, open, "who hears one part is not there for another", func(t *testing.T, one, other tester) {
		for _, v := range []match.Venue{first, second} {
			one.create(in(v, begin("m"+match.ID(v), alice, bob, noon())))
		}
		for i := range 2 {
			one.see(partition(i, 2), noon())
		}
		one.save(match.Save{Seen: match.Seen{Partition: partition(1, 2), At: after(1), Leaving: true}})
		for i, want := range []int{0, 1} {
			same(t, other.credit(partition(i, 2), missed(after(1), time.Second)), want)
		}
	})
	subtestOfTwo(t, open, "a deadline of another part is not taken", func(t *testing.T, one, other tester) {
		one.create(in(second, begin("m", alice, bob, noon())))
		for i, want := range [][]match.ID{nil, {"m"}} {
			ids := must[[]match.ID](t)(other.TakeDue(other.ctx, match.Partition{Index: i, Of: 2}, after(90), 3, after(120)))
			same(t, ids, want)
		}
	})
}

// testFirstOfTwo tests that only one of two stores gets a claim, a lease or a credit.
func testFirstOfTwo(t *testing.T, open pair) {
	subtestOfTwo(t, open, "of two who claim an interaction one is first, and of two who want a lease one has it", func(t *testing.T, one, other tester) {
		same(t, gotIt(t, one.Claim(one.ctx, claim.Claim{Interaction: "1", By: "one", Until: noon()})), true)
		same(t, gotIt(t, other.Claim(other.ctx, claim.Claim{Interaction: "1", By: "other", Until: noon()})), false)
		same(t, gotIt(t, one.Claim(one.ctx, claim.Claim{Interaction: "1", By: "one", Until: noon()})), true)
		same(t, must[bool](t)(one.Acquire(one.ctx, "x", "a", time.Hour)), true)
		same(t, must[bool](t)(other.Acquire(other.ctx, "x", "b", time.Hour)), false)
		same(t, must[[]lease.Lease](t)(other.Leases(other.ctx)), []lease.Lease{{Name: "x", Holder: "a"}})
	})
}

// testSharedClock tests that deadlines follow a clock that was set once.
func testSharedClock(t *testing.T, open pair) {
	for name, jump := range map[string]int{"forward": 3600, "forward by a little": 12, "back": -3600, "back by a little": -12} {
		subtestOfTwo(t, open, "of two whose clock is set "+name+" the first moves the deadlines, and both are there all the while", func(t *testing.T, one, other tester) {
			one.create(begin("m", alice, bob, noon()))
			one.see(match.Partition{}, after(18))
			other.see(match.Partition{}, after(20))
			by := time.Duration(jump) * time.Second
			same(t, one.credit(match.Partition{}, set(after(18), 3*time.Second, by)), 1)
			same(t, other.credit(match.Partition{}, set(after(20), 3*time.Second, by)), 0)
			same(t, must[match.Match](t)(one.Match(one.ctx, "m")).Deadline, after(60+jump))
			other.see(match.Partition{}, after(24+jump))
			same(t, one.lastSeen(match.Partition{}), after(24+jump))
		})
	}
}

// testComingBack tests that missed time is credited only if no bot was present.
func testComingBack(t *testing.T, open pair) {
	// comeBack starts a bot at the given time, which credits the missed time and then stays.
	comeBack := func(s tester, at time.Time) int {
		s.t.Helper()
		seen := s.lastSeen(match.Partition{})
		n := s.credit(match.Partition{}, missed(seen, at.Sub(seen)))
		s.see(match.Partition{}, at)
		return n
	}
	for _, tt := range []struct {
		name  string
		away  func(t *testing.T, one tester) // how the bot that was present at noon goes away
		back  int                            // when another bot starts, in seconds after noon
		moved int
	}{
		{"while another is there nothing is given back", func(*testing.T, tester) {}, 4, 0},
		{"nor when it writes now and then", func(_ *testing.T, one tester) { one.see(match.Partition{}, after(50)) }, 52, 0},
		{"after one that knows that it hears nobody a moment is given back", func(_ *testing.T, one tester) {
			one.save(match.Save{Seen: match.Seen{At: after(1), Leaving: true}})
		}, 4, 1},
		{"also if that it knows could not be saved", func(t *testing.T, one tester) {
			ended, end := context.WithCancel(one.ctx)
			end()
			refuses(t, one.Save(ended, match.Save{Seen: match.Seen{At: after(1), Leaving: true}}))
		}, 4, 1},
		{"after one that is silent for long as well, whatever it seems to be", func(*testing.T, tester) {}, 50, 1},
	} {
		subtestOfTwo(t, open, tt.name, func(t *testing.T, one, other tester) {
			one.create(begin("m", alice, bob, noon()))
			one.see(match.Partition{}, noon())
			tt.away(t, one)
			same(t, comeBack(other, after(tt.back)), tt.moved)
		})
	}
}
