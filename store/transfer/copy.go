// Package transfer copies all that a database holds into an empty one of any kind, and compares the two row by row.
//
// What is copied is found in the schemas: every column of the tables in [copied]. A table or a column that only one of the
// two has, and that is not named as left out, stops a copy before it begins, and a test long before that.
//
// Rows go over in the order of their keys, table by table, and nothing else writes meanwhile. So the numbers of rows tell
// how far a copy that was interrupted has come, and it goes on there.
package transfer

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// batch is how many rows are written at once: as many as are lost when a copy is interrupted.
const batch = 10_000

// Why there is no copy.
var (
	// ErrFull is wrapped when the target holds something, so that it may well be the source.
	ErrFull = errors.New("it is not empty")
	// ErrOther is wrapped when the target holds what another copy has begun.
	ErrOther = errors.New("the rows in it are not those of the source")
	// ErrInterrupted is wrapped when a copy can go on where it ended: later, or when what ended it is mended.
	ErrInterrupted = errors.New("the copy is not complete")
	// ErrDiffers is wrapped when the rows of the target are not those of the source after all.
	ErrDiffers = errors.New("the copy is not like its source")
)

// Progress is told how many rows were copied or compared, out of how many.
type Progress func(verb string, done, all int)

// Report is what a copy has done.
type Report struct {
	Rows    map[string]int `json:"rows"` // of each table in the source
	Resumed int            `json:"resumed"`
}

// Total is the number of all rows.
func (r Report) Total() int { return total(r.Rows) }

func total(tables map[string]int) (n int) {
	for _, rows := range tables {
		n += rows
	}
	return n
}

// Copy copies all rows of a database into one that is empty or holds a copy of the same that was interrupted, and compares
// them. The name is what people call the source. Errors: [ErrFull], [ErrOther], [ErrInterrupted], [ErrDiffers].
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
		err = context.Cause(ctx) // says it better than the statement that was cut off
	}
	return fmt.Errorf("%w: %w", ErrInterrupted, err)
}

type copying struct {
	from     Source
	into     Target
	plan     []Table
	progress Progress
}

// begin makes sure that the rows in the target may be there.
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
		return fmt.Errorf("%w, but of %s: %w", ErrOther, source, err)
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

// compare compares the rows of both, as many of each table's first ones in the source as limits says. The error is an [ErrDiffers] about
// the first row that is not the same.
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
