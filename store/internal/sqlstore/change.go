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

// table is a table whose rows follow from the matches.
type table[V any] struct {
	upsert, remove string // the statements that write one row and delete it; the first five columns are the key
	columns        func(V) []any
}

// rowsAtOnce is the number of rows that one statement writes when many rows are written.
const rowsAtOnce = 50

// queue queues changes.
func (t table[V]) queue(tx Tx, done Outcome, changes []change[V]) {
	var rows [][]any
	for _, c := range changes {
		if c.should == nil {
			tx.Queue(done, t.remove, t.columns(*c.is)[:5]...)
		} else {
			rows = append(rows, t.columns(*c.should))
		}
	}
	if len(rows) >= rowsAtOnce {
		for several := ofRows(t.upsert, rowsAtOnce, len(rows[0])); len(rows) >= rowsAtOnce; rows = rows[rowsAtOnce:] {
			tx.Queue(done, several, slices.Concat(rows[:rowsAtOnce]...)...)
		}
	}
	for _, row := range rows {
		tx.Queue(done, t.upsert, row...)
	}
}

// correct queues and flushes some changes after the others, because a queue takes memory.
func (t table[V]) correct(ctx context.Context, tx Tx, done Outcome, changes []change[V]) error {
	for part := range slices.Chunk(changes, 2000) {
		t.queue(tx, done, part)
		if err := tx.Flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

// maxWrongRows is how many rows a report names: one surplus match changes all later rows of a ladder.
const maxWrongRows = 100

// report adds the changes to a report, sorted by the texts of their keys.
func (t table[V]) report(r *column.Report, changes []change[V]) {
	head, _, _ := strings.Cut(strings.TrimPrefix(t.upsert, "INSERT INTO "), ")")
	name, list, _ := strings.Cut(head, " (")
	names := strings.Split(strings.Join(strings.Fields(list), ""), ",")
	var all column.Report
	for _, c := range changes {
		where := name
		for i, key := range column.Stored(t.columns(c.either())[:5]) {
			where += fmt.Sprintf(" %s=%v", names[i], key)
		}
		all.Found(where, column.RebuildScores, "%s", t.difference(c, names))
	}
	slices.SortFunc(all.Findings, func(a, b column.Finding) int { return strings.Compare(a.Where, b.Where) })
	for i, f := range all.Findings[:min(len(all.Findings), maxWrongRows+1)] {
		if i == maxWrongRows {
			f.What = fmt.Sprintf("this row and %d more are wrong", len(all.Findings)-i-1)
		}
		r.Findings = append(r.Findings, f)
	}
}

// difference describes the errors of a row, whose columns have the given names.
func (t table[V]) difference(c change[V], names []string) string {
	switch {
	case c.should == nil:
		return "the matches do not lead to it"
	case c.is == nil:
		return "it is missing"
	}
	var wrong []string
	is, should := column.Stored(t.columns(*c.is)), column.Stored(t.columns(*c.should))
	for i, name := range names {
		if is[i] != should[i] {
			wrong = append(wrong, fmt.Sprintf("%s is %v and should be %v", name, shown(is[i]), shown(should[i])))
		}
	}
	return strings.Join(wrong, ", ")
}

// shown returns a value as the database calls it.
func shown(value any) string {
	if value == nil {
		return "NULL"
	}
	return fmt.Sprint(value)
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
