package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

// For a table that it takes to be tiny, as at a start, the server may run the subquery for claims again for each row: then it finds
// further claims each time.
func TestNoMoreClaimsAreForgottenAtOnceThanAskedForHoweverThatIsPlanned(t *testing.T) {
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
		t.Errorf("%d were forgotten (%v)", tag.RowsAffected(), err)
	}
}
