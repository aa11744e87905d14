package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/migrations"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// run runs a statement without a store: for what no store would do.
func run(t testing.TB, address, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestTenMayStartAtOnceOnAnEmptyDatabase(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	address := pgtest.Empty(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			s, err := postgres.Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: noon()}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	version, known, err := postgres.Inspect(t.Context(), address)
	if err != nil || version != known {
		t.Errorf("schema %d of %d: %v", version, known, err)
	}
}

func TestADatabaseOfTheFirstSchemaKeepsWhatIsInIt(t *testing.T) {
	t.Parallel()
	address := pgtest.Empty(t)
	config, err := pgx.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["search_path"] = "tictactoe"
	pool := stdlib.OpenDB(*config)
	defer pool.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, migrations.Postgres(), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		t.Fatal(err)
	}
	run(t, address, "CREATE SCHEMA tictactoe")
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	run(t, address, `SET search_path = tictactoe;
		INSERT INTO matches (id, series, venue, rules, x_player, o_level, turn_ms, deadline, created, version)
			VALUES ('m', 'm', 'home', 'classic', 'alice', 'easy', 1000, 1000, 0, 7);
		INSERT INTO boards (id, guild, channel, message, token, member, shown, latest) VALUES ('m', 'home', 'c', '1', 't', true, 6, 7)`)

	s := open(t, address)
	if m, err := s.Match(t.Context(), "m"); err != nil || m.Version != 7 {
		t.Errorf("version %d, %v", m.Version, err)
	}
	if b, err := s.Board(t.Context(), "m"); err != nil || b.Shown != 6 {
		t.Errorf("shown %d, %v", b.Shown, err)
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	t.Parallel()
	t.Run("a database of a newer program is left alone", func(t *testing.T) {
		address := pgtest.Empty(t)
		open(t, address)
		run(t, address, "INSERT INTO tictactoe.goose_db_version (version_id, is_applied) VALUES (9999, true)")
		if _, err := postgres.Open(t.Context(), address); !errors.Is(err, postgres.ErrNewer) {
			t.Errorf("got %v", err)
		}
		if _, _, err := postgres.Inspect(t.Context(), address); !errors.Is(err, postgres.ErrNewer) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("nobody is told a password", func(t *testing.T) {
		u, err := url.Parse(pgtest.Migrated(t))
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword(u.User.Username(), "secret1"), "/nowhere"
		for _, address := range []string{u.String() + "&password=secret2", "postgres://bot:secret1@127.0.0.1:1/x", "postgres://bot:secret1@[::1"} {
			ctx, cancel := context.WithTimeout(t.Context(), 300e6)
			defer cancel()
			_, err := postgres.Open(ctx, address)
			if err == nil || strings.Contains(err.Error()+postgres.Redact(address), "secret") {
				t.Errorf("%s: %v", postgres.Redact(address), err)
			}
		}
	})
	t.Run("where there is no such database a person has to do something, where nobody answers it may pass", func(t *testing.T) {
		u, err := url.Parse(pgtest.Migrated(t))
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/nowhere"
		if _, err := postgres.Open(t.Context(), u.String()); !errors.Is(err, postgres.ErrRefused) {
			t.Errorf("got %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300e6)
		defer cancel()
		if _, err := postgres.Open(ctx, "postgres://bot@127.0.0.1:1/x"); !errors.Is(err, match.ErrBusy) {
			t.Errorf("got %v", err)
		}
		if _, err := postgres.Open(ctx, "postgres://bot@127.0.0.1:port/x"); !errors.Is(err, postgres.ErrAddress) {
			t.Errorf("got %v", err)
		}
	})
}

// holdRow locks all matches until it is told to let go.
func holdRow(t testing.TB, address string, held chan<- struct{}, release <-chan struct{}) {
	conn, err := pgx.Connect(context.Background(), address)
	if err != nil {
		t.Error(err)
		close(held)
		return
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), "BEGIN; SELECT 1 FROM tictactoe.matches FOR UPDATE"); err != nil {
		t.Error(err)
	}
	close(held)
	<-release
}
