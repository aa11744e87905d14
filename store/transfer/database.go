package transfer

import (
	"context"
	"iter"
)

// Row is a row of a table: nil, an int64 or a string for each of its columns. A truth is 1 or 0.
type Row []any

// Table is a table and its columns, by the names that they have in all databases.
type Table struct {
	Name    string
	Columns []string // those of the key first, in its order, then the others in that of their names
	Key     int      // how many are of the key
}

// Database is what the rows are read from.
type Database interface {
	// Tables are all that it has, without what the database computes by itself in the columns of a row.
	Tables(ctx context.Context) ([]Table, error)
	Count(ctx context.Context, t Table) (int, error)
	// Rows are those of a table in the order of their keys, without the first few; all others if the limit is negative.
	// They end with the first error.
	Rows(ctx context.Context, t Table, skip, limit int) iter.Seq2[Row, error]
}

// Source is read as it is at one moment.
type Source interface {
	Database
	// Unchanged is an [ErrOther] if a bot has used the database since that moment.
	Unchanged(ctx context.Context) error
}

// Target is written by nobody else.
type Target interface {
	Database
	// Begun is where the rows come from that are in a copy which is not complete; empty if there is none, or none of its rows.
	Begun(ctx context.Context) (source string, err error)
	// Begin labels the database as not complete, so that no bot starts on it until Finish has been called.
	Begin(ctx context.Context, source string) error
	// Insert adds all of these rows or none.
	Insert(ctx context.Context, t Table, rows []Row) error
	// Finish brings what is derived from the rows up to date, takes the label away, and returns when all is on disk.
	Finish(ctx context.Context) error
}
