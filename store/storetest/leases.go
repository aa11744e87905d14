package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"tictactoe/internal/replica/lease"
)

// holders is a store of leases under test.
type holders struct {
	lease.Store
	t   *testing.T
	ctx context.Context
}

func testLeases(t *testing.T, open opener) {
	Leases(t, func(t *testing.T) lease.Store { return open(t) })
}

// Leases tests stores of leases; each subtest gets an empty store. No test waits for a lease to expire: an expired lease is one
// that was acquired with a ttl of zero.
func Leases(t *testing.T, open func(t *testing.T) lease.Store) {
	acquire := func(s holders, name, holder string, ttl time.Duration) bool {
		s.t.Helper()
		return must[bool](s.t)(s.Acquire(s.ctx, name, holder, ttl))
	}
	held := func(s holders) []lease.Lease { return must[[]lease.Lease](s.t)(s.Leases(s.ctx)) }
	start := func(t *testing.T, open func(t *testing.T) lease.Store) holders {
		return holders{open(t), t, t.Context()}
	}

	t.Run("a holder may acquire its lease again", func(t *testing.T) {
		s := start(t, open)
		same(t, acquire(s, "x", "a", time.Hour), true)
		same(t, acquire(s, "x", "b", time.Hour), false)
		same(t, acquire(s, "x", "a", time.Hour), true)
		same(t, acquire(s, "y", "b", time.Hour), true)
		same(t, held(s), []lease.Lease{{Name: "x", Holder: "a"}, {Name: "y", Holder: "b"}})
	})
	t.Run("an expired lease is free, and cannot be renewed", func(t *testing.T) {
		s := start(t, open)
		same(t, acquire(s, "x", "a", -time.Millisecond), true)
		same(t, held(s), nil)
		same(t, must[[]string](t)(s.Renew(s.ctx, "a", time.Hour)), nil)
		same(t, acquire(s, "x", "b", time.Hour), true)
		same(t, acquire(s, "x", "a", time.Hour), false)
	})
	t.Run("acquiring a lease again makes it shorter, renewing makes it longer", func(t *testing.T) {
		s := start(t, open)
		acquire(s, "x", "a", time.Hour)
		acquire(s, "x", "a", -time.Millisecond)
		same(t, acquire(s, "x", "b", time.Hour), true)
		acquire(s, "y", "b", time.Hour)
		same(t, must[[]string](t)(s.Renew(s.ctx, "b", -time.Millisecond)), []string{"x", "y"})
		same(t, held(s), nil)
	})
	t.Run("only the holder can release a lease", func(t *testing.T) {
		s := start(t, open)
		acquire(s, "x", "a", time.Hour)
		acquire(s, "y", "a", time.Hour)
		for _, holder := range []string{"b", "a"} {
			if err := s.Release(s.ctx, holder, "x", "unknown"); err != nil {
				t.Fatal(err)
			}
			same(t, acquire(s, "x", "c", time.Hour), holder == "a")
		}
		same(t, held(s), []lease.Lease{{Name: "x", Holder: "c"}, {Name: "y", Holder: "a"}})
	})
	t.Run("of many simultaneous requests, one gets the lease", func(t *testing.T) {
		s := start(t, open)
		var group sync.WaitGroup
		got := make(chan string, 20)
		for i := range cap(got) {
			group.Go(func() {
				holder := fmt.Sprint(i)
				if ok, err := s.Acquire(s.ctx, "x", holder, time.Hour); err != nil {
					t.Error(err)
				} else if ok {
					got <- holder
				}
			})
		}
		group.Wait()
		same(t, len(got), 1)
		same(t, held(s), []lease.Lease{{Name: "x", Holder: <-got}})
	})
}
