// Package printable words what may hold any bytes, such as what was read from a damaged file, for terminals and logs.
package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is s with everything escaped, as in Go's strings, that is neither a character to be seen nor the end of a line: what
// moves the cursor, changes colours or turns the direction of writing around could make a terminal show anything.
func Text(s string) string {
	return escaped(s, func(r rune) bool { return r == '\n' })
}

// Line is s on one line of at most so many characters, escaped like [Text].
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
		switch one := s[i : i+size]; {
		case r == utf8.RuneError && size == 1, !unicode.IsPrint(r) && !except(r):
			quoted := strconv.Quote(one)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteString(one)
		}
		i += size
	}
	return b.String()
}
