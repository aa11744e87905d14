package sqlite_test

import "testing"

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
}
