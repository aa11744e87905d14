package soak

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tictactoe/store/postgres/pgserver"
)

// postgres is a database of a Postgres server.
type postgres struct {
	url    string
	server *pgserver.Server // nil unless the soak test has started the server itself
}

// newPostgres returns an empty database: the database at the given address, or a new one on a server that it starts.
func newPostgres(ctx context.Context, db string) (postgres, error) {
	if db != ownServer {
		p := postgres{url: db}
		return p, p.mustBeEmpty(ctx)
	}
	server, err := pgserver.Start()
	if err != nil {
		return postgres{}, err
	}
	address, err := server.Create(ctx, "soak")
	if err != nil {
		server.Stop()
		return postgres{}, err
	}
	return postgres{address, server}, nil
}

// mustBeEmpty returns an error if a bot has used the database.
func (p postgres) mustBeEmpty(ctx context.Context) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	var used bool
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = 'tictactoe')`).Scan(&used); err != nil {
		return fmt.Errorf("--db: %w", err)
	}
	if used {
		return errors.New("--db: a bot has used this database; a soak test needs an empty one")
	}
	return nil
}

// close stops the server if the soak test started it, and otherwise empties the database unless it is to be kept.
func (p postgres) close(kept bool) error {
	if p.server != nil {
		p.server.Stop()
		return nil
	}
	if kept {
		return nil
	}
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(`DROP SCHEMA IF EXISTS tictactoe CASCADE`)
	return err
}

func (p postgres) address() string { return p.url }

func (p postgres) owner() int { return 0 }

// open connects to the database as an external program would.
func (p postgres) open() (*sql.DB, error) {
	config, err := pgx.ParseConfig(p.url)
	if err != nil {
		return nil, errors.New("--db: not an address of a Postgres") // the original error may contain the password
	}
	config.RuntimeParams["search_path"] = "tictactoe"
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(1)
	return db, nil
}

// writing names the tables that a bot writes to.
const writing = "matches, moves, challenges, boards, players, scores, standings, venues, presence, sessions, claims"

// hold locks the tables that a bot writes to against writes, as an operator might for a manual repair. It makes repeated short attempts to
// get the lock, so that other writers need not queue behind a long attempt. If the connection breaks, the lock ends early.
func (p postgres) hold(ctx context.Context, held func() (release func()), until <-chan struct{}) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	for {
		tx, err := db.BeginTx(ctx, nil)
		if err == nil {
			if _, err = tx.ExecContext(ctx, "SET LOCAL lock_timeout = 200; LOCK TABLE "+writing+" IN EXCLUSIVE MODE"); err == nil {
				release := held()
				<-until
				_ = tx.Rollback()
				release()
				return nil
			}
			_ = tx.Rollback()
		}
		pause := time.NewTimer(tryPause)
		select {
		case <-pause.C:
		case <-until:
			pause.Stop()
			return nil
		}
	}
}

func (p postgres) host(ctx context.Context, a hosted) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return a.open(ctx, db)
}

func (p postgres) tidy(ctx context.Context, server string) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return shrinkBoards(ctx, db, server)
}

func (p postgres) choose(ctx context.Context, server, channel string) error {
	db, err := p.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return choosePost(ctx, db, server, channel)
}

func (p postgres) behind(ctx context.Context) (int, error) {
	db, err := p.open()
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return countBehind(ctx, db)
}

func (p postgres) tables(ctx context.Context, people map[string]string) (Tables, error) {
	db, err := p.open()
	if err != nil {
		return Tables{}, err
	}
	defer db.Close()
	return readTables(ctx, db, people, `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`)
}

// keep writes a dump of the database into a folder, if the soak test has started the server. Otherwise it does nothing.
func (p postgres) keep(folder string) error {
	if p.server == nil {
		return nil
	}
	file, err := os.Create(filepath.Join(folder, "tictactoe.sql"))
	if err != nil {
		return err
	}
	return errors.Join(p.server.Dump("soak", file), file.Close())
}
