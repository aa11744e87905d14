package sqlstore

import (
	"context"

	"tictactoe/store/internal/column"
)

// change is a stored value and the value that should be stored; is or should is nil if only the other value exists.
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

// add compares a stored value.
func (c *comparison[K, V]) add(is V) {
	key := c.key(is)
	should := c.should[key]
	delete(c.should, key)
	if should == nil || *should != is {
		c.changes = append(c.changes, change[V]{&is, should})
	}
}

// read compares the rows of a query.
func (c *comparison[K, V]) read(ctx context.Context, tx Tx, scan func(column.Row) (V, error), query string, args ...any) error {
	return tx.Each(ctx, func(row column.Row) error {
		v, err := scan(row)
		if err == nil {
			c.add(v)
		}
		return err
	}, query, args...)
}

// finish returns the changes, with the missing values.
func (c *comparison[K, V]) finish() []change[V] {
	for _, missing := range c.should {
		c.changes = append(c.changes, change[V]{should: missing})
	}
	return c.changes
}
