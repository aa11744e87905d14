// Package column converts the values of the core to and from the columns of a table. The stored words and numbers are the same
// in every database, so rows can be copied from one database to another.
//
// Times are unix milliseconds and come back in UTC. Durations are milliseconds. A time or duration of zero is NULL. A list is a
// text of words separated by spaces.
package column

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
)

// Row is a row of a query's result: its only row, or the current row of an iteration.
type Row interface{ Scan(dest ...any) error }

// FailedRow is the row of a query that failed.
type FailedRow struct{ Err error }

// Scan implements Row.
func (r FailedRow) Scan(...any) error { return r.Err }

// Time is a time that is stored in a column.
type Time time.Time

// Value implements driver.Valuer.
func (t Time) Value() (driver.Value, error) {
	if t.Time().IsZero() {
		return nil, nil
	}
	return t.Time().UnixMilli(), nil
}

// Scan implements sql.Scanner.
func (t *Time) Scan(column any) error {
	switch v := column.(type) {
	case nil:
		*t = Time{}
	case int64:
		*t = Time(time.UnixMilli(v).UTC())
	default:
		return fmt.Errorf("the stored time has the type %T", column)
	}
	return nil
}

// Time returns t as a time of package time.
func (t Time) Time() time.Time { return time.Time(t) }

// Millis is a duration that is stored in a column.
type Millis time.Duration

// Value implements driver.Valuer.
func (d Millis) Value() (driver.Value, error) {
	if d == 0 {
		return nil, nil
	}
	return time.Duration(d).Milliseconds(), nil
}

// Scan implements sql.Scanner.
func (d *Millis) Scan(column any) error {
	ms, is := column.(int64)
	if !is && column != nil {
		return fmt.Errorf("the stored duration has the type %T", column)
	}
	*d = Millis(time.Duration(ms) * time.Millisecond)
	return nil
}

// List is a list of words that is stored in a column.
type List = Words[string]

// Words is a list of words of type W that is stored in a column.
type Words[W ~string] []W

// Value implements driver.Valuer.
func (l Words[W]) Value() (driver.Value, error) {
	words := make([]string, len(l))
	for i, word := range l {
		words[i] = string(word)
	}
	return strings.Join(words, " "), nil
}

// Scan implements sql.Scanner; an empty list is nil.
func (l *Words[W]) Scan(column any) error {
	text, is := column.(string)
	if !is {
		return fmt.Errorf("the stored list has the type %T", column)
	}
	*l = nil
	for word := range strings.FieldsSeq(text) {
		*l = append(*l, W(word))
	}
	return nil
}

// Same reports whether two lists of columns have the same stored values.
func Same(some, others []any) bool { return slices.Equal(Stored(some), Stored(others)) }

// Stored returns the values that are stored in columns.
func Stored(columns []any) []any {
	values := slices.Clone(columns)
	for i, column := range columns {
		if v, is := column.(driver.Valuer); is {
			values[i], _ = v.Value()
		}
	}
	return values
}

// The stored words of the core's constants, indexed by the constant; "" is NULL in the database. They are part of the
// file format: they stay when a name in the core changes.
func outcomes() words[game.Outcome] { return words[game.Outcome]{"", "X", "O", "draw"} }
func causes() words[match.Cause] {
	return words[match.Cause]{"", "line", "full board", "resignation", "time", "aborted", "moderator", "voided", "no show", "agreement"}
}
func proposers() words[game.Mark] { return words[game.Mark]{"", "X", "O"} }
func stakes() words[rating.Stakes] {
	return words[rating.Stakes]{"", "full", "half", "casual", "unranked", "too often", "too far apart"}
}
func rematches() words[match.RematchState] {
	return words[match.RematchState]{"", "proposed", "declined", "expired", "started"}
}
func wishes() words[match.WishKind] {
	return words[match.WishKind]{"", "draw", "take back", "declined"}
}
func crowds() words[match.Crowd] { return words[match.Crowd]{"", "crowd", "team one", "team two"} }
func firsts() words[match.First] { return words[match.First]{"random", "me", "them"} }
func statuses() words[match.ChallengeStatus] {
	return words[match.ChallengeStatus]{"", "pending", "accepted", "declined", "withdrawn", "expired"}
}

type words[T ~uint8] []string

// word returns the word for a constant. It returns "?" for an unknown constant, and the table's CHECK refuses "?".
func (w words[T]) word(value T) string {
	if int(value) < len(w) {
		return w[value]
	}
	return "?"
}

// read sets *into to the constant of a stored word. An unknown word is an error.
func (w words[T]) read(word string, into *T) error {
	i := slices.Index(w, word)
	if i < 0 {
		return fmt.Errorf("%q is not one of %q", word, []string(w))
	}
	*into = T(i)
	return nil
}
