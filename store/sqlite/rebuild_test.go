package sqlite_test

import (
	"slices"
	"strings"
	"testing"

	"tictactoe/store/sqlite"
)

// Many rows are written by statements of many rows.
func TestStandingsOfManyPlayersAreRebuilt(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	db := raw(t, path)
	run(t, db, `INSERT INTO matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
		WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 119)
		SELECT printf('%04d', i), printf('%04d', i), 'home', '3x3x3', 'p' || i, 'q' || i, 60000, 'X', 'resignation', i * 1000, i * 1000 + 1, 2, 'full' FROM n`)
	run(t, db, "INSERT INTO unranked (venue, player, why) VALUES ('home', 'p7', 'moderator')")
	if _, err := s.RebuildScores(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if r := checked(t, path); len(r.Findings) > 0 {
		t.Errorf("%d findings, the first: %+v", len(r.Findings), r.Findings[0])
	}
	run(t, db, "UPDATE scores SET wins = wins + 1")
	of := slices.DeleteFunc(checked(t, path).Findings, func(f sqlite.Finding) bool { return !strings.HasPrefix(f.Where, "scores ") })
	if last := of[len(of)-1]; len(of) != 101 || last.What != "this row and 379 more are wrong" || last.Where <= of[99].Where {
		t.Errorf("%d findings, the last: %+v", len(of), last)
	}
}
