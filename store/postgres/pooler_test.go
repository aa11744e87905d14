package postgres_test

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgserver"
	"tictactoe/store/postgres/pgtest"
)

// pooled returns the address of a server's database behind a PgBouncer in the given mode. The PgBouncer ends with the test.
func pooled(t *testing.T, server *pgserver.Server, mode string) (address string) {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // Debian installs it here, outside of the PATH
	}
	if _, err := os.Stat(program); err != nil {
		if slices.Contains(strings.Split(os.Getenv("TICTACTOE_REQUIRE"), ","), "pgbouncer") {
			t.Fatalf("TICTACTOE_REQUIRE asks for pgbouncer: %v", err)
		}
		t.Skipf("no PgBouncer on this machine: install Debian's pgbouncer (%v)", err)
	}
	direct, err := url.Parse(server.Address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "pgbouncer-") // shorter than t.TempDir, because the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	settings := filepath.Join(folder, "pgbouncer.ini")
	err = os.WriteFile(settings, []byte(`
[databases]
* = host='`+direct.Query().Get("host")+`' user=postgres
[pgbouncer]
unix_socket_dir = `+folder+`
auth_type = any
pool_mode = `+mode+"\n"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	command := []string{program, "--quiet", settings}
	if os.Getuid() == 0 { // PgBouncer refuses to run as root
		owner, err := user.Lookup("postgres")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.Atoi(owner.Uid)
		for _, its := range []string{folder, settings} {
			if err := os.Chown(its, uid, -1); err != nil {
				t.Fatal(err)
			}
		}
		command = append([]string{"setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"}, command...)
	}
	bouncer := exec.Command(command[0], command[1:]...)
	var said strings.Builder
	bouncer.Stdout, bouncer.Stderr = &said, &said
	if err := bouncer.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = bouncer.Wait() // returns an error because the process was killed
	}()
	t.Cleanup(func() { _ = bouncer.Process.Kill(); <-ended })
	address = pgserver.SocketAddress(folder, 6432)
	for {
		conn, err := pgx.Connect(t.Context(), address)
		if err == nil {
			conn.Close(t.Context())
			return address
		}
		select {
		case <-ended:
			t.Fatalf("PgBouncer has ended: %s", said.String())
		case <-t.Context().Done():
			t.Fatal(err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestBehindPgBouncer(t *testing.T) {
	t.Parallel()
	server := pgtest.Own(t)
	t.Run("in session mode a store works, and tells its own presence from the presence of other bots", func(t *testing.T) {
		address := pooled(t, server, "session")
		s := open(t, address)
		save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}})
		save(t, s, match.Save{Seen: match.Seen{At: noon()}})
		if n, err := s.Credit(t.Context(), match.Partition{}, clock.Span{From: noon(), To: noon().Add(4 * time.Second)}); err != nil || n != 1 {
			t.Errorf("alone: %d deadlines moved (%v)", n, err)
		}
		other := open(t, address)
		save(t, other, match.Save{Seen: match.Seen{At: after(4)}})
		if n, err := s.Credit(t.Context(), match.Partition{}, clock.Span{From: after(4), To: after(4).Add(4 * time.Second)}); err != nil || n != 0 {
			t.Errorf("beside another: %d deadlines moved (%v)", n, err)
		}
	})
	t.Run("in transaction mode a store is not opened", func(t *testing.T) {
		address := pooled(t, server, "transaction")
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrPooled) {
			t.Errorf("opened: %v", err)
		}
		if _, _, err := postgres.Inspect(t.Context(), address); !errors.Is(err, postgres.ErrPooled) {
			t.Errorf("inspected: %v", err)
		}
	})
}
