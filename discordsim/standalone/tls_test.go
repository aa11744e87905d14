package standalone

import "testing"

func TestAWordForTheShell(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{"/a/b-c.pem": "/a/b-c.pem", "/a b": "'/a b'", "it's": `'it'\''s'`, "": "''", "$HOME": "'$HOME'", "é": "'é'"} {
		if got := shellQuoted(word); got != want {
			t.Errorf("%q is written %s, want %s", word, got, want)
		}
	}
}
