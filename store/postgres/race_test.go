package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"tictactoe/game"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

// two returns two stores on one database, as two bots would have. At the end of the test the database is checked.
func two(t *testing.T) (one, other *postgres.Store) {
	t.Helper()
	address := pgtest.Migrated(t)
	t.Cleanup(func() { lawful(t, address) })
	return open(t, address), open(t, address)
}

func lawful(t *testing.T, address string) {
	t.Helper()
	r, err := postgres.Check(context.Background(), address, nil)
	if err != nil || len(r.Findings) > 0 {
		t.Errorf("%v %+v", err, r.Findings)
	}
}

// inParallel runs two functions at the same time, and returns when both are done.
func inParallel(one, other func()) {
	var both sync.WaitGroup
	both.Go(one)
	both.Go(other)
	both.Wait()
}

// granted reports whether a save succeeded. It returns false if the save was refused or another save came first.
func granted(t *testing.T, err error) bool {
	t.Helper()
	refusal := (*match.Refusal)(nil)
	if err != nil && !errors.As(err, &refusal) && !errors.Is(err, match.ErrConflict) {
		t.Error(err)
	}
	return err == nil
}

func challenge(t *testing.T, id match.ID, from, to match.User) match.Challenge {
	t.Helper()
	c, err := match.NewChallenge(id, "home", from, to, match.Terms{Rules: game.Classic(), TurnTime: time.Hour}, noon())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const rounds = 60

func TestNothingForbiddenBegins(t *testing.T) {
	t.Parallel()
	limits := match.Limits{Open: 1000, Pair: 1000}
	consented := func(from, to match.User, _ match.Venue) match.Save {
		return match.Save{Consent: match.Consent{By: from, Other: to, Challenge: true, At: noon()}}
	}
	for name, tt := range map[string]struct {
		forbid func(ctx context.Context, s *postgres.Store, from, to match.User, v match.Venue) error
		ask    func(from, to match.User, v match.Venue) match.Save
	}{
		"a challenge by a blocked player": {
			func(ctx context.Context, s *postgres.Store, from, to match.User, _ match.Venue) error {
				return s.SetBlocked(ctx, to, []match.User{from})
			},
			consented,
		},
		"a challenge of a player who takes no challenges": {
			func(ctx context.Context, s *postgres.Store, _, to match.User, _ match.Venue) error {
				return s.SetClosed(ctx, to, true)
			},
			consented,
		},
		"a challenge where the policy has none": {
			func(ctx context.Context, s *postgres.Store, _, _ match.User, v match.Venue) error {
				strict := policy.Policy{Venue: v, Places: []string{"1"}, Version: 1}
				return s.SetPolicy(ctx, policy.Policy{Venue: v}, strict,
					policy.AuditEntry{ID: match.ID(v), Venue: v, By: "carol", At: noon(), Kind: policy.SetPlaces, Chosen: strict.Places})
			},
			func(_, _ match.User, v match.Venue) match.Save {
				return match.Save{Permit: match.Permit{Venue: v, Places: []string{"2"}}}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			one, other := two(t)
			for i := range rounds {
				from, to := match.User(fmt.Sprint("from", i)), match.User(fmt.Sprint("to", i))
				venue, id := match.Venue(fmt.Sprint("venue", i)), match.ID(fmt.Sprint("c", i))
				var then []match.Challenge // the challenges when the policy first forbids them
				inParallel(
					func() {
						err := tt.forbid(t.Context(), one, from, to, venue)
						if err == nil {
							then, err = one.PendingChallenges(t.Context(), to)
						}
						if err != nil {
							t.Error(err)
						}
					},
					func() {
						save := tt.ask(from, to, venue)
						save.Quota = match.Quota{By: from, Other: to, Limits: limits, At: noon(), Pending: true}
						save.Challenge.To = challenge(t, id, from, to)
						granted(t, other.Save(t.Context(), save))
					},
				)
				now, err := one.PendingChallenges(t.Context(), to)
				if err != nil || len(now) != len(then) {
					t.Fatalf("round %d: %d challenges, and then %d (%v)", i, len(then), len(now), err)
				}
			}
		})
	}
}

func TestTwoWhoChallengeEachOther(t *testing.T) {
	t.Parallel()
	one, other := two(t)
	limits := match.Limits{Open: 5, Pair: 2}
	for i := range rounds {
		a, b := match.User(fmt.Sprint("a", i)), match.User(fmt.Sprint("b", i))
		ask := func(s *postgres.Store, id match.ID, from, to match.User) bool {
			return granted(t, s.Save(t.Context(), match.Save{Consent: match.Consent{By: from, Other: to, Challenge: true, At: noon()}, Quota: match.Quota{By: from, Other: to, Limits: limits, At: noon(), Pending: true}, Challenge: match.ChallengeChange{To: challenge(t, id, from, to)}}))
		}
		var first, second bool
		inParallel(
			func() { first = ask(one, match.ID(fmt.Sprint("x", i)), a, b) },
			func() { second = ask(other, match.ID(fmt.Sprint("y", i)), b, a) },
		)
		if first == second {
			t.Fatalf("round %d: both %v", i, first)
		}
	}
}

// won returns the match after X has won it.
func won(t *testing.T, m match.Match) match.Match {
	t.Helper()
	for ply, square := range []game.Square{0, 3, 1, 4, 2} {
		var err error
		if m, err = m.Play(m.Turn().Player, ply, square, after(ply)); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// TestScoresThatChangeFromTwoSides changes scores from two stores. The final check of the database compares them with the matches.
func TestScoresThatChangeFromTwoSides(t *testing.T) {
	t.Parallel()
	one, other := two(t)
	over := func(s *postgres.Store, id match.ID, x, o match.User) match.Match {
		m := begin(id, x, o)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
		end := won(t, m)
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: end}}})
		return end
	}
	for i := range rounds {
		id := func(kind string) match.ID { return match.ID(fmt.Sprint(kind, i)) }
		first := over(one, id("first"), "alice", "bob")
		inParallel(
			func() {
				over(one, id("one"), "alice", "bob")
				if i%8 == 0 {
					reset := policy.AuditEntry{ID: id("reset"), Venue: "home", By: "carol", At: noon().Add(time.Second), Kind: policy.ResetScores}
					if err := one.ResetScores(t.Context(), reset); err != nil {
						t.Error(err)
					}
				}
			},
			func() {
				over(other, id("other"), "bob", "alice")
				void, err := first.Void(after(60))
				if err != nil {
					t.Error(err)
				}
				save(t, other, match.Save{Matches: []match.MatchChange{{From: first, To: void}}})
			},
		)
	}
}

func TestAPlayerIsErasedDuringPlay(t *testing.T) {
	t.Parallel()
	one, other := two(t)
	for i := range rounds / 2 {
		p, q := match.User(fmt.Sprint("p", i)), match.User(fmt.Sprint("q", i))
		m := begin(match.ID(fmt.Sprint("m", i)), p, q)
		save(t, one, match.Save{
			Challenge: match.ChallengeChange{To: challenge(t, match.ID(fmt.Sprint("c", i)), p, q)}, Matches: []match.MatchChange{{To: m}},
		})
		if err := one.SetBlocked(t.Context(), q, []match.User{p}); err != nil {
			t.Fatal(err)
		}
		inParallel(
			func() {
				if _, err := one.Erase(t.Context(), p, after(9), ""); err != nil {
					t.Error(err)
				}
			},
			func() {
				granted(t, other.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: won(t, m)}}}))
				granted(t, other.SetBlocked(t.Context(), q, nil))
			},
		)
		held, err := one.Held(t.Context(), p)
		if err != nil || held.Matches+held.Challenges+held.Scores > 0 {
			t.Fatalf("%+v %v", held, err)
		}
		settings, err := one.Settings(t.Context(), q)
		if err != nil || len(settings.Blocked) > 0 { // the block is hashed if the player left first
			t.Fatalf("%+v %v", settings, err)
		}
	}
}

func TestAnUnchangedNameWaitsForNoLock(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	save(t, s, match.Save{Names: []match.Name{{Player: "alice", Name: "Alice"}}})
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "BEGIN; SELECT FROM tictactoe.players FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Second)
	defer cancel()
	if err := s.Save(ctx, match.Save{Names: []match.Name{{Player: "alice", Name: "Alice"}}}); err != nil {
		t.Error(err)
	}
}

// TestALadderThatChangesFromManySides changes a ladder from many stores. The final check of the database compares it with a full
// recount.
func TestALadderThatChangesFromManySides(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	address := pgtest.Migrated(t)
	all := stores(t, address)
	played := storetest.Season(t, all[0], 1500)
	var sides sync.WaitGroup
	var unfinished atomic.Int64
	for side, s := range all {
		sides.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(side)))
			for n := range rounds / 2 {
				switch at := random.IntN(len(played)); random.IntN(5) {
				case 0: // a time during or after the matches
					m := begin(match.ID(fmt.Sprint(side, "-", n)), match.User(fmt.Sprint("p", n%7)), match.User(fmt.Sprint("p", 7+n%5)))
					m.Stakes = rating.Half
					save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
					m.Deadline = noon().Add(time.Duration(at) * time.Second * 2)
					over, _ := m.Expire(m.Deadline)
					save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
				case 1: // an early time, so that more matches follow it than one transaction recounts
					if m := played[at/10]; at/10%len(all) == side {
						if void, err := m.Void(noon()); err == nil {
							granted(t, s.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: void}}}))
						}
					}
				case 2:
					err := storetest.MoveSeasons(t.Context(), s, noon().Add(time.Duration(at)*time.Second))
					if err != nil && !errors.Is(err, match.ErrConflict) {
						t.Error(err)
					}
				default:
					page, err := s.Ladder(t.Context(), "home", game.Classic(), season.Latest, score.Where{Page: 1}, "")
					if err == nil {
						_, err = s.Replay(t.Context())
					}
					if err != nil && !errors.Is(err, match.ErrBusy) { // another store is recounting the ladder
						t.Error(err)
					}
					if page.Stale {
						unfinished.Add(1)
					}
				}
			}
		})
	}
	sides.Wait()
	if unfinished.Load() == 0 {
		t.Error("no recount was ever left to Replay")
	}
	for more := true; more; {
		var err error
		if more, err = all[0].Replay(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lawful(t, address)
}

// If Postgres takes a table to be tiny, as just after its creation, it may run the subquery for claims again for each row, and find
// further claims each time.
func TestForgottenClaimsAreLimitedUnderAnyQueryPlan(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.Migrated(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), `SET search_path = tictactoe;
		SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_hashagg = off; SET enable_sort = off; SET enable_material = off;
		INSERT INTO claims SELECT n, 'somebody', n FROM generate_series(1, 100) AS n`); err != nil {
		t.Fatal(err)
	}
	tag, err := conn.Exec(t.Context(), storetest.Statements(t, sqlstore.Postgres, "../internal/sqlstore")["deleteClaims"], 100, 10)
	if err != nil || tag.RowsAffected() != 10 {
		t.Errorf("forgot %d claims, want 10 (%v)", tag.RowsAffected(), err)
	}
}
