// Package pgtest gives tests a real Postgres: the server whose address is in TICTACTOE_POSTGRES, or a server that the package
// starts in a temporary folder from the programs installed on this machine, and that ends with the test process. With
// TICTACTOE_POSTGRES=none tests have no server, as on a machine without these programs.
package pgtest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgserver"
)

// server is a running Postgres.
type server struct {
	address string           // the address of its database "postgres", whose user may create other databases
	own     *pgserver.Server // nil if this process has not started it

	migrating sync.Mutex
	template  string // the name of an empty, migrated database, to which no test connects

	mu      sync.Mutex
	made    []string             // the names of created databases
	free    []string             // the addresses of empty, migrated databases
	clearer map[string]*pgx.Conn // keyed by the address of the database that the connection clears; a connection in use is not in the map
}

// errNone is the error if TICTACTOE_POSTGRES=none.
var errNone = errors.New("TICTACTOE_POSTGRES says that there is no Postgres")

var (
	once   sync.Once
	shared *server
	why    error
)

// Main runs the tests and then stops the server, if one was started: os.Exit(pgtest.Main(m)).
func Main(m *testing.M) int {
	code := m.Run()
	if shared != nil {
		shared.stop()
	}
	return code
}

// Migrated returns the address of an empty database with the newest schema, which no other test uses until the test ends. Without a
// Postgres the test is skipped, or fails if TICTACTOE_REQUIRE names postgres.
func Migrated(t testing.TB) string {
	t.Helper()
	s := get(t)
	address := s.takeFree()
	if address == "" {
		address = s.create(t, s.migrate(t))
	}
	t.Cleanup(func() {
		if err := s.clear(address); err != nil {
			t.Error(err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.free = append(s.free, address)
	})
	return address
}

// Empty returns the address of a database without any schema.
func Empty(t testing.TB) string {
	t.Helper()
	return get(t).create(t, "template1")
}

// migrate makes, once, the database from which databases with the newest schema are copied: the migrations take longer than a copy.
func (s *server) migrate(t testing.TB) (name string) {
	t.Helper()
	s.migrating.Lock()
	defer s.migrating.Unlock()
	if s.template == "" {
		address := s.create(t, "template1")
		store, err := postgres.Open(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		s.template = address[strings.LastIndex(address, "/")+1:]
		s.template, _, _ = strings.Cut(s.template, "?")
	}
	return s.template
}

// Clear empties a database of [Migrated], so that a test can use it again.
func Clear(t testing.TB, address string) {
	t.Helper()
	if err := get(t).clear(address); err != nil {
		t.Fatal(err)
	}
}

// clear empties the tables of a database over a connection that it keeps open, because connecting and planning would take most of
// the time. Creating a database takes a good part of a second.
func (s *server) clear(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s.mu.Lock()
	conn := s.clearer[address]
	delete(s.clearer, address)
	s.mu.Unlock()
	if conn == nil || conn.Ping(ctx) != nil { // a test may have ended all connections
		var err error
		if conn, err = pgx.Connect(ctx, address); err != nil {
			return err
		}
		if _, err := conn.Exec(ctx, "SET search_path = tictactoe; CREATE FUNCTION pg_temp.clear() RETURNS void LANGUAGE plpgsql AS $$BEGIN "+clear+" END$$"); err != nil {
			return err
		}
	}
	if _, err := conn.Exec(ctx, "SELECT pg_temp.clear()"); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clearer[address] = conn
	return nil
}

const clear = `
	DELETE FROM moves; DELETE FROM votes; DELETE FROM matches; DELETE FROM arenas; DELETE FROM entrants; DELETE FROM challenges; DELETE FROM boards; DELETE FROM players;
	DELETE FROM blocks; DELETE FROM back_offs; DELETE FROM scores; DELETE FROM standings; DELETE FROM score_resets;
	DELETE FROM rated; DELETE FROM replays; DELETE FROM recounts; DELETE FROM seasons;
	DELETE FROM puzzle_attempts; DELETE FROM puzzle_listed; DELETE FROM calendar_posts; DELETE FROM rank_roles; DELETE FROM role_grants;
	DELETE FROM bars; DELETE FROM unranked; DELETE FROM member_checks;
	DELETE FROM venues; DELETE FROM policies; DELETE FROM deeds; DELETE FROM presence;
	DELETE FROM leases; DELETE FROM claims; DELETE FROM public_posts; DELETE FROM sessions; DELETE FROM emoji; DELETE FROM asides; DELETE FROM lessons; DELETE FROM erasures;
	DROP TABLE IF EXISTS unfinished_copy;`

func get(t testing.TB) *server {
	t.Helper()
	once.Do(func() {
		if given := os.Getenv("TICTACTOE_POSTGRES"); given == "none" {
			why = errNone
			return
		} else if given != "" {
			shared = &server{address: given, clearer: map[string]*pgx.Conn{}}
			return
		}
		var own *pgserver.Server
		if own, why = pgserver.Start(unnoticed()...); why == nil {
			shared = &server{address: own.Address("postgres"), own: own, clearer: map[string]*pgx.Conn{}}
		}
	})
	if errors.Is(why, errNone) {
		without(t, why)
	}
	if why != nil {
		without(t, fmt.Errorf("%w, or give the address of one in TICTACTOE_POSTGRES", why))
	}
	return shared
}

// unnoticed returns server settings that make tests a fifth faster. They would falsify benchmarks.
func unnoticed() []string {
	if f := flag.Lookup("test.bench"); f != nil && f.Value.String() != "" {
		return nil
	}
	return []string{"full_page_writes=off", "wal_level=minimal", "max_wal_senders=0", "autovacuum=off", "checkpoint_timeout=1h"}
}

// Own starts a server for one test, which the test may kill. Without a Postgres the test is skipped or fails,
// as in [Migrated].
func Own(t testing.TB) *pgserver.Server {
	t.Helper()
	if os.Getenv("TICTACTOE_POSTGRES") == "none" {
		without(t, errNone)
	}
	s, err := pgserver.Start(unnoticed()...)
	if err != nil {
		without(t, err)
	}
	t.Cleanup(s.Stop)
	return s
}

func without(t testing.TB, why error) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("TICTACTOE_REQUIRE"), ","), "postgres") {
		t.Fatalf("TICTACTOE_REQUIRE asks for postgres: %v", why)
	}
	t.Skip(why)
}

func (s *server) takeFree() (address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		address, s.free = s.free[last], s.free[:last]
	}
	return address
}

// create copies a database. The copy exists until the server is stopped.
func (s *server) create(t testing.TB, template string) string {
	t.Helper()
	s.mu.Lock()
	name := fmt.Sprintf("tictactoe_test_%d_%d", os.Getpid(), len(s.made))
	s.made = append(s.made, name)
	s.mu.Unlock()
	if err := pgserver.Run(context.Background(), s.address, "CREATE DATABASE "+name+" TEMPLATE "+template); err != nil {
		t.Fatal(err)
	}
	return pgserver.AddressOf(s.address, name)
}

// stop stops the server if this process has started it, and otherwise drops the databases that this process
// has created.
func (s *server) stop() {
	if s.own != nil {
		s.own.Stop()
		return
	}
	for _, name := range s.made {
		_ = pgserver.Run(context.Background(), s.address, "DROP DATABASE "+name+" WITH (FORCE)")
	}
}
