// Package storetest is the contract of a store: every store passes [Run] and [Race], and one that several
// bots may share at once [Sharing].
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/game"
	"tictactoe/internal/board"
	"tictactoe/internal/lease"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/score"
	"tictactoe/internal/session"
	"tictactoe/internal/user"
	"tictactoe/internal/venue"
)

// Store is what a database offers to the core and to those who show it.
type Store interface {
	match.Store
	board.Store
	score.Store
	user.Store
	policy.Store
	venue.Store
	lease.Store

	// TakeSession returns the session that was kept of a shard of so many by KeepSession, zero if there is none, and
	// forgets it. Where several bots share a database it leaves that alone while another one hears the partition of that index,
	// as [match.Seen] says; now is the time by their clock.
	TakeSession(ctx context.Context, shard, of int, now time.Time) (session.Session, error)

	// KeepSession records the session of a shard, as does a [session.Kept] among the extras of a save.
	KeepSession(ctx context.Context, kept session.Kept) error

	// Present are the servers of a partition that the bot is in, as last noted, in any order.
	Present(ctx context.Context, p match.Partition) ([]match.Venue, error)

	// Claim reports whether nobody has claimed the id before, and remembers the claim until a time at least. Of all who
	// claim an id, in any process, one is the first.
	Claim(ctx context.Context, id string, until time.Time) (first bool, err error)
	// ForgetClaims forgets the claims that were to be remembered until before or earlier.
	ForgetClaims(ctx context.Context, before time.Time) error
}

// Run tests one store after the other, each empty and closed by the test's cleanup.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, part := range []struct {
		name string
		test func(t *testing.T, open func(t *testing.T) Store)
	}{
		{"saving", testSaving},
		{"challenges", testChallenges},
		{"matches", testMatches},
		{"room", testRoom},
		{"players", testPlayers},
		{"deadlines", testDeadlines},
		{"scores", testScores},
		{"leaderboards", testLeaderboards},
		{"resets", testResets},
		{"policies", testPolicies},
		{"deeds", testDeeds},
		{"boards", testBoards},
		{"consent", testConsent},
		{"settings", testSettings},
		{"erasing", testErasing},
		{"venues", testVenues},
		{"parts", testParts},
		{"leases", testLeases},
		{"claims", testClaims},
		{"sessions", testSessions},
	} {
		t.Run(part.name, func(t *testing.T) { part.test(t, open) })
	}
}

// tester is a store whose errors end the test.
type tester struct {
	Store
	t   *testing.T
	ctx context.Context
}

func start(t *testing.T, open func(t *testing.T) Store) tester {
	t.Helper()
	return tester{open(t), t, t.Context()}
}

// do ends the test on an error.
func (s tester) do(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s tester) save(save match.Save) {
	s.t.Helper()
	s.do(s.Save(s.ctx, save))
}

// create saves new matches.
func (s tester) create(matches ...match.Match) {
	s.t.Helper()
	var save match.Save
	for _, m := range matches {
		save.Matches = append(save.Matches, match.MatchChange{To: m})
	}
	s.save(save)
}

// replace saves what became of a match.
func (s tester) replace(from, to match.Match) {
	s.t.Helper()
	s.save(match.Save{Matches: []match.MatchChange{{From: from, To: to}}})
}

// invite saves a new challenge.
func (s tester) invite(c match.Challenge) {
	s.t.Helper()
	s.save(match.Save{Challenge: match.ChallengeChange{To: c}})
}

// extra saves what a front end has written beside what it does.
func (s tester) extra(extras ...match.Extra) {
	s.t.Helper()
	s.save(match.Save{Extras: extras})
}

// see records when players were heard.
func (s tester) see(p match.Partition, at time.Time) {
	s.t.Helper()
	s.save(match.Save{Seen: match.Seen{Partition: p, At: at}})
}

// must ends the test on an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// same compares; records compare by their moves.
func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if diff := differ(got, want); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func differ[T any](got, want T) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(game.Rules{}))
}
