package sqlstore

import "context"

// Reading returns a read-only store that runs all queries in one transaction.
func Reading(tx Tx) *Store { return New(oneTx{tx: tx}) }

// oneTx is the database of a read-only store. It implements only the methods that read.
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
