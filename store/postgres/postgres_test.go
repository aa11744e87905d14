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

func TestClicks(t *testing.T) {
	storetest.RunClicks(t, func(t *testing.T) storetest.Store { return open(t, pgtest.Migrated(t)) })
}

func TestStore(t *testing.T) {
	longtest.Only(t)
	storetest.Run(t, func(t *testing.T) storetest.Store { return open(t, pgtest.Migrated(t)) })
}

func TestStandings(t *testing.T) {
	longtest.Only(t)
	storetest.Standings(t, func(t *testing.T) storetest.Store { return open(t, pgtest.Migrated(t)) })
}

func TestTwoStoresOnOneDatabase(t *testing.T) {
	both := func(t *testing.T) (one, other storetest.Store) {
		address := pgtest.Migrated(t)
		return open(t, address), open(t, address)
	}
	storetest.Race(t, both)
	storetest.Sharing(t, both)
}

// open is a store that the test closes.
func open(t testing.TB, address string) *postgres.Store {
	t.Helper()
	s := opened(t, address)
	t.Cleanup(func() { shut(t, s) })
	return s
}

// opened is open for who shuts it.
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
