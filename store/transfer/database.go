package transfer

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Row is a row of a table: nil, an int64, a float64 or a string for each of its columns. A boolean is 1 or 0.
type Row []any

// Table is a table with its columns. The names are the same in all databases.
type Table struct {
	Name    string
	Columns []string // the columns of the key, in its order, followed by the other columns, by name
	Key     int      // how many columns belong to the key
}

// Names returns columns as a part of a statement. They are quoted, because some, such as match, are keywords
// of SQL.
func Names(columns []string) string { return `"` + strings.Join(columns, `", "`) + `"` }

// Database reads the rows of a database.
type Database interface {
	// SelectColumns returns the query for all columns of the database, without generated columns. Each row has the table, the column,
	// and the position of the column in the key, from 1, or 0 if it is not part of the key. The columns come in the order of [Table].
	SelectColumns() string
	// Query yields the rows of a query. It ends with the first error.
	Query(ctx context.Context, query string) iter.Seq2[Row, error]
}

// Source shows the state of a database at one moment.
type Source interface {
	Database
	// Key returns the key of the installation, which its hashes use; empty if it has no key yet.
	Key(ctx context.Context) (string, error)
	// Unchanged returns an [ErrUsed] if a bot has used the database since the state that Source shows.
	Unchanged(ctx context.Context) error
}

// Target is a database to which only the copy writes.
type Target interface {
	Database
	// Begin prepares the database, which is empty, for the rows. No bot starts on it until Finish has been called.
	Begin(ctx context.Context) error
	// SetKey sets the key of the target, which must be empty, to the key of the source.
	SetKey(ctx context.Context, key string) error
	// Insert adds all rows, or no row if it fails.
	Insert(ctx context.Context, t Table, rows []Row) error
	// Finish updates sequences and statistics, and makes the database one that bots can use.
	Finish(ctx context.Context) error
}

// schema returns all tables of a database, by name.
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

// count returns the number of rows of a table.
func count(ctx context.Context, d Database, t Table) (n int, err error) {
	for row, err := range d.Query(ctx, "SELECT count(*) FROM "+t.Name) {
		if err != nil {
			return 0, err
		}
		n = int(row[0].(int64))
	}
	return n, nil
}

// rowsOf returns the rows of a table in the order of their keys.
func rowsOf(ctx context.Context, d Database, t Table) iter.Seq2[Row, error] {
	return d.Query(ctx, fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", Names(t.Columns), t.Name, Names(t.Columns[:t.Key])))
}

// copied returns the tables whose rows are copied; a table comes after the tables that it refers to.
func copied() []string {
	return []string{
		"players", "blocks", "back_offs", "erasures", "challenges", "matches", "moves", "votes", "scores", "standings", "recounts", "score_resets", "boards", "presence",
		"venues", "policies", "deeds", "emoji", "seasons", "rated", "replays", "lessons",
		"puzzle_attempts", "puzzle_listed", "calendar_posts", "arenas", "entrants", "rank_roles", "role_grants", "bars", "unranked", "member_checks",
	}
}

// leftOut reports whether a table, or a column named as "table.column", is not copied.
func leftOut(name string) bool {
	switch name {
	case // The rows of these tables mean nothing once no bot runs.
		"claims", "public_posts", "leases", "sessions", "asides", "challenges.held_by", "challenges.held_until", "matches.held_by", "matches.held_until",
		"goose_db_version", Unfinished,
		"installation": // the key is copied by SetKey
		return true
	}
	return strings.HasPrefix(name, "_litestream") // tables of Litestream, which replicates an SQLite file
}

// Unfinished is the table that marks an incomplete copy.
const Unfinished = "unfinished_copy"

// Plan returns the tables to copy from one database to another, in order. It is an error if any other table or column
// exists in only one of them.
func Plan(ctx context.Context, from, into Database) ([]Table, error) {
	a, err := tables(ctx, from)
	if err != nil {
		return nil, err
	}
	b, err := tables(ctx, into)
	if err != nil {
		return nil, err
	}
	var plan []Table
	for _, name := range copied() {
		t, there := a[name], b[name]
		switch {
		case t.Key == 0 || there.Key == 0:
			return nil, fmt.Errorf("table %s: one of the databases has none, or none with a key", name)
		case t.Key != there.Key || !slices.Equal(t.Columns, there.Columns):
			return nil, fmt.Errorf("table %s: one database has the columns %v, %d of them in the key; the other has %v, %d of them in the key",
				name, t.Columns, t.Key, there.Columns, there.Key)
		}
		plan = append(plan, t)
	}
	return plan, nil
}

// tables returns the tables of a database that are copied, by their names.
func tables(ctx context.Context, d Database) (map[string]Table, error) {
	all, err := schema(ctx, d)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(name string, _ Table) bool { return leftOut(name) })
	for name, t := range all {
		if !slices.Contains(copied(), name) {
			return nil, fmt.Errorf("table %s: nothing says whether it is copied", name)
		}
		t.Columns = slices.DeleteFunc(t.Columns, func(c string) bool { return leftOut(name + "." + c) })
		all[name] = t
	}
	return all, nil
}
