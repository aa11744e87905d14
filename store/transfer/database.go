package transfer

import (
	"context"
	"fmt"
	"iter"
	"math"
	"strings"
)

// Row is a row of a table: nil, an int64, a float64 or a string for each of its columns. A truth is 1 or 0.
type Row []any

// Table is a table and its columns, by the names that they have in all databases.
type Table struct {
	Name    string
	Columns []string // those of the key first, in its order, then the others in that of their names
	Key     int      // how many are of the key
}

// Names are columns in a statement: words such as match are SQL's own as well.
func Names(columns []string) string { return `"` + strings.Join(columns, `", "`) + `"` }

// Database is what the rows are read from.
type Database interface {
	// SelectColumns is the query for all columns that it has, but for those that the database computes from the others of a
	// row: table, column, and the place of that in the key, from 1, or 0. They come as [Table] has them.
	SelectColumns() string
	// Query are the rows of a query. They end with the first error.
	Query(ctx context.Context, query string) iter.Seq2[Row, error]
}

// Source is read as it is at one moment.
type Source interface {
	Database
	// Key is the key of the installation, with which hashes were made; empty if there is none yet.
	Key(ctx context.Context) (string, error)
	// Unchanged is an [ErrOther] if a bot has used the database since that moment.
	Unchanged(ctx context.Context) error
}

// Target is written by nobody else.
type Target interface {
	Database
	// Begin labels the database as not complete, so that no bot starts on it until Finish has been called.
	Begin(ctx context.Context, source string) error
	// SetKey makes the key of the source that of the target, which holds nothing yet.
	SetKey(ctx context.Context, key string) error
	// Insert adds all of these rows or none.
	Insert(ctx context.Context, t Table, rows []Row) error
	// Finish brings what is derived from the rows up to date, takes the label away, and returns when all is on disk.
	Finish(ctx context.Context) error
}

// schema are all tables of a database, by their names.
func schema(ctx context.Context, d Database) (map[string]Table, error) {
	all := make(map[string]Table)
	for row, err := range d.Query(ctx, d.SelectColumns()) {
		if err != nil {
			return nil, err
		}
		name, column, key := row[0].(string), row[1].(string), row[2].(int64)
		t := all[name]
		all[name] = Table{name, append(t.Columns, column), max(t.Key, int(key))}
	}
	return all, nil
}

// count is how many rows a table has.
func count(ctx context.Context, d Database, t Table) (n int, err error) {
	for row, err := range d.Query(ctx, "SELECT count(*) FROM "+t.Name) {
		if err != nil {
			return 0, err
		}
		n = int(row[0].(int64))
	}
	return n, nil
}

// rowsOf are the rows of a table in the order of their keys, without the first few; all others if the limit is negative.
func rowsOf(ctx context.Context, d Database, t Table, skip, limit int) iter.Seq2[Row, error] {
	if limit < 0 {
		limit = math.MaxInt - skip
	}
	return d.Query(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s LIMIT %d OFFSET %d",
		Names(t.Columns), t.Name, Names(t.Columns[:t.Key]), limit, skip))
}

// Begun returns the name of the source of an unfinished copy; empty if there is no unfinished copy, or it has no rows yet.
func Begun(ctx context.Context, d Database) (source string, err error) {
	all, err := schema(ctx, d)
	if _, labelled := all[Unfinished]; err != nil || !labelled {
		return "", err
	}
	for row, err := range d.Query(ctx, "SELECT source FROM "+Unfinished) {
		if err != nil {
			return "", err
		}
		source = row[0].(string)
	}
	return source, nil
}
