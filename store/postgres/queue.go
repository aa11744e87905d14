package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// queue are statements that have yet to be sent: each way to the server and back takes longer than most of them. They are
// sent before the next one whose answer is waited for, and before the transaction ends. The server carries out none that
// follows one that failed.
type queue struct {
	batch    pgx.Batch
	outcomes []outcome
	commits  bool // COMMIT is to be sent with them
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
	if o.MustChange() {
		// A statement that has to change a row fails on the server if it changes none, so that nothing after it is carried out.
		statement = "WITH changed AS (" + statement + " RETURNING 1) SELECT 1 / count(*) FROM changed"
	}
	d.waiting.batch.Queue(statement, storedArgs(args)...)
	d.waiting.outcomes = append(d.waiting.outcomes, o)
}

// flush sends what was queued; its error is that of the first statement that failed. If COMMIT was sent as well, and nobody knows
// whether it was carried out, the error wraps errUnanswered.
func (d db) flush(ctx context.Context) error {
	if d.waiting == nil || len(d.waiting.outcomes) == 0 {
		return nil
	}
	sent := *d.waiting
	*d.waiting = queue{}
	if sent.commits {
		sent.batch.Queue("COMMIT")
	}
	answers := d.querier.SendBatch(ctx, &sent.batch)
	defer answers.Close()
	for _, o := range sent.outcomes {
		_, err := answers.Exec()
		var refused *pgconn.PgError
		switch {
		case err == nil:
		case !errors.As(err, &refused) && sent.commits:
			return o.Wrap(fmt.Errorf("%w: %w", errUnanswered, err))
		case refused != nil && refused.Code == divisionByZero && o.MustChange():
			return o.Of(0, nil)
		default:
			return o.Wrap(err)
		}
	}
	if sent.commits {
		if _, err := answers.Exec(); err != nil {
			return fmt.Errorf("%w: %w", errUnanswered, err)
		}
	}
	return answers.Close()
}

// divisionByZero is how the server says that a statement has changed no row; see queue.
const divisionByZero = "22012"

// failed is a row that could not be asked for.
type failed struct{ err error }

func (f failed) Scan(...any) error { return f.err }

var _ column.Row = failed{}
