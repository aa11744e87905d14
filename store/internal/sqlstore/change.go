package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/store/internal/column"
)

// change holds a stored value and the value that should be stored. One of the two is nil if only the other exists.
type change[V any] struct{ is, should *V }

// either returns the value that should be stored, or else the stored value.
func (c change[V]) either() V {
	if c.should != nil {
		return *c.should
	}
	return *c.is
}

// comparison compares stored values with the values that should be stored, by their keys.
type comparison[K, V comparable] struct {
	should  map[K]*V
	key     func(V) K
	changes []change[V]
}

// add takes a stored value, and notes a change if another value should be stored for its key.
func (c *comparison[K, V]) add(is V) {
	key := c.key(is)
	should := c.should[key]
	delete(c.should, key)
	if should == nil || *should != is {
		c.changes = append(c.changes, change[V]{&is, should})
	}
}

// read calls add with each row of a query.
func (c *comparison[K, V]) read(ctx context.Context, tx Tx, scan func(column.Row) (V, error), query string, args ...any) error {
	return tx.Each(ctx, func(row column.Row) error {
		v, err := scan(row)
		if err == nil {
			c.add(v)
		}
		return err
	}, query, args...)
}

// finish returns the changes, including the values that should be stored and are missing.
func (c *comparison[K, V]) finish() []change[V] {
	for _, missing := range c.should {
		c.changes = append(c.changes, change[V]{should: missing})
	}
	return c.changes
}

// inParts queues and flushes some changes after the others, because a queue takes memory.
func inParts[V any](ctx context.Context, tx Tx, changes []change[V], queue func([]change[V])) error {
	for part := range slices.Chunk(changes, 2000) {
		queue(part)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// rowsAtOnce is the number of rows that one statement writes when many rows are written.
const rowsAtOnce = 50

// queueChanges queues changes of rows. The first five columns of a row are its key, by which the statement remove finds the row.
func queueChanges[V any](tx Tx, done Outcome, changes []change[V], upsert, remove string, columns func(V) []any) {
	var rows [][]any
	for _, c := range changes {
		if c.should == nil {
			tx.Queue(done, remove, columns(*c.is)[:5]...)
		} else {
			rows = append(rows, columns(*c.should))
		}
	}
	if len(rows) >= rowsAtOnce {
		for several := ofRows(upsert, rowsAtOnce, len(rows[0])); len(rows) >= rowsAtOnce; rows = rows[rowsAtOnce:] {
			tx.Queue(done, several, slices.Concat(rows[:rowsAtOnce]...)...)
		}
	}
	for _, row := range rows {
		tx.Queue(done, upsert, row...)
	}
}

// ofRows returns a statement that inserts several rows, made from a statement that inserts one row.
func ofRows(insert string, rows, columns int) string {
	before, rest, _ := strings.Cut(insert, "VALUES ")
	row, after, _ := strings.Cut(rest, "ON CONFLICT")
	values := make([]string, rows)
	for i := range values {
		values[i] = parameter.ReplaceAllStringFunc(row, func(name string) string {
			n, _ := strconv.Atoi(name[1:])
			return fmt.Sprint("$", n+i*columns)
		})
	}
	return before + "VALUES " + strings.Join(values, ", ") + "ON CONFLICT" + after
}

// difference describes a wrong row by its values.
func (c change[V]) difference(words func(V) string) string {
	switch {
	case c.should == nil:
		return "the matches do not lead to it: " + words(*c.is)
	case c.is == nil:
		return "it is missing; the matches say: " + words(*c.should)
	default:
		return fmt.Sprintf("it says: %s; the matches say: %s", words(*c.is), words(*c.should))
	}
}
