package postgres_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/postgres/pgtest"
)

func TestTheManualsStatementAfterARestoreRedrawsOpenBoards(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	_, statement, _ := strings.Cut(string(page), "```sql\n")
	statement, _, found := strings.Cut(statement, "```")
	if !found {
		t.Fatal("docs/operating.md has no SQL statement")
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
		t.Fatalf("boards %q are already behind", ids)
	}
	run(t, address, statement)
	if ids := behind(); !slices.Equal(ids, []match.ID{"open"}) {
		t.Errorf("boards %q would be redrawn", ids)
	}
}

// TestARestoredPostgresBringsNoErasedPlayerBack follows docs/operating.md, and uses Postgres' own tools.
func TestARestoredPostgresBringsNoErasedPlayerBack(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	folder := t.TempDir()
	tool := func(name string, args ...string) {
		t.Helper()
		path, err := exec.LookPath(name)
		if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name); len(found) > 0 {
			path, err = found[len(found)-1], nil
		}
		if err != nil {
			t.Skip(err)
		}
		if said, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, said)
		}
	}
	s := open(t, address)
	save(t, s, match.Save{Names: []match.Name{{Player: "alice", Name: "Alice"}}, Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}})
	if err := s.SetBlocked(t.Context(), "carol", []match.User{"alice"}); err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(folder, "monday.dump")
	tool("pg_dump", "--schema=tictactoe", "--format=custom", "--file="+dump, address)
	if _, err := s.Erase(t.Context(), "alice", time.Now(), ""); err != nil {
		t.Fatal(err)
	}
	var record bytes.Buffer
	if n, err := s.RecordErasures(t.Context(), &record); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	tool("pg_restore", "--clean", "--if-exists", "--dbname="+address, dump)
	s = open(t, address)
	if s.KeyLost() {
		t.Error("the key is lost")
	}
	if held, err := s.Held(t.Context(), "alice"); err != nil || held.Name != "Alice" {
		t.Fatalf("the backup does not contain the player, so the test proves nothing: %+v, %v", held, err)
	}
	if people, err := s.EraseAgain(t.Context(), &record, time.Now()); err != nil || len(people) != 1 {
		t.Error(people, err)
	}
	tool("pg_dump", "--schema=tictactoe", "--file="+dump, address)
	content, err := os.ReadFile(dump)
	if err != nil || bytes.Contains(bytes.ToLower(content), []byte("alice")) {
		t.Errorf("the restored database still names the player: %v", err)
	}
	ask := match.Save{Consent: match.Consent{By: "alice", Other: "carol", At: time.Now()}}
	if err := s.Save(t.Context(), ask); err == nil {
		t.Error("the block has no effect any more")
	}
}

func TestALostKeyIsReported(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	s := open(t, address)
	if _, err := s.Erase(t.Context(), "alice", time.Now(), ""); err != nil || s.KeyLost() {
		t.Fatal(err, s.KeyLost())
	}
	run(t, address, "DELETE FROM tictactoe.installation")
	for _, lost := range []bool{true, false} {
		if s := open(t, address); s.KeyLost() != lost {
			t.Errorf("the key is lost: %v", s.KeyLost())
		}
	}
}
