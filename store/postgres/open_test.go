package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// run runs a statement without a store, to make a change that stores never make.
func run(t testing.TB, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestTenMayStartAtOnceOnAnEmptyDatabase(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	address := pgtest.Empty(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			s, err := postgres.Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	version, known, err := postgres.Inspect(t.Context(), address)
	if err != nil || version != known {
		t.Errorf("schema %d of %d: %v", version, known, err)
	}
}

// TestMigrationsKeepTheRowsOfEverySchema compares the values of all columns that the newest schema still has.
func TestMigrationsKeepTheRowsOfEverySchema(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("testdata/schema-*.sql")
	if err != nil || len(fixtures) == 0 {
		t.Fatal(fixtures, err)
	}
	for _, fixture := range fixtures {
		t.Run(filepath.Base(fixture), func(t *testing.T) { migrationsKeepTheRows(t, fixture) })
	}
}

func migrationsKeepTheRows(t *testing.T, fixture string) {
	address := pgtest.Empty(t)
	run(t, address, "CREATE SCHEMA tictactoe")
	files, err := filepath.Glob("../../migrations/postgres/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	version := "000" + strings.TrimSuffix(strings.TrimPrefix(filepath.Base(fixture), "schema-"), ".sql")
	files = slices.DeleteFunc(files, func(file string) bool { return filepath.Base(file)[:5] > version })
	for _, file := range append(files, fixture) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		run(t, address, "SET search_path = tictactoe; "+string(text))
	}
	const columns = `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'tictactoe' AND table_name NOT LIKE 'goose%' ORDER BY 1`
	before := make(map[string][]string)
	for _, column := range texts(t, address, columns) {
		before[column] = valuesOf(t, address, column)
		if len(before[column]) == 0 {
			t.Errorf("the fixture has no row for %s", column)
		}
	}

	open(t, address)
	after := texts(t, address, columns)
	for column, values := range before {
		// Migrated hashes of users are hashed again, with the key of the installation.
		if column != "blocks.blocked" && slices.Contains(after, column) && !slices.Equal(valuesOf(t, address, column), values) {
			t.Errorf("the values of %s have changed", column)
		}
	}
	fresh := pgtest.Migrated(t)
	if got, want := after, texts(t, fresh, columns); !slices.Equal(got, want) {
		t.Errorf("the columns are %q, those of a new database are %q", got, want)
	}
	if r, err := postgres.Check(t.Context(), address, nil); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v, %v", r.Findings, err)
	}
}

// valuesOf returns the values of a column, named "table.column".
func valuesOf(t *testing.T, address, column string) []string {
	t.Helper()
	table, name, _ := strings.Cut(column, ".")
	return texts(t, address, fmt.Sprintf("SELECT coalesce(%[2]s::text, 'NULL') FROM tictactoe.%[1]s ORDER BY 1", table, name))
}

// texts returns the rows of a query of one column.
func texts(t *testing.T, address, query string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	t.Run("a database of a newer program is not changed", func(t *testing.T) {
		address := pgtest.Empty(t)
		open(t, address)
		run(t, address, "INSERT INTO tictactoe.goose_db_version (version_id, is_applied) VALUES (9999, true)")
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrNewer) {
			t.Errorf("got %v", err)
		}
		if _, _, err := postgres.Inspect(t.Context(), address); !errors.Is(err, postgres.ErrNewer) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a database of an earlier program is not changed", func(t *testing.T) {
		address := pgtest.Empty(t)
		run(t, address, `CREATE SCHEMA tictactoe; CREATE TABLE tictactoe.goose_db_version (version_id bigint, is_applied boolean);
			INSERT INTO tictactoe.goose_db_version VALUES (0, true), (23, true)`)
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrOlder) {
			t.Errorf("got %v", err)
		}
		if _, err := postgres.Check(t.Context(), address, nil); !errors.Is(err, postgres.ErrOlder) {
			t.Errorf("got %v", err)
		}
		if tables := texts(t, address, "SELECT tablename::text FROM pg_tables WHERE schemaname = 'tictactoe'"); len(tables) != 1 {
			t.Errorf("the database has the tables %q", tables)
		}
	})
	t.Run("no error contains the password", func(t *testing.T) {
		u, err := url.Parse(pgtest.Migrated(t))
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword(u.User.Username(), "secret1"), "/nowhere"
		for _, address := range []string{u.String() + "&password=secret2", "postgres://bot:secret1@127.0.0.1:1/x", "postgres://bot:secret1@[::1"} {
			ctx, cancel := context.WithTimeout(t.Context(), 300e6)
			defer cancel()
			_, err := postgres.Open(ctx, address)
			if err == nil || strings.Contains(err.Error()+postgres.Redact(address), "secret") {
				t.Errorf("%s: %v", postgres.Redact(address), err)
			}
		}
	})
	t.Run("a missing database needs an operator, a server that does not answer may be back soon", func(t *testing.T) {
		u, err := url.Parse(pgtest.Migrated(t))
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/nowhere"
		if _, err := postgres.Open(t.Context(), u.String()); !errors.Is(err, postgres.ErrRefused) {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300e6)
		defer cancel()
		if _, err := postgres.Open(ctx, "postgres://bot@127.0.0.1:1/x"); !errors.Is(err, match.ErrBusy) {
			t.Errorf("got %v", err)
		}
		if _, err := postgres.Open(ctx, "postgres://bot@127.0.0.1:port/x"); !errors.Is(err, postgres.ErrAddress) {
			t.Errorf("got %v", err)
		}
	})
}

// holdRow locks the rows of all matches until release is closed.
func holdRow(t testing.TB, address string, held chan<- struct{}, release <-chan struct{}) {
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Error(err)
		close(held)
		return
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), "BEGIN; SELECT 1 FROM tictactoe.matches FOR UPDATE"); err != nil {
		t.Error(err)
	}
	close(held)
	<-release
}
