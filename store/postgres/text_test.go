package postgres_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tictactoe/store/postgres"
)

// FuzzText: every text comes back as it was, and Postgres can keep what stands for it.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "Alice", "¯\\_(ツ)_/¯", "\x00", "a\x00b", "\xff\xfe", "\x1a", "\x1a00", "\x1a\x1a", "\ufffd", "長\xe9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kept := postgres.Stored(text)
		if !utf8.ValidString(kept) || strings.Contains(kept, "\x00") {
			t.Errorf("%q is kept as %q", text, kept)
		}
		if back := postgres.Plain(kept); back != text {
			t.Errorf("%q came back as %q", text, back)
		}
		if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00\x1a") && kept != text {
			t.Errorf("%q does not stand as it is, but as %q", text, kept)
		}
		postgres.Plain(text) // whatever somebody else has written
	})
}
