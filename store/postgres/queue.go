package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// queue are statements that have yet to be sent: each way to the server and back takes longer than most of them. They are
// sent before the next one whose answer is waited for, and before the transaction ends. Those that follow one that failed
// may have been carried out: then the transaction is not committed.
type queue struct {
	batch    pgx.Batch
	outcomes []outcome
}

// outcome is what comes of a statement.
type outcome = sqlstore.Outcome

// named is an outcome whose error says what was to be done.
func named(format string, args ...any) outcome { return sqlstore.Named(format, args...) }

// Queue implements sqlstore.Tx.
func (d db) Queue(o outcome, statement string, args ...any) {
	statement, args = d.dialect.Statement(statement, args)
	if statement == "" {
		return // it is for the other database
	}
	d.waiting.batch.Queue(statement, storedArgs(args)...)
	d.waiting.outcomes = append(d.waiting.outcomes, o)
}

// flush sends what was queued; its error is that of the first statement that failed.
func (d db) flush(ctx context.Context) error {
	if d.waiting == nil || len(d.waiting.outcomes) == 0 {
		return nil
	}
	sent := *d.waiting
	*d.waiting = queue{}
	answers := d.querier.SendBatch(ctx, &sent.batch)
	defer answers.Close()
	for _, o := range sent.outcomes {
		tag, err := answers.Exec()
		if err := o.Of(int(tag.RowsAffected()), err); err != nil {
			return err
		}
	}
	return answers.Close()
}

// failed is a row that could not be asked for.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

var _ column.Row = failed{}
