// Package storetest is the contract of a store: every store passes [Run] and [Race], and a store that several bots may share at the
// same time passes [Sharing].
package storetest

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/replica/session"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/server/venue"
	"tictactoe/internal/show/emoji"
	"tictactoe/store/internal/column"
)

// Store has the methods of a database for the core and for front ends.
type Store interface {
	match.Store
	arena.Store
	board.Store
	board.Asides
	score.Store
	user.Store
	ladder.Store
	profile.Store
	archive.Store
	policy.Store
	rankrole.Store
	roster.Store
	season.Store
	daily.Store
	posting.Store
	venue.Store
	lease.Store
	emoji.Store

	// TakeSession returns and deletes the session that KeepSession has stored for the given shard, out of the given number of shards;
	// zero if no session is stored. If several bots share a database, it leaves the session alone while another bot hears the partition
	// with the same index, as [match.Seen] says; now is the time by their clock.
	TakeSession(ctx context.Context, shard, of int, now time.Time) (session.Session, error)

	// KeepSession records the session of a shard, as does a [session.Kept] among the extras of a save.
	KeepSession(ctx context.Context, kept session.Kept) error

	// Present returns the servers of a partition that the bot is in, as last noted, in any order.
	Present(ctx context.Context, p match.Partition) ([]match.Venue, error)

	// Claim saves which process handles an interaction, like a [claim.Claim] among the extras of a save. The first claim of an
	// interaction succeeds; further claims by any process fail with [claim.ErrTaken].
	Claim(ctx context.Context, c claim.Claim) error
	// ForgetClaims deletes the claims that expire no later than the given time, and the public posts that no longer count then.
	ForgetClaims(ctx context.Context, before time.Time) error
	// Erased reports whether a player's data was deleted by a form that was sent after the given interaction.
	Erased(ctx context.Context, player, interaction string) (bool, error)

	// AddPublicPost saves a public post, like a [match.PublicPost] among the extras of a save. The error is a [*match.Refusal] if the
	// player has too many posts in the place.
	AddPublicPost(ctx context.Context, p match.PublicPost) error
}

// Restored has the methods of a store for a restored database.
type Restored interface {
	// RecordErasures writes the users whose data was deleted, for EraseAgain, which deletes older data of these users that has come
	// back.
	RecordErasures(ctx context.Context, w io.Writer) (int, error)
	EraseAgain(ctx context.Context, record io.Reader, now time.Time) (people []match.User, err error)
	// RebuildScores returns the number of scores and ratings that did not agree with the matches.
	RebuildScores(ctx context.Context, progress column.Progress) (corrected int, err error)
}

// Run calls open for each of its tests. The function open returns an empty store, which the test's cleanup closes.
func Run(t *testing.T, open func(t *testing.T) Store) {
	for _, noun := range []struct {
		name  string
		tests []contract
	}{
		{"saving", []contract{testSavedTogether, testRefusedSaves}},
		{"challenges", []contract{testKeptChallenges, testChallengeConflicts, testChallengesOfPlayers}},
		{"matches", []contract{testKeptMatches, testKeptEnds, testWishes, testMatchConflicts, testMatchesOfPlayers}},
		{"crowds", []contract{testVotes}},
		{"room", []contract{testQuotas, testPosts}},
		{"players", []contract{testPlayers}},
		{"deadlines", []contract{testDueDeadlines, testLastSeen, testCredit}},
		{"scores", []contract{testCountedMatches, testVoidedScores, testSeparateScores}},
		{"leaderboards", []contract{testRanking, testLeaderboardRows, testLeaderboardPages}},
		{"ladders", []contract{testRatedMatches, testReplays, testReplaysBesidePlay, testCourses, testResetLadders, testLadderSeasons, testMovedBoundaries}},
		{"profiles", []contract{testRecords, testScopes, testDuels, testHiddenPlayers}},
		{"reviews", []contract{testUnreviewed, testJudged, testOpenings}},
		{"archive", []contract{testLatest, testBest}},
		{"resets", []contract{testResets, testUndoneResets}},
		{"seasons", []contract{testSeasons, testBegunSeasons, testPlannedEnds, testUndoneSeasons, testAnnouncements}},
		{"puzzles", []contract{testAttempts, testSolvers}},
		{"posts by the calendar", []contract{testCalendarPosts, testClaimedPosts, testResultsBetween}},
		{"roles for ranks", []contract{testRankRoles, testArenaChampions, testGrants}},
		{"policies", []contract{testSetPolicies, testRepeatedRulings, testPermits, testVenueMatches}},
		{"people", []contract{testBars, testBarEndings, testUnranked, testLeftOut}},
		{"deeds", []contract{testAuditLog}},
		{"boards", []contract{testReferences, testShownBoards, testMovedBoards, testGivenUpBoards,
			testEdits, testBoardsAfter, testTidyBoards, testBoardsBehind, testChallengesBehind, testWithoutMention}},
		{"private lines", []contract{testAsides}},
		{"consent", []contract{testConsent}},
		{"settings", []contract{testSettings}},
		{"course", []contract{testLessons}},
		{"hints", []contract{testHelpedMatches}},
		{"erasing", []contract{testWhatIsKnown, testErasedMatches, testErasedBoards, testErasedConsent, testErasedPlayers, testErasures, testErasedAgain}},
		{"arenas", []contract{testArenas, testArenasInTime, testErasedEntrants}},
		{"venues", []contract{testLeftServers, testPrunedServers}},
		{"parts", []contract{testPartitionOf, testPartitionDeadlines, testPartitionsSeen, testPartitionsPresent}},
		{"leases", []contract{testLeases}},
		{"claims", []contract{testClaims}},
		{"sessions", []contract{testSessions}},
		{"emoji", []contract{testEmoji}},
	} {
		t.Run(noun.name, func(t *testing.T) {
			for _, test := range noun.tests {
				test(t, open)
			}
		})
	}
}

type (
	// opener opens an empty store, which the test's cleanup closes.
	opener func(t *testing.T) Store
	// contract tests one subject of the contract that every store has to fulfil.
	contract func(t *testing.T, open opener)
)

// tester is a store whose errors end the test.
type tester struct {
	Store
	t   *testing.T
	ctx context.Context
}

func start(t *testing.T, open opener) tester {
	t.Helper()
	return tester{open(t), t, t.Context()}
}

// subtest runs a test of one empty store.
func subtest(t *testing.T, open opener, name string, test func(t *testing.T, s tester)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { test(t, start(t, open)) })
}

// pair opens two stores on one empty database.
type pair func(t *testing.T) (one, other Store)

// subtestOfTwo runs a test of two stores on one empty database.
func subtestOfTwo(t *testing.T, open pair, name string, test func(t *testing.T, one, other tester)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		one, other := open(t)
		test(t, tester{one, t, t.Context()}, tester{other, t, t.Context()})
	})
}

// do ends the test if err is not nil.
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

// replace saves a new version of a match.
func (s tester) replace(from, to match.Match) {
	s.t.Helper()
	s.save(match.Save{Matches: []match.MatchChange{{From: from, To: to}}})
}

// invite saves a new challenge.
func (s tester) invite(c match.Challenge) {
	s.t.Helper()
	s.save(match.Save{Challenge: match.ChallengeChange{To: c}})
}

// extra saves the extras of a front end.
func (s tester) extra(extras ...match.Extra) {
	s.t.Helper()
	s.save(match.Save{Extras: extras})
}

// match loads a match.
func (s tester) match(id match.ID) match.Match {
	s.t.Helper()
	return must[match.Match](s.t)(s.Match(s.ctx, id))
}

// challenge loads a challenge.
func (s tester) challenge(id match.ID) match.Challenge {
	s.t.Helper()
	return must[match.Challenge](s.t)(s.Challenge(s.ctx, id))
}

// names returns the last seen names of some players.
func (s tester) names(players ...match.User) map[match.User]string {
	s.t.Helper()
	return must[map[match.User]string](s.t)(s.Names(s.ctx, players...))
}

// data returns all data that is stored about a player.
func (s tester) data(p match.User) user.Data {
	s.t.Helper()
	return must[user.Data](s.t)(s.Data(s.ctx, p))
}

// lastSeen returns the time when a partition was last heard.
func (s tester) lastSeen(p match.Partition) time.Time {
	s.t.Helper()
	return must[time.Time](s.t)(s.LastSeen(s.ctx, p))
}

// credit credits the missed time of a partition, and returns the number of moved deadlines.
func (s tester) credit(p match.Partition, missed clock.Span) int {
	s.t.Helper()
	return must[int](s.t)(s.Credit(s.ctx, p, missed))
}

// see records when players were heard.
func (s tester) see(p match.Partition, at time.Time) {
	s.t.Helper()
	s.save(match.Save{Seen: match.Seen{Partition: p, At: at}})
}

// must returns a function that returns a result, or ends the test if there is an error.
func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// errorOf returns the error of a call with two results.
func errorOf[T any](_ T, err error) error { return err }

// refuses tests that err is not nil.
func refuses(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		t.Error("the call succeeded")
	}
}

// fails tests that an error is, or wraps, the expected error.
func fails(t testing.TB, err, why error) {
	t.Helper()
	if !errors.Is(err, why) {
		t.Errorf("the call failed, but not with %v: %v", why, err)
	}
}

// same tests that two values are equal. Records are equal if their moves are.
func same[T any](t *testing.T, got, want T) {
	t.Helper()
	if diff := differ(got, want); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func differ[T any](got, want T) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(game.Rules{}), cmpopts.IgnoreFields(match.Match{}, "Shown"))
}
