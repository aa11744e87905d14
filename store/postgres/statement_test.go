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
	address := pgtest.Migrated(t)
	// With this setting the server reads a table from end to end only if no index fits.
	for name, plan := range plansOf(t, address, "SET enable_seqscan = off") {
		for _, found := range regexp.MustCompile(`Seq Scan on (\w+)`).FindAllStringSubmatch(plan, -1) {
			if !slices.Contains([]string{"presence", "leases", "goose_db_version"}, found[1]) { // they have some rows for each shard
				t.Errorf("%s: %s\n%s", name, found[0], plan)
			}
		}
	}
}

// In place of looking rows up one by one, Postgres may make a table of all of them for that. It did so for the names on a page of a
// leaderboard as soon as there were many players.
func TestNoStatementReadsAllPlayers(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	run(t, address, `SET search_path = tictactoe;
		INSERT INTO players (id, name) SELECT 'p' || i, 'n' FROM generate_series(1, 20000) AS i;
		INSERT INTO standings (venue, player, season, rules, leaderboard, place) SELECT 'home', id, 0, '3x3x3', 'rating', id FROM players;
		ANALYZE`)
	for name, plan := range plansOf(t, address, "SET random_page_cost = 1.1; SET jit = off") {
		if strings.Contains(plan, "Seq Scan on players") {
			t.Errorf("%s:\n%s", name, plan)
		}
	}
}

// plansOf are how the server goes about all statements but those that are meant to read everything, by their names.
func plansOf(t *testing.T, address, setting string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "SET search_path = tictactoe; SET plan_cache_mode = force_generic_plan; "+setting); err != nil {
		t.Fatal(err)
	}
	plans := make(map[string]string)
	for name, statement := range storetest.Statements(t, sqlstore.Postgres, ".", "../internal/sqlstore") {
		if strings.Contains(name, "All") {
			continue
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
		plans[name] = strings.Join(lines, "\n")
	}
	return plans
}
