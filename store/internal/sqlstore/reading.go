package sqlstore

import (
	"context"
	"strings"

	"tictactoe/store/internal/column"
)

// Reading is a store that shows what one transaction sees, and writes nothing.
func Reading(tx Tx) *Store { return New(oneTx{tx: tx}) }

// oneTx is the database of a store that only reads. It has no other methods than these: the others are called by what writes.
type oneTx struct {
	Database
	tx Tx
}

// Read implements Database.
func (d oneTx) Read(ctx context.Context, do func(ctx context.Context, tx Tx) error) error {
	return do(ctx, d.tx)
}

// ReadTogether implements Database.
func (d oneTx) ReadTogether(ctx context.Context, do func(ctx context.Context, tx Tx) error) error {
	if err := do(ctx, d.tx); err != nil {
		return err
	}
	return d.tx.Flush(ctx)
}

// Dated implements Database: who only reads needs no time, so the query is made without it.
func (d oneTx) Dated(ctx context.Context, _ Tx, query string, args ...any) column.Row {
	return d.tx.Row(ctx, strings.ReplaceAll(query, dated, ""), args...)
}
