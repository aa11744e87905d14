package browser

import (
	"context"
	"strconv"
)

// Row is a stored value: texts by the names of its fields. The field "version" counts its changes from 1.
type Row map[string]string

// number returns a field as a number, or 0.
func (r Row) number(field string) int64 {
	n, _ := strconv.ParseInt(r[field], 10, 64)
	return n
}

// Rows stores the rows of a page by key. Several pages can share them.
type Rows interface {
	// All returns the rows whose keys begin with a prefix, by key.
	All(ctx context.Context, prefix string) (map[string]Row, error)
	// Put writes all changes or none. The error wraps [match.ErrConflict] if a stored version is another one than the change replaces, and
	// [match.ErrUnsaved] if there is no room.
	Put(ctx context.Context, changes ...Change) error
}

// Change replaces the row of a key.
type Change struct {
	Key  string
	From int64 // the version that is replaced; 0 if the key has no row
	To   Row   // nil deletes the row
}
