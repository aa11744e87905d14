package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/storetest"
)

func BenchmarkClick(b *testing.B) { storetest.Click(b, open(b, pgtest.Migrated(b))) }

// What does the end of a match pay for the ladder?
func BenchmarkEndOfMatch(b *testing.B) {
	address := pgtest.Migrated(b)
	storetest.EndOfMatch(b, open(b, address), func() { run(b, address, "ANALYZE") })
}

// Does a ladder stay quick on a server of a million players, wherever one looks?
func BenchmarkLadder(b *testing.B) {
	const players = 1_000_000
	address := pgtest.Empty(b)
	s := open(b, address)
	run(b, address, fmt.Sprintf(`SET search_path = tictactoe; SET synchronous_commit = off;
		INSERT INTO ratings SELECT 'home', '3x3x3', lpad(i::text, 18, '0'), value, deviation, 0.06, i, opponents, i %% 10, opponents, opponents,
				CASE WHEN deviation > 75 OR opponents < 5 THEN '1' ELSE '0' END
				|| lpad((500000000 - round(1000 * value - 2000 * deviation)::bigint)::text, 9, '0') || lpad(i::text, 18, '0')
			FROM (SELECT i, 900 + i::bigint * 7919 %% 1200000 / 1000.0 AS value, 45 + i::bigint * 104729 %% 305 AS deviation, i::bigint * 31337 %% 20 AS opponents
				FROM generate_series(1, %d) AS n (i)) AS tallies;
		INSERT INTO rating_buckets SELECT 'home', '3x3x3', CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
			FROM (SELECT place, (row_number() OVER (ORDER BY place) - 1) / 1024 AS n FROM ratings) AS numbered GROUP BY n`, players))
	run(b, address, "VACUUM ANALYZE")
	storetest.LadderPages(b, s, players, func() storetest.Store { return open(b, address) })
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
		INSERT INTO scores SELECT 'home', lpad(i::text, 18, '0'), level, wins, i %% 10, losses, CASE WHEN wins + losses > 0 THEN i ELSE 0 END
			FROM (SELECT i, level, (i::bigint * 7919 %% 1000) * (i::bigint * 104729 %% 1000) / 40000 AS wins,
				(i::bigint * 31337 %% 997) * (i::bigint * 271 %% 991) / 50000 AS losses
				FROM generate_series(1, %d) AS n (i), (VALUES (''), ('easy')) AS levels (level)) AS tallies;
		SELECT stand_all('home')`, players))
	run(b, address, "VACUUM ANALYZE")
	quantiles := func(b *testing.B, took []time.Duration) {
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
		b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
		b.ReportMetric(0, "ns/op")
	}
	for of, board := range map[string]score.Leaderboard{"people": score.People, "computers": score.Computers} {
		b.Run(of+", any page and own row", func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				p, err := s.Leaderboard(context.Background(), "home", board, score.Where{Page: 1 + rand.IntN(pages)}, name(1+rand.IntN(players)))
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
