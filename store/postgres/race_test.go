package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"tictactoe/game"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/score"
	"tictactoe/internal/user"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// two are stores on one database, as two bots have them. What is in it at the end of the test is checked.
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

// together runs both at once.
func together(one, other func()) {
	var both sync.WaitGroup
	both.Go(one)
	both.Go(other)
	both.Wait()
}

// granted tells whether a save went through; false if it was refused or came second.
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

func TestWhatIsForbiddenBeginsNoMore(t *testing.T) {
	limits := match.Limits{Open: 1000, Pair: 1000}
	for name, tt := range map[string]struct {
		forbid func(from, to match.User, v match.Venue) match.Change
		ask    func(t *testing.T, id match.ID, from, to match.User, v match.Venue) []match.Change
	}{
		"a challenge of somebody who was blocked": {
			func(from, to match.User, _ match.Venue) match.Change {
				return user.Blocks{Player: to, Blocked: []match.User{from}}
			},
			func(t *testing.T, id match.ID, from, to match.User, _ match.Venue) []match.Change {
				return []match.Change{match.Consent{By: from, Other: to, Challenge: true, At: noon()}}
			},
		},
		"a challenge of somebody who takes none": {
			func(_, to match.User, _ match.Venue) match.Change { return user.Closed{Player: to, On: true} },
			func(t *testing.T, id match.ID, from, to match.User, _ match.Venue) []match.Change {
				return []match.Change{match.Consent{By: from, Other: to, Challenge: true, At: noon()}}
			},
		},
		"a challenge where the policy has none": {
			func(_, _ match.User, v match.Venue) match.Change {
				return policy.Set{From: policy.Policy{Venue: v}, To: policy.Policy{Venue: v, Places: []string{"1"}, Version: 1}}
			},
			func(t *testing.T, id match.ID, from, to match.User, v match.Venue) []match.Change {
				return []match.Change{match.Permit{Venue: v, Places: []string{"2"}}}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			one, other := two(t)
			for i := range rounds {
				from, to := match.User(fmt.Sprint("from", i)), match.User(fmt.Sprint("to", i))
				venue, id := match.Venue(fmt.Sprint("venue", i)), match.ID(fmt.Sprint("c", i))
				var then []match.Challenge // once it is forbidden
				together(
					func() {
						err := one.Save(t.Context(), tt.forbid(from, to, venue))
						if err == nil {
							then, err = one.PendingChallenges(t.Context(), to)
						}
						if err != nil {
							t.Error(err)
						}
					},
					func() {
						changes := append(tt.ask(t, id, from, to, venue),
							match.Quota{By: from, Other: to, Limits: limits, At: noon(), Pending: true},
							match.CreateChallenge{Challenge: challenge(t, id, from, to)})
						granted(t, other.Save(t.Context(), changes...))
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
	one, other := two(t)
	limits := match.Limits{Open: 5, Pair: 2}
	for i := range rounds {
		a, b := match.User(fmt.Sprint("a", i)), match.User(fmt.Sprint("b", i))
		ask := func(s *postgres.Store, id match.ID, from, to match.User) bool {
			return granted(t, s.Save(t.Context(), match.Consent{By: from, Other: to, Challenge: true, At: noon()},
				match.Quota{By: from, Other: to, Limits: limits, At: noon(), Pending: true},
				match.CreateChallenge{Challenge: challenge(t, id, from, to)}))
		}
		var first, second bool
		together(
			func() { first = ask(one, match.ID(fmt.Sprint("x", i)), a, b) },
			func() { second = ask(other, match.ID(fmt.Sprint("y", i)), b, a) },
		)
		if first == second {
			t.Fatalf("round %d: both %v", i, first)
		}
	}
}

// won is the match after X has won it.
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

// TestScoresThatChangeFromTwoSides leaves it to the check which scores are right.
func TestScoresThatChangeFromTwoSides(t *testing.T) {
	one, other := two(t)
	over := func(s *postgres.Store, id match.ID, x, o match.User) match.Match {
		m := begin(id, x, o)
		save(t, s, match.CreateMatch{Match: m})
		end := won(t, m)
		save(t, s, match.UpdateMatch{From: m, To: end})
		return end
	}
	for i := range rounds {
		id := func(kind string) match.ID { return match.ID(fmt.Sprint(kind, i)) }
		first := over(one, id("first"), "alice", "bob")
		together(
			func() {
				over(one, id("one"), "alice", "bob")
				if i%8 == 0 {
					save(t, one, score.Reset{Venue: "home", At: noon().Add(time.Second)})
				}
			},
			func() {
				over(other, id("other"), "bob", "alice")
				void, err := first.Void(after(60))
				if err != nil {
					t.Error(err)
				}
				save(t, other, match.UpdateMatch{From: first, To: void})
			},
		)
	}
}

func TestAPlayerWhoLeavesWhileHePlays(t *testing.T) {
	one, other := two(t)
	for i := range rounds / 2 {
		p, q := match.User(fmt.Sprint("p", i)), match.User(fmt.Sprint("q", i))
		m := begin(match.ID(fmt.Sprint("m", i)), p, q)
		save(t, one, match.CreateMatch{Match: m}, match.CreateChallenge{Challenge: challenge(t, match.ID(fmt.Sprint("c", i)), p, q)},
			user.Blocks{Player: q, Blocked: []match.User{p}})
		together(
			func() {
				if _, err := one.Erase(t.Context(), p, after(9)); err != nil {
					t.Error(err)
				}
			},
			func() {
				granted(t, other.Save(t.Context(), match.UpdateMatch{From: m, To: won(t, m)}))
				granted(t, other.Save(t.Context(), user.Blocks{Player: q}))
			},
		)
		held, err := one.Held(t.Context(), p)
		if err != nil || held.Matches+held.Challenges+held.Scores > 0 {
			t.Fatalf("%+v %v", held, err)
		}
		settings, err := one.Settings(t.Context(), q)
		if err != nil || len(settings.Blocked) > 0 { // hashed if the player left first
			t.Fatalf("%+v %v", settings, err)
		}
	}
}

// TestABoardThatIsSeenWhileItsMatchChanges leaves it to the check which boards know their latest version.
func TestABoardThatIsSeenWhileItsMatchChanges(t *testing.T) {
	one, other := two(t)
	for i := range rounds {
		id := match.ID(fmt.Sprint("m", i))
		m := begin(id, "alice", "bob")
		save(t, one, match.CreateMatch{Match: m})
		together(
			func() { save(t, one, board.Reference{ID: id, Channel: "1", Message: "2"}) },
			func() {
				for ply, square := range []game.Square{0, 3, 1} {
					next, err := m.Play(m.Turn().Player, ply, square, after(ply))
					if err != nil {
						t.Error(err)
					}
					save(t, other, match.UpdateMatch{From: m, To: next})
					m = next
				}
			},
		)
	}
}

func TestANameThatIsTheSameWaitsForNobody(t *testing.T) {
	address := pgtest.Migrated(t)
	s := open(t, address)
	save(t, s, match.Name{Player: "alice", Name: "Alice"})
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
	if err := s.Save(ctx, match.Name{Player: "alice", Name: "Alice"}); err != nil {
		t.Error(err)
	}
}
