// Package transfer copies all rows of a database into an empty SQLite or Postgres database, and compares the two row by row.
//
// A copy reads the columns of the tables in [copied] from the schemas. If only one of the two schemas has a table or column, and the
// package does not list it as left out, a copy fails before it begins, and so does a test.
//
// Rows are copied in the order of their keys, table by table, and no other process writes meanwhile. So an interrupted copy finds the
// place to continue from the numbers of rows.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// batch is the number of rows written at once, which is also the number that an interruption can lose.
const batch = 10_000

// The errors of a copy.
var (
	// ErrFull is wrapped when the target is not empty, which happens when somebody confuses it with the source.
	ErrFull = errors.New("it is not empty")
	// ErrOther is wrapped when the target holds an unfinished copy of another source.
	ErrOther = errors.New("its rows are not the rows of the source")
	// ErrInterrupted is wrapped when a copy can be continued later, or after the cause of the error is fixed.
	ErrInterrupted = errors.New("the copy is not complete")
	// ErrDiffers is wrapped when the comparison finds that the rows of the target differ from the rows of the source.
	ErrDiffers = errors.New("the copy is not like its source")
)

// Progress is called with the number of rows copied or compared so far, and the number of all rows.
type Progress func(verb string, done, all int)

// Report is the result of a copy.
type Report struct {
	Rows    map[string]int `json:"rows"` // the number of rows of each table in the source
	Resumed int            `json:"resumed"`
}

// Total returns the number of all rows.
func (r Report) Total() int { return total(r.Rows) }

func total(tables map[string]int) (n int) {
	for _, rows := range tables {
		n += rows
	}
	return n
}

// Copy copies all rows of a database into a database that is empty or holds an interrupted copy of the same source, and compares them.
// The name identifies the source to people. Errors: [ErrFull], [ErrOther], [ErrInterrupted], [ErrDiffers].
func Copy(ctx context.Context, from Source, name string, into Target, progress Progress) (Report, error) {
	r := Report{Rows: map[string]int{}}
	plan, err := Plan(ctx, from, into)
	if err != nil {
		return r, err
	}
	there := make(map[string]int)
	for _, t := range plan {
		if r.Rows[t.Name], err = count(ctx, from, t); err != nil {
			return r, fmt.Errorf("count %s of the source: %w", t.Name, err)
		}
		if there[t.Name], err = count(ctx, into, t); err != nil {
			return r, fmt.Errorf("count %s of the target: %w", t.Name, err)
		}
	}
	r.Resumed = total(there)
	c := copying{from, into, plan, progress}
	if err := c.begin(ctx, name, there); err != nil {
		return r, err
	}
	err = c.copy(ctx, there, r.Total())
	if err == nil {
		if err = c.compare(ctx, "compared", r.Rows); errors.Is(err, ErrDiffers) {
			return r, err
		}
	}
	if err == nil {
		err = from.Unchanged(ctx)
	}
	if err == nil {
		err = into.Finish(ctx)
	}
	if err != nil && !errors.Is(err, ErrOther) {
		err = interrupted(ctx, err)
	}
	return r, err
}

func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = context.Cause(ctx) // the cause gives the reason better than the error of the cut-off statement
	}
	return fmt.Errorf("%w: %w", ErrInterrupted, err)
}

type copying struct {
	from     Source
	into     Target
	plan     []Table
	progress Progress
}

// begin makes sure that the target is empty or holds an unfinished copy of the source.
func (c copying) begin(ctx context.Context, name string, there map[string]int) error {
	source, err := Begun(ctx, c.into)
	if err != nil {
		return err
	}
	if source == "" {
		for _, t := range c.plan {
			if n := there[t.Name]; n > 0 {
				return fmt.Errorf("%w: it has %d rows in %s", ErrFull, n, t.Name)
			}
		}
		key, err := c.from.Key(ctx)
		if err == nil && key != "" {
			err = c.into.SetKey(ctx, key)
		}
		if err != nil {
			return fmt.Errorf("copy the key of the installation: %w", err)
		}
		return c.into.Begin(ctx, name)
	}
	err = c.compare(ctx, "looked at", there)
	if errors.Is(err, ErrDiffers) {
		return fmt.Errorf("%w, but the rows of %s: %w", ErrOther, source, err)
	}
	if err != nil {
		return interrupted(ctx, err)
	}
	return nil
}

// copy copies all rows that are not there yet.
func (c copying) copy(ctx context.Context, there map[string]int, all int) error {
	done := total(there)
	for _, t := range c.plan {
		var rows []Row
		insert := func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.into.Insert(ctx, t, rows); err != nil {
				return fmt.Errorf("write %s: %w", t.Name, err)
			}
			done += len(rows)
			rows = rows[:0]
			c.progress("copied", done, all)
			return nil
		}
		for row, err := range rowsOf(ctx, c.from, t, there[t.Name], -1) {
			if err != nil {
				return fmt.Errorf("read %s of the source: %w", t.Name, err)
			}
			if rows = append(rows, row); len(rows) == batch {
				if err := insert(); err != nil {
					return err
				}
			}
		}
		if err := insert(); err != nil {
			return err
		}
	}
	return nil
}

// compare compares the rows of both databases: of each table, the first rows of the source, up to the number in limits. The error is an
// [ErrDiffers] about the first row that differs.
func (c copying) compare(ctx context.Context, verb string, limits map[string]int) error {
	all, done := total(limits), 0
	for _, t := range c.plan {
		target, stop := iter.Pull2(rowsOf(ctx, c.into, t, 0, -1))
		defer stop()
		for row, err := range rowsOf(ctx, c.from, t, 0, limits[t.Name]) {
			if err != nil {
				return fmt.Errorf("read %s of the source: %w", t.Name, err)
			}
			copied, err, _ := target()
			if err != nil {
				return fmt.Errorf("read %s of the target: %w", t.Name, err)
			}
			if !slices.Equal(row, copied) {
				return fmt.Errorf("%w: in table %s, columns %v, the source has %#v and the target %#v", ErrDiffers, t.Name, t.Columns, row, copied)
			}
			if done++; done%batch == 0 {
				c.progress(verb, done, all)
			}
		}
		if extra, err, more := target(); more {
			return errors.Join(err, fmt.Errorf("%w: in table %s the target has one row more, %#v", ErrDiffers, t.Name, extra))
		}
		stop()
	}
	return nil
}
