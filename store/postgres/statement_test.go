package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

func TestNoStatementReadsEverything(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.Migrated(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	// What it would still read from end to end has no index to be found by.
	if _, err := conn.Exec(t.Context(), "SET search_path = tictactoe; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"); err != nil {
		t.Fatal(err)
	}
	for name, statement := range storetest.Statements(t, sqlstore.Postgres, ".", "../internal/sqlstore") {
		if strings.Contains(name, "All") {
			continue // these are meant to read everything
		}
		nulls := "NULL"
		for n := 2; strings.Contains(statement, fmt.Sprint("$", n)); n++ {
			nulls += ", NULL"
		}
		if _, err := conn.Exec(t.Context(), "DEALLOCATE ALL; PREPARE one AS "+statement); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		rows, err := conn.Query(t.Context(), "EXPLAIN EXECUTE one ("+nulls+")", pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, found := range regexp.MustCompile(`Seq Scan on (\w+)`).FindAllStringSubmatch(strings.Join(lines, "\n"), -1) {
			if !slices.Contains([]string{"presence", "leases", "goose_db_version"}, found[1]) { // they have some rows for each shard
				t.Errorf("%s: %s\n%s", name, found[0], strings.Join(lines, "\n"))
			}
		}
	}
}
