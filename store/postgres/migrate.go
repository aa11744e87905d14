package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"tictactoe/migrations"
	"tictactoe/store/internal/column"
)

const (
	lockMigrations  = `SELECT pg_advisory_lock($1)`
	selectHasSchema = `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)`
	selectHasTables = `SELECT to_regclass($1 || '.goose_db_version') IS NOT NULL, ` + hasUnfinished
	selectVersion   = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`
)

// migrate brings the database to the newest schema. The first process migrates under a session lock; other processes wait for it and
// find the migration done. A copy first labels the database, so that an interrupted copy is not taken for a database without games.
func migrate(ctx context.Context, config *pgx.ConnConfig, steps fs.FS, copying bool) error {
	known := column.Newest(steps)
	config = config.Copy()
	set(config, "statement_timeout", "lock_timeout") // a migration may take any time, and so may the wait for another process
	return session(ctx, config, func(conn *pgx.Conn) error {
		if _, err := conn.Exec(ctx, lockMigrations, lockOf(lockMigration, "").key); err != nil {
			return fmt.Errorf("wait for another process to migrate: %w", err)
		}
		defer unlock(conn)
		version, err := schemaVersion(ctx, conn)
		switch {
		case err != nil && !(copying && errors.Is(err, ErrUnfinished)):
			return err
		case version == known:
			return nil
		}
		if err := column.Upgradable(version, known, steps); err != nil {
			return err
		}
		if err := prepare(ctx, conn, copying); err != nil {
			return err
		}
		pool := stdlib.OpenDB(*config) // goose has sessions of its own
		defer pool.Close()
		provider, err := goose.NewProvider(goose.DialectPostgres, pool, steps,
			goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
		if err != nil {
			return err
		}
		if _, err := provider.Up(ctx); err != nil {
			return fmt.Errorf("migrate from version %d to %d: %w", version, known, err)
		}
		return nil
	})
}

// prepare makes the schema if it is not there, and labels it for a copy.
func prepare(ctx context.Context, conn *pgx.Conn, copying bool) error {
	var exists bool // a user without the right to create a schema can use an existing one
	if err := conn.QueryRow(ctx, selectHasSchema, schema).Scan(&exists); err != nil {
		return err
	}
	statements := ""
	if !exists {
		statements = "CREATE SCHEMA " + schema + ";"
	}
	if copying {
		statements += createUnfinished // in the same transaction as the schema: statements without arguments are one transaction
	}
	_, err := conn.Exec(ctx, statements)
	return err
}

// schemaVersion returns the schema version, 0 for an empty database. The version is valid even with an [ErrUnfinished].
func schemaVersion(ctx context.Context, conn *pgx.Conn) (version int64, err error) {
	var migrated, unfinished bool
	err = conn.QueryRow(ctx, selectHasTables, schema).Scan(&migrated, &unfinished)
	if err == nil && migrated {
		err = conn.QueryRow(ctx, selectVersion).Scan(&version)
	}
	if err == nil && unfinished {
		err = ErrUnfinished
	}
	return version, err
}

// Inspect reads a database without changing it. It returns its schema version, which is 0 for an empty database, and the newest version
// known to this program. The errors are the errors of [Open].
func Inspect(ctx context.Context, address string) (version, known int64, err error) {
	known = column.Newest(migrations.Postgres())
	err = connected(ctx, address, func(conn *pgx.Conn) (err error) {
		version, err = schemaVersion(ctx, conn)
		if err == nil {
			err = column.Upgradable(version, known, migrations.Postgres())
		}
		return err
	})
	return version, known, err
}

// current returns the schema version of the database at address. It is an error if that is not this program's
// version.
func current(ctx context.Context, address string) (int64, error) {
	version, known, err := Inspect(ctx, address)
	if err == nil && version < known {
		err = ofDatabase(address, fmt.Errorf("its schema is version %d; start the bot once, which migrates it to version %d", version, known))
	}
	return version, err
}
