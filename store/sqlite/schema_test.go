package sqlite_test

import (
	"os"
	"strings"
	"testing"
)

func TestSchema(t *testing.T) {
	const golden = "testdata/schema.sql"
	path := newPath(t)
	open(t, path)
	rows, err := raw(t, path).Query(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'goose%'
		AND name NOT LIKE 'sqlite%' ORDER BY type = 'trigger', tbl_name, type <> 'table', name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var schema strings.Builder
	schema.WriteString("-- What the migrations lead to. Written by go test ./store/sqlite -update.\n")
	for rows.Next() {
		var sql string
		if err := rows.Scan(&sql); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(sql, "CREATE TABLE") {
			schema.WriteString("\n")
		}
		schema.WriteString(sql + ";\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, []byte(schema.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	same(t, schema.String(), string(want))
}
