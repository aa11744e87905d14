package sqlstore

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	selectAllScores = `SELECT venue, player, level, wins, draws, losses, reached FROM scores`
	scoresAstray    = `(` + selectAllScores + ` EXCEPT ` + selectAllEntries + `)`
	scoresMissing   = `(` + selectAllEntries + ` EXCEPT ` + selectAllScores + `)`

	// Standings that are not the sums of the scores, or of which only one of the two is there.
	selectAllStandings = `SELECT venue, computers, player, wins, draws, losses, reached FROM standings`
	selectAllSums      = `SELECT venue, level <> '' AS computers, player, sum(wins), sum(draws), sum(losses), max(reached)
		FROM scores WHERE venue <> '' GROUP BY venue, computers, player`
	selectAllWrongStandings = `SELECT venue, computers, player FROM (` + selectAllStandings + ` EXCEPT ` + selectAllSums + `) AS astray
		UNION SELECT venue, computers, player FROM (` + selectAllSums + ` EXCEPT ` + selectAllStandings + `) AS missing`

	// Leaderboards whose rank buckets are not those of their standings.
	selectAllWrongBuckets = `SELECT venue, computers FROM (
			SELECT venue, computers, first, length, lead(first) OVER (PARTITION BY venue, computers ORDER BY first) AS next
			FROM stretches) AS s
		WHERE length <> (SELECT count(*) FROM standings AS h WHERE h.venue = s.venue AND h.computers = s.computers
				AND place >= first AND (next IS NULL OR place < next))
			OR first <> '' AND NOT EXISTS (SELECT 1 FROM standings AS h
				WHERE h.venue = s.venue AND h.computers = s.computers AND place = first)
		UNION SELECT venue, computers FROM standings AS h WHERE NOT EXISTS (
			SELECT 1 FROM stretches AS s WHERE s.venue = h.venue AND s.computers = h.computers AND first = '')`

	lockTables = `{postgres:LOCK TABLE matches, score_resets, scores, standings, stretches IN SHARE ROW EXCLUSIVE MODE}`

	// The venues where something is wrong, and how many rows are.
	selectAllWrong = `SELECT venue, count(*) FROM (
			SELECT venue FROM (SELECT venue, player, level FROM ` + scoresAstray + ` AS astray
				UNION SELECT venue, player, level FROM ` + scoresMissing + ` AS missing) AS scores
			UNION ALL SELECT venue FROM (` + selectAllWrongStandings + `) AS standings
			UNION ALL SELECT venue FROM (` + selectAllWrongBuckets + `) AS buckets) AS wrong
		GROUP BY venue ORDER BY venue`
)

// RebuildScores compares all scores and ladders with the ended matches, and counts those of a venue anew where they differ. It
// reports how many rows did: none, unless something other than a store has written to the database. Saving waits meanwhile. The
// progress counts rated matches.
func (s *Store) RebuildScores(ctx context.Context, progress column.Progress) (corrected int, err error) {
	done := Named("rebuild the scores")
	err = s.db.Write(ctx, Kind{Long: true}, func(ctx context.Context, tx Tx) error {
		corrected = 0
		tx.Queue(done, lockTables)
		var venues []match.Venue
		err := tx.Each(ctx, func(row column.Row) error {
			var venue match.Venue
			var wrong int
			err := row.Scan(&venue, &wrong)
			venues = append(venues, venue)
			corrected += wrong
			return err
		}, selectAllWrong)
		for _, v := range venues {
			countScores(tx, done, v)
		}
		return err
	})
	if err != nil {
		return 0, done.Wrap(err)
	}
	ratings, err := s.rebuildLadders(ctx, progress)
	return corrected + ratings, done.Wrap(err)
}
