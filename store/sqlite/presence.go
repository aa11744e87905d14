package sqlite

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

const (
	upsertLastSeen = `INSERT INTO presence (part, parts, last_seen) VALUES ($1, $2, $3)
		ON CONFLICT (part) DO UPDATE SET last_seen = max(last_seen, excluded.last_seen)`

	replaceLastSeen = `INSERT OR REPLACE INTO presence (part, parts, last_seen) VALUES ($1, $2, $3)`

	selectOtherParts = `SELECT min(last_seen) FROM presence WHERE parts <> $1`
	deletePresence   = `DELETE FROM presence`
)

// See implements sqlstore.Database. If the table has rows for another number of partitions, it first replaces them by one row for
// each partition, with the earliest of the old times.
func (database) See(ctx context.Context, tx sqlstore.Tx, seen match.Seen, back bool) error {
	done, parts := sqlstore.Named("record presence"), seen.Partition.Count()
	earliest, err := sqlstore.Value[column.Time](tx.Row(ctx, selectOtherParts, parts))
	if err != nil {
		return done.Wrap(err)
	}
	if !earliest.Time().IsZero() {
		tx.Queue(done, deletePresence)
		for part := range parts {
			tx.Queue(done, replaceLastSeen, part, parts, earliest)
		}
	}
	statement := upsertLastSeen
	if back {
		statement = replaceLastSeen
	}
	tx.Queue(done, statement, seen.Partition.Index, parts, seen.At.UnixMilli())
	return nil
}

// OthersPresent implements sqlstore.Database. It reports no other bot, because the [Lock] allows only one.
func (database) OthersPresent(context.Context, sqlstore.Tx, match.Partition, time.Time, time.Time) (bool, error) {
	return false, nil
}

// Arrive implements sqlstore.Database. It does nothing, because there are no other bots.
func (database) Arrive(context.Context, match.Partition) error { return nil }
