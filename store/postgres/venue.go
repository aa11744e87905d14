package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/venue"
	"tictactoe/store/internal/column"
)

// pruneAtOnce is how many matches are deleted in one transaction: clicks are not to wait for long.
const pruneAtOnce = 500

const (
	upsertVenues = `INSERT INTO venues (id) SELECT DISTINCT unnest($1::text[]) ORDER BY 1
		ON CONFLICT (id) DO UPDATE SET gone = NULL WHERE venues.gone IS NOT NULL`
	updateGone   = `UPDATE venues SET gone = $2 WHERE id = ANY($1::text[]) AND gone IS NULL`
	updateAbsent = `UPDATE venues SET gone = $4 WHERE id <> ALL($3::text[]) AND gone IS NULL AND ` + idOfPartition

	selectAllPresent = `SELECT id FROM venues WHERE gone IS NULL AND ` + idOfPartition

	selectGone = `SELECT id FROM venues WHERE gone <= $3 AND ` + idOfPartition + ` ORDER BY gone, id`

	selectOfVenue = `SELECT id FROM matches WHERE venue = $1 AND ended IS NOT NULL
		UNION SELECT id FROM challenges WHERE venue = $1 AND status <> 'pending'
			AND NOT EXISTS (SELECT 1 FROM matches AS going WHERE going.id = challenges.id AND going.ended IS NULL)
		ORDER BY 1`

	deleteMoves      = `DELETE FROM moves WHERE match = ANY($1::text[])`
	deleteMatches    = `DELETE FROM matches WHERE id = ANY($1::text[])`
	deleteChallenges = `DELETE FROM challenges WHERE id = ANY($1::text[])`
	deleteBoards     = `DELETE FROM boards WHERE id = ANY($1::text[])`

	deletePolicy         = `DELETE FROM policies WHERE venue = $1`
	deleteAuditEntriesIn = `DELETE FROM deeds WHERE venue = $1`
	deleteReset          = `DELETE FROM score_resets WHERE venue = $1`
	deleteVenue          = `DELETE FROM venues WHERE id = $1 AND gone <= $2`
	deleteForgotten      = `DELETE FROM back_offs WHERE until <= $1`
)

// Note records which servers the bot is in.
func (s *Store) Note(ctx context.Context, news venue.News, at time.Time) error {
	err := s.write(ctx, nil, func(ctx context.Context, tx db) error {
		present, left := texts(news.Present), texts(news.Gone)
		done := named("servers")
		tx.queue(done, upsertVenues, present)
		if news.All {
			tx.queue(done, updateAbsent, news.Partition.Index, news.Partition.Count(), present, column.Time(at))
		}
		tx.queue(done, updateGone, left, column.Time(at))
		return nil
	})
	if err != nil {
		return fmt.Errorf("note servers: %w", err)
	}
	return nil
}

// Present are the servers of a partition that the bot is in, as last noted, in any order.
func (s *Store) Present(ctx context.Context, p match.Partition) (all []match.Venue, err error) {
	err = s.read(ctx, func(ctx context.Context, q db) error {
		all, err = list(ctx, q, scan[match.Venue], selectAllPresent, p.Index, p.Count())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("servers that the bot is in: %w", err)
	}
	return all, nil
}

// Prune deletes what belongs to servers of the partition that were left at before or earlier, a little at a time, and back-offs
// that were over at forgotten. Until a server is done its scores stand: a prune that was cut off goes on with the next.
func (s *Store) Prune(ctx context.Context, p match.Partition, before, forgotten time.Time) (n int, err error) {
	var venues []match.Venue
	err = s.write(ctx, nil, func(ctx context.Context, tx db) error {
		if _, err := tx.exec(ctx, deleteForgotten, column.Time(forgotten)); err != nil {
			return err
		}
		venues, err = list(ctx, tx, scan[match.Venue], selectGone, p.Index, p.Count(), column.Time(before))
		return err
	})
	for _, v := range venues {
		if err != nil {
			break
		}
		var done int
		done, err = s.pruneVenue(ctx, v, before)
		n += done
	}
	if err != nil {
		return n, fmt.Errorf("prune: %w", err)
	}
	return n, nil
}

func (s *Store) pruneVenue(ctx context.Context, v match.Venue, before time.Time) (n int, err error) {
	var ids []match.ID
	err = s.read(ctx, func(ctx context.Context, q db) error {
		ids, err = list(ctx, q, scan[match.ID], selectOfVenue, v)
		return err
	})
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(ids, pruneAtOnce) {
		deleted := 0
		err := s.write(ctx, []lock{erasing().share()}, func(ctx context.Context, tx db) error {
			for _, statement := range []string{deleteMoves, deleteChallenges, deleteBoards} {
				tx.queue(named("delete"), statement, texts(some))
			}
			deleted, err = tx.exec(ctx, deleteMatches, texts(some))
			return err
		})
		if err != nil {
			return n, err
		}
		n += deleted
	}
	return n, s.writeFor(ctx, longTime, inOrder([]lock{ofVenue(v), ofScores(v)}), func(ctx context.Context, tx db) error {
		gone, err := tx.exec(ctx, deleteVenue, v, column.Time(before))
		if err != nil || gone == 0 {
			return err // the bot is back
		}
		for _, statement := range []string{deleteReset, deleteVenueScores, standAll, deletePolicy, deleteAuditEntriesIn} {
			tx.queue(named("delete"), statement, v)
		}
		return nil
	})
}
