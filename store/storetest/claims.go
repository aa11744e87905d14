package storetest

import (
	"fmt"
	"testing"
	"time"
)

func testClaims(t *testing.T, open opener) {
	claim := func(s tester, id string, until time.Time) bool {
		s.t.Helper()
		return must[bool](s.t)(s.Claim(s.ctx, id, until))
	}
	subtest(t, open, "the first has it, and nobody after", func(t *testing.T, s tester) {
		same(t, claim(s, "1", noon()), true)
		same(t, claim(s, "1", noon().Add(time.Hour)), false)
		same(t, claim(s, "1", noon().Add(-time.Hour)), false)
		same(t, claim(s, "2", noon()), true)
	})
	subtest(t, open, "what is forgotten can be claimed again, and what is not yet due is kept, however much there is", func(t *testing.T, s tester) {
		const old = 1100 // more than a store should delete in one go
		for i := range old {
			claim(s, fmt.Sprint("old ", i), noon().Add(-time.Duration(i)*time.Second))
		}
		claim(s, "new", noon().Add(time.Millisecond))
		s.do(s.ForgetClaims(s.ctx, noon()))
		for i := range old {
			if !claim(s, fmt.Sprint("old ", i), noon()) {
				t.Fatalf("claim %d is not forgotten", i)
			}
		}
		same(t, claim(s, "new", noon()), false)
	})
}
