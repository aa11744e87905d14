package sqlstore

import (
	"context"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/server/venue"
	"tictactoe/store/internal/column"
)

const (
	upsertVenues = `INSERT INTO venues (id) SELECT DISTINCT value FROM ` + each1 + ` AS present WHERE true ORDER BY 1
		ON CONFLICT (id) DO UPDATE SET gone = NULL WHERE venues.gone IS NOT NULL`
	updateGone      = `UPDATE venues SET gone = $2 WHERE id ` + oneOf1 + ` AND gone IS NULL`
	updateAllAbsent = `UPDATE venues SET gone = $4 WHERE id {postgres:<> ALL($3::text[])}{sqlite:NOT IN (SELECT value FROM json_each($3))}
			AND gone IS NULL AND ` + idOfPartition

	selectAllPresent = `SELECT id FROM venues WHERE gone IS NULL AND ` + idOfPartition

	selectGone = `SELECT id FROM venues WHERE gone <= $3 AND ` + idOfPartition + ` ORDER BY gone, id`

	// The matches, challenges and arenas of venue $1 that are deleted. A running match stays, with its challenge.
	endedMatches    = `FROM matches WHERE venue = $1 AND ended IS NOT NULL`
	endedChallenges = `FROM challenges WHERE venue = $1 AND status <> 'pending'
		AND NOT EXISTS (SELECT 1 FROM matches AS going WHERE going.id = challenges.id AND {postgres:going.slot IS NOT NULL AND }going.ended IS NULL)`
	deleteVotesIn  = `DELETE FROM votes WHERE match IN (SELECT id ` + endedMatches + `)`
	deleteMovesIn  = `DELETE FROM moves WHERE match IN (SELECT id ` + endedMatches + `)`
	deleteBoardsIn = `DELETE FROM boards WHERE id IN (SELECT id ` + endedMatches + ` UNION ALL SELECT id ` + endedChallenges + `
		UNION ALL SELECT id FROM arenas WHERE venue = $1)`
	deleteChallengesIn = `DELETE ` + endedChallenges
	deleteMatchesIn    = `DELETE ` + endedMatches

	deletePolicy         = `DELETE FROM policies WHERE venue = $1`
	deleteAuditEntriesIn = `DELETE FROM deeds WHERE venue = $1`
	deleteResets         = `DELETE FROM score_resets WHERE venue = $1`
	deleteVenue          = `DELETE FROM venues WHERE id = $1 AND gone <= $2`
	deleteForgotten      = `DELETE FROM back_offs WHERE until <= $1`
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

// Prune deletes the data of the partition's servers that the bot left by the first given time, the answers about members that are older,
// and the back-offs and bars that ended by the second given time. It returns the number of deleted matches.
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

// pruneVenue deletes the data of a server, unless the bot has joined the server again.
func (s *Store) pruneVenue(ctx context.Context, v match.Venue, before time.Time) (matches int, err error) {
	done := Named("delete what was in %s", v)
	kind := Kind{Locks: []Lock{erasing().Share(), ofVenue(v), ofScores(v)}, Long: true, Bulk: true}
	return writeResult(ctx, s.db, kind, done, func(ctx context.Context, tx Tx) (matches int, err error) {
		if gone, err := tx.Exec(ctx, deleteVenue, v, column.Time(before)); err != nil || gone == 0 {
			return 0, err
		}
		deleteScoresIn(tx, done, v)
		for _, statement := range []string{
			deleteVotesIn, deleteMovesIn, deleteBoardsIn, deleteChallengesIn, deleteRatedIn, deleteReplays, deleteResets, deletePolicy,
			deleteAuditEntriesIn, deleteSeasonsIn, deleteListedIn, deletePosts, deleteEntrantsIn, deleteArenasIn, deleteRankRolesIn, deleteGrantsIn,
			deleteBarsIn, deleteUnrankedIn, deleteChecksIn,
		} {
			tx.Queue(done, statement, v)
		}
		return tx.Exec(ctx, deleteMatchesIn, v)
	})
}
