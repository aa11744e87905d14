package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/venue"
)

// pruneAtOnce is how many matches are deleted in one transaction: clicks are not to wait for long.
const pruneAtOnce = 500

const (
	upsertVenue = `INSERT INTO venues (id) VALUES (?1) ON CONFLICT (id) DO UPDATE SET gone = NULL WHERE gone IS NOT NULL`
	updateGone  = `UPDATE venues SET gone = ?2 WHERE id = ?1 AND gone IS NULL`

	selectAllPresent = `SELECT id FROM venues WHERE gone IS NULL AND ` + idOfPartition
	selectGone       = `SELECT id FROM venues WHERE gone <= ?3 AND ` + idOfPartition + ` ORDER BY gone, id`

	selectOfVenue = `SELECT id FROM matches WHERE venue = ?1 AND ended IS NOT NULL
		UNION SELECT id FROM challenges WHERE venue = ?1 AND status <> 'pending'
			AND NOT EXISTS (SELECT 1 FROM matches AS going WHERE going.id = challenges.id AND going.ended IS NULL)`

	deleteMovesOf        = `DELETE FROM moves WHERE match = ?1`
	deleteMatch          = `DELETE FROM matches WHERE id = ?1`
	deleteChallenge      = `DELETE FROM challenges WHERE id = ?1`
	deleteBoard          = `DELETE FROM boards WHERE id = ?1`
	deletePolicy         = `DELETE FROM policies WHERE venue = ?1`
	deleteAuditEntriesIn = `DELETE FROM deeds WHERE venue = ?1`
	deleteReset          = `DELETE FROM score_resets WHERE venue = ?1`
	deleteVenue          = `DELETE FROM venues WHERE id = ?1 AND gone <= ?2`
	deleteForgotten      = `DELETE FROM back_offs WHERE until <= ?1`
)

// Note records which servers the bot is in.
func (s *Store) Note(ctx context.Context, news venue.News, at time.Time) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		gone := slices.Clone(news.Gone)
		if news.All {
			known, err := list(ctx, tx, scanVenue, selectAllPresent, news.Partition.Index, news.Partition.Count())
			if err != nil {
				return err
			}
			present := make(map[match.Venue]bool, len(news.Present))
			for _, v := range news.Present {
				present[v] = true
			}
			for _, v := range known {
				if !present[v] {
					gone = append(gone, v)
				}
			}
		}
		for _, v := range news.Present {
			if _, err := tx.ExecContext(ctx, upsertVenue, v); err != nil {
				return err
			}
		}
		for _, v := range gone {
			if _, err := tx.ExecContext(ctx, updateGone, v, instant(at)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note servers: %w", err)
	}
	return nil
}

// Present are the servers of a partition that the bot is in, as last noted, in any order.
func (s *Store) Present(ctx context.Context, p match.Partition) (all []match.Venue, err error) {
	err = s.read(ctx, func(db querier) error {
		all, err = list(ctx, db, scanVenue, selectAllPresent, p.Index, p.Count())
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
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		if _, err := tx.ExecContext(ctx, deleteForgotten, instant(forgotten)); err != nil {
			return err
		}
		venues, err = list(ctx, tx, scanVenue, selectGone, p.Index, p.Count(), instant(before))
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
	err = s.read(ctx, func(db querier) error {
		ids, err = list(ctx, db, scanID, selectOfVenue, v)
		return err
	})
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(ids, pruneAtOnce) {
		deleted := 0
		err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
			deleted = 0
			for _, id := range some {
				if _, err := tx.ExecContext(ctx, deleteMovesOf, id); err != nil {
					return err
				}
				gone, err := changed(ctx, tx, deleteMatch, id)
				if err != nil {
					return err
				}
				deleted += gone
				for _, statement := range []string{deleteChallenge, deleteBoard} {
					if _, err := tx.ExecContext(ctx, statement, id); err != nil {
						return err
					}
				}
			}
			return nil
		})
		if err != nil {
			return n, err
		}
		n += deleted
	}
	return n, s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		if err := clearScores(ctx, tx, v); err != nil {
			return err
		}
		for _, statement := range []string{deletePolicy, deleteAuditEntriesIn, deleteReset} {
			if _, err := tx.ExecContext(ctx, statement, v); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, deleteVenue, v, instant(before))
		return err
	})
}

func scanVenue(row scanner) (v match.Venue, err error) {
	err = row.Scan(&v)
	return v, err
}
