// Package printable makes text safe for terminals and logs that may hold any bytes, such as text from a damaged file.
package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns s with every character escaped as in Go's strings, except visible characters and the ends of lines.
// Characters that move the cursor, change colours or turn the direction of writing could make a terminal show anything.
func Text(s string) string {
	return escaped(s, func(r rune) bool { return r == '\n' })
}

// Line returns s on one line, escaped as by [Text] and cut to the given number of characters.
func Line(s string, most int) string {
	s = escaped(s, func(rune) bool { return false })
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	const rest = "..."
	return string([]rune(s)[:most-len(rest)]) + rest
}

func escaped(s string, except func(rune) bool) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch char := s[i : i+size]; {
		case r == utf8.RuneError && size == 1, !unicode.IsPrint(r) && !except(r):
			quoted := strconv.Quote(char)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(char)
		}
		i += size
	}
	return b.String()
}
