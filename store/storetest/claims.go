package storetest

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
)

// gotIt reports whether a claim of an interaction was the first.
func gotIt(t *testing.T, err error) bool {
	t.Helper()
	if err != nil && !errors.Is(err, claim.ErrTaken) {
		t.Fatal(err)
	}
	return err == nil
}

func testClaims(t *testing.T, open opener) {
	claims := func(s tester, id string, until time.Time) bool {
		s.t.Helper()
		return gotIt(s.t, s.Claim(s.ctx, claim.Claim{Interaction: id, By: rand.Text(), Until: until}))
	}
	subtest(t, open, "only the first claim succeeds", func(t *testing.T, s tester) {
		same(t, claims(s, "1", noon()), true)
		same(t, claims(s, "1", noon().Add(time.Hour)), false)
		same(t, claims(s, "1", noon().Add(-time.Hour)), false)
		same(t, claims(s, "2", noon()), true)
	})
	subtest(t, open, "a save with a claim is saved for the first claim only", func(t *testing.T, s tester) {
		m := begin("m", alice, bob, noon())
		s.save(match.Save{Matches: []match.MatchChange{{To: m}}})
		next := play(t, m, after(1), "a1")
		save := func(from, to match.Match, by string) error {
			return s.Save(s.ctx, match.Save{
				Matches: []match.MatchChange{{From: from, To: to}}, Extras: []match.Extra{claim.Claim{Interaction: "1", By: by, Until: noon()}},
			})
		}
		same(t, gotIt(t, save(m, next, "one")), true)
		same(t, claims(s, "1", noon()), false)
		same(t, gotIt(t, save(next, play(t, next, after(2), "b2"), "other")), false)
		same(t, s.match(m.ID), next)
	})
	subtest(t, open, "a forgotten interaction can be claimed again, and any number of newer claims are kept", func(t *testing.T, s tester) {
		const old = 1100 // more than a store should delete in one transaction
		for i := range old {
			claims(s, fmt.Sprint("old ", i), noon().Add(-time.Duration(i)*time.Second))
		}
		claims(s, "new", noon().Add(time.Millisecond))
		s.do(s.ForgetClaims(s.ctx, noon()))
		for i := range old {
			if !claims(s, fmt.Sprint("old ", i), noon()) {
				t.Fatalf("claim %d was not forgotten", i)
			}
		}
		same(t, claims(s, "new", noon()), false)
	})
}
