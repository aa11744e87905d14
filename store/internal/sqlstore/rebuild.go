package sqlstore

import "context"

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

	lockTables     = `{postgres:LOCK TABLE matches, score_resets, scores, standings, stretches IN SHARE ROW EXCLUSIVE MODE}`
	selectAllWrong = `SELECT (SELECT count(*) FROM (SELECT venue, player, level FROM ` + scoresAstray + ` AS astray
			UNION SELECT venue, player, level FROM ` + scoresMissing + ` AS missing) AS scores)
		+ (SELECT count(*) FROM (` + selectAllWrongStandings + `) AS standings)
		+ (SELECT count(*) FROM (` + selectAllWrongBuckets + `) AS buckets)`

	deleteAllAstray  = `DELETE FROM scores WHERE (venue, player, level) IN (SELECT venue, player, level FROM ` + scoresAstray + ` AS astray)`
	insertAllMissing = `INSERT INTO ` + intoScores + ` SELECT venue, player, level, wins, draws, losses, reached FROM ` + scoresMissing + ` AS missing`

	// In SQLite the triggers have followed; the next four are about what somebody else has made of their tables.
	deleteAllWrongStandings = `{sqlite:DELETE FROM standings WHERE (venue, computers, player) IN (` + selectAllWrongStandings + `)}`
	touchAllWithout         = `{sqlite:UPDATE scores SET level = level WHERE (venue, level <> '', player) IN (` + selectAllWrongStandings + `)}`
	deleteAllWrongBuckets   = `{sqlite:DELETE FROM stretches WHERE (venue, computers) IN (` + selectAllWrongBuckets + `)}`
	// As many in each as a rank bucket has that was just halved.
	insertAllBuckets = `{sqlite:INSERT INTO stretches (venue, computers, first, length)
		SELECT venue, computers, iif(n = 0, '', min(place)), count(*) FROM (
			SELECT venue, computers, place, (row_number() OVER (PARTITION BY venue, computers ORDER BY place) - 1) / 1024 AS n
			FROM standings WHERE (venue, computers) NOT IN (SELECT venue, computers FROM stretches))
		GROUP BY venue, computers, n}`
	// StandEverybody makes the standings and rank buckets of Postgres anew.
	StandEverybody = `{postgres:SELECT stand_all(venue) FROM (
		SELECT venue FROM scores UNION SELECT venue FROM standings UNION SELECT venue FROM stretches) AS venues}`
)

// RebuildScores counts all ended matches anew and corrects the scores where they differ. It reports how many did: none,
// unless something other than a store has written to the database. Saving waits meanwhile.
func (s *Store) RebuildScores(ctx context.Context) (corrected int, err error) {
	err = s.db.Write(ctx, Kind{Long: true}, func(ctx context.Context, tx Tx) error {
		done := Named("count anew")
		tx.Queue(done, lockTables)
		corrected, err = Value[int](tx.Row(ctx, selectAllWrong))
		if err != nil || corrected == 0 {
			return err
		}
		for _, statement := range []string{
			deleteAllAstray, insertAllMissing,
			deleteAllWrongStandings, touchAllWithout, deleteAllWrongBuckets, insertAllBuckets, StandEverybody,
		} {
			tx.Queue(done, statement)
		}
		return nil
	})
	if err != nil {
		return 0, Named("rebuild the scores").Wrap(err)
	}
	return corrected, nil
}
