package postgres

import (
	"context"
	"errors"
	"fmt"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// database is what the part of the store that is common to all databases runs on.
type database struct{ *Store }

// Read implements sqlstore.Database.
func (d database) Read(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.read(ctx, func(ctx context.Context, q db) error { return do(ctx, q) })
}

// ReadTogether implements sqlstore.Database.
func (d database) ReadTogether(ctx context.Context, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	return d.readTogether(ctx, func(ctx context.Context, q db) error { return do(ctx, q) })
}

// unsynced lets nobody wait for the disk: a crash of the server may take what the transaction wrote.
const unsynced = `SET LOCAL synchronous_commit = off`

// Write implements sqlstore.Database.
func (d database) Write(ctx context.Context, kind sqlstore.Kind, do func(ctx context.Context, tx sqlstore.Tx) error) error {
	bound := transactTime
	if kind.Long {
		bound = longTime
	}
	unanswered := false
	return d.saving(ctx, func(ctx context.Context) error {
		err := d.transact(ctx, bound, locksOf(kind.Locks), func(ctx context.Context, tx db) error {
			if kind.Loose {
				tx.queue(named("not to wait for the disk"), unsynced)
			}
			return do(ctx, tx)
		})
		if unanswered && kind.Save != nil && turnedAway(err) {
			return d.unlessSaved(ctx, *kind.Save, err)
		}
		unanswered = unanswered || errors.Is(err, errUnanswered)
		return err
	})
}

// Dated implements sqlstore.Database.
func (d database) Dated(ctx context.Context, tx sqlstore.Tx, query string, args ...any) column.Row {
	return d.telling(ctx, tx.(db), query, args...)
}

// See implements sqlstore.Database.
func (d database) See(_ context.Context, tx sqlstore.Tx, seen match.Seen) error {
	tx.Queue(named("record presence"), see, seen.Partition.Index, seen.Partition.Count(), seen.At.UnixMilli(), false)
	return nil
}

// Row implements sqlstore.Tx.
func (d db) Row(ctx context.Context, query string, args ...any) column.Row {
	return d.row(ctx, query, args...)
}

// Each implements sqlstore.Tx.
func (d db) Each(ctx context.Context, do func(column.Row) error, query string, args ...any) error {
	return d.each(ctx, do, query, args...)
}

// Exec implements sqlstore.Tx.
func (d db) Exec(ctx context.Context, statement string, args ...any) (int, error) {
	return d.exec(ctx, statement, args...)
}

// Queue implements sqlstore.Tx.
func (d db) Queue(o sqlstore.Outcome, statement string, args ...any) { d.queue(o, statement, args...) }

// Lock implements sqlstore.Tx.
func (d db) Lock(locks ...sqlstore.Lock) { d.take(locksOf(locks)) }

// Save writes what that says; see [sqlstore.Store.Save]. Who says that he hears players holds the lock that tells others so,
// until he says that he leaves. A click says so as well, and does not see to the lock, which would be one more way to the server
// and back.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	seen := save.Seen
	ofClick := len(save.Matches) > 0 || save.Challenge.To.ID != ""
	if !seen.At.IsZero() && !seen.Leaving && !ofClick {
		if err := s.presence.hold(ctx, seen.Partition); err != nil {
			return fmt.Errorf("save: %w", err)
		}
	}
	err := s.Store.Save(ctx, save)
	if seen.Leaving { // also if that was not saved: whoever hears the partition next gives back the time since what was
		s.presence.drop(seen.Partition)
	}
	return err
}
