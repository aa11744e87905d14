package sqlite

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"time"
)

// instant is a time as a column: unix milliseconds, NULL for the zero time.
type instant time.Time

// Value is what is stored.
func (i instant) Value() (driver.Value, error) {
	if i.time().IsZero() {
		return nil, nil
	}
	return i.time().UnixMilli(), nil
}

// Scan reads what was stored.
func (i *instant) Scan(column any) error {
	switch v := column.(type) {
	case nil:
		*i = instant{}
	case int64:
		*i = instant(time.UnixMilli(v).UTC())
	default:
		return fmt.Errorf("a time is stored as %T", column)
	}
	return nil
}

func (i instant) time() time.Time { return time.Time(i) }

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
