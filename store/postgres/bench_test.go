//go:build unix

package postgres_test

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

func BenchmarkClick(b *testing.B) { storetest.Click(b, open(b, pgtest.Migrated(b))) }

// BenchmarkRanked measures a page of a leaderboard, a page of a ladder and the end of a match on a server of 100,000 players.
func BenchmarkRanked(b *testing.B) {
	address := pgtest.Empty(b)
	s := open(b, address+"&pool_max_conns=1") // one connection, so that its server process is known
	for _, rows := range storetest.RankedRows {
		run(b, address, "SET search_path = tictactoe; SET synchronous_commit = off; "+rows)
	}
	run(b, address, "VACUUM ANALYZE")
	backends := backendsOf(b, address)
	storetest.Ranked(b, s, func() time.Duration { return used(b, backends) })
}

func BenchmarkRebuild(b *testing.B) {
	address := pgtest.Migrated(b)
	storetest.Rebuild(b, func(statement string) { run(b, address, "SET search_path = tictactoe; "+statement) },
		func(b *testing.B) func() (int, error) {
			s := open(b, address)
			return func() (int, error) { return s.RebuildScores(context.Background(), nil) }
		}, func() time.Duration { return used(b, backendsOf(b, address)) })
}

// backendsOf returns the ids of the server processes that serve a database.
func backendsOf(b *testing.B, address string) (pids []string) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), address)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close(context.Background())
	rows, err := conn.Query(b.Context(), "SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	if err == nil {
		pids, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		b.Fatal(err)
	}
	return pids
}

// used returns the processor time of this process and of the server's processes.
func used(b *testing.B, backends []string) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	sum := time.Duration(u.Utime.Nano() + u.Stime.Nano())
	for _, pid := range backends {
		text, err := os.ReadFile("/proc/" + pid + "/schedstat")
		if err != nil {
			b.Fatal(err)
		}
		var running time.Duration
		if _, err := fmt.Sscan(string(text), &running); err != nil {
			b.Fatal(err)
		}
		sum += running
	}
	return sum
}

// BenchmarkArchive measures searches for matches on a server with 100,000 matches, and for a player with 100,000 matches.
func BenchmarkArchive(b *testing.B) {
	address := pgtest.Empty(b)
	s := open(b, address)
	for _, rows := range storetest.ArchiveRows {
		run(b, address, "SET search_path = tictactoe; SET synchronous_commit = off; "+rows)
	}
	run(b, address, "VACUUM ANALYZE")
	storetest.Archive(b, s)
}
