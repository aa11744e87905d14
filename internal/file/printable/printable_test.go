package printable_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tictactoe/internal/file/printable"
)

func TestText(t *testing.T) {
	for given, want := range map[string]string{
		"":                             "",
		`match "m" is \ sound`:         `match "m" is \ sound`,
		"zwölf ⭕ 手":                    "zwölf ⭕ 手",
		"two\nlines":                   "two\nlines",
		"\x1b[2J\x1b[31mred\a":         `\x1b[2J\x1b[31mred\a`,
		"\xa5\xff\x00":                 `\xa5\xff\x00`,
		"turned \u202e around\r again": `turned \u202e around\r again`,
	} {
		if got := printable.Text(given); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := printable.Line("two\nlines", 20); got != `two\nlines` {
		t.Error(got)
	}
	if got := printable.Line(strings.Repeat("ö", 21), 20); got != strings.Repeat("ö", 17)+"..." {
		t.Error(got)
	}
	if got := printable.Line(strings.Repeat("ö", 20), 20); got != strings.Repeat("ö", 20) {
		t.Error(got)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("\xf0\x9f", 9)
	f.Fuzz(func(t *testing.T, s string, most int) {
		most = 3 + most&0xff
		got := printable.Line(s, most)
		unseen := func(r rune) bool { return !unicode.IsPrint(r) }
		if !utf8.ValidString(got) || strings.ContainsFunc(got, unseen) || utf8.RuneCountInString(got) > most {
			t.Errorf("%q", got)
		}
	})
}
