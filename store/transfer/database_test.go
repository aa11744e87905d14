package transfer_test

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	_ "github.com/mattn/go-sqlite3"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
	"tictactoe/store/transfer"
)

func TestMain(m *testing.M) {
	// Tests run more in parallel than by default, because they wait for Postgres and for locks most of the time.
	if err := flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	os.Exit(pgtest.Main(m))
}

// hostile inserts a few rows with awkward values into tables whose keys and values users choose.
const hostile = `
	UPDATE players SET name = CAST(x'41C28042' AS TEXT) WHERE id = 'alice';
	UPDATE players SET name = CAST(x'1A30301A41' AS TEXT), closed = 1 WHERE id = 'bob';
	INSERT INTO players (id, name, quiet, closed) VALUES ('Robert''); DROP TABLE players; --', 'a' || char(9) || '\N' || char(10) || '"', 1, 1),
		(CAST(x'61' AS TEXT), '\', 0, 0), (CAST(x'61C3BF' AS TEXT), '❌', 0, 0), (CAST(x'6101' AS TEXT), NULL, 0, 1),
		(CAST(x'611A' AS TEXT), NULL, 0, 0), ('aé', '長', 1, 0), ('a0', NULL, 0, 0), ('zz', char(65533), 0, 0);
	INSERT INTO blocks SELECT CAST(x'61C3BF' AS TEXT), id FROM players WHERE id <> CAST(x'61C3BF' AS TEXT);
	UPDATE boards SET locale = 'de', refused = 3, past_channel = 'there', past_message = char(26) WHERE id = (SELECT min(id) FROM boards);
	UPDATE boards SET token = CAST(x'01C3BF1A' AS TEXT), expires = -9223372036854775807 WHERE id = (SELECT max(id) FROM boards);
	INSERT OR REPLACE INTO emoji VALUES ('app', '5101', 'b2_x_last', '0123456789abcdef'), ('app', CAST(x'61C3BF' AS TEXT), '\N', char(10));
	INSERT INTO seasons VALUES ('home', 4711, '\N', -9007199254740993, NULL, NULL, 'a0', char(26), NULL, '\N'), ('a' || char(9), 1, NULL, -1, 9007199254740993, -1, NULL, NULL, -1, '');
	UPDATE matches SET reviewed = 0, plies = (SELECT count(*) FROM moves WHERE match = id) WHERE id = 'm-resigned';
	UPDATE matches SET reviewed = 1, x_critical = 5, x_errors = 0, x_recovered = 1, o_critical = 4, o_errors = 4, o_recovered = 0, plies = 9 WHERE id = 'm-drawn';
	UPDATE matches SET helped = 1 WHERE id = (SELECT min(id) FROM matches WHERE o_level IS NOT NULL);
	INSERT INTO erasures VALUES ('\N', -1), (CAST(x'61C3BF' AS TEXT), 9007199254740993);
	INSERT INTO lessons VALUES ('a0', '\N', -1), (CAST(x'61C3BF' AS TEXT), char(26), 9007199254740993);
	INSERT INTO rated VALUES ('home', '3x3x3', 'a0', -1, '\N', 'left', 0.5, 0.5, 1, 1499.9999999999998, 1e-300, 1662.310894, 290.318964, 0.059999675, 0, 1, 0, 1);
	INSERT OR REPLACE INTO scores VALUES ('a' || char(9), CAST(x'61C3BF' AS TEXT), 4711, '\N', char(10), 1, 2, 3, -9007199254740993, -1, 3, 9007199254740993, 1, 2, -1, NULL);
	INSERT INTO standings VALUES ('home', CAST(x'61C3BF' AS TEXT), -1, '\N', char(10), '00' || CAST(x'61C3BF' AS TEXT), 1499.9999999999998, 1e-300, 0.059999675, -9007199254740993, 1, 2, 3, 4);
	INSERT INTO recounts VALUES ('home', CAST(x'61C3BF' AS TEXT)), ('a' || char(9), CAST(x'61C3BF' AS TEXT)), ('', '\N');
	INSERT INTO score_resets VALUES ('home', -9007199254740993, char(26));
	UPDATE matches SET voided_outcome = 'draw', voided_cause = 'moderator' WHERE id = 'm-voided';
	INSERT INTO deeds (n, id, venue, player, at, kind, match, chosen, undoes) VALUES (77, '\N', 'home', 'a0', -1, 'undo', 'm-first', 'void', 'd-reset');
	INSERT INTO puzzle_attempts VALUES ('a0', -1, -9007199254740993, '', NULL), (CAST(x'61C3BF' AS TEXT), 2147483647, 9007199254740993, char(26), -1);
	INSERT INTO puzzle_listed VALUES ('home', CAST(x'61C3BF' AS TEXT)), ('a' || char(9), '\N');
	INSERT INTO calendar_posts VALUES ('home', 'puzzle', char(26), '\N', 'day', '', 0, '', -2147483648, -1, 1), ('a' || char(9), 'leaderboard', NULL, '', 'month', '\N', 1, char(26), 2147483647, NULL, 0);
	INSERT INTO arenas VALUES ('\N', 'home', char(26), '', '\N', 'a0', 'a' || char(9) || '"❄', '3x3x3', 15000, 600000, 1, -1, -9007199254740993, NULL, 'announced', NULL, 1),
		('a-off', 'home', 'c', 't', 'm', CAST(x'61C3BF' AS TEXT), '', '3x3x3', 60000, 3600000, 0, -1, 1, 9007199254740993, 'called off', 'too few', 2147483647);
	INSERT INTO entrants VALUES ('\N', CAST(x'61C3BF' AS TEXT), -1, 9007199254740993, 'paused'), ('a-off', 'a0', 1, 2, 'removed');
	UPDATE matches SET arena = 'a-off' WHERE id = 'm-drawn';
	INSERT INTO rank_roles VALUES ('home', CAST(x'61C3BF' AS TEXT), '\N', char(26), ''), ('a' || char(9), '\N', 'a0', 'b', 'high');
	INSERT INTO role_grants VALUES ('home', CAST(x'61C3BF' AS TEXT), '\N', 'taking', 9007199254740993), ('a' || char(9), '\N', 'a0', 'given', -1);
	INSERT INTO member_checks VALUES ('home', CAST(x'61C3BF' AS TEXT), 9007199254740993), ('a' || char(9), '\N', -1);
	INSERT INTO bars VALUES ('home', CAST(x'61C3BF' AS TEXT), 9007199254740993), ('', '\N', NULL), ('a' || char(9), '', -1);
	INSERT INTO unranked VALUES ('home', CAST(x'61C3BF' AS TEXT), '\N'), ('a' || char(9), 'a0', char(26));
	INSERT INTO replays VALUES ('home', '3x3x3', 9007199254740993, char(26));
	UPDATE matches SET host = '\N', place = char(26) WHERE id = 'm-late';
	INSERT INTO votes VALUES ('m-late', CAST(x'61C3BF' AS TEXT), 'O', 1, 8, 17);
	UPDATE deeds SET n = 9007199254740993 WHERE n = (SELECT max(n) FROM deeds)`

// rich returns a file with rows in every table.
func rich(t testing.TB) string {
	t.Helper()
	made.Do(func() { makeRich(t) })
	path := filepath.Join(sqlitetest.Folder(t), "rich.db")
	if err := os.WriteFile(path, richContent, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// These variables cache the database that makeRich makes.
var (
	made        sync.Once
	richContent []byte
)

func makeRich(t testing.TB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rich.db")
	for _, file := range []string{"../../migrations/sqlite/00032_schema.sql", "../sqlite/testdata/schema-32.sql"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		change(t, path, string(text))
	}
	empty(t, path) // this migrates the database
	change(t, path, hostile)
	change(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
	var err error
	if richContent, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
}

// empty opens a database once, a file or a Postgres, so that its tables are created.
func empty(t testing.TB, db string) string {
	t.Helper()
	var err error
	var s interface{ Close() error }
	if postgres.IsAddress(db) {
		s, err = postgres.Open(t.Context(), db)
	} else {
		s, err = sqlite.Open(t.Context(), db)
	}
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return db
}

func file(t testing.TB) string { return filepath.Join(sqlitetest.Folder(t), "copy.db") }

// change makes a change to a database that stores never make.
func change(t testing.TB, db, statements string) {
	t.Helper()
	if postgres.IsAddress(db) {
		conn, err := pgx.Connect(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(t.Context(), "SET search_path = tictactoe; "+statements); err != nil {
			t.Fatal(err)
		}
		return
	}
	conn := opened(t, db)
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

func opened(t testing.TB, path string) *sql.DB {
	t.Helper()
	u := url.URL{Scheme: "file", Path: path, RawQuery: "_busy_timeout=5000"}
	db, err := sql.Open("sqlite3", u.String())
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// content returns the rows of all tables of a file, as SQLite reads them, without the rows that only a running bot needs, and the
// export of all matches.
func content(t testing.TB, path string) map[string][]string {
	t.Helper()
	db := opened(t, path)
	defer db.Close()
	all := make(map[string][]string)
	for _, table := range texts(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table'
		AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%' AND name NOT IN ('claims', 'public_posts', 'leases', 'sessions', 'asides')`) {
		var columns []string
		for _, c := range texts(t, db, `SELECT name FROM pragma_table_xinfo('`+table+`') ORDER BY name`) {
			columns = append(columns, fmt.Sprintf(`'%s=' || typeof("%[1]s") || coalesce(hex("%[1]s"), '')`, c))
		}
		row := strings.Join(columns, " || ' ' || ")
		all[table] = texts(t, db, "SELECT "+row+" FROM "+table+" ORDER BY 1")
	}
	var export bytes.Buffer
	if _, err := sqlite.Export(t.Context(), path, &export, nil); err != nil {
		t.Error(err)
	}
	all["export"] = strings.Split(export.String(), "\n")
	return all
}

func texts(t testing.TB, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

func same[T any](t testing.TB, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// around wraps a target to change its behaviour; a nil around does not wrap.
type around func(transfer.Target) transfer.Target

func from(ctx context.Context, db string, do func(transfer.Source) error) error {
	if postgres.IsAddress(db) {
		return postgres.TransferFrom(ctx, db, do)
	}
	return sqlite.TransferFrom(ctx, db, do)
}

func into(ctx context.Context, db string, do func(transfer.Target) error) error {
	if postgres.IsAddress(db) {
		return postgres.TransferInto(ctx, db, do)
	}
	return sqlite.TransferInto(ctx, db, do)
}

// copied makes a copy.
func copied(ctx context.Context, src, dst string, wrap around) (r transfer.Report, err error) {
	err = from(ctx, src, func(s transfer.Source) error {
		return into(ctx, dst, func(d transfer.Target) error {
			if wrap != nil {
				d = wrap(d)
			}
			r, err = transfer.Copy(ctx, s, d, func(string, int, int) {})
			return err
		})
	})
	return r, err
}

func mustCopy(t testing.TB, src, dst string) transfer.Report {
	t.Helper()
	r, err := copied(t.Context(), src, dst, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
