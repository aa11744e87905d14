package storetest

import (
	"slices"
	"testing"
	"time"

	"tictactoe/internal/people/archive"
)

// ArchiveRows inserts 100,000 matches of a thousand people in one server, all within four weeks, and 100,000 matches of one player
// elsewhere. One person in fifty is hidden. The statements are valid in both databases.
var ArchiveRows = []string{
	`INSERT INTO players (id, hidden) WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
		SELECT 'p' || i, i % 50 = 0 FROM n`,
	`INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version,
			plies, reviewed, x_critical, x_errors, x_recovered, o_critical, o_errors, o_recovered)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
		SELECT 'm' || i, 'm' || i, 'home', '3x3x3', 'p' || (i * 7 % 499), 'p' || (499 + i * 11 % 501), 60000,
			CASE WHEN i % 5 = 4 THEN 'draw' ELSE 'X' END, CASE WHEN i % 5 = 4 THEN 'full board' ELSE 'line' END,
			24000 * CAST(i AS bigint), 24000 * CAST(i AS bigint) + 500, 5, 5 + i % 5, i >= 0, i % 4, i % 4 * (i % 3) / 3, i < 0, i % 5, i % 5 * (i % 2) / 2, i < 0 FROM n`,
	`INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99999)
		SELECT 'n' || i, 'n' || i, 'away', '3x3x3', CASE WHEN i % 2 = 0 THEN 'busy' ELSE 'p' || (i % 1000) END,
			CASE WHEN i % 2 = 0 THEN 'p' || (i % 1000) ELSE 'busy' END, 60000, 'X', 'line', 24000 * CAST(i AS bigint), 24000 * CAST(i AS bigint) + 500, 5 FROM n`,
	`INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation, value, deviation, volatility,
			wins, draws, losses, opponents)
		SELECT venue, rules, x_player, ended, id, o_player, 1, 1, ended < 0, 1200 + ended / 1000 % 613, 60, 1300 + ended / 1000 % 509, 60, 0.06, 9, 0, 9, 9
			FROM matches WHERE venue = 'home' AND outcome = 'X'
		UNION ALL
		SELECT venue, rules, o_player, ended, id, x_player, 0, 1, ended < 0, 1290 + ended / 1000 % 509, 60, 1190 + ended / 1000 % 613, 60, 0.06, 9, 0, 9, 9
			FROM matches WHERE venue = 'home' AND outcome = 'X'`,
}

// Archive measures searches for matches on a store with [ArchiveRows].
func Archive(b *testing.B, s Store) {
	last := time.UnixMilli(24000 * 99999)
	for _, question := range []struct {
		name string
		ask  func() (int, error)
		want int
	}{
		{"best of a week", func() (int, error) { return found(s.Best(b.Context(), "home", last, 7)) }, 4 * archive.MaxEach},
		{"best of a month", func() (int, error) { return found(s.Best(b.Context(), "home", last, archive.MaxDays)) }, 4 * archive.MaxEach},
		{"latest 25", func() (int, error) { p, err := s.Latest(b.Context(), "busy", 25); return len(p), err }, 25},
		{"latest 250", func() (int, error) { p, err := s.Latest(b.Context(), "busy", 250); return len(p), err }, 250},
	} {
		b.Run(question.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				if got, err := question.ask(); err != nil || got != question.want {
					b.Fatalf("%d of %d (%v)", got, question.want, err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-us")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// found returns the number of matches in best.
func found(best archive.Best, err error) (int, error) {
	return len(best.Shortest) + len(best.Longest) + len(best.Accurate) + len(best.Upsets), err
}
