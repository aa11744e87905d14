package postgres_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/postgres/pgtest"
)

func TestWhatThePagesSayAfterRestoringHasTheBoardsOfOpenGamesDrawn(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, statement, _ := strings.Cut(string(page), "```sql\n")
	statement, _, found := strings.Cut(statement, "```")
	if !found {
		t.Fatal("there is no statement in docs/operating.md")
	}
	address := pgtest.Migrated(t)
	s := open(t, address)
	ended, err := begin("ended", "carol", "dave").Resign("carol", 0, after(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []match.Match{begin("open", "alice", "bob"), ended} {
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{ID: m.ID, Channel: "c", Message: string(m.ID)}}})
		if err := s.SaveShown(t.Context(), board.Shown{ID: m.ID, Version: m.Version}); err != nil {
			t.Fatal(err)
		}
	}
	behind := func() []match.ID {
		ids, err := s.Behind(t.Context(), match.Partition{}, "", 9)
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	if ids := behind(); len(ids) > 0 {
		t.Fatalf("%q are behind already", ids)
	}
	run(t, address, statement)
	if ids := behind(); !slices.Equal(ids, []match.ID{"open"}) {
		t.Errorf("%q are drawn anew", ids)
	}
}
