package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"tictactoe/migrations"
	"tictactoe/store/sqlite"
)

// forgotten are the columns, as "table.column", whose values a migration changes or drops on purpose, by the number of
// that migration. A whole table is "table.*".
var forgotten = map[int64][]string{
	6: {"computer_scores.*"}, // they are standings now
	8: {"presence.only"},
	21: { // they follow from the scores in another way
		"standings.computers", "standings.wins", "standings.draws", "standings.losses", "standings.reached", "stretches.computers",
	},
	23: {"policies.no_profiles"},          // profiles are one of the features that are off
	28: {"ratings.*", "rating_buckets.*"}, // they are the latest of the rows in rated, and standings
	30: {"stretches.*"},
	33: {"rank_buckets.*"}, // ranks are counted by an index
	34: {"blocks.blocked"}, // hashes are keyed ones now
}

// grown are the tables that a migration adds rows to, by its number.
var grown = map[int64][]string{28: {"standings", "stretches"}}

// A database of every schema that was ever released, with rows in every table, is kept in testdata. What a host has must
// survive every later migration. CONTRIBUTING.md tells how a fixture is made.
func TestMigrationsFromEveryEarlierSchema(t *testing.T) {
	t.Parallel()
	versions := versionsOf(t)
	for i, version := range versions {
		text, err := os.ReadFile(fixture(version))
		if errors.Is(err, fs.ErrNotExist) && i == len(versions)-1 {
			continue // nobody has needed it yet
		}
		t.Run(fmt.Sprintf("nothing of schema %d is lost", version), func(t *testing.T) {
			if errors.Is(err, fs.ErrNotExist) && *update {
				text = propose(t, versions, version)
				if err = os.WriteFile(fixture(version), text, 0o644); err == nil {
					t.Logf("%s is made: give every new table and column a value in it", fixture(version))
				}
			}
			if err != nil {
				t.Fatalf("a migration came after schema %d, which has no fixture: go test ./store/sqlite -run Migrations -update, and see CONTRIBUTING.md (%v)", version, err)
			}
			path := built(t, string(text))
			before := contentOf(t, path)
			for table, c := range before {
				if len(c.rows) == 0 {
					t.Errorf("%s has no row in %s", fixture(version), table)
				}
			}
			fresh := newPath(t)
			migrateTo(t, fresh, version)
			same(t, schemaOf(t, path), schemaOf(t, fresh))

			shut(t, opened(t, path))
			for _, what := range lost(version, before, contentOf(t, path)) {
				t.Error(what)
			}
			r, err := sqlite.Check(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			same(t, r.Findings, []sqlite.Finding{})
		})
	}
	text, err := os.ReadFile(fixture(versions[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, planted := range map[string]string{
		"a lost row":       "DELETE FROM moves WHERE match = 'm-first' AND ply = 2",
		"a changed value":  "UPDATE players SET quiet = 0",
		"a row twice":      "INSERT INTO players (id, name) VALUES ('dave', NULL)",
		"a dropped table":  "DROP TABLE presence",
		"a dropped column": "ALTER TABLE boards DROP COLUMN mention_ply",
	} {
		t.Run(name+" would be noticed", func(t *testing.T) {
			path := built(t, string(text))
			before := contentOf(t, path)
			alter(t, path, planted)
			if lost(versions[0], before, contentOf(t, path)) == nil {
				t.Error("it was not")
			}
		})
	}
}

func fixture(version int64) string { return fmt.Sprintf("testdata/schema-%d.sql", version) }

// versionsOf are the numbers of all migrations, in their order.
func versionsOf(t *testing.T) (versions []int64) {
	t.Helper()
	files, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, version)
	}
	slices.Sort(versions)
	return versions
}

// asOf makes a database of an earlier schema, with what fill saves by today's, as far as that schema has tables and columns for it.
func asOf(t testing.TB, version int64, fill func(s *sqlite.Store)) (path string) {
	t.Helper()
	path, today := newPath(t), newPath(t)
	s := opened(t, today)
	fill(s)
	shut(t, s)
	migrateTo(t, path, version)
	old := raw(t, path)
	defer old.Close() // a migration needs the file for itself
	old.SetMaxOpenConns(1)
	run(t, old, "ATTACH '"+today+"' AS today")
	for _, table := range []string{"players", "challenges", "matches", "moves"} {
		var columns string
		err := old.QueryRowContext(t.Context(), `SELECT group_concat(had.name) FROM pragma_table_info(?1, 'main') AS had
			JOIN pragma_table_info(?1, 'today') AS has ON has.name = had.name`, table).Scan(&columns)
		if err != nil {
			t.Fatal(err)
		}
		run(t, old, fmt.Sprintf("INSERT INTO main.%[1]s (%[2]s) SELECT %[2]s FROM today.%[1]s", table, columns))
	}
	return path
}

// migrateTo brings a database to a schema.
func migrateTo(t testing.TB, path string, version int64) {
	t.Helper()
	steps := fstest.MapFS{}
	files, err := fs.Glob(migrations.SQLite(), "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if v, err := goose.NumericComponent(file); err != nil || v > version {
			continue
		}
		text, err := fs.ReadFile(migrations.SQLite(), file)
		if err != nil {
			t.Fatal(err)
		}
		steps[file] = &fstest.MapFile{Data: text}
	}
	s, err := sqlite.OpenWith(context.Background(), path, steps)
	if err != nil {
		t.Fatal(err)
	}
	shut(t, s)
}

// propose is the fixture before it, brought to that schema.
func propose(t *testing.T, versions []int64, version int64) []byte {
	t.Helper()
	for _, earlier := range slices.Backward(versions[:slices.Index(versions, version)]) {
		text, err := os.ReadFile(fixture(earlier))
		if err != nil {
			continue
		}
		path := built(t, string(text))
		migrateTo(t, path, version)
		return []byte(dump(t, path, version))
	}
	t.Fatal("there is no earlier fixture to begin with")
	return nil
}

// built is a database made by the statements of a fixture.
func built(t *testing.T, text string) (path string) {
	t.Helper()
	path = newPath(t)
	alter(t, path, "PRAGMA journal_mode = WAL; "+text)
	return path
}

// dump writes a database as statements. The triggers come last: what they would do is in the rows.
func dump(t *testing.T, path string, version int64) string {
	t.Helper()
	db := raw(t, path)
	var text strings.Builder
	fmt.Fprintf(&text, "-- A database of schema %d with rows in every table. See CONTRIBUTING.md.\n\nPRAGMA application_id = 0x5454546f;\n", version)
	for _, statement := range textsOf(t, db, `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`) {
		text.WriteString("\n" + statement + ";\n")
	}
	for _, table := range tablesOf(t, db) {
		columns := textsOf(t, db, `SELECT name FROM pragma_table_info(?1)`, table)
		values := make([]string, len(columns))
		for i, column := range columns {
			values[i] = fmt.Sprintf("quote(%q)", column)
		}
		text.WriteString("\n")
		for _, row := range textsOf(t, db, fmt.Sprintf("SELECT %s FROM %q ORDER BY 1", strings.Join(values, " || ', ' || "), table)) {
			fmt.Fprintf(&text, "INSERT INTO %s (%s) VALUES (%s);\n", table, strings.Join(columns, ", "), row)
		}
	}
	for _, statement := range textsOf(t, db, `SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY type, name`) {
		text.WriteString("\n" + statement + ";\n")
	}
	return text.String()
}

// tablesOf are those that migrations make, and goose's own.
func tablesOf(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return textsOf(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
}

// schemaOf is what stands in a file, without what is in it.
func schemaOf(t *testing.T, path string) []string {
	t.Helper()
	db := raw(t, path)
	defer db.Close() // a migration wants the file for itself
	return textsOf(t, db, `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY type, name`)
}

// content is what is in a table.
type content struct {
	columns []string
	rows    [][]any
}

func contentOf(t *testing.T, path string) map[string]content {
	t.Helper()
	db := raw(t, path)
	defer db.Close()
	all := make(map[string]content)
	for _, table := range tablesOf(t, db) {
		if strings.HasPrefix(table, "goose") {
			continue
		}
		c := content{columns: textsOf(t, db, `SELECT name FROM pragma_table_info(?1)`, table)}
		rows, err := db.Query(fmt.Sprintf("SELECT %s FROM %q", strings.Join(c.columns, ", "), table))
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			row := make([]any, len(c.columns))
			into := make([]any, len(row))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			c.rows = append(c.rows, row)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		all[table] = c
	}
	return all
}

// lost tells what of the rows of a schema is not there any more, and is not meant to be gone.
func lost(version int64, before, after map[string]content) (all []string) {
	meant := func(table, column string) bool {
		for by, names := range forgotten {
			if by > version && (slices.Contains(names, table+"."+column) || slices.Contains(names, table+".*")) {
				return true
			}
		}
		return false
	}
	for _, table := range slices.Sorted(maps.Keys(before)) {
		now, there := after[table]
		if !there {
			if !meant(table, "*") {
				all = append(all, "the table "+table+" is gone")
			}
			continue
		}
		var kept []string
		for _, column := range before[table].columns {
			switch {
			case meant(table, column):
			case slices.Contains(now.columns, column):
				kept = append(kept, column)
			default:
				all = append(all, "the column "+table+"."+column+" is gone")
			}
		}
		was, is := before[table].only(kept), now.only(kept)
		for by, tables := range grown {
			if by > version && slices.Contains(tables, table) {
				is = common(is, was)
			}
		}
		if diff := cmp.Diff(was, is); diff != "" {
			all = append(all, table+" is not what it was (-before +after)\n"+diff)
		}
	}
	return all
}

// common are those of the rows that are also among others, each as often as there.
func common(rows, others []string) (both []string) {
	others = slices.Clone(others)
	for _, row := range rows {
		if i := slices.Index(others, row); i >= 0 {
			both, others = append(both, row), slices.Delete(others, i, i+1)
		}
	}
	return both
}

// only are the rows with some of their columns.
func (c content) only(columns []string) (lines []string) {
	for _, row := range c.rows {
		var line strings.Builder
		for _, column := range columns {
			fmt.Fprintf(&line, "%s=%v ", column, row[slices.Index(c.columns, column)])
		}
		lines = append(lines, line.String())
	}
	slices.Sort(lines)
	return lines
}

func textsOf(t *testing.T, db *sql.DB, query string, args ...any) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(context.Background(), query, args...)
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

// opened is a store that the test itself closes.
func opened(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
