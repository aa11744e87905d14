package postgres

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// escape begins what stands for a byte that Postgres does not keep: itself and two hexadecimal digits. It is the control
// character SUBSTITUTE, which nobody types, so that nearly every text stands as it is.
const escape = '\x1a'

// stored is how a text is kept.
func stored(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\x00\x1a") {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == 0 || r == escape || r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, "%c%02x", escape, text[0])
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// plain is the text that was kept so.
func plain(kept string) string {
	if strings.IndexByte(kept, escape) < 0 {
		return kept
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(kept, string(escape))
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if n, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8); err == nil && len(after) >= 2 {
			b.WriteByte(byte(n))
			after = after[2:]
		} else {
			b.WriteByte(escape) // somebody else has written it
		}
		kept = after
	}
}

// storedArgs are arguments with their texts as they are kept.
func storedArgs(args []any) []any {
	kept := make([]any, len(args))
	for i, arg := range args {
		kept[i] = arg
		if several, is := arg.(sqlstore.Texts); is {
			kept[i] = texts(several)
		} else if v := reflect.ValueOf(arg); v.Kind() == reflect.String {
			kept[i] = stored(v.String())
		}
	}
	return kept
}

// arrays are the columns of rows, each as one argument.
func arrays(rows [][]any) []any {
	columns := make([]any, len(rows[0]))
	for i, first := range rows[0] {
		switch first.(type) {
		case int:
			columns[i] = columnOf[int](rows, i)
		case int64:
			columns[i] = columnOf[int64](rows, i)
		case float64:
			columns[i] = columnOf[float64](rows, i)
		case bool:
			columns[i] = columnOf[bool](rows, i)
		case column.Time:
			columns[i] = columnOf[column.Time](rows, i)
		default:
			all := make(sqlstore.Texts, len(rows))
			for n, row := range rows {
				all[n] = reflect.ValueOf(row[i]).String()
			}
			columns[i] = all
		}
	}
	return columns
}

func columnOf[T any](rows [][]any, i int) []T {
	all := make([]T, len(rows))
	for n, row := range rows {
		all[n] = row[i].(T)
	}
	return all
}

// restore turns what was scanned into the texts that were kept so.
func restore(dest []any) {
	for _, d := range dest {
		if v := reflect.ValueOf(d); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.String {
			if text := v.Elem().String(); strings.IndexByte(text, escape) >= 0 {
				v.Elem().SetString(plain(text))
			}
		}
	}
}

// texts are several texts as one argument.
func texts[T ~string](all []T) []string {
	kept := make([]string, len(all))
	for i, text := range all {
		kept[i] = stored(string(text))
	}
	return kept
}
