package postgres_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/pressly/goose/v3"

	"tictactoe/internal/longtest"
	"tictactoe/migrations"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/transfer"
)

// A copy into a new database may be interrupted between two migrations. The unfinished target then looks like an older database
// without games.
func TestACopyThatEndsBetweenTwoMigrations(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	endBetween(t, 0, 1, len(steps(t))-1)
}

// steps returns the names of the migrations.
func steps(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(migrations.Postgres(), "*.sql")
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	return names
}

// endBetween interrupts copies after each of the given numbers of migrations.
func endBetween(t *testing.T, after ...int) {
	all, names := migrations.Postgres(), steps(t)
	for _, done := range after {
		these := fstest.MapFS{}
		for n, name := range names {
			text, err := fs.ReadFile(all, name)
			if err != nil {
				t.Fatal(err)
			}
			if n == done {
				text = []byte("-- +goose Up\nSELECT 1 / 0;\n")
			}
			these[name] = &fstest.MapFile{Data: text}
		}
		address := pgtest.Empty(t)
		nothing := func(transfer.Target) error { t.Error("the copy began"); return nil }
		if err := postgres.TransferIntoWith(t.Context(), address, these, nothing); err == nil {
			t.Fatal("the copy was not interrupted")
		}
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrUnfinished) {
			t.Errorf("after %d migrations a bot starts on it: %v", done, err)
		}
		var last int64
		if done > 0 {
			last, _ = goose.NumericComponent(names[done-1])
		}
		if version, _, err := postgres.Inspect(t.Context(), address); version != last || !errors.Is(err, postgres.ErrUnfinished) {
			t.Errorf("after %d migrations: version %d, %v", done, version, err)
		}
		// The same command makes the copy.
		err := postgres.TransferInto(t.Context(), address, func(d transfer.Target) error {
			return errors.Join(d.Begin(t.Context()), d.Finish(t.Context()))
		})
		if err != nil {
			t.Fatal(err)
		}
		open(t, address)
	}
}

// The database numbers only the rows of audit entries; a copy has to continue their numbers.
func TestOnlyAuditEntriesAreNumberedByTheDatabase(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.Migrated(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), `SELECT c.relname || '.' || a.attname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
		LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
		WHERE c.relnamespace = 'tictactoe'::regnamespace AND c.relkind = 'r' AND c.relname <> 'goose_db_version'
			AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%')`)
	if err != nil {
		t.Fatal(err)
	}
	numbered, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || !slices.Equal(numbered, []string{"deeds.n"}) {
		t.Errorf("%q, %v", numbered, err)
	}
}
