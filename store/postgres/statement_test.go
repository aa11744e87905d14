package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

func TestNoStatementReadsEverything(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), pgtest.Migrated(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	// What it would still read from end to end has no index to be found by.
	if _, err := conn.Exec(t.Context(), "SET search_path = tictactoe; SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan"); err != nil {
		t.Fatal(err)
	}
	for name, statement := range postgres.Statements() {
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
		if found := regexp.MustCompile(`Seq Scan on \w+`).FindString(strings.Join(lines, "\n")); found != "" {
			t.Errorf("%s: %s\n%s", name, found, strings.Join(lines, "\n"))
		}
	}
}
