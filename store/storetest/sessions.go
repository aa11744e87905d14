package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/session"
)

// kept returns the session of a shard, out of two shards.
func kept(shard int, id string) session.Kept {
	return session.Kept{Shard: shard, Of: 2, Session: session.Session{
		ID: id, Sequence: 7, Token: "digest", Saved: after(10),
	}}
}

// resumes tests that the given session is the one that a starting bot takes.
func (s tester) resumes(shard, of int, want session.Session) {
	s.t.Helper()
	same(s.t, must[session.Session](s.t)(s.TakeSession(s.ctx, shard, of, after(20))), want)
}

// testSessions tests that at most one process resumes a session.
func testSessions(t *testing.T, open opener) {
	subtest(t, open, "only one caller gets a session", func(t *testing.T, s tester) {
		s.resumes(0, 2, session.Session{})
		s.extra(kept(0, "zero"), kept(1, "one"))
		s.resumes(0, 2, kept(0, "zero").Session)
		s.resumes(0, 2, session.Session{})
		s.resumes(1, 2, kept(1, "one").Session)
	})
	subtest(t, open, "the latest one counts, and none is one as well", func(t *testing.T, s tester) {
		later := kept(0, "later")
		later.Session.Sequence, later.Session.Saved = 1<<40, after(15)
		s.do(s.KeepSession(s.ctx, kept(0, "earlier")))
		s.save(match.Save{Seen: match.Seen{Partition: match.Partition{Of: 2}, At: after(15)}, Extras: []match.Extra{later}})
		s.extra(kept(1, "one"), session.Kept{Shard: 1, Of: 2})
		s.resumes(0, 2, later.Session)
		s.resumes(1, 2, session.Session{})
	})
	subtest(t, open, "it is of that number of shards, and the next one replaces it", func(t *testing.T, s tester) {
		s.do(s.KeepSession(s.ctx, kept(0, "of two")))
		s.resumes(0, 3, session.Session{})
		of3 := kept(0, "of three")
		of3.Of = 3
		s.do(s.KeepSession(s.ctx, of3))
		s.resumes(0, 2, session.Session{})
		s.resumes(0, 3, of3.Session)
	})
}

// testSessionsInUse tests sessions of two bots on one database.
func testSessionsInUse(t *testing.T, open pair) {
	seen := func(shard int) match.Seen {
		return match.Seen{Partition: match.Partition{Index: shard, Of: 2}, At: after(15)}
	}
	subtestOfTwo(t, open, "a session is not resumed while its bot hears the shard", func(t *testing.T, one, other tester) {
		one.save(match.Save{Seen: seen(0), Extras: []match.Extra{kept(0, "zero")}}) // a bot saves this every five seconds
		one.extra(kept(1, "one"))
		other.resumes(0, 2, session.Session{})
		other.resumes(1, 2, kept(1, "one").Session)
		leaving := seen(0)
		leaving.Leaving = true
		one.save(match.Save{Seen: leaving})
		other.resumes(0, 2, kept(0, "zero").Session)
		one.resumes(0, 2, session.Session{})
	})
	subtestOfTwo(t, open, "a bot that is gone does not keep its session", func(t *testing.T, one, other tester) {
		one.save(match.Save{Seen: seen(0), Extras: []match.Extra{kept(0, "zero")}})
		same(t, must[session.Session](t)(other.TakeSession(t.Context(), 0, 2, after(15).Add(time.Minute))), kept(0, "zero").Session)
	})
}
