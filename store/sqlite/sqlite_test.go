package sqlite_test

import (
	"context"
	"database/sql"
	"flag"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tictactoe/game"
	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
	"tictactoe/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the goldens")

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Store { return open(t, prepared(t)) })
}

func TestStandings(t *testing.T) {
	longtest.Only(t)
	storetest.Standings(t, 5, func(t *testing.T) storetest.Store { return open(t, prepared(t)) })
}

func TestTwoStoresOnOneFile(t *testing.T) {
	storetest.Race(t, func(t *testing.T) (one, other storetest.Store) {
		path := prepared(t)
		return open(t, path), open(t, path)
	})
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "tictactoe.db") }

// prepared returns the path of an empty database with the newest schema, for tests that do not test opening.
func prepared(t testing.TB) string {
	t.Helper()
	path := filepath.Join(sqlitetest.Folder(t), "tictactoe.db")
	if err := sqlitetest.Prepare(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// open returns a store that the test closes.
func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shut(t, s) })
	return s
}

func shut(t testing.TB, s *sqlite.Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// raw opens the file without a store, to make changes that stores never make.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := connected(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func connected(path string) (*sql.DB, error) {
	db, err := sql.Open("sqlite3", (&url.URL{Scheme: "file", Path: path, RawQuery: "_busy_timeout=5000"}).String())
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

func run(t testing.TB, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), statement, args...); err != nil {
		t.Fatal(err)
	}
}

// alter changes a file whose store is closed.
func alter(t testing.TB, path, statement string) {
	t.Helper()
	db := raw(t, path)
	run(t, db, statement)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func noon() time.Time { return time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC) }

// begin returns a match that has just begun.
func begin(id match.ID) match.Match {
	seats := match.Seats{match.Human("alice"), match.Human("bob")}
	return match.Start(id, id, "home", game.Classic(), seats, time.Minute, 1, noon())
}

// move returns the match after one more move, on the first free square from the end.
func move(t testing.TB, m match.Match) match.Match {
	t.Helper()
	m, err := moved(m)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func moved(m match.Match) (match.Match, error) {
	var last game.Square
	for square := range m.Position().Legal().All() {
		last = square
	}
	return m.Play(m.Turn().Player, m.Record.Len(), last, noon().Add(time.Duration(m.Record.Len())*time.Second))
}

func save(t testing.TB, s *sqlite.Store, save match.Save) {
	t.Helper()
	if err := s.Save(context.Background(), save); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, s *sqlite.Store, id match.ID) match.Match {
	t.Helper()
	m, err := s.Match(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func same[T any](t testing.TB, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(game.Rules{}), cmpopts.IgnoreFields(match.Match{}, "Looks")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
