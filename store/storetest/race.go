package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/replica/claim"
)

// clickers is the number of goroutines that press the buttons of one board at once.
const clickers = 64

// Race tests that two stores on one database, with no lock between them, accept exactly one of many simultaneous changes. A store
// that does not compare versions when it writes fails this test, even if it accepts only one move per ply.
func Race(t *testing.T, open pair) {
	raceClicks(t, open)
	raceEnds(t, open)
	raceQuotas(t, open)
	raceSight(t, open)
	raceOpen(t, open)
	raceVotes(t, open)
	raceErasedVotes(t, open)
	raceBars(t, open)
}

// raceClicks tests that 64 clickers make one move per ply.
func raceClicks(t *testing.T, open pair) {
	subtestOfTwo(t, open, "64 clickers make one move per ply, and no acknowledged move is lost", func(t *testing.T, one, other tester) {
		m := begin("m", alice, bob, noon())
		one.create(m)
		var (
			mu   sync.Mutex
			told []match.Match
		)
		crowd(func(clicker int) {
			for store := pick(clicker, one, other); ; {
				next, over, err := click(t.Context(), store, clicker)
				if err != nil {
					t.Errorf("clicker %d: %v", clicker, err)
				}
				if over || err != nil {
					return
				}
				if next.Version > 0 {
					mu.Lock()
					told = append(told, next)
					mu.Unlock()
				}
			}
		})
		stored := must[match.Match](t)(one.Match(t.Context(), "m"))
		if !stored.Result.Over() {
			t.Fatal("the match goes on")
		}
		if len(told) != stored.Record.Len() {
			t.Errorf("%d were told that they had moved, %d moves are stored", len(told), stored.Record.Len())
		}
		for _, m := range told {
			ply := m.Record.Len() - 1
			if m.Record.Square(ply) != stored.Record.Square(ply) {
				t.Errorf("ply %d: told %d, stored %d", ply, m.Record.Square(ply), stored.Record.Square(ply))
			}
		}
	})
}

// raceEnds tests that of 64 attempts to end a match, or to claim an interaction, one succeeds.
func raceEnds(t *testing.T, open pair) {
	subtestOfTwo(t, open, "of 64 who move or resign at the same version one is let through", func(t *testing.T, one, other tester) {
		for round := range 8 {
			id := match.ID(fmt.Sprint(round))
			m := play(t, begin(id, alice, bob, noon()), noon(), "a1", "a2", "b1", "b2") // after these moves, X can win with the next move
			one.create(m)
			var (
				mu   sync.Mutex
				told []match.Match
			)
			crowd(func(clicker int) {
				store := pick(clicker, one, other)
				next, err := change(m, clicker)
				if err == nil {
					err = store.Save(t.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
				}
				switch {
				case err == nil:
					mu.Lock()
					told = append(told, next)
					mu.Unlock()
				case !errors.Is(err, match.ErrConflict):
					t.Errorf("clicker %d: %v", clicker, err)
				}
			})
			if len(told) != 1 {
				t.Fatalf("%d were told that they had ended the match", len(told))
			}
			same(t, must[match.Match](t)(other.Match(t.Context(), id)), told[0])
		}
		entries := must[[]score.Entry](t)(one.Own(t.Context(), alice))
		if len(entries) != 1 || entries[0].Total() != 8 {
			t.Errorf("8 matches are counted as %v", entries)
		}
	})
	subtestOfTwo(t, open, "of 64 who claim the same interaction one is the first", func(t *testing.T, one, other tester) {
		for round := range 32 {
			var firsts atomic.Int64
			crowd(func(clicker int) {
				err := pick(clicker, one, other).Claim(t.Context(), claim.Claim{Interaction: fmt.Sprint(round), By: fmt.Sprint(clicker), Until: noon()})
				switch {
				case err == nil:
					firsts.Add(1)
				case !errors.Is(err, claim.ErrTaken):
					t.Errorf("clicker %d: %v", clicker, err)
				}
			})
			if n := firsts.Load(); n != 1 {
				t.Fatalf("%d claims succeeded", n)
			}
		}
	})
}

// raceQuotas tests 64 simultaneous requests for more than the quotas and the limit of public posts allow.
func raceQuotas(t *testing.T, open pair) {
	subtestOfTwo(t, open, "64 requests for more than the quota fill it exactly", func(t *testing.T, one, other tester) {
		limits := match.Limits{Open: 5, Pair: 2}
		var (
			mu      sync.Mutex
			granted = map[string]int{}
		)
		ask := func(kind string, s Store, save match.Save) {
			err := s.Save(t.Context(), save)
			refusal := (*match.Refusal)(nil)
			if err != nil && !errors.As(err, &refusal) {
				t.Errorf("%s: %v", kind, err)
			}
			if err == nil {
				mu.Lock()
				granted[kind]++
				mu.Unlock()
			}
		}
		crowd(func(clicker int) {
			store, id := pick(clicker, one, other), fmt.Sprint(clicker)
			ask("alone", store, match.Save{Quota: match.Quota{By: carol, Limits: limits, At: noon(), Pending: true}, Matches: []match.MatchChange{{To: computer(match.ID("alone"+id), carol, "easy", noon())}}})
			ask("pair", store, match.Save{Quota: match.Quota{By: alice, Other: bob, Limits: limits, At: noon()}, Matches: []match.MatchChange{{To: begin(match.ID("pair"+id), alice, bob, noon())}}})
			ask("crowd", store, match.Save{Quota: match.Quota{By: match.User(id), Place: "5001"}, Matches: []match.MatchChange{{To: together(match.ID("crowd"+id), "5001", "easy")}}})
			ask("post", store, match.Save{Extras: []match.Extra{match.PublicPost{By: "frank", Place: "home", ID: id, At: noon()}}})
			ask("challenge", store, match.Save{Quota: match.Quota{By: "dora", Other: "eve", Limits: limits, At: noon(), Pending: true}, Challenge: match.ChallengeChange{To: invite(t, match.ID("challenge"+id), "dora", "eve", noon())}})
			ask("open", store, match.Save{Quota: match.Quota{By: "fay", Limits: limits, At: noon(), Pending: true, Open: true, Venue: home}, Challenge: match.ChallengeChange{To: invite(t, match.ID("open"+id), "fay", "", noon())}})
		})
		same(t, granted, map[string]int{"alone": 5, "pair": 2, "challenge": 1, "crowd": 1, "open": 1, "post": match.MaxPosts})
	})
}

// raceSight tests that one store sees the saves of the other.
func raceSight(t *testing.T, open pair) {
	subtestOfTwo(t, open, "one store sees the saves of the other at once", func(t *testing.T, one, other tester) {
		m := begin("m", alice, bob, noon())
		one.create(m)
		for i, square := range drawn() {
			writer, reader := one, other
			if i%2 == 1 {
				writer, reader = other, one
			}
			next := play(t, m, after(i), square)
			writer.replace(m, next)
			m = next
			same(t, must[match.Match](t)(reader.Match(t.Context(), "m")), m)
		}
	})
}

// raceOpen lets two players accept an open challenge at the same instant. It tests that one of them plays, and that the other is told
// who plays.
func raceOpen(t *testing.T, open pair) {
	subtestOfTwo(t, open, "of two who accept an open challenge one plays, 50 times", func(t *testing.T, one, other tester) {
		for round := range 50 {
			id := match.ID(fmt.Sprint("c", round))
			c := invite(t, id, alice, "", noon())
			one.invite(c)
			press := func(s Store, by match.User) error {
				accepted, m, err := c.Accept(by, false, after(1))
				if err != nil {
					return err
				}
				return s.Save(t.Context(), match.Save{
					Consent:   match.Consent{By: by, Other: alice, Open: true, At: after(1)},
					Quota:     match.Quota{By: by, Other: alice, Limits: match.Limits{Open: 100, Pair: 100}, At: after(1), Open: true},
					Challenge: match.ChallengeChange{From: c, To: accepted, At: after(1)}, Matches: []match.MatchChange{{To: m}},
				})
			}
			var bobs, carols error
			begin := make(chan struct{})
			var both sync.WaitGroup
			both.Go(func() { <-begin; bobs = press(one, bob) })
			both.Go(func() { <-begin; carols = press(other, carol) })
			close(begin)
			both.Wait()
			winner, late := bob, carols
			if bobs != nil {
				winner, late = carol, bobs
			}
			if (bobs == nil) == (carols == nil) || !errors.Is(late, match.ErrConflict) {
				t.Fatalf("round %d: bob got %v, carol %v", round, bobs, carols)
			}
			same(t, must[match.Match](t)(other.Match(t.Context(), id)).Seats[1], match.Human(winner))
			same(t, must[match.Challenge](t)(one.Challenge(t.Context(), id)).To, winner)
		}
	})
}

// click plays on a random free square of the stored match, as the referee does: it loads the match, makes the move and saves. The
// match is zero if the click was refused, or if another click came first.
func click(ctx context.Context, s Store, clicker int) (next match.Match, over bool, err error) {
	m, err := s.Match(ctx, "m")
	if err != nil || m.Result.Over() {
		return match.Match{}, true, err
	}
	free := make([]game.Square, 0, 9)
	for square := range m.Position().Legal().All() {
		free = append(free, square)
	}
	by := []match.User{alice, bob}[clicker/2%2]
	next, refusal := m.Play(by, m.Record.Len(), free[rand.IntN(len(free))], noon())
	if refusal != nil {
		return match.Match{}, false, nil
	}
	err = s.Save(ctx, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
	if errors.Is(err, match.ErrConflict) {
		return match.Match{}, false, nil
	}
	return next, false, err
}

// change returns the match after a clicker's change. A quarter of the clickers win the match, and the others resign it, for either
// side.
func change(m match.Match, clicker int) (match.Match, error) {
	at := after(10).Add(time.Duration(clicker) * time.Millisecond)
	switch clicker / 2 % 4 {
	case 0:
		return m.Play(alice, m.Record.Len(), 2, at)
	case 1:
		return m.Resign(alice, m.Record.Len(), at)
	default:
		return m.Resign(bob, m.Record.Len(), at)
	}
}

// crowd starts all clickers at the same time and returns when all are done.
func crowd(press func(clicker int)) {
	begin := make(chan struct{})
	var all sync.WaitGroup
	for clicker := range clickers {
		all.Go(func() {
			<-begin
			press(clicker)
		})
	}
	close(begin)
	all.Wait()
}

func pick(clicker int, one, other tester) tester {
	if clicker%2 == 0 {
		return one
	}
	return other
}

func save(t testing.TB, s Store, save match.Save) {
	t.Helper()
	if err := s.Save(t.Context(), save); err != nil {
		t.Fatal(err)
	}
}
