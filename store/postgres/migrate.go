package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

const (
	selectHasSchema  = `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`
	selectHasVersion = `SELECT to_regclass($1 || '.goose_db_version') IS NOT NULL`
	selectVersion    = `SELECT max(version_id) FROM goose_db_version WHERE is_applied`
)

// migrate brings the database to the newest schema. Whoever comes first does, under a lock of the session; the others wait
// for it and find the work done. A copy labels the database before there is anything else in it, so that nobody takes what
// an interrupted one leaves for a database without games.
func migrate(ctx context.Context, config *pgx.ConnConfig, steps fs.FS, copying bool) error {
	config = config.Copy()
	set(config, "statement_timeout", "lock_timeout") // a migration takes what it takes, and so does waiting for one
	known, err := column.Newest(steps)
	if err != nil {
		return err
	}
	pool := stdlib.OpenDB(*config)
	defer pool.Close()
	// What is locked and what goose does are different sessions.
	var conn *sql.Conn
	err = patiently(ctx, func(ctx context.Context) (err error) {
		conn, err = pool.Conn(ctx)
		return err
	})
	if err != nil {
		return err
	}
	defer conn.Close()
	switch version, err := schemaVersion(ctx, conn); {
	case err != nil && !(copying && errors.Is(err, ErrUnfinished)):
		return err
	case version > known:
		return newer(version, known)
	case version == known:
		return nil
	}
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lockOf(lockMigration, "").key); err != nil {
		return fmt.Errorf("wait for another that migrates: %w", err)
	}
	return errors.Join(climb(ctx, pool, conn, steps, known, copying), unlock(ctx, conn))
}

// unlock ends the session's lock at once; the end of the session would do so a little later.
func unlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", lockOf(lockMigration, "").key)
	return err
}

func climb(ctx context.Context, pool *sql.DB, conn *sql.Conn, steps fs.FS, known int64, copying bool) error {
	version, err := schemaVersion(ctx, conn) // once more: by now another may have migrated
	switch {
	case err != nil && !(copying && errors.Is(err, ErrUnfinished)):
		return err
	case version > known:
		return newer(version, known)
	case version == known:
		return nil
	}
	var exists bool // who may not create a schema can be given one
	if err := conn.QueryRowContext(ctx, selectHasSchema, schema).Scan(&exists); err != nil {
		return err
	}
	first := ""
	if !exists {
		first = "CREATE SCHEMA " + schema + ";"
	}
	if copying {
		first += createUnfinished // with the schema or not at all: statements without arguments are one transaction
	}
	if first != "" {
		if _, err := conn.ExecContext(ctx, first); err != nil {
			return err
		}
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, steps,
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate from version %d to %d: %w", version, known, err)
	}
	return nil
}

// schemaVersion is 0 where there is nothing yet. With an [ErrUnfinished] it is right as well.
func schemaVersion(ctx context.Context, conn *sql.Conn) (int64, error) {
	var half, there bool
	if err := conn.QueryRowContext(ctx, selectUnfinished, schema).Scan(&half); err != nil {
		return 0, err
	}
	var version sql.NullInt64
	err := conn.QueryRowContext(ctx, selectHasVersion, schema).Scan(&there)
	if err == nil && there {
		err = conn.QueryRowContext(ctx, selectVersion).Scan(&version)
	}
	if err == nil && half {
		err = ErrUnfinished
	}
	return version.Int64, err
}

func newer(version, known int64) error {
	return fmt.Errorf("%w: its schema is version %d, this program knows up to %d", ErrNewer, version, known)
}

// Ahead is by how much the clock of the server at that address is before this machine's, give or take half of the way there and
// back. Errors are those of [Open].
func Ahead(ctx context.Context, address string) (ahead time.Duration, err error) {
	config, err := configure(address)
	if err != nil {
		return 0, err
	}
	pool := stdlib.OpenDB(*config.ConnConfig)
	defer pool.Close()
	err = patiently(ctx, func(ctx context.Context) error {
		if err := pool.PingContext(ctx); err != nil {
			return err
		}
		var date time.Time
		asked := time.Now()
		err := pool.QueryRowContext(ctx, selectTime).Scan(&date)
		ahead = date.Sub(asked.Add(time.Since(asked) / 2))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("database %s: %w", Redact(address), refusal(err))
	}
	return ahead, nil
}

// Inspect looks at a database without changing it: the version of its schema, 0 if it has none, and the one that this
// program would make of it. Errors are those of [Open].
func Inspect(ctx context.Context, address string) (version, known int64, err error) {
	config, err := configure(address)
	if err != nil {
		return 0, 0, err
	}
	if known, err = column.Newest(migrations.Postgres()); err != nil {
		return 0, 0, err
	}
	pool := stdlib.OpenDB(*config.ConnConfig)
	defer pool.Close()
	err = sessions(ctx, config.ConnConfig)
	if err == nil {
		err = patiently(ctx, func(ctx context.Context) error {
			conn, err := pool.Conn(ctx)
			if err != nil {
				return err
			}
			defer conn.Close()
			version, err = schemaVersion(ctx, conn)
			return err
		})
	}
	if err == nil && version > known {
		err = newer(version, known)
	}
	if err != nil {
		return version, known, fmt.Errorf("database %s: %w", Redact(address), refusal(err))
	}
	return version, known, nil
}
