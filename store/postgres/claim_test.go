package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

// If Postgres takes a table to be tiny, as just after its creation, it may run the subquery for claims again for each row, and find
// further claims each time.
func TestForgottenClaimsAreLimitedUnderAnyQueryPlan(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.Migrated(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), `SET search_path = tictactoe;
		SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_hashagg = off; SET enable_sort = off; SET enable_material = off;
		INSERT INTO claims SELECT n, 'somebody', n FROM generate_series(1, 100) AS n`); err != nil {
		t.Fatal(err)
	}
	tag, err := conn.Exec(t.Context(), storetest.Statements(t, sqlstore.Postgres, "../internal/sqlstore")["deleteClaims"], 100, 10)
	if err != nil || tag.RowsAffected() != 10 {
		t.Errorf("forgot %d claims, want 10 (%v)", tag.RowsAffected(), err)
	}
}
