package storetest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// rankedPlayers is the number of players on each leaderboard of [RankedRows].
const rankedPlayers = 100_000

// RankedRows inserts 100,000 players of one server, whose ids are numbers of 18 digits. As in real servers, most have played
// little. The statements are valid in both databases.
var RankedRows = []string{
	`INSERT INTO players (id, name) ` + rankedNumbers + ` SELECT player, 'Player ' || player FROM n`,
	`INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached) ` + rankedNumbers + `
		SELECT 'home', player, 0, rules, '', 1 + (i * 7919 % 1000) * (i * 104729 % 1000) / 40000, i % 10, (i * 31337 % 997) * (i * 271 % 991) / 50000, i
		FROM n, (SELECT '' AS rules UNION ALL SELECT '3x3x3') AS boards`,
	`INSERT INTO standings (venue, player, season, rules, leaderboard, place)
		SELECT 'home', player, 0, rules, 'people', CAST(9999999999 - wins AS text) || ` + padded("losses", 10) + ` || ` + padded("reached", 15) + ` || player FROM scores`,
	`INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation,
			value, deviation, volatility, wins, draws, losses, opponents) ` + rankedNumbers + `
		SELECT 'home', '3x3x3', player, i, CAST(i AS text), 'nobody', 1, 1, i > 0, 1500, 350, 900 + i * 7919 % 1200000 / 1000.0, 45 + i * 104729 % 305, 0.06,
			i * 31337 % 20, i % 10, i * 31337 % 20, i * 31337 % 20 FROM n`,
	`INSERT INTO standings (venue, player, season, rules, leaderboard, place, value, deviation, volatility, at, wins, draws, losses, opponents)
		SELECT venue, player, 0, rules, 'rating', CASE WHEN deviation > 75 OR opponents < 5 THEN '1' ELSE '0' END ||
			` + padded("500000000 - CAST(1000 * value - 2000 * deviation AS bigint)", 9) + ` || player,
			value, deviation, volatility, at, wins, draws, losses, opponents FROM rated`,
}

var rankedNumbers = fmt.Sprintf(`WITH RECURSIVE c (i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM c WHERE i < %d),
	n (i, player) AS (SELECT i, %s FROM c)`, rankedPlayers, padded("i", 18))

// padded returns an SQL expression for a number with leading zeros.
func padded(number string, digits int) string {
	text := fmt.Sprintf("'%s' || CAST(%s AS text)", strings.Repeat("0", digits), number)
	return fmt.Sprintf("substr(%s, length(%s) - %d)", text, text, digits-1)
}

// Ranked measures pages of leaderboards of 100,000 players, and the end of a match between two of them, on a store with
// [RankedRows]. It reports the elapsed time and the processor time of the database.
func Ranked(b *testing.B, s Store, processor func() time.Duration) {
	one := func() match.User { return match.User(fmt.Sprintf("%018d", 1+rand.IntN(rankedPlayers))) }
	where := func() score.Where { return score.Where{Page: 1 + rand.IntN(rankedPlayers/score.RowsOnAPage)} }
	measure := func(name string, do func(n int) func() error) {
		b.Run(name, func(b *testing.B) {
			var took, used []time.Duration
			for n := range b.N {
				do := do(n)
				start, before := time.Now(), processor()
				err := do()
				took, used = append(took, time.Since(start)), append(used, processor()-before)
				if err != nil {
					b.Fatal(err)
				}
			}
			slices.Sort(took)
			slices.Sort(used)
			for name, all := range map[string][]time.Duration{"": took, "cpu-": used} {
				b.ReportMetric(float64(all[len(all)/2].Microseconds()), name+"p50-us")
				b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), name+"p99-us")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	measure("a page of a leaderboard", func(int) func() error {
		return func() error {
			p, err := s.Leaderboard(b.Context(), "home", score.Board{Of: score.People, Season: season.Latest}, where(), one())
			if err == nil && (len(p.Rows) != score.RowsOnAPage || p.Own == nil) {
				err = fmt.Errorf("got %+v", p)
			}
			return err
		}
	})
	measure("a page of a ladder", func(int) func() error {
		return func() error {
			p, err := s.Ladder(b.Context(), "home", game.Classic(), season.Latest, where(), one())
			if err == nil && (len(p.Rows) != score.RowsOnAPage || p.Own == nil) {
				err = fmt.Errorf("got %+v", p)
			}
			return err
		}
	})
	for name, stakes := range map[string]rating.Stakes{"the end of a rated match": rating.Full, "the end of a casual match": rating.NoStakes} {
		measure(name, func(n int) func() error {
			m := begin(match.ID(fmt.Sprint(name, b.N, rand.Int())), one(), one(), after(n))
			m.Stakes = stakes
			save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
			return func() error {
				return s.Save(b.Context(), match.Save{Matches: []match.MatchChange{{From: m, To: late(m)}}})
			}
		})
	}
}

// PlayedRows inserts two matches for each player of [RankedRows].
var PlayedRows = `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes) ` + rankedNumbers + `
	SELECT player, player, 'home', '3x3x3', player, ` + padded(fmt.Sprintf("(i %% %d + 1)", rankedPlayers), 18) + `, 60000, 'X', 'line', i, i + 1, 9, 'full' FROM n`

// Resets measures how long clicks in another server wait while the leaderboards of the server of [PlayedRows] are reset and the
// reset is undone, until all scores and ladders are recounted.
func Resets(b *testing.B, s Store) {
	var reset policy.AuditEntry
	for b.Loop() {
		for _, step := range []struct {
			name string
			do   func() error
		}{
			{"reset", func() error { reset = resetOf("home", after(0)); return s.ResetScores(b.Context(), reset) }},
			{"undo", func() error { return s.UndoReset(b.Context(), undoOf(reset)) }},
		} {
			var waits []time.Duration
			ended := make(chan error)
			start := time.Now()
			go func() { ended <- cmp.Or(step.do(), recountAll(b.Context(), s)) }()
			for done := false; !done; {
				m := begin(match.ID(fmt.Sprint("away", rand.Int())), "ann", "ben", after(0))
				m.Venue = "away"
				start := time.Now()
				save(b, s, match.Save{Matches: []match.MatchChange{{To: m}}})
				waits = append(waits, time.Since(start))
				select {
				case err := <-ended:
					if done = true; err != nil {
						b.Fatal(err)
					}
				case <-time.After(5 * time.Millisecond):
				}
			}
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)/2].Milliseconds()), step.name+"-p50-ms")
			b.ReportMetric(float64(waits[len(waits)-1].Milliseconds()), step.name+"-max-ms")
			b.ReportMetric(time.Since(start).Seconds(), step.name+"-s")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// recountAll recounts all scores and ladders that await a recount.
func recountAll(ctx context.Context, s Store) error {
	for _, job := range []func(context.Context) (bool, error){s.Recount, s.Replay} {
		for more := true; more; {
			var err error
			if more, err = job(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
