package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"tictactoe/internal/match"
)

const (
	// patience is how long a failing attempt is repeated at most, even if the context allows more.
	patience = 10 * time.Second
	// The pauses between attempts grow from the first to the longest.
	firstPause   = 2 * time.Millisecond
	longestPause = 250 * time.Millisecond
)

// patiently repeats an attempt that fails for a temporary reason, until the context ends or the time patience has passed; the error
// then wraps [match.ErrBusy].
func patiently(ctx context.Context, attempt func(ctx context.Context) error) error {
	if ctx.Err() != nil {
		return busy(context.Cause(ctx))
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := attempt(ctx)
		switch {
		case err == nil, !passes(err) && !cutOff(err), errors.Is(err, match.ErrBusy):
			return err
		case ctx.Err() != nil:
			return busy(err)
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)): // a random pause keeps conflicting transactions from colliding again
		case <-ctx.Done():
			return busy(err)
		}
	}
}

// busy returns the error of a store that could not answer in time.
func busy(why error) error { return fmt.Errorf("%w: %w", match.ErrBusy, why) }

// passes reports whether an error is temporary and says nothing about the statement.
func passes(err error) bool {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		switch e.Code {
		case "40001", "40P01", // serialization failure, deadlock
			"55P03", "57014", // a lock or a statement took too long
			"57P01", "57P02", "57P03", "57P05", // the server shuts down, crashes, starts up, or has ended an idle session
			"25P03", "25006", // a transaction was idle too long; the server is a standby
			"53300", // too many connections
			"0A000": // a prepared statement from before a migration
			return true
		}
		// Postgres 15 now and then fails so when transactions lock and update a row at once. The transaction is undone.
		return e.Code[:2] == "08" || e.Code == "XX000" && strings.Contains(e.Message, "multixact")
	}
	return lost(err)
}

// lost reports whether the connection was lost or could not be made.
func lost(err error) bool {
	var broken net.Error
	var refused *pgconn.ConnectError
	return pgconn.SafeToRetry(err) || errors.Is(err, pgconn.ErrConnClosed) || errors.As(err, &broken) || errors.As(err, &refused) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// cutOff reports whether an error was caused by the end of a context.
func cutOff(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || pgconn.Timeout(err)
}

// unsavable reports whether an error means that no bot can save until an operator acts.
func unsavable(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "53100", "58030", "XX001", "XX002": // the disk is full or broken, a table or an index is damaged
		return true
	}
	return false
}
