package postgres_test

import (
	"fmt"
	"testing"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

func TestBoardsAreRebuilt(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	for i := range 3 {
		m := begin(match.ID(fmt.Sprint("m", i)), "alice", "bob")
		err := s.Save(t.Context(), match.Save{
			Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "1", Message: "2"}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	run(t, address, "UPDATE tictactoe.matches SET version = 7 WHERE id <> 'm1'") // an old version changed matches in this way when it erased a player
	for _, wrong := range []int{2, 0} {
		r, err := postgres.Check(t.Context(), address, nil)
		if err != nil || len(r.Findings) != wrong {
			t.Errorf("%+v, %v", r.Findings, err)
		}
		for _, f := range r.Findings {
			if f.Remedy != column.RebuildScores {
				t.Errorf("%+v", f)
			}
		}
		if n, err := s.RebuildBoards(t.Context()); err != nil || n != wrong {
			t.Errorf("corrected %d boards of %d: %v", n, wrong, err)
		}
	}
}
