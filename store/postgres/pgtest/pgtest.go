// Package pgtest gives tests a real Postgres: the one whose address is in TICTACTOE_POSTGRES, or one that is started from
// the programs on this machine, in a folder of its own, and ends with the test process.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres"
)

// startTime bounds how long making and starting a server may take on a machine that is busy.
const startTime = time.Minute

// Server is a running Postgres.
type Server struct {
	address string // of its database "postgres", with the right to create others
	stop    func() // nil if it was not started here

	mu   sync.Mutex
	made []string // databases
	free []string // addresses of those that are empty and migrated

	folder, programs string // of one that was started here
}

var (
	once   sync.Once
	shared *Server
	why    error
)

// Main runs the tests and then stops the server, if one was started: os.Exit(pgtest.Main(m)).
func Main(m *testing.M) int {
	code := m.Run()
	if shared != nil {
		shared.Stop()
	}
	return code
}

// Migrated is the address of a database that has the newest schema and nothing in it, and that nobody else uses until the
// test ends. Without a Postgres the test is skipped, or fails if TICTACTOE_REQUIRE names postgres.
func Migrated(t testing.TB) string {
	t.Helper()
	s := get(t)
	address := s.takeFree()
	if address == "" {
		address = s.create(t)
		store, err := postgres.Open(context.Background(), address)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := run(context.Background(), address, clear); err != nil {
			t.Error(err)
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.free = append(s.free, address)
	})
	return address
}

// Empty is the address of a database without any schema.
func Empty(t testing.TB) string {
	t.Helper()
	return get(t).create(t)
}

// clear empties the tables. That takes milliseconds, where a new database takes a good part of a second.
const clear = `
	SET search_path = tictactoe;
	DELETE FROM moves; DELETE FROM matches; DELETE FROM challenges; DELETE FROM boards; DELETE FROM players;
	DELETE FROM blocks; DELETE FROM back_offs; DELETE FROM scores; DELETE FROM standings; DELETE FROM stretches; DELETE FROM score_resets;
	DELETE FROM venues; DELETE FROM policies; DELETE FROM deeds; DELETE FROM presence;
	DELETE FROM leases; DELETE FROM claims`

func get(t testing.TB) *Server {
	t.Helper()
	once.Do(func() {
		if given := os.Getenv("TICTACTOE_POSTGRES"); given != "" {
			shared = &Server{address: given}
			return
		}
		shared, why = Start()
	})
	if why != nil {
		if slices.Contains(strings.Split(os.Getenv("TICTACTOE_REQUIRE"), ","), "postgres") {
			t.Fatalf("TICTACTOE_REQUIRE asks for postgres: %v", why)
		}
		t.Skipf("%v: install Debian's postgresql, or give the address of one in TICTACTOE_POSTGRES", why)
	}
	return shared
}

func (s *Server) takeFree() (address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if last := len(s.free) - 1; last >= 0 {
		address, s.free = s.free[last], s.free[:last]
	}
	return address
}

// create makes a database, which is there until the server is stopped.
func (s *Server) create(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	name := fmt.Sprintf("tictactoe_test_%d_%d", os.Getpid(), len(s.made))
	s.made = append(s.made, name)
	s.mu.Unlock()
	if err := run(context.Background(), s.address, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.Address(name)
}

// Address is that of a database of the server.
func (s *Server) Address(database string) string {
	u, err := url.Parse(s.address)
	if err != nil {
		panic(err) // it was connected to
	}
	u.Path = "/" + database
	return u.String()
}

// run runs statements in a database.
func run(ctx context.Context, address, statements string) error {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statements)
	return err
}

// Start makes and starts a server of its own, for tests that stop it, on a socket in its folder. It ends when Stop is
// called, or with this process.
func Start() (*Server, error) {
	programs, err := find()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "pgtest-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, programs: programs, address: "postgres://postgres@/postgres?host=" + url.QueryEscape(folder)}
	// The server refuses to be root, so the folder is given to the user it runs as.
	if os.Getuid() == 0 {
		owner, err := user.Lookup("postgres")
		if err != nil {
			return nil, errors.Join(fmt.Errorf("no user postgres to run a server as: %w", err), os.RemoveAll(folder))
		}
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		if err := os.Chown(folder, uid, gid); err != nil {
			return nil, errors.Join(err, os.RemoveAll(folder))
		}
	}
	data := filepath.Join(folder, "data")
	said, err := s.command(filepath.Join(programs, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
		"--locale=C", "--no-sync").CombinedOutput()
	if err == nil {
		err = s.Run()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a Postgres: %w\n%s", err, said), os.RemoveAll(folder))
	}
	return s, nil
}

// Run starts the server, again after a Kill.
func (s *Server) Run() error {
	// The shell ends the server when this process has ended, however that was: then nobody holds its input open.
	const keep = `"$0/postgres" "$@" & read _; "$0/pg_ctl" stop -s -m immediate -D data`
	keeper := s.command("sh", "-c", keep, s.programs, "-D", "data", "-k", s.folder,
		"-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=300", "-c", "max_wal_size=4GB",
		"-c", "logging_collector=off", "-c", "log_min_messages=fatal")
	input, err := keeper.StdinPipe()
	if err != nil {
		return err
	}
	if err := keeper.Start(); err != nil {
		return err
	}
	s.stop = func() {
		_ = input.Close()
		_ = keeper.Wait()
		_ = os.RemoveAll(s.folder)
	}
	for deadline := time.Now().Add(startTime); ; {
		if err = run(context.Background(), s.address, "SELECT 1"); err == nil || time.Now().After(deadline) {
			break
		}
		<-time.After(20 * time.Millisecond)
	}
	if err != nil {
		s.stop()
	}
	return err
}

// Restart ends the server in an instant, as a crash does, and starts it again.
func (s *Server) Restart() error {
	data := filepath.Join(s.folder, "data")
	said, err := s.command(filepath.Join(s.programs, "pg_ctl"), "restart", "-w", "-m", "immediate", "-D", data,
		"-l", filepath.Join(s.folder, "log")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("restart: %w\n%s", err, said)
	}
	return nil
}

// Stop ends a server that was started here and removes its folder, and from one of others the databases that were made.
func (s *Server) Stop() {
	if s.stop != nil {
		s.stop()
		return
	}
	for _, name := range s.made {
		_ = run(context.Background(), s.address, "DROP DATABASE "+name+" WITH (FORCE)")
	}
}

// command is a program run as the user that a server may be.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	if os.Getuid() == 0 {
		args = append([]string{"--reuid=postgres", "--regid=postgres", "--init-groups", name}, args...)
		name = "setpriv"
	}
	c := exec.Command(name, args...)
	c.Dir = s.folder
	c.Env = append(os.Environ(), "LC_ALL=C")
	return c
}

// find is the folder with the newest server's programs.
func find() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // where Debian has them, outside of the PATH
	if len(found) == 0 {
		return "", errors.New("no Postgres found")
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}
