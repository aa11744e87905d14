package sqlite_test

import (
	"context"
	"testing"

	"tictactoe/internal/match"
	"tictactoe/internal/server/venue"
	"tictactoe/store/sqlite"
)

// If the bot returns to a server after a prune was interrupted, the remaining data of the server must be consistent.
func TestAPruneThatWasCutOffLeavesNoScoreWithoutItsMatches(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	db := raw(t, path)
	run(t, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes, rematch, rematch_next)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
		SELECT printf('%04d', i), '0000', 'home', '3x3x3', 'alice', 'bob', 60000, 'X', 'resignation', i * 1000, i * 1000 + 1, 2, 'full',
			CASE WHEN i < 999 THEN 'started' END, CASE WHEN i < 999 THEN printf('%04d', i + 1) END FROM n`)
	if _, err := s.RebuildScores(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, news := range []venue.News{{Present: []match.Venue{"home"}}, {Gone: []match.Venue{"home"}}} {
		if err := s.Note(t.Context(), news, noon()); err != nil {
			t.Fatal(err)
		}
	}
	run(t, db, "CREATE TRIGGER cut BEFORE DELETE ON matches WHEN old.id = '0300' BEGIN SELECT RAISE (ABORT, 'cut off'); END")
	if n, err := s.Prune(t.Context(), match.Partition{}, noon(), noon()); err == nil || n == 0 || n == 1000 {
		t.Fatalf("%d of 1,000 matches were deleted, %v", n, err)
	}
	run(t, db, "DROP TRIGGER cut")
	wantSound := func(when string) {
		t.Helper()
		report, err := sqlite.Check(context.Background(), path, nil)
		if err != nil || len(report.Findings) > 0 {
			t.Errorf("%s: %d findings, the first %+v, %v", when, len(report.Findings), report.Findings[:min(1, len(report.Findings))], err)
		}
	}
	wantSound("cut off")
	if err := s.Note(t.Context(), venue.News{Present: []match.Venue{"home"}}, noon()); err != nil {
		t.Fatal(err)
	}
	over, _ := begin("next").Expire(begin("next").Deadline)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("next")}}})
	save(t, s, match.Save{Matches: []match.MatchChange{{From: begin("next"), To: over}}})
	wantSound("the bot is back")
}
