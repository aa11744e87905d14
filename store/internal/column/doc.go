// Package column is how the values of the core stand in the columns of a table, whichever database has it. Statements and
// tables are the stores' own; that they keep the same words and numbers lets a database be moved from one to another row by
// row.
//
// Times are unix milliseconds, NULL for the zero time, and come back in UTC. Durations are milliseconds. A list is a text
// with spaces between.
package column

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Row is a row that a query has found: the only one, or the current one of several.
type Row interface{ Scan(dest ...any) error }

// Time is a time as a column.
type Time time.Time

// Value is what is stored.
func (t Time) Value() (driver.Value, error) {
	if t.Time().IsZero() {
		return nil, nil
	}
	return t.Time().UnixMilli(), nil
}

// Scan reads what was stored.
func (t *Time) Scan(column any) error {
	switch v := column.(type) {
	case nil:
		*t = Time{}
	case int64:
		*t = Time(time.UnixMilli(v).UTC())
	default:
		return fmt.Errorf("a time is stored as %T", column)
	}
	return nil
}

// Time is the time itself.
func (t Time) Time() time.Time { return time.Time(t) }

// Same tells whether columns are stored alike.
func Same(some, others []any) bool {
	return slices.EqualFunc(some, others, func(one, other any) bool { return stored(one) == stored(other) })
}

func stored(column any) any {
	if t, is := column.(Time); is && !t.Time().IsZero() {
		return t.Time().UnixMilli()
	} else if is {
		return nil
	}
	return column
}

// ParseList reads a list, nil if it is empty.
func ParseList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Fields(text)
}

// List is what ParseList reads.
func List(all []string) string { return strings.Join(all, " ") }

// The words that stand for the core's constants, by their value; "" is NULL in the database. They are the format of the
// file, and do not follow what the core calls things for people to read.
func outcomes() words { return words{"", "X", "O", "draw"} }
func causes() words {
	return words{"", "line", "full board", "resignation", "time", "aborted", "moderator", "voided"}
}
func rematches() words { return words{"", "proposed", "declined", "expired", "started"} }
func firsts() words    { return words{"random", "me", "them"} }
func statuses() words {
	return words{"", "pending", "accepted", "declined", "withdrawn", "expired"}
}

type words []string

// word is the word for a constant; an unknown constant has none, and the table's CHECK refuses "?".
func (w words) word(value int) string {
	if value < len(w) {
		return w[value]
	}
	return "?"
}

func (w words) value(word string) (int, error) {
	if i := slices.Index(w, word); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%q is none of %q", word, []string(w))
}
