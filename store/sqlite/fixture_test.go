package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tictactoe/migrations"
	"tictactoe/store/sqlite"
)

// testdata holds a database of every released schema, with rows in each table. The test migrates each of them and compares the
// rows. CONTRIBUTING.md tells how to make a fixture.
func TestMigrationsKeepTheRowsOfEverySchema(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("testdata/schema-*.sql")
	if err != nil || len(fixtures) == 0 {
		t.Fatal(fixtures, err)
	}
	for _, name := range fixtures {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path := built(t, name)
			before := contentOf(t, path)
			for table, c := range before {
				if len(c.rows) == 0 {
					t.Errorf("the fixture has no row in %s", table)
				}
			}
			fresh := newPath(t)
			migrate(t, fresh)
			migrate(t, path)
			same(t, layoutOf(t, path), layoutOf(t, fresh))
			after := contentOf(t, path)
			for table, was := range before {
				now, kept := after[table]
				if !kept {
					continue
				}
				columns := slices.DeleteFunc(slices.Clone(was.columns), func(name string) bool { return !slices.Contains(now.columns, name) })
				if diff := cmp.Diff(was.only(columns), now.only(columns)); diff != "" {
					t.Errorf("the rows of %s have changed (-before +after)\n%s", table, diff)
				}
			}
			shut(t, opened(t, path))
			same(t, checked(t, path).Findings, []sqlite.Finding{})
		})
	}
}

// migrate brings a database to the newest schema, and does nothing else.
func migrate(t *testing.T, path string) {
	t.Helper()
	s, err := sqlite.OpenWith(context.Background(), path, migrations.SQLite())
	if err != nil {
		t.Fatal(err)
	}
	shut(t, s)
}

// built returns a database of a released schema with the rows of its fixture.
func built(t *testing.T, fixture string) (path string) {
	t.Helper()
	path = newPath(t)
	steps, err := filepath.Glob("../../migrations/sqlite/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(fixture), "schema-"), ".sql")
	steps = slices.DeleteFunc(steps, func(file string) bool { return filepath.Base(file)[:5] > fmt.Sprintf("%05s", version) })
	for _, file := range append(steps, fixture) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		alter(t, path, "PRAGMA journal_mode = WAL; "+string(text))
	}
	return path
}

// tablesOf returns the tables that migrations create, and the table of goose.
func tablesOf(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return textsOf(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
}

// layoutOf returns the columns of all tables, as SQLite reports them, and the indexes.
func layoutOf(t *testing.T, path string) []string {
	t.Helper()
	db := raw(t, path)
	defer db.Close() // a migration needs exclusive use of the file
	return textsOf(t, db, `SELECT concat_ws(' ', t.name, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk)
		FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'
		UNION ALL SELECT replace(replace(sql, ' ', ''), char(10), '') FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY 1`)
}

// content returns the rows of a table.
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

// only returns the rows, reduced to the given columns.
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

// opened returns a store that the test itself closes.
func opened(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
