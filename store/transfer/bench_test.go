package transfer_test

import (
	"testing"
	"time"

	"tictactoe/store/postgres/pgtest"
	"tictactoe/store/sqlite"
)

// games returns a file with 100,000 ended games of ten moves each, their challenges, boards, players and scores.
func games(b *testing.B) string {
	path := empty(b, file(b))
	change(b, path, `
		INSERT INTO players (id, name) WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
			SELECT iif(i % 2, 'p', 'q') || (i / 2), 'Player ' || i FROM n;
		INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version)
			WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
			SELECT printf('%013d', i), printf('%013d', i), 'v' || (i % 50), '4x4x4', 'p' || (i % 5000), 'q' || (i * 7 % 5000), 3600000,
				'X', 'resignation', i, i + 1, 12 FROM n;
		WITH RECURSIVE p (ply) AS (SELECT 0 UNION ALL SELECT ply + 1 FROM p WHERE ply < 9)
			INSERT INTO moves (match, ply, square, at) SELECT id, ply, ply, created FROM matches, p;
		INSERT INTO challenges (id, venue, challenger, challenged, rules, first, turn_ms, status, created, version)
			SELECT id, venue, x_player, o_player, rules, 'me', turn_ms, 'accepted', created, 2 FROM matches;
		INSERT INTO boards (id, guild, channel, message, token, member, shown, latest)
			SELECT id, venue, 'channel', 'message', 'token', 1, 12, 12 FROM matches`)
	s, err := sqlite.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.RebuildScores(b.Context(), nil); err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkThereAndBack copies 100,000 games into Postgres and back, with a comparison of all rows, and compares the result with
// the original.
func BenchmarkThereAndBack(b *testing.B) {
	src := games(b)
	for b.Loop() {
		there, back := pgtest.Empty(b), file(b)
		begun := time.Now()
		r := mustCopy(b, src, there)
		b.ReportMetric(time.Since(begun).Seconds(), "s/there")
		begun = time.Now()
		mustCopy(b, there, back)
		b.ReportMetric(time.Since(begun).Seconds(), "s/back")
		b.ReportMetric(float64(r.Total()), "rows")
		b.StopTimer()
		same(b, content(b, back), content(b, src))
		b.StartTimer()
	}
}
