package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/replica/session"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/server/venue"
	"tictactoe/internal/show/emoji"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// database is the bot's database: a file, or a Postgres that several bots can share.
type database interface {
	match.Store
	arena.Store
	board.Store
	board.Asides
	score.Store
	ladder.Store
	profile.Store
	archive.Store
	user.Store
	policy.Store
	season.Store
	rankrole.Store
	roster.Store
	daily.Store
	posting.Store
	arena.Store
	venue.Store
	lease.Store
	emoji.Store
	// Claim is called by [commands.Replies], and ForgetClaims through [bot.Config].
	Claim(ctx context.Context, c claim.Claim) error
	ForgetClaims(ctx context.Context, before time.Time) error
	// AddPublicPost is called by [commands.Replies].
	AddPublicPost(ctx context.Context, p match.PublicPost) error
	// TakeSession, KeepSession and Present are called by [sessions].
	TakeSession(ctx context.Context, shard, of int, now time.Time) (session.Session, error)
	KeepSession(ctx context.Context, kept session.Kept) error
	Present(ctx context.Context, p match.Partition) ([]match.Venue, error)
	// Erased is called through [bot.Gateway].
	Erased(ctx context.Context, user, interaction string) (bool, error)
	CountOpen(ctx context.Context) (matches, challenges int, err error)
	CountReplays(ctx context.Context) (ladders int, err error)
	Close() error
}

// databaseFlag is the flag that names the database of a command.
type databaseFlag struct {
	DB string `name:"db" env:"TICTACTOE_DB" placeholder:"FILE" help:"The database (default: tictactoe.db in your data folder), or postgres://user@host/name."`
}

// path returns the path of the database file, or the address of the Postgres.
func (f databaseFlag) path(s surroundings) (string, error) {
	return dataFile("--db", f.DB, "tictactoe.db", s.env)
}

// openDatabase opens the database db, a path or the address of a Postgres. shared reports whether other bots may use the database too. A
// file is locked for this bot until it is closed. health is called with an error when the database can no longer save, and with nil when it
// can again.
func openDatabase(ctx context.Context, db string, health func(error), log *slog.Logger) (_ database, shared bool, err error) {
	if postgres.IsAddress(db) {
		log.Info("connecting to the database", "db", shownDatabase(db)) // opening waits until the server answers
		store, err := postgres.Open(ctx, db)
		if err != nil {
			return nil, true, err
		}
		store.Health.Tell = health
		if store.KeyLost() {
			log.Error(keyLost)
		}
		return store, true, nil
	}
	lock, err := lockDatabase(ctx, db, log)
	if err != nil {
		return nil, false, err
	}
	store, err := sqlite.Open(ctx, db)
	if err != nil {
		return nil, false, errors.Join(err, lock.Release())
	}
	store.Health.Tell = health
	if r := store.Recalled(); r.KeyLost {
		log.Error(keyLost)
	} else if r.Erased > 0 {
		log.Warn("deleted again the data of people that a backup had brought back", "people", r.Erased)
	}
	return lockedFile{store, lock}, false, nil
}

// lockPatience is how long this bot waits for the lock of another bot that is about to stop. It is slightly longer than a stopping bot
// takes to finish open clicks.
const lockPatience = 12 * time.Second

// lockDatabase locks the database file for this bot. If another bot holds the lock, it waits up to lockPatience for that bot to stop.
func lockDatabase(ctx context.Context, path string, log *slog.Logger) (*sqlite.Lock, error) {
	lock, err := sqlite.Acquire(ctx, path, 0)
	if errors.Is(err, sqlite.ErrInUse) {
		log.Warn("another tictactoe is running on this database; waiting for it to stop", "db", path, "patience", lockPatience.String())
		lock, err = sqlite.Acquire(ctx, path, lockPatience)
	}
	if errors.Is(err, sqlite.ErrInUse) {
		err = fmt.Errorf("%w: stop the other one, or give this one another database with --db", err)
	}
	return lock, err
}

// lockedFile is a database file that this process has locked.
type lockedFile struct {
	*sqlite.Store
	lock *sqlite.Lock
}

// Close closes the database file and releases the lock.
func (f lockedFile) Close() error { return errors.Join(f.Store.Close(), f.lock.Release()) }

// shownDatabase returns the path or address of a database as people and logs may see it, without a password.
func shownDatabase(db string) string {
	if postgres.IsAddress(db) {
		return postgres.Redact(db)
	}
	return db
}

// byKind returns its argument file if db is the path of a database file, and its argument server if db is the address of a Postgres.
func byKind[T any](db string, file, server T) T {
	if postgres.IsAddress(db) {
		return server
	}
	return file
}

// stopFirst adds advice to an error that says that a bot is running on the database: stop the bot first. It returns other errors unchanged.
func stopFirst(err error) error {
	if errors.Is(err, sqlite.ErrInUse) || errors.Is(err, postgres.ErrInUse) {
		return fmt.Errorf("%w: stop it first", err)
	}
	return err
}

// errFileOnly means that a command needs a database file and was given a Postgres.
var errFileOnly = errors.New("this command needs a database that is a file")

// fileOnly returns an error if db is a Postgres. The error recommends the given tool for Postgres.
func fileOnly(db, tool string) error {
	if postgres.IsAddress(db) {
		return fmt.Errorf("%w; for Postgres: %s", errFileOnly, tool)
	}
	return nil
}
