package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// queue holds statements that have yet to be sent, because a round trip takes longer than most of them. They are sent before the next one
// whose answer is needed, and before the transaction ends. After one fails, the server runs none of the others.
type queue struct {
	batch    pgx.Batch
	outcomes []awaited
	commits  bool // COMMIT is to be sent with them
}

// awaited is what comes of a statement of a queue.
type awaited struct {
	sqlstore.Outcome
	do func(column.Row) error // with each row of a query; nil if it is none
}

// Queue implements sqlstore.Tx.
func (d db) Queue(o sqlstore.Outcome, statement string, args ...any) {
	statement, args = sqlstore.Postgres.Statement(statement, args)
	if statement == "" {
		return // it is for the other database
	}
	if o.MustChange() && !alwaysChanges(statement) {
		// A statement that has to change a row fails on the server if it changes none, so that nothing after it is carried out.
		statement = "WITH changed AS (" + statement + " RETURNING 1) SELECT 1 / count(*) FROM changed"
	}
	d.waiting.batch.Queue(statement, storedArgs(args)...)
	d.waiting.outcomes = append(d.waiting.outcomes, awaited{Outcome: o})
}

// QueueRows implements sqlstore.Tx.
func (d db) QueueRows(o sqlstore.Outcome, statement string, rows ...[]any) {
	if len(rows) > 0 {
		d.Queue(o, statement, arrays(rows)...)
	}
}

// QueueEach implements sqlstore.Tx.
func (d db) QueueEach(o sqlstore.Outcome, do func(column.Row) error, query string, args ...any) {
	query, args = sqlstore.Postgres.Statement(query, args)
	d.waiting.batch.Queue(query, storedArgs(args)...)
	d.waiting.outcomes = append(d.waiting.outcomes, awaited{o, do})
}

// waits tells whether something was queued that has yet to be sent.
func (d db) waits() bool {
	return d.waiting != nil && (len(d.waiting.outcomes) > 0 || d.waiting.commits)
}

// Flush implements sqlstore.Tx. If COMMIT was sent as well, and nobody knows whether it was carried out, the error wraps errUnanswered.
func (d db) Flush(ctx context.Context) error {
	if !d.waits() {
		return nil
	}
	sent := *d.waiting
	*d.waiting = queue{}
	if sent.commits {
		sent.batch.Queue("COMMIT")
	}
	answers := d.querier.SendBatch(ctx, &sent.batch)
	defer answers.Close()
	if err := sent.done(answers); err != nil {
		return err
	}
	if sent.commits {
		if _, err := answers.Exec(); err != nil {
			return fmt.Errorf("%w: %w", errUnanswered, err)
		}
	}
	return answers.Close()
}

// ask sends what was queued and a query behind it, in one way to the server and back. The answer to the query comes next.
func (d db) ask(ctx context.Context, query string, args []any) (pgx.BatchResults, error) {
	sent := *d.waiting
	*d.waiting = queue{}
	sent.batch.Queue(query, args...)
	answers := d.querier.SendBatch(ctx, &sent.batch)
	if err := sent.done(answers); err != nil {
		_ = answers.Close() // it says the same
		return nil, err
	}
	return answers, nil
}

// done reads the answers to the statements that were queued; the error is that of the first that failed.
func (q *queue) done(answers pgx.BatchResults) error {
	for _, o := range q.outcomes {
		err := o.read(answers)
		var refused *pgconn.PgError
		switch {
		case err == nil:
		case !errors.As(err, &refused) && q.commits:
			return o.Wrap(fmt.Errorf("%w: %w", errUnanswered, err))
		case refused != nil && o.MustChange() && (refused.Code == divisionByZero || refused.Code == uniqueViolation):
			return o.Of(0, nil)
		default:
			return o.Wrap(err)
		}
	}
	return nil
}

// read reads the answer to a statement.
func (a awaited) read(answers pgx.BatchResults) error {
	if a.do == nil {
		_, err := answers.Exec()
		return err
	}
	rows, err := answers.Query()
	return each(rows, err, a.do)
}

// divisionByZero and uniqueViolation are how the server says that a statement has changed no row; see queue.
const divisionByZero, uniqueViolation = "22012", "23505"

// alwaysChanges tells of a statement that it fails if it changes no row.
func alwaysChanges(statement string) bool {
	return strings.HasPrefix(statement, "INSERT") && !strings.Contains(statement, "ON CONFLICT")
}
