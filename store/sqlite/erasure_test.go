package sqlite_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

const leaver, leaverName = "700000000000000123", "Zebedee the Unmistakable"

// erasedSince returns a database and a backup of it that was made before a player was erased.
func erasedSince(t *testing.T) (path, copied string) {
	t.Helper()
	path = newPath(t)
	s := opened(t, path)
	fill(t, s, leaver, leaverName, 0)
	save(t, s, match.Save{Names: []match.Name{{Player: "bob", Name: "Bob"}}, Seen: match.Seen{At: time.Now()}})
	copied = path + ".daily-2026-11-28.bak"
	if err := sqlite.Backup(t.Context(), path, copied, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(read(t, copied), []byte(leaver)) {
		t.Fatal("the backup does not name the player, so the test proves nothing")
	}
	if _, err := s.Erase(t.Context(), leaver, time.Now(), ""); err != nil {
		t.Fatal(err)
	}
	shut(t, s)
	return path, copied
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// unnamed fails if a file contains an id or a name of the player.
func unnamed(t *testing.T, path string) {
	t.Helper()
	for _, text := range []string{leaver, leaverName} {
		if bytes.Contains(read(t, path), []byte(text)) {
			t.Errorf("%s contains %q", text, path)
		}
	}
}

func TestABackupBringsNoErasedPlayerBack(t *testing.T) {
	t.Parallel()
	t.Run("a restored backup", func(t *testing.T) {
		path, copied := erasedSince(t)
		r, err := sqlite.Restore(t.Context(), copied, path, nil)
		if err != nil || r.Erased != 1 || r.Unknown {
			t.Fatalf("%+v, %v", r, err)
		}
		unnamed(t, path) // before any store opens the file
		unnamed(t, path+".key")
		unnamed(t, path+".erasures")
		s := opened(t, path)
		if corrected, err := s.RebuildScores(t.Context(), nil); err != nil || corrected > 0 {
			t.Errorf("%d scores are wrong: %v", corrected, err)
		}
		same(t, s.Recalled(), sqlite.Recalled{})
		if names, err := s.Names(t.Context(), "bob"); err != nil || names["bob"] != "Bob" {
			t.Errorf("other players have changed: %v, %v", names, err)
		}
		shut(t, s)
	})
	t.Run("a backup copied over the database", func(t *testing.T) {
		path, copied := erasedSince(t)
		if err := os.WriteFile(path, read(t, copied), 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, path)
		same(t, s.Recalled(), sqlite.Recalled{Erased: 1})
		shut(t, s)
		unnamed(t, path)
		s = opened(t, path)
		same(t, s.Recalled(), sqlite.Recalled{})
		shut(t, s)
	})
	t.Run("a backup with an older schema", func(t *testing.T) {
		path := newPath(t)
		s := opened(t, path)
		if _, err := s.Erase(t.Context(), "alice", time.Now(), ""); err != nil {
			t.Fatal(err)
		}
		shut(t, s)
		if r, err := sqlite.Restore(t.Context(), built(t, "testdata/schema-32.sql"), path, nil); err != nil || r.Unknown {
			t.Fatalf("%+v, %v", r, err)
		}
		s = opened(t, path)
		same(t, s.Recalled(), sqlite.Recalled{Erased: 1})
		shut(t, s)
		if found := mentions(t, raw(t, path), "alice"); len(found) > 0 {
			t.Error(found)
		}
	})
}

func TestARestoreReportsUnknownErasures(t *testing.T) {
	t.Parallel()
	t.Run("without the key, later erasures are unknown", func(t *testing.T) {
		path, copied := erasedSince(t)
		remove(t, path+".key")
		if r, err := sqlite.Restore(t.Context(), copied, path, nil); err != nil || !r.Unknown || r.Erased != 0 {
			t.Errorf("%+v, %v", r, err)
		}
		s := opened(t, path)
		same(t, s.Recalled(), sqlite.Recalled{KeyLost: true})
		shut(t, s)
		s = opened(t, path)
		same(t, s.Recalled(), sqlite.Recalled{})
		shut(t, s)
	})
	t.Run("with a backup older than the record, later erasures are unknown", func(t *testing.T) {
		path, copied := erasedSince(t)
		alter(t, copied, fmt.Sprintf("UPDATE presence SET last_seen = %d", time.Now().Add(-match.ErasureMemory-time.Hour).UnixMilli()))
		if r, err := sqlite.Restore(t.Context(), copied, path, nil); err != nil || !r.Unknown || r.Erased != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	})
	t.Run("after damage of the old database, later erasures are known", func(t *testing.T) {
		path, copied := erasedSince(t)
		spoil(t, path)
		if r, err := sqlite.Restore(t.Context(), copied, path, nil); err != nil || r.Unknown || r.Erased != 1 {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

func TestErasuresAreForgotten(t *testing.T) {
	path, _ := erasedSince(t)
	s := opened(t, path)
	defer shut(t, s)
	lines := func() int { return bytes.Count(read(t, path+".erasures"), []byte("\n")) }
	for _, tt := range []struct {
		before time.Time
		want   int
	}{{time.Now().Add(-time.Hour), 2}, {time.Now(), 1}} {
		if err := s.ForgetErasures(t.Context(), tt.before); err != nil {
			t.Fatal(err)
		}
		same(t, lines(), tt.want)
	}
}

// An attacker who has a copy of the database knows all ids in it, and tries to find the hash of each.
func TestAHashCannotBeGuessedWithoutTheKey(t *testing.T) {
	path, _ := erasedSince(t)
	for _, file := range []string{path, path + ".erasures"} {
		for _, owner := range []string{"", "alice", "bob", "carol", leaver} {
			for _, separator := range []string{"", "\x00", "person:"} {
				sum := sha256.Sum256([]byte(owner + separator + leaver))
				again := sha256.Sum256([]byte("veiled:" + hex.EncodeToString(sum[:])))
				for _, sum := range [][32]byte{sum, again} {
					if bytes.Contains(read(t, file), []byte(hex.EncodeToString(sum[:]))) {
						t.Errorf("%s has the hash of %q%q%s", file, owner, separator, leaver)
					}
				}
			}
		}
	}
	if key := strings.TrimSpace(string(read(t, path+".key"))); len(key) != 64 || bytes.Contains(read(t, path), []byte(key)) {
		t.Errorf("the key is %q, or in the database", key)
	}
	if info, err := os.Stat(path + ".key"); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Older versions stored hashes without a key, which could be guessed.
func TestHashesWithoutAKeyGetOne(t *testing.T) {
	path := newPath(t)
	shut(t, opened(t, path))
	sum := sha256.Sum256([]byte("bob\x00" + leaver))
	old := "veiled:" + hex.EncodeToString(sum[:])
	alter(t, path, "INSERT INTO blocks VALUES ('bob', '"+old+"'); INSERT INTO back_offs VALUES ('bob', '"+old+"', 1, 1); INSERT INTO blocks VALUES ('bob', 'alice')")
	s := opened(t, path)
	defer shut(t, s)
	blocked := column(t, raw(t, path), "SELECT blocked FROM blocks UNION ALL SELECT challenger FROM back_offs")
	if len(blocked) != 3 || slices.Contains(blocked, old) {
		t.Fatal(blocked)
	}
	err := s.Save(t.Context(), match.Save{Consent: match.Consent{By: leaver, Other: "bob", At: noon()}})
	if err == nil {
		t.Error("the block has no effect any more")
	}
	if held, err := s.Settings(t.Context(), "bob"); err != nil || held.Hashed != 1 {
		t.Errorf("%+v, %v", held, err)
	}
}
