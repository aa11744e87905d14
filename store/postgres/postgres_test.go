package postgres_test

import (
	"context"
	"os"
	"testing"

	"tictactoe/internal/longtest"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, single(reused(t, 1)))
}

func TestStandings(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	storetest.Standings(t, 5, single(reused(t, 1)))
}

func single(open func(t *testing.T) []storetest.Store) func(t *testing.T) storetest.Store {
	return func(t *testing.T) storetest.Store { return open(t)[0] }
}

// reused opens stores on empty databases for a contract test, the given number of stores on one database each time. The next test
// uses the same stores again, because opening a store takes longer than most tests. Without a Postgres the whole contract test is
// skipped.
func reused(t *testing.T, together int) func(t *testing.T) []storetest.Store {
	type opened struct {
		address string
		stores  []storetest.Store
	}
	another := func() opened {
		o := opened{address: pgtest.Migrated(t)}
		for range together {
			o.stores = append(o.stores, open(t, o.address))
		}
		return o
	}
	free := []opened{another()}
	return func(part *testing.T) []storetest.Store {
		if len(free) == 0 {
			free = append(free, another())
		}
		last := len(free) - 1
		o := free[last]
		free = free[:last]
		part.Cleanup(func() {
			for _, s := range o.stores {
				s.(*postgres.Store).Depart()
			}
			pgtest.Clear(part, o.address)
			free = append(free, o)
		})
		return o.stores
	}
}

func TestTwoStoresOnOneDatabase(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	open := reused(t, 2)
	both := func(t *testing.T) (one, other storetest.Store) {
		stores := open(t)
		return stores[0], stores[1]
	}
	storetest.Race(t, both)
	storetest.Sharing(t, both)
}

// open returns a store that the test closes.
func open(t testing.TB, address string) *postgres.Store {
	t.Helper()
	s := opened(t, address)
	t.Cleanup(func() { shut(t, s) })
	return s
}

// opened is like open, but the caller closes the store.
func opened(t testing.TB, address string) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func shut(t testing.TB, s *postgres.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
