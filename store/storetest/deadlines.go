package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
)

// missed returns a span in which no player was heard.
func missed(from time.Time, by time.Duration) clock.Span {
	return clock.Span{From: from, To: from.Add(by)}
}

// set returns a span in which all players were heard, and the clock was set.
func set(from time.Time, ran, jump time.Duration) clock.Span {
	return clock.Span{From: from, To: from.Add(ran + jump), Counts: true, Ran: ran}
}

// waiting saves a deadline of each kind: a match that is lost on time 60 s after noon, an ended match whose proposed rematch
// expires at 370 s, and a challenge that expires at 310 s.
func (s tester) waiting() (m, proposed match.Match, c match.Challenge) {
	s.t.Helper()
	m = begin("turn", alice, bob, noon())
	s.create(m)
	over := s.ended("rematch", alice, carol, noon(), xWins())
	proposed, _ = askRematch(s.t, over, alice, over.Version, "n", after(70))
	s.replace(over, proposed)
	c = invite(s.t, "challenge", alice, bob, after(10))
	s.invite(c)
	return m, proposed, c
}

// due takes the due deadlines of all partitions.
func (s tester) due(now time.Time, limit int) []match.ID {
	s.t.Helper()
	return must[[]match.ID](s.t)(s.TakeDue(s.ctx, match.Partition{}, now, limit, now.Add(time.Minute)))
}

// next returns the first deadline of all partitions.
func (s tester) next() time.Time {
	s.t.Helper()
	return must[time.Time](s.t)(s.NextDeadline(s.ctx, match.Partition{}, time.Time{}))
}

// testDueDeadlines tests which deadlines exist, and when each is due.
func testDueDeadlines(t *testing.T, open opener) {
	subtest(t, open, "an empty store has no deadline", func(t *testing.T, s tester) {
		same(t, s.next(), time.Time{})
		same(t, s.due(after(1e9), 9), nil)
	})
	subtest(t, open, "deadlines come due at their time and not before, the latest first", func(t *testing.T, s tester) {
		m, proposed, c := s.waiting()
		same(t, s.next(), m.Deadline)
		same(t, must[time.Time](t)(s.NextDeadline(s.ctx, match.Partition{}, m.Deadline)), c.Deadline)
		same(t, must[time.Time](t)(s.NextDeadline(s.ctx, match.Partition{}, c.Deadline)), proposed.Rematch.Deadline)
		same(t, must[time.Time](t)(s.NextDeadline(s.ctx, match.Partition{}, proposed.Rematch.Deadline)), time.Time{})
		same(t, s.due(m.Deadline.Add(-time.Millisecond), 9), nil)
		same(t, s.due(m.Deadline, 9), []match.ID{"turn"})
		same(t, s.due(c.Deadline, 9), []match.ID{"challenge", "turn"})
		same(t, s.due(proposed.Rematch.Deadline, 9), []match.ID{"rematch", "challenge", "turn"})
		same(t, s.due(proposed.Rematch.Deadline, 2), []match.ID{"rematch", "challenge"})
	})
	subtest(t, open, "a deadline that was acted on is one no more", func(t *testing.T, s tester) {
		m, proposed, c := s.waiting()
		s.replace(m, late(m))
		same(t, s.next(), c.Deadline)
		expired, _ := c.Expire(c.Deadline)
		s.save(match.Save{Challenge: match.ChallengeChange{From: c, To: expired}})
		same(t, s.next(), proposed.Rematch.Deadline)
		off, _ := proposed.Expire(proposed.Rematch.Deadline)
		s.replace(proposed, off)
		same(t, s.next(), time.Time{})
		same(t, s.due(after(1e6), 9), nil)
	})
	subtest(t, open, "a move sets the next deadline", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		moved := play(t, m, after(30), "a1")
		s.create(m)
		s.replace(m, moved)
		same(t, s.next(), after(90))
	})
}

// testLastSeen tests that a store knows when players were last heard.
func testLastSeen(t *testing.T, open opener) {
	subtest(t, open, "no time is stored at first", func(t *testing.T, s tester) {
		same(t, s.lastSeen(match.Partition{}), time.Time{})
	})
	subtest(t, open, "last seen is the latest time, not the last saved", func(t *testing.T, s tester) {
		s.see(match.Partition{}, after(1))
		s.see(match.Partition{}, after(9))
		s.see(match.Partition{}, after(5))
		same(t, s.lastSeen(match.Partition{}), after(9))
	})
}

// testCredit tests that time in which no player was heard, and a change of the clock, move the deadlines.
func testCredit(t *testing.T, open opener) {
	subtest(t, open, "time away is given back to what had not run out, and each gets a new version", func(t *testing.T, s tester) {
		m, proposed, c := s.waiting()
		s.save(match.Save{Seen: match.Seen{At: m.Deadline}}) // records that players were heard until the deadline, which has passed
		same(t, s.credit(match.Partition{}, missed(m.Deadline, time.Hour)), 2)
		same(t, s.match("turn"), m)
		proposed.Rematch.Deadline = proposed.Rematch.Deadline.Add(time.Hour)
		proposed.Version++
		same(t, s.match("rematch"), proposed)
		c.Deadline = c.Deadline.Add(time.Hour)
		c.Version++
		same(t, s.challenge("challenge"), c)
		same(t, s.lastSeen(match.Partition{}), m.Deadline.Add(time.Hour))
	})
	for name, jump := range map[string]time.Duration{"back": -time.Hour, "forward": time.Hour} {
		t.Run("a clock that was set "+name+" takes the deadlines and last seen with it", func(t *testing.T) {
			for _, span := range []clock.Span{missed(after(20), jump), set(after(20), time.Second, jump)} {
				s := start(t, open)
				m, _, _ := s.waiting()
				s.see(match.Partition{}, after(20))
				same(t, s.credit(match.Partition{}, span), 3)
				m.Deadline = m.Deadline.Add(jump)
				m.Version++
				same(t, s.match("turn"), m)
				same(t, s.lastSeen(match.Partition{}), after(20).Add(jump))
			}
		})
	}
	subtest(t, open, "time is given back to the side to move", func(t *testing.T, s tester) {
		m, _, _ := s.waiting()
		same(t, s.credit(match.Partition{}, missed(after(20), time.Minute)), 3)
		m.Deadline = m.Deadline.Add(time.Minute)
		m.Version++
		same(t, s.match("turn"), m)
		same(t, s.next(), after(120))
	})
	subtest(t, open, "a move that was begun before time was given back is a conflict", func(t *testing.T, s tester) {
		m, _, _ := s.waiting()
		s.credit(match.Partition{}, missed(noon(), time.Minute))
		fails(t, s.Save(s.ctx, match.Save{Matches: []match.MatchChange{{From: m, To: play(t, m, after(1), "a1")}}}), match.ErrConflict)
	})
}
