package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/internal/sqlstore"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

func BenchmarkClick(b *testing.B) { storetest.Click(b, open(b, pgtest.Migrated(b))) }

// What does the end of a match pay for the ladder?
func BenchmarkEndOfMatch(b *testing.B) {
	address := pgtest.Migrated(b)
	var backends []string
	storetest.EndOfMatch(b, open(b, address), func() {
		run(b, address, "ANALYZE")
		backends = backendsOf(b, address)
	}, func() time.Duration { return used(b, backends) })
}

func BenchmarkRebuild(b *testing.B) {
	address := pgtest.Migrated(b)
	storetest.Rebuild(b, func(statement string) { run(b, address, "SET search_path = tictactoe; "+statement) },
		func(b *testing.B) func() (int, error) {
			s := open(b, address)
			return func() (int, error) { return s.RebuildScores(context.Background(), nil) }
		}, func() time.Duration { return used(b, backendsOf(b, address)) })
}

// backendsOf are the processes of the server that serve a database.
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

// used is the processor time of this process and of those of the server.
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

// Does a ladder stay quick on a server of a million players, wherever one looks?
func BenchmarkLadder(b *testing.B) {
	const players = 1_000_000
	address := pgtest.Empty(b)
	s := opened(b, address)
	defer func() { shut(b, s) }()
	run(b, address, fmt.Sprintf(`SET search_path = tictactoe; SET synchronous_commit = off;
		INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation,
				value, deviation, volatility, wins, draws, losses, opponents)
			SELECT 'home', '3x3x3', lpad(i::text, 18, '0'), i, i, i + 1, 1, 1, true, 1500, 350, 900 + i::bigint * 7919 %% 1200000 / 1000.0,
				45 + i::bigint * 104729 %% 305, 0.06, i::bigint * 31337 %% 20, i %% 10, i::bigint * 31337 %% 20, i::bigint * 31337 %% 20
			FROM generate_series(1, %d) AS n (i);
		INSERT INTO standings SELECT venue, player, 0, rules, 'rating', CASE WHEN deviation > 75 OR opponents < 5 THEN '1' ELSE '0' END
				|| lpad((500000000 - round(1000 * value - 2000 * deviation)::bigint)::text, 9, '0') || player,
				value, deviation, volatility, at, wins, draws, losses, opponents FROM rated;
		INSERT INTO players (id, name) SELECT player, 'Player ' || player FROM rated`, players))
	countBuckets(b, address)
	run(b, address, "VACUUM ANALYZE")
	b.Run("floor: three ways to the server and back", func(b *testing.B) {
		conn, err := pgx.Connect(b.Context(), address)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close(context.Background())
		var took []time.Duration
		for b.Loop() {
			start := time.Now()
			for range 3 {
				if err := conn.QueryRow(b.Context(), "SELECT 1").Scan(new(int)); err != nil {
					b.Fatal(err)
				}
			}
			took = append(took, time.Since(start))
		}
		quantiles(b, took)
	})
	storetest.LadderPages(b, s, players, func() storetest.Store {
		shut(b, s)
		s = opened(b, address)
		return s
	})
}

// countBuckets counts the standings of a server that were written by hand.
func countBuckets(b *testing.B, address string) {
	b.Helper()
	statement := storetest.Statements(b, sqlstore.Postgres, "../internal/sqlstore")["countVenueBuckets"]
	run(b, address, "SET search_path = tictactoe; "+strings.ReplaceAll(statement, "$1", "'home'"))
}

// quantiles replaces the mean, which says nothing about who waits longest.
func quantiles(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
	b.ReportMetric(0, "ns/op")
}

// Are matches found quickly on a server with 100,000 of them, and by a player with as many?
func BenchmarkArchive(b *testing.B) {
	address := pgtest.Empty(b)
	s := open(b, address)
	for _, rows := range storetest.ArchiveRows {
		run(b, address, "SET search_path = tictactoe; SET synchronous_commit = off; "+rows)
	}
	run(b, address, "VACUUM ANALYZE")
	storetest.Archive(b, s)
}

// Does a leaderboard stay quick on a server of a million players, wherever one looks, and what does the end of a match pay
// for that?
func BenchmarkLeaderboard(b *testing.B) {
	const (
		players = 1_000_000
		pages   = players / score.RowsOnAPage
	)
	name := func(n int) match.User { return match.User(fmt.Sprintf("%018d", n)) }
	address := pgtest.Empty(b)
	s := open(b, address)
	run(b, address, fmt.Sprintf(`SET search_path = tictactoe; SET synchronous_commit = off;
		INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
			SELECT 'home', lpad(i::text, 18, '0'), 0, '', level, wins, i %% 10, losses, CASE WHEN wins + losses > 0 THEN i ELSE 0 END
			FROM (SELECT i, level, (i::bigint * 7919 %% 1000) * (i::bigint * 104729 %% 1000) / 40000 AS wins,
				(i::bigint * 31337 %% 997) * (i::bigint * 271 %% 991) / 50000 AS losses
				FROM generate_series(1, %d) AS n (i), (VALUES (''), ('easy')) AS levels (level)) AS tallies;
		INSERT INTO standings (venue, player, season, rules, leaderboard, place) SELECT venue, player, 0, '', CASE WHEN level = '' THEN 'people' ELSE 'computers' END,
				lpad((9999999999 - wins)::text, 10, '0') || CASE WHEN level = '' THEN '' ELSE lpad((9999999999 - draws)::text, 10, '0') END
				|| lpad(losses::text, 10, '0') || lpad(reached::text, 15, '0') || player FROM scores`, players))
	countBuckets(b, address)
	run(b, address, "VACUUM ANALYZE")
	for of, board := range map[string]score.Leaderboard{"people": score.People, "computers": score.Computers} {
		b.Run(of+", any page and own row", func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				p, err := s.Leaderboard(context.Background(), "home", score.Board{Of: board, Season: season.Latest}, score.Where{Page: 1 + rand.IntN(pages)}, name(1+rand.IntN(players)))
				took = append(took, time.Since(start))
				if err != nil || len(p.Rows) != score.RowsOnAPage || p.Own == nil {
					b.Fatalf("%d rows, %v", len(p.Rows), err)
				}
			}
			quantiles(b, took)
		})
	}
	b.Run("end of a match", func(b *testing.B) {
		var took []time.Duration
		for n := 0; b.Loop(); n++ {
			m := begin(match.ID(fmt.Sprint(b.N, "-", n)), name(1+rand.IntN(players/2)), name(players/2+rand.IntN(players/2)))
			save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
			over, _ := m.Expire(m.Deadline)
			start := time.Now()
			save(b, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
			took = append(took, time.Since(start))
		}
		quantiles(b, took)
	})
}
