package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/user"
	"tictactoe/store/internal/column"
)

const (
	selectHeld = `SELECT
		coalesce((SELECT name FROM players WHERE id = ?1), ''),
		(SELECT count(*) FROM matches WHERE x_player = ?1) + (SELECT count(*) FROM matches WHERE o_player = ?1),
		` + openMatchesOf1 + `,
		(SELECT count(*) FROM challenges WHERE challenger = ?1) + (SELECT count(*) FROM challenges WHERE challenged = ?1),
		(SELECT count(*) FROM scores WHERE player = ?1),
		(SELECT count(*) FROM deeds WHERE player = ?1),
		(SELECT min(created) FROM (
			SELECT min(created) AS created FROM matches WHERE x_player = ?1
			UNION ALL SELECT min(created) FROM matches WHERE o_player = ?1
			UNION ALL SELECT min(created) FROM challenges WHERE challenger = ?1
			UNION ALL SELECT min(created) FROM challenges WHERE challenged = ?1
			UNION ALL SELECT min(at) FROM deeds WHERE player = ?1))`

	selectChallengesOf = `SELECT * FROM (SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = ?1 UNION ALL SELECT id FROM challenges WHERE challenged = ?1)
		ORDER BY created DESC, id DESC LIMIT ?2) ORDER BY created, id`

	matchesOf1 = `SELECT id FROM matches WHERE x_player = ?1 UNION ALL SELECT id FROM matches WHERE o_player = ?1`

	selectMatchesOf = `SELECT * FROM (SELECT ` + matchColumns + ` WHERE id IN (` + matchesOf1 + `)
		ORDER BY created DESC, id DESC LIMIT ?2) ORDER BY created, id`

	selectMoveTimes = `SELECT at FROM moves WHERE match = ?1 ORDER BY ply`

	selectBackOffsOf = `SELECT challenger, until FROM back_offs WHERE player = ?1
		UNION ALL SELECT challenger, until FROM back_offs WHERE challenger = ?1 ORDER BY until, challenger`

	selectAuditEntriesOf = `SELECT ` + auditColumns + ` WHERE n IN (
			SELECT n FROM deeds WHERE player = ?1 ORDER BY n DESC LIMIT ?2) ORDER BY n`

	// What a player who leaves has to end: matches that go on, and rematches that wait for an answer.
	selectToEnd = `SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = ?1 AND (ended IS NULL OR rematch = 'proposed')
			UNION ALL SELECT id FROM matches WHERE o_player = ?1 AND (ended IS NULL OR rematch = 'proposed'))
		ORDER BY created, id`

	// Matches and challenges in which there would be nobody left whom anybody knows.
	alone1 = `SELECT id FROM matches WHERE x_player = ?1 AND (o_player IS NULL OR o_player = ?2)
		UNION ALL SELECT id FROM matches WHERE o_player = ?1 AND (x_player IS NULL OR x_player = ?2)
		UNION ALL SELECT id FROM challenges WHERE challenger = ?1 AND challenged = ?2
		UNION ALL SELECT id FROM challenges WHERE challenged = ?1 AND challenger = ?2`

	deleteAloneMoves  = `DELETE FROM moves WHERE match IN (` + alone1 + `)`
	deleteAloneBoards = `DELETE FROM boards WHERE id IN (` + alone1 + `)`
	// One statement each, since one that comes first would hide from the other which ones were meant.
	deleteAloneMatches = `DELETE FROM matches WHERE x_player = ?1 AND (o_player IS NULL OR o_player = ?2)
		OR o_player = ?1 AND (x_player IS NULL OR x_player = ?2)`
	deleteAloneChallenges = `DELETE FROM challenges WHERE challenger = ?1 AND challenged = ?2
		OR challenged = ?1 AND challenger = ?2`

	updateXPlayer      = `UPDATE matches SET x_player = ?2, rematch_by = iif(rematch_by = ?1, ?2, rematch_by) WHERE x_player = ?1`
	updateOPlayer      = `UPDATE matches SET o_player = ?2, rematch_by = iif(rematch_by = ?1, ?2, rematch_by) WHERE o_player = ?1`
	updateChallenger   = `UPDATE challenges SET challenger = ?2 WHERE challenger = ?1`
	updateChallenged   = `UPDATE challenges SET challenged = ?2 WHERE challenged = ?1`
	updateAuditEntries = `UPDATE deeds SET player = ?2 WHERE player = ?1`

	deleteScoresOf   = `DELETE FROM scores WHERE player = ?1`
	deletePlayer     = `DELETE FROM players WHERE id = ?1`
	deleteBlocksBy   = `DELETE FROM blocks WHERE player = ?1`
	deleteBackOffsBy = `DELETE FROM back_offs WHERE player = ?1`

	selectBlockers  = `SELECT player FROM blocks WHERE blocked = ?1`
	selectLeftAlone = `SELECT player FROM back_offs WHERE challenger = ?1`
	hashBlock       = `UPDATE OR REPLACE blocks SET blocked = ?3 WHERE player = ?1 AND blocked = ?2`
	hashBackOff     = `UPDATE OR REPLACE back_offs SET challenger = ?3 WHERE player = ?1 AND challenger = ?2`
)

// Held is how much is known of a player.
func (s *Store) Held(ctx context.Context, p match.User) (held user.Held, err error) {
	err = s.readTogether(ctx, func(db querier) error {
		held, err = heldOf(ctx, db, p)
		return err
	})
	if err != nil {
		return user.Held{}, fmt.Errorf("what is known of player %s: %w", p, err)
	}
	return held, nil
}

func heldOf(ctx context.Context, db querier, p match.User) (user.Held, error) {
	var held user.Held
	var since instant
	err := db.QueryRowContext(ctx, selectHeld, p).
		Scan(&held.Name, &held.Matches, &held.Open, &held.Challenges, &held.Scores, &held.AuditEntries, &since)
	if err != nil {
		return held, err
	}
	held.Since = since.Time()
	held.Settings, err = settingsOf(ctx, db, p)
	return held, err
}

// Data is everything that is known of a player.
func (s *Store) Data(ctx context.Context, p match.User) (data user.Data, err error) {
	err = s.readTogether(ctx, func(db querier) error {
		data, err = dataOf(ctx, db, p)
		return err
	})
	if err != nil {
		return user.Data{}, fmt.Errorf("data of player %s: %w", p, err)
	}
	return data, nil
}

func dataOf(ctx context.Context, db querier, p match.User) (data user.Data, err error) {
	if data.Held, err = heldOf(ctx, db, p); err != nil {
		return data, err
	}
	if data.Entries, err = list(ctx, db, scanEntry, selectEntries, p); err != nil {
		return data, err
	}
	if data.Challenged, err = list(ctx, db, scanChallenge, selectChallengesOf, p, user.MaxExported); err != nil {
		return data, err
	}
	scanLeaveAlone := func(row scanner) (l user.LeaveAlone, err error) {
		var until instant
		err = row.Scan(&l.Challenger, &until)
		if l.Until = until.Time(); l.Challenger != p {
			l.Challenger = ""
		}
		return l, err
	}
	if data.LeaveAlone, err = list(ctx, db, scanLeaveAlone, selectBackOffsOf, p); err != nil {
		return data, err
	}
	if data.Did, err = list(ctx, db, scanAuditEntry, selectAuditEntriesOf, p, user.MaxExported); err != nil {
		return data, err
	}
	matches, err := list(ctx, db, scanMatch, selectMatchesOf, p, user.MaxExported)
	if err != nil {
		return data, err
	}
	scanTime := func(row scanner) (time.Time, error) {
		var at instant
		err := row.Scan(&at)
		return at.Time(), err
	}
	for _, m := range matches {
		moved, err := list(ctx, db, scanTime, selectMoveTimes, m.ID)
		if err != nil {
			return data, err
		}
		data.Played = append(data.Played, user.Played{Match: m, Moved: moved})
	}
	return data, nil
}

// Erase deletes everything that names a player, in one transaction, and reports what has ended by it.
func (s *Store) Erase(ctx context.Context, p match.User, at time.Time) (ended []match.ID, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		if ended, err = endAll(ctx, tx, p, at); err != nil {
			return err
		}
		return erase(ctx, tx, p)
	})
	if err != nil {
		return nil, fmt.Errorf("erase a player: %w", err)
	}
	return ended, nil
}

// endAll ends what goes on. That counts as it always does, for the opponents' sake.
func endAll(ctx context.Context, tx *sql.Conn, p match.User, at time.Time) (ended []match.ID, err error) {
	challenges, err := list(ctx, tx, scanChallenge, selectPendingChallenges, p)
	if err != nil {
		return nil, err
	}
	for _, c := range challenges {
		next, left := c.Leave(p, at)
		if !left {
			continue
		}
		change := match.ChallengeChange{From: c, To: next}
		if c.From == p { // the other one is not to blame for what was declined by leaving
			change.At = at
		}
		if err := replaceChallenge(ctx, tx, change); err != nil {
			return nil, err
		}
		ended = append(ended, c.ID)
	}
	matches, err := list(ctx, tx, scanMatch, selectToEnd, p)
	if err != nil {
		return nil, err
	}
	for _, m := range matches {
		next, left := m.Leave(p, at)
		if !left {
			continue
		}
		if err := replaceMatch(ctx, tx, m, next); err != nil {
			return nil, err
		}
		ended = append(ended, m.ID)
	}
	return ended, nil
}

func erase(ctx context.Context, tx *sql.Conn, p match.User) error {
	for _, statement := range []string{
		deleteAloneMoves, deleteAloneBoards, deleteAloneMatches, deleteAloneChallenges,
		updateXPlayer, updateOPlayer, updateChallenger, updateChallenged, updateAuditEntries,
	} {
		if _, err := tx.ExecContext(ctx, statement, p, match.Left); err != nil {
			return err
		}
	}
	for _, statement := range []string{deleteScoresOf, deletePlayer, deleteBlocksBy, deleteBackOffsBy} {
		if _, err := tx.ExecContext(ctx, statement, p); err != nil {
			return err
		}
	}
	// To have one's data deleted must not be a way around somebody's block.
	for find, hide := range map[string]string{selectBlockers: hashBlock, selectLeftAlone: hashBackOff} {
		owners, err := list(ctx, tx, scanPlayer, find, p)
		if err != nil {
			return err
		}
		for _, owner := range owners {
			if _, err := tx.ExecContext(ctx, hide, owner, p, column.Hash(owner, p)); err != nil {
				return err
			}
		}
	}
	return nil
}
