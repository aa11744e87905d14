// Package pgserver starts a private Postgres server from the programs on this machine, in a temporary folder: for tests, and for
// soaks that kill it on purpose. It syncs nothing: its data need not survive a crash of the machine.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// startTime bounds the time to create and start a server, or to run one statement, on a busy machine.
const startTime = time.Minute

// ErrNone means that Postgres is not installed on this machine.
var ErrNone = errors.New("no Postgres found on this machine: install Debian's postgresql")

// settings are the settings of all servers.
var settings = []string{"listen_addresses=", "fsync=off", "max_connections=300", "max_wal_size=4GB", "logging_collector=off", "log_min_messages=fatal"}

// Server is a running Postgres.
type Server struct {
	folder, programs string
	settings         []string // in addition to the settings of all servers
	address          string   // the address of its database "postgres"
	input            io.Closer
	keeper           *exec.Cmd
}

// Start creates and starts a server, which listens on a socket in its folder. The server ends when Stop is called, or with this
// process. The error wraps [ErrNone] if Postgres is not installed. Each further setting has the form "jit=off".
func Start(more ...string) (*Server, error) {
	programs, err := find()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "postgres-")
	if err != nil {
		return nil, err
	}
	s := &Server{folder: folder, programs: programs, settings: more, address: SocketAddress(folder, port)}
	// The server refuses to run as root, so the folder is given to the user that the server runs as.
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
	said, err := s.command("initdb", "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start a Postgres: %w\n%s", err, said), os.RemoveAll(folder))
	}
	// The shell ends the server when this process has ended in any way, because then the shell's input closes. A signal from the
	// terminal to both must not end the shell.
	s.keeper = s.command("sh", "-c", `trap "" INT TERM HUP; read _; "$0/pg_ctl" stop -s -m immediate -D data`, s.programs)
	if s.input, err = s.keeper.StdinPipe(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := s.keeper.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	if err := s.Begin(); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// Begin starts the server again after an End, and waits until it can be used.
func (s *Server) Begin() error {
	options := `-k "` + s.folder + `"`
	for _, setting := range slices.Concat(settings, s.settings) {
		options += " -c " + setting
	}
	// After a crash, the remaining processes must end before the next server can start.
	for deadline := time.Now().Add(startTime); ; {
		said, err := s.command("pg_ctl", "start", "-s", "-w", "-D", s.data(), "-l", filepath.Join(s.folder, "log"), "-o", options).CombinedOutput()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("start a Postgres: %w\n%s", err, said)
		}
		<-time.After(100 * time.Millisecond)
	}
}

// End stops the server without waiting for its clients or, if crash is set, kills its first process with SIGKILL, so
// that the other processes have to notice.
func (s *Server) End(crash bool) error {
	if !crash {
		if said, err := s.command("pg_ctl", "stop", "-s", "-w", "-m", "fast", "-D", s.data()).CombinedOutput(); err != nil {
			return fmt.Errorf("stop a Postgres: %w\n%s", err, said)
		}
		return nil
	}
	content, err := os.ReadFile(filepath.Join(s.data(), "postmaster.pid"))
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return fmt.Errorf("the server's first process is unknown: %w", err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Kill()
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() {
	_ = s.input.Close()
	_ = s.keeper.Wait() // the process may have ended already
	_ = os.RemoveAll(s.folder)
}

// port is part of the name of the socket.
const port = 5432

// SocketAddress returns the address of the database "postgres" of the server that listens on the given port in a folder. The folder may
// have any name.
func SocketAddress(folder string, port int) string {
	// A plus in the host of an address does not stand for a space.
	return fmt.Sprintf("postgres://postgres@/postgres?port=%d&host=%s", port, strings.ReplaceAll(url.QueryEscape(folder), "+", "%20"))
}

// Address returns the address of a database of the server.
func (s *Server) Address(database string) string { return AddressOf(s.address, database) }

// Create makes a database and returns its address.
func (s *Server) Create(ctx context.Context, name string) (address string, err error) {
	return s.Address(name), Run(ctx, s.address, "CREATE DATABASE "+name)
}

// Dump writes a database as statements that recreate it.
func (s *Server) Dump(database string, to io.Writer) error {
	c := s.command("pg_dump", "-h", s.folder, "-U", "postgres", database)
	var said strings.Builder
	c.Stdout, c.Stderr = to, &said
	if err := c.Run(); err != nil {
		return fmt.Errorf("dump %s: %w\n%s", database, err, said.String())
	}
	return nil
}

// AddressOf returns the address of another database of the same server.
func AddressOf(address, database string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err) // the address has been used to connect
	}
	u.Path = "/" + database
	return u.String()
}

// Run runs statements in a database.
func Run(ctx context.Context, address, statements string) error {
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

func (s *Server) data() string { return filepath.Join(s.folder, "data") }

// command returns a command that runs a program of Postgres, or the shell, as a user that is not root.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	if name != "sh" {
		name = filepath.Join(s.programs, name)
	}
	if os.Getuid() == 0 {
		args = append([]string{"--reuid=postgres", "--regid=postgres", "--init-groups", name}, args...)
		name = "setpriv"
	}
	c := exec.Command(name, args...)
	c.Dir = s.folder
	c.Env = append(os.Environ(), "LC_ALL=C", fmt.Sprint("PGPORT=", port))
	return c
}

// find returns the folder with the programs of the newest installed server.
func find() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil { // the program may be a link in a folder without the other programs
			return filepath.Dir(path), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian installs them here, outside of the PATH
	if len(found) == 0 {
		return "", ErrNone
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	return filepath.Dir(slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })), nil
}
