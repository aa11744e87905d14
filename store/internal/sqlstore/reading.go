package sqlstore

import "context"

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
