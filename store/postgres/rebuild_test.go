package postgres_test

import (
	"testing"

	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

// Many rows are written by statements of many rows.
func TestStandingsOfManyPlayersAreRebuilt(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	run(t, address, `INSERT INTO tictactoe.matches (id, series, venue, rules, x_player, o_player, turn_ms, outcome, cause, created, ended, version, stakes)
		SELECT lpad(i::text, 4, '0'), lpad(i::text, 4, '0'), 'home', '3x3x3', 'p' || i, 'q' || i, 60000, 'X', 'resignation', i * 1000, i * 1000 + 1, 2, 'full'
		FROM generate_series(0, 119) AS i`)
	if _, err := s.RebuildScores(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if r, err := postgres.Check(t.Context(), address, nil); err != nil || len(r.Findings) > 0 {
		t.Errorf("%+v, %v", r.Findings[:min(1, len(r.Findings))], err)
	}
}
