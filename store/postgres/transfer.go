package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"tictactoe/migrations"
	"tictactoe/store/transfer"
)

var (
	// ErrUnfinished is wrapped when a database holds an incomplete copy of another database.
	ErrUnfinished = errors.New("a copy into it is not complete; make the same copy again, or drop its schema tictactoe")
	// ErrInUse is wrapped when a copy needs exclusive use of a database, and a bot or another copy uses it.
	ErrInUse = errors.New("a bot runs on it, or another copy")
)

const (
	// $2 is the kind of lock, which is the first byte of its key.
	tryCopying = `SELECT pg_try_advisory_lock($1), ` + somebodyPresent + `classid::bigint >> 24 = $2)`

	createUnfinished = `CREATE TABLE IF NOT EXISTS ` + schema + `.` + transfer.Unfinished + ` ()`

	hasUnfinished = `to_regclass($1 || '.` + transfer.Unfinished + `') IS NOT NULL`

	// numberAuditEntries makes the numbers of new audit entries follow the numbers of the copied entries.
	numberAuditEntries = `SELECT setval(pg_get_serial_sequence('deeds', 'n'), max(n)) FROM deeds HAVING max(n) > 0`

	// analyze updates the statistics of the tables of this program, because otherwise the first queries would be planned for empty tables.
	analyze = `DO $$ DECLARE name text; BEGIN
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '` + schema + `' LOOP EXECUTE format('ANALYZE ` + schema + `.%I', name); END LOOP;
		END $$`
)

// TransferFrom calls do with one state of the database at address, which no bot may use meanwhile.
//
// Errors: the error of do, [ErrInUse], [ErrUnfinished], the errors of [Open].
func TransferFrom(ctx context.Context, address string, do func(transfer.Source) error) error {
	if _, err := current(ctx, address); err != nil {
		return err
	}
	return alone(ctx, address, func(d tables) error {
		_, err := d.conn.Exec(ctx, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") // closing the connection ends the transaction
		if err != nil {
			return ofDatabase(address, err)
		}
		return do(d)
	})
}

// TransferInto calls do to write to the database at address, which no bot may use meanwhile. It creates the tables if they do not
// exist, and does not change tables of an older schema. The errors are the errors of [TransferFrom].
func TransferInto(ctx context.Context, address string, do func(transfer.Target) error) error {
	return transferInto(ctx, address, migrations.Postgres(), do)
}

func transferInto(ctx context.Context, address string, steps fs.FS, do func(transfer.Target) error) error {
	version, known, err := Inspect(ctx, address)
	switch {
	case err != nil && !errors.Is(err, ErrUnfinished):
		return err
	case err == nil && 0 < version && version < known:
		return ofDatabase(address, fmt.Errorf(
			"its schema is version %d, this program copies into %d; drop its schema tictactoe, or choose another database", version, known))
	}
	config, err := configure(address)
	if err != nil {
		return err
	}
	if err := migrate(ctx, config.ConnConfig, steps, true); err != nil {
		return ofDatabase(address, err)
	}
	return alone(ctx, address, func(d tables) error { return do(d) })
}

// alone calls do with a connection if no bot and no other copy uses the database.
func alone(ctx context.Context, address string, do func(tables) error) error {
	var done error                                      // the error of do, which is not wrapped
	limits := slices.Collect(maps.Keys(serverTimeouts)) // no player waits for a copy, which may wait for the other database
	err := connected(ctx, address, func(conn *pgx.Conn) error {
		defer unlock(conn)
		if err := exclude(ctx, conn); err != nil {
			return err
		}
		done = do(tables{conn})
		return nil
	}, limits...)
	return cmp.Or(err, done)
}

// The server may take a moment to notice that a bot's connection has ended. So exclude asks for the lock again after each noticePause,
// until noticeTime has passed.
const (
	noticeTime  = 3 * time.Second
	noticePause = 50 * time.Millisecond
)

// exclude takes the lock that a copy of the database holds. The error is ErrInUse if another copy holds it or a bot uses the database.
func exclude(ctx context.Context, conn *pgx.Conn) error {
	copying := lockOf(lockPresence, "copying")
	for end := time.Now().Add(noticeTime); ; {
		var mine, others bool // mine is also true in a later round, because a session can take the same lock twice
		if err := conn.QueryRow(ctx, tryCopying, copying.key, lockPresence).Scan(&mine, &others); err != nil || mine && !others {
			return err
		}
		if time.Now().After(end) {
			return ErrInUse
		}
		select {
		case <-time.After(noticePause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tables reads the rows of a database for a copy.
type tables struct{ conn *pgx.Conn }

// SelectColumns implements transfer.Database.
func (d tables) SelectColumns() string {
	return `SELECT c.relname, a.attname, coalesce(k.n, 0)
		FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
			LEFT JOIN pg_constraint AS p ON p.conrelid = c.oid AND p.contype = 'p'
			LEFT JOIN unnest(p.conkey) WITH ORDINALITY AS k (attnum, n) ON k.attnum = a.attnum
		WHERE c.relnamespace = '` + schema + `'::regnamespace AND c.relkind IN ('r', 'p')
			AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
		ORDER BY c.relname, k.n, a.attname`
}

// Query implements transfer.Database.
func (d tables) Query(ctx context.Context, query string) iter.Seq2[transfer.Row, error] {
	return func(yield func(transfer.Row, error) bool) {
		rows, err := d.conn.Query(ctx, query)
		if err != nil {
			yield(nil, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			row, err := rows.Values()
			if err == nil {
				err = common(row)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// common converts a row as read into the types that all databases share.
func common(row transfer.Row) error {
	for i, v := range row {
		switch v := v.(type) {
		case nil, int64, float64, string:
		case int32:
			row[i] = int64(v)
		case bool:
			row[i] = int64(0)
			if v {
				row[i] = int64(1)
			}
		default:
			return fmt.Errorf("a column is of a type that is not copied: %T", v)
		}
	}
	return nil
}

const selectLatestSeen = `SELECT coalesce(max(last_seen), 0) FROM ` + schema + `.presence` // names the schema, because the session may not have set its search path

// Key implements transfer.Source.
func (d tables) Key(ctx context.Context) (key string, err error) {
	err = d.conn.QueryRow(ctx, selectKey).Scan(&key)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return key, err
}

// Unchanged implements transfer.Source. It compares the recorded presence, because a bot that saves anything
// records its presence.
func (d tables) Unchanged(ctx context.Context) error {
	var before, after int64
	if err := d.conn.QueryRow(ctx, selectLatestSeen).Scan(&before); err != nil {
		return err
	}
	err := session(ctx, d.conn.Config(), func(now *pgx.Conn) error { return now.QueryRow(ctx, selectLatestSeen).Scan(&after) })
	if err == nil && before != after {
		err = transfer.ErrUsed
	}
	return err
}

// Begin implements transfer.Target. The label that it creates stays until a copy is complete; all else is in one transaction.
func (d tables) Begin(ctx context.Context) error {
	_, err := d.conn.Exec(ctx, createUnfinished)
	if err == nil {
		_, err = d.conn.Exec(ctx, "BEGIN")
	}
	return err
}

// SetKey implements transfer.Target.
func (d tables) SetKey(ctx context.Context, key string) error {
	_, err := d.conn.Exec(ctx, "INSERT INTO installation (key) VALUES ($1) ON CONFLICT (one) DO UPDATE SET key = excluded.key", key)
	return err
}

// Insert implements transfer.Target.
func (d tables) Insert(ctx context.Context, t transfer.Table, rows []transfer.Row) error {
	columns, err := d.conn.Prepare(ctx, "", "SELECT "+transfer.Names(t.Columns)+" FROM "+t.Name)
	if err != nil {
		return err
	}
	own := func(n int) ([]any, error) {
		row := slices.Clone(rows[n])
		for i, v := range row {
			if n, is := v.(int64); is && columns.Fields[i].DataTypeOID == pgtype.BoolOID && (n == 0 || n == 1) {
				row[i] = n == 1
			}
		}
		return row, nil
	}
	_, err = d.conn.CopyFrom(ctx, pgx.Identifier{t.Name}, t.Columns, pgx.CopyFromSlice(len(rows), own))
	return err
}

// Finish implements transfer.Target.
func (d tables) Finish(ctx context.Context) error {
	for _, statement := range []string{numberAuditEntries, analyze, "DROP TABLE " + transfer.Unfinished, "COMMIT"} {
		if _, err := d.conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
