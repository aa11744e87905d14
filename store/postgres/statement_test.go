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
	// With this setting, Postgres scans a whole table only if no index fits.
	for name, plan := range plansOf(t, address, "SET enable_seqscan = off") {
		for _, found := range regexp.MustCompile(`Seq Scan on (\w+)`).FindAllStringSubmatch(plan, -1) {
			if !slices.Contains([]string{"presence", "leases", "goose_db_version", "installation", "erasures"}, found[1]) { // small tables may be scanned
				t.Errorf("%s: %s\n%s", name, found[0], plan)
			}
		}
	}
}

// After years of play a server has many ended matches and few running ones. Instead of looking up the rows that it needs, Postgres
// may scan a whole table, or a whole index whose first column the query does not name.
func TestNoStatementReadsAllEndedMatches(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	run(t, address, `SET search_path = tictactoe;
		INSERT INTO players (id, name) SELECT 'p' || i, 'n' FROM generate_series(0, 9999) AS i;
		INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, deadline, outcome, cause, created, ended, version, stakes)
			SELECT 'm' || i, 'm' || i, 'v' || CASE WHEN i < 9000 THEN 0 ELSE i % 50 END, '3x3x3', 'p' || i, 'p' || (i + 5000) % 10000, 60000, CASE WHEN i % 1000 = 0 THEN i * 60000 END,
				CASE WHEN i % 1000 > 0 THEN 'X' END, CASE WHEN i % 1000 > 0 THEN 'line' END, i, CASE WHEN i % 1000 > 0 THEN i + 1 END, 5, 'full'
			FROM generate_series(0, 9999) AS i;
		INSERT INTO moves (match, ply, square, at) SELECT id, ply, ply, created FROM matches, generate_series(0, 3) AS ply;
		INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
			SELECT id, venue, 'c', id, '', true, 5, 5 FROM matches;
		INSERT INTO challenges (id, venue, rules, challenger, challenged, first, turn_ms, status, created, version)
			SELECT 'c' || i, 'v' || i % 50, '3x3x3', 'p' || i, 'p' || i + 1, 'random', 60000, 'declined', i, 2 FROM generate_series(0, 9999) AS i;
		INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
			SELECT venue, x_player, 0, rules, '', 1, 0, 0, ended FROM matches WHERE ended > 0;
		INSERT INTO standings (venue, player, season, rules, leaderboard, place) SELECT venue, x_player, 0, rules, 'rating', x_player FROM matches;
		INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation,
				value, deviation, volatility, wins, draws, losses, opponents)
			SELECT venue, rules, x_player, ended, id, o_player, 1, 1, true, 1500, 350, 1600, 300, 0.06, 1, 0, 0, 1 FROM matches WHERE ended > 0;
		ANALYZE`)
	many := []string{"players", "matches", "moves", "boards", "challenges", "scores", "standings", "rated"}
	first := firstColumns(t, address, many)
	seqScan := regexp.MustCompile(`Seq Scan on (\w+)`)
	indexScan := regexp.MustCompile(`(?:Index (?:Only )?Scan.* using|Bitmap Index Scan on) (\w+) .*\n\s*(.*)`)
	for name, plan := range plansOf(t, address, "SET random_page_cost = 1.1; SET jit = off") {
		for _, found := range seqScan.FindAllStringSubmatch(plan, -1) {
			if slices.Contains(many, found[1]) {
				t.Errorf("%s: %s\n%s", name, found[0], plan)
			}
		}
		for _, found := range indexScan.FindAllStringSubmatch(plan, -1) {
			column, whole := first[found[1]]
			if whole && !(strings.HasPrefix(found[2], "Index Cond") && strings.Contains(found[2], column+" = ")) {
				t.Errorf("%s: %s begins with %s\n%s", name, found[1], column, plan)
			}
		}
	}
}

// firstColumns returns the first columns of the indexes that include all rows of a table.
func firstColumns(t *testing.T, address string, tables []string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), `SELECT c.relname, pg_get_indexdef(indexrelid, 1, true) FROM pg_index
		JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_class AS t ON t.oid = indrelid
		WHERE c.relnamespace = 'tictactoe'::regnamespace AND indpred IS NULL AND t.relname = ANY($1)`, tables)
	if err != nil {
		t.Fatal(err)
	}
	first := make(map[string]string)
	var name, column string
	if _, err := pgx.ForEachRow(rows, []any{&name, &column}, func() error {
		first[name] = column
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return first
}

// plansOf returns Postgres' plans of all statements that are not meant to read a whole table, by the names of the statements.
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
