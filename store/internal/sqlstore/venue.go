package sqlstore

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/venue"
	"tictactoe/store/internal/column"
)

// pruneAtOnce is the number of matches deleted in one transaction, so that players do not wait for long.
const pruneAtOnce = 500

const (
	upsertVenues = `INSERT INTO venues (id) SELECT DISTINCT value FROM ` + each1 + ` AS present WHERE true ORDER BY 1
		ON CONFLICT (id) DO UPDATE SET gone = NULL WHERE venues.gone IS NOT NULL`
	updateGone      = `UPDATE venues SET gone = $2 WHERE id ` + oneOf1 + ` AND gone IS NULL`
	updateAllAbsent = `{postgres:UPDATE venues SET gone = $4 WHERE id <> ALL($3::text[]) AND gone IS NULL AND ` + idOfPostgres + `}
		{sqlite:UPDATE venues SET gone = $4 WHERE id NOT IN (SELECT value FROM json_each($3)) AND gone IS NULL AND ` + idOfSQLite + `}`

	selectAllPresent = `SELECT id FROM venues WHERE gone IS NULL AND ` + idOfPartition

	selectGone = `SELECT id FROM venues WHERE gone <= $3 AND ` + idOfPartition + ` ORDER BY gone, id`

	selectIsGone = `SELECT EXISTS (SELECT 1 FROM venues WHERE id = $1 AND gone <= $2)`
	// A reset excludes all matches that have ended by now from the scores: deleting them later changes no score.
	insertPruneReset = `INSERT INTO score_resets (venue, at, id) SELECT $1, coalesce(max(ended), 0), 'prune' FROM matches WHERE venue = $1
		ON CONFLICT DO NOTHING`

	// The latest matches come first, because the rating after a match follows from the matches before it.
	selectOfVenue = `SELECT id FROM (SELECT id, ended FROM matches WHERE venue = $1 AND ended IS NOT NULL
		UNION ALL SELECT id, 0 FROM challenges WHERE venue = $1 AND status <> 'pending'
			AND NOT EXISTS (SELECT 1 FROM matches AS going WHERE going.id = challenges.id AND {postgres:going.slot IS NOT NULL AND }going.ended IS NULL)) AS belonging
		ORDER BY ended DESC, id DESC`

	// The rematch of a match counts as expired once it is deleted.
	unlinkRematches = `UPDATE matches SET rematch = 'expired', rematch_next = NULL WHERE ended IS NOT NULL
			AND (series, rematch_next) IN (SELECT series, id FROM matches WHERE id ` + oneOf1 + `)`
	deleteRatedRows = `DELETE FROM rated WHERE venue = $2 AND (rules, player, at, match) IN (
			SELECT m.rules, ` + playerOfSide + `, m.ended, m.id FROM ` + sides + ` WHERE m.id ` + oneOf1 + `)`
	deleteMoves      = `DELETE FROM moves WHERE match ` + oneOf1
	deleteMatches    = `DELETE FROM matches WHERE id ` + oneOf1
	deleteChallenges = `DELETE FROM challenges WHERE id ` + oneOf1
	deleteBoards     = `DELETE FROM boards WHERE id ` + oneOf1

	deletePolicy         = `DELETE FROM policies WHERE venue = $1`
	deleteAuditEntriesIn = `DELETE FROM deeds WHERE venue = $1`
	deleteResets         = `DELETE FROM score_resets WHERE venue = $1`
	// A match that has ended since the prune began is left to the next prune.
	deleteVenue     = `DELETE FROM venues WHERE id = $1 AND gone <= $2 AND NOT EXISTS (SELECT 1 FROM matches WHERE venue = $1 AND ended IS NOT NULL)`
	deleteForgotten = `DELETE FROM back_offs WHERE until <= $1`
)

// Note records which servers the bot is in.
func (s *Store) Note(ctx context.Context, news venue.News, at time.Time) error {
	return s.db.Write(ctx, Kind{}, func(ctx context.Context, tx Tx) error {
		done, present := Named("note servers"), texts(news.Present)
		tx.Queue(done, upsertVenues, present)
		if news.All {
			tx.Queue(done, updateAllAbsent, news.Partition.Index, news.Partition.Count(), present, column.Time(at))
		}
		tx.Queue(done, updateGone, texts(news.Gone), column.Time(at))
		return nil
	})
}

// Present returns the servers of a partition that the bot is in, as last noted, in any order.
func (s *Store) Present(ctx context.Context, p match.Partition) ([]match.Venue, error) {
	return readRows(ctx, s.db, Named("servers that the bot is in"), Value[match.Venue], selectAllPresent, p.Index, p.Count())
}

// Prune deletes the data of the partition's servers that the bot left by the first given time, in small transactions, the answers about
// members that are older, and the back-offs and bars that ended by the second given time. It deletes the scores of a server before its matches, so that scores and matches always agree: the
// next call continues an interrupted prune, and if the bot returns to the server before that call, the scores start from zero.
func (s *Store) Prune(ctx context.Context, p match.Partition, before, forgotten time.Time) (n int, err error) {
	var venues []match.Venue
	err = s.db.Write(ctx, Kind{}, func(ctx context.Context, tx Tx) error {
		for _, statement := range []string{deleteForgotten, deleteOverBars} {
			if _, err := tx.Exec(ctx, statement, column.Time(forgotten)); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, deleteOldChecks, column.Time(before)); err != nil {
			return err
		}
		venues, err = ScanRows(ctx, tx, Value[match.Venue], selectGone, p.Index, p.Count(), column.Time(before))
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
	return n, Named("prune").Wrap(err)
}

func (s *Store) pruneVenue(ctx context.Context, v match.Venue, before time.Time) (n int, err error) {
	done := Named("delete what was in %s", v)
	alone := Kind{Locks: []Lock{ofVenue(v), ofScores(v)}, Long: true}
	ids, err := writeResult(ctx, s.db, alone, done, func(ctx context.Context, tx Tx) ([]match.ID, error) {
		gone, err := Value[bool](tx.Row(ctx, selectIsGone, v, column.Time(before)))
		if err != nil || !gone {
			return nil, err
		}
		tx.Queue(done, insertPruneReset, v)
		deleteScoresIn(tx, done, v)
		return ScanRows(ctx, tx, Value[match.ID], selectOfVenue, v)
	})
	if err != nil {
		return 0, err
	}
	for some := range slices.Chunk(ids, pruneAtOnce) {
		deleted := 0
		err := s.db.Write(ctx, Kind{Locks: []Lock{erasing().Share(), ofScores(v)}}, func(ctx context.Context, tx Tx) error {
			tx.Queue(done, deleteRatedRows, texts(some), v)
			for _, statement := range []string{unlinkRematches, deleteVotes, deleteMoves, deleteChallenges, deleteBoards} {
				tx.Queue(done, statement, texts(some))
			}
			deleted, err = tx.Exec(ctx, deleteMatches, texts(some))
			return err
		})
		if err != nil {
			return n, err
		}
		n += deleted
	}
	return n, s.db.Write(ctx, alone, func(ctx context.Context, tx Tx) error {
		gone, err := tx.Exec(ctx, deleteVenue, v, column.Time(before))
		if err != nil || gone == 0 {
			return err // the bot has joined the server again
		}
		deleteScoresIn(tx, done, v)
		for _, statement := range []string{
			deleteRatedIn, deleteReplays, deleteResets, deletePolicy, deleteAuditEntriesIn, deleteSeasonsIn, deleteListedIn, deletePosts, deleteEntrantsIn, deleteArenasIn, deleteRankRolesIn, deleteGrantsIn, deleteBarsIn, deleteUnrankedIn, deleteChecksIn,
		} {
			tx.Queue(done, statement, v)
		}
		return nil
	})
}
