package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// database implements [sqlstore.Database].
type database struct{ *Store }

// Read implements sqlstore.Database.
func (d database) Read(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return patiently(ctx, func(ctx context.Context) error { return do(ctx, db{d.pool, new(pgx.Batch)}) })
}

// ReadTogether implements sqlstore.Database.
func (d database) ReadTogether(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return patiently(ctx, func(ctx context.Context) error {
		return d.borrow(ctx, ctx, func(_ *pgx.Conn, tx db) error {
			tx.Queue(sqlstore.Named("begin"), "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
			if err := do(ctx, tx); err != nil {
				return err
			}
			tx.Queue(sqlstore.Named("end"), "ROLLBACK") // the transaction has written nothing
			return tx.Flush(ctx)
		})
	})
}

// Write implements sqlstore.Database.
func (d database) Write(ctx context.Context, kind sqlstore.Kind, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	bound := transactTime
	if kind.Long {
		bound = longTime
	}
	unanswered := false
	err := patiently(ctx, func(ctx context.Context) error {
		err := d.transact(ctx, bound, kind.Locks, do)
		if unanswered && kind.Save != nil && turnedAway(err) {
			return d.unlessSaved(ctx, *kind.Save, err)
		}
		unanswered = unanswered || errors.Is(err, errUnanswered)
		return err
	})
	return d.Health.Report(err, unsavable(err))
}

// Take implements sqlstore.Database.
func (d database) Take(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.Write(ctx, sqlstore.Kind{}, do)
}

// Save calls [sqlstore.Store.Save]. If the save says that the bot hears players, Save first takes the lock that tells other bots so, and
// releases it when the bot says that it leaves.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	seen := save.Seen
	if !seen.At.IsZero() && !seen.Leaving {
		if err := s.presence.hold(ctx, seen.Partition); err != nil {
			return fmt.Errorf("save: %w", err)
		}
	}
	err := s.Store.Save(ctx, save)
	if seen.Leaving { // even if the save failed: the next bot that hears the partition credits the time since the last save
		dropped := make(chan struct{})
		go func() { defer close(dropped); s.presence.drop(seen.Partition) }()
		select {
		case <-dropped:
		case <-time.After(connectTime): // the connection that holds the lock does not answer; the lock ends when the server notices
		}
	}
	return err
}

// errUnanswered says that a COMMIT was not answered and may have been carried out. The transaction is run again; if the first run was
// committed, the second conflicts with it.
var errUnanswered = errors.New("commit")

// turnedAway reports whether an error may mean that an earlier run of the save was committed.
func turnedAway(err error) bool {
	var refusal *match.Refusal
	return errors.Is(err, match.ErrConflict) || errors.Is(err, match.ErrExists) || errors.As(err, &refusal)
}

// unlessSaved returns nil if a save that failed with an error is stored already, and otherwise the error. It compares the challenge
// and the matches with the stored rows, including versions and times: if they are equal, the save has succeeded, in this attempt or
// an earlier one. If the stored rows have changed since, it returns the error.
func (s *Store) unlessSaved(ctx context.Context, save match.Save, turned error) error {
	challenge := save.Challenge.To
	if challenge.ID == "" && len(save.Matches) == 0 {
		return turned
	}
	if challenge.ID != "" {
		stored, err := s.Challenge(ctx, challenge.ID)
		if err != nil || !column.Same(column.OfChallenge(stored), column.OfChallenge(challenge)) {
			return notSaved(err, turned)
		}
	}
	for _, c := range save.Matches {
		stored, err := s.Match(ctx, c.To.ID)
		if err != nil || !stored.Record.Equal(c.To.Record) || !column.Same(column.OfMatch(stored), column.OfMatch(c.To)) {
			return notSaved(err, turned)
		}
	}
	return nil
}

// notSaved returns the error of a save whose values were not found: the error of the search if the search
// failed, else the error of the save.
func notSaved(searching, turned error) error {
	if searching == nil || errors.Is(searching, match.ErrNotFound) {
		return turned
	}
	return searching
}
