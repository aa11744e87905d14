package sqlstore

import (
	"context"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	selectRankRoles = `SELECT venue, role, board, merit, problem FROM rank_roles WHERE venue = $1 ORDER BY role`
	upsertRankRole  = `INSERT INTO rank_roles (venue, role, board, merit) VALUES ($1, $2, $3, $4)
		ON CONFLICT (venue, role) DO UPDATE SET board = excluded.board, merit = excluded.merit, problem = ''`
	deleteRankRole = `DELETE FROM rank_roles WHERE venue = $1 AND role = $2`
	updateProblem  = `UPDATE rank_roles SET problem = $5 WHERE venue = $1 AND role = $2 AND board = $3 AND merit = $4 AND problem <> $5`

	selectAllRankRoleVenues = `SELECT venue FROM (SELECT venue FROM rank_roles UNION SELECT venue FROM role_grants) AS having_roles
		WHERE NOT EXISTS (SELECT 1 FROM venues WHERE id = venue AND gone IS NOT NULL)
			AND NOT EXISTS (SELECT 1 FROM bars AS b WHERE b.venue = having_roles.venue AND b.player = '') ORDER BY venue`

	grantColumns   = `venue, role, player, state, at FROM role_grants`
	selectGrants   = `SELECT ` + grantColumns + ` WHERE venue = $1 ORDER BY role, player`
	selectGrantsOf = `SELECT ` + grantColumns + ` WHERE player = $1 ORDER BY venue, role`
	insertGrant    = `INSERT INTO role_grants (venue, role, player, state, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`
	updateGrant    = `UPDATE role_grants SET state = $4, at = $5 WHERE venue = $1 AND role = $2 AND player = $3 AND state = $6 AND at = $7`
	deleteGrant    = `DELETE FROM role_grants WHERE venue = $1 AND role = $2 AND player = $3 AND state = $4 AND at = $5`

	// Places of ranked players begin with 0. See [ladder.Standing.Place].
	selectRatedAtLeast = `SELECT player FROM standings WHERE ` + ofRanking + ` AND place < '1' AND value >= $5
		AND NOT EXISTS (SELECT 1 FROM players WHERE id = standings.player AND hidden) ORDER BY place LIMIT $6`

	selectHasNoPlace = `SELECT EXISTS (SELECT 1 FROM players WHERE id = $2 AND hidden) OR EXISTS (SELECT 1 FROM unranked WHERE venue = $1 AND player = $2)`

	// The roles of an erased player are still to be taken back; then the rows are deleted.
	takeGrantsOf   = `UPDATE role_grants SET state = 'taking', at = $2 WHERE player = $1 AND state IN ('giving', 'given')`
	deleteGrantsOf = `DELETE FROM role_grants WHERE player = $1 AND state IN ('theirs', 'absent')`

	deleteRankRolesIn = `DELETE FROM rank_roles WHERE venue = $1`
	deleteGrantsIn    = `DELETE FROM role_grants WHERE venue = $1`
)

// RankRoles returns the roles that a venue gives for ranks.
func (s *Store) RankRoles(ctx context.Context, v match.Venue) ([]rankrole.Rule, error) {
	return readRows(ctx, s.db, Named("roles for ranks of %s", v), func(row column.Row) (r rankrole.Rule, err error) {
		err = row.Scan(&r.Venue, &r.Role, &r.Board, &r.Merit, &r.Problem)
		return r, err
	}, selectRankRoles, v)
}

// SetRankRole sets what earns a role, and adds an audit entry.
func (s *Store) SetRankRole(ctx context.Context, r rankrole.Rule, entry policy.AuditEntry, names ...match.Name) error {
	done := Named("role %s for ranks of %s", r.Role, r.Venue)
	return s.rule(ctx, Kind{Locks: []Lock{ofVenue(r.Venue)}}, entry, names, func(_ context.Context, tx Tx) error {
		if r.Merit == "" {
			tx.Queue(done, deleteRankRole, r.Venue, r.Role)
		} else {
			tx.Queue(done, upsertRankRole, r.Venue, r.Role, r.Board, r.Merit)
		}
		return nil
	})
}

// SetProblem sets why a role cannot be given, and adds the audit entry if it has an id.
func (s *Store) SetProblem(ctx context.Context, r rankrole.Rule, p rankrole.Problem, entry policy.AuditEntry) error {
	done := Named("role %s for ranks of %s", r.Role, r.Venue).Or(match.ErrConflict)
	return s.rule(ctx, Kind{Locks: []Lock{ofVenue(r.Venue)}}, entry, nil, func(_ context.Context, tx Tx) error {
		tx.Queue(done, updateProblem, r.Venue, r.Role, r.Board, r.Merit, p)
		return nil
	})
}

// RankRoleVenues returns the venues that give roles for ranks, or have given some.
func (s *Store) RankRoleVenues(ctx context.Context) ([]match.Venue, error) {
	return readRows(ctx, s.db, Named("servers with roles for ranks"), Value[match.Venue], selectAllRankRoleVenues)
}

// RoleGrants returns who was given roles in a venue.
func (s *Store) RoleGrants(ctx context.Context, v match.Venue) ([]rankrole.Grant, error) {
	return readRows(ctx, s.db, Named("given roles of %s", v), scanGrant, selectGrants, v)
}

// SaveGrant replaces a grant.
func (s *Store) SaveGrant(ctx context.Context, from, to rankrole.Grant) error {
	done := Named("role %s of a player in %s", from.Role, from.Venue).Or(match.ErrConflict)
	args, statement := []any{from.Venue, from.Role, from.Player}, updateGrant
	was, is := []any{from.State, column.Time(from.At)}, []any{to.State, column.Time(to.At)}
	switch {
	case to.State == "":
		statement, args = deleteGrant, append(args, was...)
	case from.State == "":
		statement, args = insertGrant, append(args, is...)
	default:
		args = append(append(args, is...), was...)
	}
	return s.carryOut(ctx, Kind{}, done, statement, args...)
}

// RatedAtLeast returns the ranked players of the current season with that many points, in the order of the ladder.
func (s *Store) RatedAtLeast(ctx context.Context, v match.Venue, rules string, points, limit int) (players []match.User, stale bool, err error) {
	players, err = readSnapshot(ctx, s.db, Named("ratings in %s", v), func(ctx context.Context, tx Tx) ([]match.User, error) {
		on := ranking{venue: v, rules: rules, of: byRating}
		if err := tx.Row(ctx, selectStaleLadder, v, rules).Scan(&on.season, &stale); err != nil {
			return nil, err
		}
		page, err := readLadder(ctx, tx, on, score.Where{Page: 1}, "")
		if err != nil {
			return nil, err
		}
		if page.Pages == 1 { // who has a rank on a small ladder does not follow from places
			for _, row := range page.Rows {
				if row.Ranked() && !row.Hidden && row.Rating.Value >= float64(points)-0.5 && len(players) < limit {
					players = append(players, row.Player)
				}
			}
			return players, nil
		}
		return ScanRows(ctx, tx, Value[match.User], selectRatedAtLeast, on.args(float64(points)-0.5, limit)...)
	})
	return players, stale, err
}

// ArenaChampions returns the winners of the latest arena on a board that was played to its end, without players who are hidden or off the
// leaderboards.
func (s *Store) ArenaChampions(ctx context.Context, v match.Venue, rules string) ([]match.User, error) {
	return readSnapshot(ctx, s.db, Named("champions of an arena in %s", v), func(ctx context.Context, tx Tx) (players []match.User, err error) {
		id, found, err := optional(Value[match.ID](tx.Row(ctx, selectLastArena, v, rules)))
		if err != nil || !found {
			return nil, err
		}
		a, err := s.loadArena(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		for _, p := range a.Champions() {
			out, err := Value[bool](tx.Row(ctx, selectHasNoPlace, v, p))
			if err != nil {
				return nil, err
			}
			if !out {
				players = append(players, p)
			}
		}
		return players, nil
	})
}

func scanGrant(row column.Row) (g rankrole.Grant, err error) {
	err = row.Scan(&g.Venue, &g.Role, &g.Player, &g.State, (*column.Time)(&g.At))
	return g, err
}
