package postgres

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

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
			texts := make([]string, len(several))
			for n, text := range several {
				texts[n] = stored(text)
			}
			kept[i] = texts
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
		of := reflect.SliceOf(reflect.TypeOf(first))
		if of.Elem().Kind() == reflect.String {
			of = reflect.TypeFor[sqlstore.Texts]()
		}
		all := reflect.MakeSlice(of, len(rows), len(rows))
		for n, row := range rows {
			all.Index(n).Set(reflect.ValueOf(row[i]).Convert(of.Elem()))
		}
		columns[i] = all.Interface()
	}
	return columns
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
