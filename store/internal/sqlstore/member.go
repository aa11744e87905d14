package sqlstore

import (
	"context"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

// The reasons for which the policy of a venue leaves a player out of the leaderboards.
const (
	hasLeft = "left"
	isStaff = "staff"
)

const (
	byPolicy = `venue = $1 AND why IN ('left', 'staff')`

	selectChecked = `SELECT player FROM member_checks WHERE venue = $1 AND player ` + oneOf2 + ` AND at > $3`
	// A few of the players who are left out, so that they come back after they have returned to the server or lost the role.
	selectLeftOut = `SELECT DISTINCT player FROM unranked AS u WHERE ` + byPolicy + `
		AND NOT EXISTS (SELECT 1 FROM member_checks WHERE venue = u.venue AND player = u.player AND at > $2) ORDER BY player LIMIT 5`

	selectStands = `SELECT EXISTS (SELECT 1 FROM standings WHERE venue = $1 AND player = $2)`
	upsertCheck  = `INSERT INTO member_checks (venue, player, at) VALUES ($1, $2, $3) ON CONFLICT (venue, player) DO UPDATE SET at = excluded.at`

	selectByPolicy = `SELECT DISTINCT player FROM unranked WHERE ` + byPolicy
	deleteByPolicy = `DELETE FROM unranked WHERE ` + byPolicy
	deleteChecksIn = `DELETE FROM member_checks WHERE venue = $1`
	deleteChecksOf = `DELETE FROM member_checks WHERE player = $1`
	// A player who is not shown any more is forgotten.
	deleteOldChecks = `DELETE FROM member_checks WHERE at <= $1`
	selectChecksOf  = `SELECT venue FROM member_checks WHERE player = $1 ORDER BY venue`
)

// Unchecked returns the players about whose membership nothing was saved since the given time, and a few who are left out.
func (s *Store) Unchecked(ctx context.Context, v match.Venue, players []match.User, since time.Time) ([]match.User, error) {
	return readSnapshot(ctx, s.db, Named("members of %s", v), func(ctx context.Context, tx Tx) ([]match.User, error) {
		checked, err := ScanRows(ctx, tx, Value[match.User], selectChecked, v, texts(players), column.Time(since))
		if err != nil {
			return nil, err
		}
		left, err := ScanRows(ctx, tx, Value[match.User], selectLeftOut, v, column.Time(since))
		return append(slices.DeleteFunc(slices.Clone(players), func(p match.User) bool { return slices.Contains(checked, p) }), left...), err
	})
}

// SaveCheck saves whether a player is a member of a venue and has a role of its staff, and leaves the player out of the leaderboards or puts
// the player back, as the policy says. A player without scores is not saved: the player's data may have been deleted.
func (s *Store) SaveCheck(ctx context.Context, v match.Venue, p match.User, left bool, roles []string, at time.Time) (changed bool, err error) {
	done := Named("membership of a player in %s", v)
	kind := Kind{Locks: []Lock{erasing().Share(), ofVenue(v).Share(), ofScores(v)}}
	return writeResult(ctx, s.db, kind, done, func(ctx context.Context, tx Tx) (bool, error) {
		allowed, _, err := optional(scanPolicy(tx.Row(ctx, selectPolicy, v)))
		if err != nil {
			return false, err
		}
		stands, err := Value[bool](tx.Row(ctx, selectStands, v, p))
		if err != nil || !stands || !allowed.LeavesOut() {
			return false, err
		}
		tx.Queue(done, upsertCheck, v, p, column.Time(at))
		changed := false
		for _, reason := range []struct {
			why   string
			holds bool
		}{{hasLeft, left && allowed.LeaversOff}, {isStaff, allowed.IsStaff(roles)}} {
			statement := deleteUnranked
			if reason.holds {
				statement = insertUnranked
			}
			n, err := tx.Exec(ctx, statement, v, p, reason.why)
			if err != nil {
				return false, err
			}
			changed = changed || n > 0
		}
		if changed {
			tx.Queue(done, markUnranked, v, p)
		}
		return changed, nil
	})
}

// forgetChecks puts everybody whom the policy has left out back on the leaderboards of a venue, and forgets who is a member. It does not
// change who is off the leaderboards by a moderator's decision.
func forgetChecks(ctx context.Context, tx Tx, v match.Venue) error {
	done := Named("members of %s", v)
	players, err := ScanRows(ctx, tx, Value[match.User], selectByPolicy, v)
	if err != nil {
		return err
	}
	tx.Queue(done, deleteByPolicy, v)
	tx.Queue(done, deleteChecksIn, v)
	for _, p := range players {
		tx.Queue(done, markUnranked, v, p)
	}
	return nil
}
