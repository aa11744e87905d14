package transfer_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
	"tictactoe/store/transfer"
)

func TestACopyThereAndBackIsUnchanged(t *testing.T) {
	t.Parallel()
	src, there, again, back := rich(t), pgtest.Empty(t), pgtest.Migrated(t), file(t)
	before := content(t, src)
	for table, rows := range before {
		if len(rows) == 0 {
			t.Errorf("the fixture has no row in %s", table)
		}
	}
	first := mustCopy(t, src, there)
	mustCopy(t, there, again)
	last := mustCopy(t, again, back)
	same(t, last.Rows, first.Rows)
	for table, n := range first.Rows {
		if n != len(before[table]) {
			t.Errorf("%d rows of %s were copied, there are %d", n, table, len(before[table]))
		}
	}
	same(t, content(t, src), before)
	same(t, content(t, back), before)

	fork := file(t)
	mustCopy(t, src, fork)
	same(t, content(t, fork), before)

	t.Run("a bot acts on the copy as on the source", func(t *testing.T) {
		at := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
		s, err := postgres.Open(t.Context(), there)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: at}}); err != nil {
			t.Fatal(err)
		}
		// The database numbers audit entries, so it must continue the copied numbers.
		entry := policy.AuditEntry{ID: "d-next", Venue: "fresh", By: "alice", At: at, Kind: policy.SetMentions, Chosen: []string{"on"}}
		if err := s.Save(t.Context(), match.Save{Extras: []match.Extra{entry}}); err != nil {
			t.Fatal(err)
		}
	})
	r, err := postgres.Check(t.Context(), there, nil)
	found := slices.DeleteFunc(r.Findings, func(f sqlite.Finding) bool {
		return strings.HasSuffix(f.Where, "ladder of 3x3x3 in home") // these rows belong to no match
	})
	if err != nil || len(found) > 0 {
		t.Error(err, found)
	}
}

func TestAnEmptyDatabaseIsCopied(t *testing.T) {
	t.Parallel()
	there, back := pgtest.Empty(t), file(t)
	mustCopy(t, empty(t, file(t)), there)
	s, err := postgres.Open(t.Context(), there)
	if err != nil {
		t.Fatal(err)
	}
	at := time.UnixMilli(1_800_000_000_000).UTC()
	if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: at, Leaving: true}}); err != nil {
		t.Fatal(err)
	}
	if seen, err := s.LastSeen(t.Context(), match.Partition{}); err != nil || !seen.Equal(at) {
		t.Errorf("seen %v, %v", seen, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mustCopy(t, there, back)
	same(t, len(content(t, back)["presence"]), 1)
}

// fragile is a target that calls snap after some rows. If snap returns an error, the target fails.
type fragile struct {
	transfer.Target
	rows *int
	snap func() error
}

var errSnapped = errors.New("the target broke")

func (f fragile) Insert(ctx context.Context, t transfer.Table, rows []transfer.Row) error {
	before := *f.rows
	if *f.rows -= len(rows); before > 0 && *f.rows <= 0 {
		if err := f.snap(); err != nil {
			return err
		}
	}
	return f.Target.Insert(ctx, t, rows)
}

func TestAnInterruptedCopyIsMadeAgain(t *testing.T) {
	t.Parallel()
	src := rich(t)
	before := content(t, src)
	for _, dst := range []string{file(t), pgtest.Empty(t), pgtest.Migrated(t)} {
		var stop context.CancelCauseFunc
		ways := map[string]func() error{
			"by the target": func() error { return errSnapped },
			"by a user":     func() error { stop(errSnapped); return nil },
			"by the end of a connection": func() error {
				change(t, dst, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
				return nil
			},
		}
		if !postgres.IsAddress(dst) {
			delete(ways, "by the end of a connection")
		}
		for name, snap := range ways {
			rows := 10 + rand.N(40)
			var ctx context.Context
			ctx, stop = context.WithCancelCause(t.Context())
			_, err := copied(ctx, src, dst, func(d transfer.Target) transfer.Target { return fragile{d, &rows, snap} })
			stop(nil)
			if rows > 0 || err == nil || name == "by the target" && !errors.Is(err, errSnapped) {
				t.Errorf("%s, %s: %v", dst, name, err)
			}
			if postgres.IsAddress(dst) {
				tries := map[string]func() error{
					"open":   func() error { _, err := postgres.Open(t.Context(), dst); return err },
					"check":  func() error { _, err := postgres.Check(t.Context(), dst, nil); return err },
					"export": func() error { _, err := postgres.Export(t.Context(), dst, io.Discard, nil); return err },
					"copy":   func() error { _, err := copied(t.Context(), dst, file(t), nil); return err },
				}
				for what, try := range tries {
					if err := try(); !errors.Is(err, postgres.ErrUnfinished) {
						t.Errorf("%s: %v", what, err)
					}
				}
			} else if left, err := os.ReadDir(filepath.Dir(dst)); err != nil || len(left) > 0 {
				t.Errorf("%v, %v", left, err)
			}
		}
		mustCopy(t, src, dst)
		back := file(t)
		mustCopy(t, dst, back)
		same(t, content(t, back), before)
	}
}

func TestNoBotOpensACopyBeforeItsFirstRow(t *testing.T) {
	t.Parallel()
	src, dst := rich(t), pgtest.Empty(t)
	if err := into(t.Context(), dst, func(transfer.Target) error { return errSnapped }); !errors.Is(err, errSnapped) {
		t.Fatal(err)
	}
	if _, err := postgres.Open(t.Context(), dst); !errors.Is(err, postgres.ErrUnfinished) {
		t.Errorf("got %v", err)
	}
	mustCopy(t, src, dst)
	empty(t, dst) // any process may open the database now
}

func TestACopyDoesNotOverwriteData(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	src, there := rich(t), pgtest.Migrated(t)
	mustCopy(t, src, there)
	if _, err := copied(t.Context(), there, src, nil); !errors.Is(err, sqlite.ErrThere) {
		t.Error(err)
	}
	if _, err := copied(t.Context(), src, there, nil); !errors.Is(err, transfer.ErrFull) {
		t.Error(err)
	}
	mustCopy(t, there, file(t)) // no copy has begun there
}

// forger is a target that stores another value than it is given.
type forger struct{ transfer.Target }

func (f forger) Insert(ctx context.Context, t transfer.Table, rows []transfer.Row) error {
	if t.Name == "moves" {
		rows[1][2] = int64(12345)
	}
	return f.Target.Insert(ctx, t, rows)
}

func TestTheFirstDifferenceIsNamed(t *testing.T) {
	t.Parallel()
	src := rich(t)
	for _, dst := range []string{file(t), pgtest.Migrated(t)} {
		_, err := copied(t.Context(), src, dst, func(d transfer.Target) transfer.Target { return forger{d} })
		if !errors.Is(err, transfer.ErrDiffers) || !strings.Contains(err.Error(), "in table moves") || !strings.Contains(err.Error(), "12345") {
			t.Fatal(err)
		}
		mustCopy(t, src, dst)
	}
}

func TestNoBotMayRunMeanwhile(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	src, there := rich(t), pgtest.Migrated(t)
	t.Run("no bot on an SQLite file", func(t *testing.T) {
		lock, err := sqlite.Acquire(t.Context(), src, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]string{{src, there}, {empty(t, file(t)), src}} {
			if _, err := copied(t.Context(), pair[0], pair[1], nil); !errors.Is(err, sqlite.ErrInUse) {
				t.Error(err)
			}
		}
		if err := lock.Release(); err != nil {
			t.Error(err)
		}
	})
	mustCopy(t, src, there)
	t.Run("no other copy", func(t *testing.T) {
		err := from(t.Context(), there, func(transfer.Source) error {
			_, err := copied(t.Context(), there, file(t), nil)
			return err
		})
		if !errors.Is(err, postgres.ErrInUse) {
			t.Error(err)
		}
	})
	t.Run("no bot on a Postgres database", func(t *testing.T) {
		s, err := postgres.Open(t.Context(), there)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if err := s.Save(t.Context(), match.Save{Seen: match.Seen{At: time.Now()}}); err != nil {
			t.Fatal(err)
		}
		for _, pair := range [][2]string{{there, file(t)}, {src, there}} {
			if _, err := copied(t.Context(), pair[0], pair[1], nil); !errors.Is(err, postgres.ErrInUse) {
				t.Error(err)
			}
		}
	})
	t.Run("a bot that has run meanwhile is noticed", func(t *testing.T) {
		dst := file(t)
		rows := 1
		visit := func() error { change(t, there, "UPDATE presence SET last_seen = last_seen + 1"); return nil }
		_, err := copied(t.Context(), there, dst, func(d transfer.Target) transfer.Target { return fragile{d, &rows, visit} })
		if !errors.Is(err, transfer.ErrUsed) {
			t.Error(err)
		}
		if err := sqlite.There(dst); !errors.Is(err, sqlite.ErrMissing) {
			t.Error(err)
		}
	})
}

func TestOnlyTheSchemaOfThisProgramIsCopied(t *testing.T) {
	t.Parallel()
	src, old, newer := rich(t), rich(t), rich(t)
	change(t, old, "UPDATE goose_db_version SET is_applied = 0 WHERE version_id = (SELECT max(version_id) FROM goose_db_version)")
	change(t, newer, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)")
	there := pgtest.Empty(t)
	for _, tt := range []struct{ src, dst, said string }{
		{old, there, "start the bot once"},
		{src, old, "choose another name"},
		{newer, there, sqlite.ErrNewer.Error()},
		{there, file(t), "start the bot once"}, // the target file does not exist
		{filepath.Join(t.TempDir(), "nowhere", "x.db"), there, "no such file"},
	} {
		if _, err := copied(t.Context(), tt.src, tt.dst, nil); err == nil || !strings.Contains(err.Error(), tt.said) {
			t.Errorf("%s to %s: %v", tt.src, tt.dst, err)
		}
	}
	empty(t, there)
	change(t, there, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)")
	if _, err := copied(t.Context(), src, there, nil); !errors.Is(err, postgres.ErrNewer) {
		t.Error(err)
	}
}

// Blocks of users who left are stored as hashes, which nobody can check without the key.
func TestBlocksOfPeopleWhoLeftHoldInACopy(t *testing.T) {
	t.Parallel()
	src, there, back := empty(t, file(t)), pgtest.Empty(t), file(t)
	s, err := sqlite.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetBlocked(t.Context(), "bob", []match.User{"alice"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(t.Context(), "alice", time.Now(), ""); err != nil {
		t.Fatal(err)
	}
	ask := match.Save{Consent: match.Consent{By: "alice", Other: "bob", At: time.Now()}}
	if err := errors.Join(s.Save(t.Context(), ask), s.Close()); err == nil {
		t.Fatal("the block has no effect before the copy")
	}
	mustCopy(t, src, there)
	mustCopy(t, there, back)
	server, err := postgres.Open(t.Context(), there)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(server.Save(t.Context(), ask), server.Close()); err == nil || server.KeyLost() {
		t.Error("the block has no effect in the copy on the server")
	}
	if s, err = sqlite.Open(t.Context(), back); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Save(t.Context(), ask), s.Close()); err == nil || s.Recalled().KeyLost {
		t.Error("the block has no effect in the copy in the file")
	}
	if _, err := os.Stat(back + ".erasures"); err != nil {
		t.Error(err)
	}
}

// This test adds a table or column to one of the two schemas. All other tests here copy both schemas as they are, so they fail as
// well if a schema gets a table or column that the other lacks and that is not listed as left out.
func TestEveryTableAndColumnIsCopiedOrListedAsLeftOut(t *testing.T) {
	there := pgtest.Empty(t)
	empty(t, there)
	for planted, said := range map[string]string{
		"CREATE TABLE feelings (player TEXT NOT NULL PRIMARY KEY)": "feelings: nothing says whether it is copied",
		"ALTER TABLE players ADD COLUMN mood TEXT":                 "players: one database has the columns",
		"ALTER TABLE deeds RENAME COLUMN chosen TO elected":        "deeds: one database has the columns",
		"DROP TABLE deeds": "deeds: one of the databases has none",
	} {
		other := empty(t, file(t))
		change(t, other, planted)
		if _, err := copied(t.Context(), other, there, nil); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: %v", planted, err)
		}
	}
}

func TestTablesOfLitestreamAreLeftOut(t *testing.T) {
	src, dst := rich(t), file(t)
	before := content(t, src)
	change(t, src, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
	mustCopy(t, src, dst)
	same(t, content(t, dst), before)
}
