// Package transfer copies all rows of a database into an empty SQLite or Postgres database, and compares the two row by row.
//
// A copy reads the columns of the tables in [copied] from the schemas. If only one of the two schemas has a table or column, and the
// package does not list it as left out, a copy fails before it begins, and so does a test.
//
// A target is complete or, after an error, as empty as before: the rows come in one transaction or in a file that gets its name last.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// batch is the number of rows written at once.
const batch = 10_000

// The errors of a copy.
var (
	// ErrFull is wrapped when the target is not empty, which happens when somebody confuses it with the source.
	ErrFull = errors.New("it is not empty")
	// ErrUsed is wrapped when a bot has used the source during the copy.
	ErrUsed = errors.New("a bot has used the source meanwhile")
	// ErrDiffers is wrapped when the comparison finds that the rows of the target differ from the rows of the source.
	ErrDiffers = errors.New("the copy is not like its source")
)

// Progress is called with the number of rows copied or compared so far, and the number of all rows.
type Progress func(verb string, done, all int)

// Report is the result of a copy.
type Report struct {
	Rows map[string]int `json:"rows"` // the number of rows of each table
}

// Total returns the number of all rows.
func (r Report) Total() (n int) {
	for _, rows := range r.Rows {
		n += rows
	}
	return n
}

// Copy copies all rows of a database into an empty one, and compares them. Errors: [ErrFull], [ErrUsed], [ErrDiffers].
func Copy(ctx context.Context, from Source, into Target, progress Progress) (Report, error) {
	r := Report{Rows: map[string]int{}}
	plan, err := Plan(ctx, from, into)
	if err != nil {
		return r, err
	}
	for _, t := range plan {
		if r.Rows[t.Name], err = count(ctx, from, t); err != nil {
			return r, fmt.Errorf("count %s of the source: %w", t.Name, err)
		}
		switch n, err := count(ctx, into, t); {
		case err != nil:
			return r, fmt.Errorf("count %s of the target: %w", t.Name, err)
		case n > 0:
			return r, fmt.Errorf("%w: it has %d rows in %s", ErrFull, n, t.Name)
		}
	}
	c := copying{from, into, plan, r.Total(), progress}
	for _, step := range []func(context.Context) error{into.Begin, c.copy, c.compare, from.Unchanged, c.copyKey, into.Finish} {
		if err := step(ctx); err != nil {
			if ctx.Err() != nil {
				err = context.Cause(ctx) // the cause gives the reason better than the error of the cut-off statement
			}
			return r, err
		}
	}
	return r, nil
}

type copying struct {
	from     Source
	into     Target
	plan     []Table
	all      int // the number of rows
	progress Progress
}

// copyKey copies the key of the installation.
func (c copying) copyKey(ctx context.Context) error {
	key, err := c.from.Key(ctx)
	if err == nil && key != "" {
		err = c.into.SetKey(ctx, key)
	}
	if err != nil {
		return fmt.Errorf("copy the key of the installation: %w", err)
	}
	return nil
}

// copy copies all rows.
func (c copying) copy(ctx context.Context) error {
	done := 0
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
			c.progress("copied", done, c.all)
			return nil
		}
		for row, err := range rowsOf(ctx, c.from, t) {
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

// compare compares the rows of both databases. The error is an [ErrDiffers] about the first row that differs.
func (c copying) compare(ctx context.Context) error {
	done := 0
	for _, t := range c.plan {
		target, stop := iter.Pull2(rowsOf(ctx, c.into, t))
		defer stop()
		for row, err := range rowsOf(ctx, c.from, t) {
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
				c.progress("compared", done, c.all)
			}
		}
		if extra, err, more := target(); more {
			return errors.Join(err, fmt.Errorf("%w: in table %s the target has one row more, %#v", ErrDiffers, t.Name, extra))
		}
		stop()
	}
	return nil
}
