package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

const (
	selectPolicy = `SELECT places, turn_ms, levels, boards, quiet, casual, off, language, told, arenas, tidy_ms, places_only, leavers_off, staff, version FROM policies WHERE venue = $1`

	insertPolicy = `INSERT INTO policies (venue, places, turn_ms, levels, boards, quiet, casual, off, language, told, arenas, tidy_ms, places_only,
			leavers_off, staff, version)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (venue) DO NOTHING`
	updatePolicy = `UPDATE policies SET places = $2, turn_ms = $3, levels = $4, boards = $5, quiet = $6, casual = $7, off = $8, language = $9, told = $10, arenas = $11,
			tidy_ms = $12, places_only = $13, leavers_off = $14, staff = $15, version = $16
		WHERE venue = $1 AND version = $17`

	selectRunning = `SELECT ` + matchColumns + ` WHERE venue = $1 AND ended IS NULL
		ORDER BY created DESC, id DESC LIMIT $3 OFFSET $2`
	selectEndedIn = `SELECT ` + matchColumns + ` WHERE venue = $1 AND ended IS NOT NULL AND cause NOT IN ('aborted', 'voided', 'no show')
		ORDER BY ended DESC, id DESC LIMIT $3 OFFSET $2`
)

// Policy returns the policy of a venue. The default policy allows everything.
func (s *Store) Policy(ctx context.Context, v match.Venue) (policy.Policy, error) {
	p, err := readOptionalRow(ctx, s.db, Named("policy of %s", v), scanPolicy, selectPolicy, v)
	p.Venue = v
	return p, err
}

// Running returns the running matches of a venue, the latest first: at most limit, after skipping the given number of matches.
func (s *Store) Running(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("running matches"), column.ScanMatch, selectRunning, v, skip, limit)
}

// Ended returns the ended matches of a venue that were neither aborted nor voided, the last to end first: at most limit, after skipping
// the given number of matches.
func (s *Store) Ended(ctx context.Context, v match.Venue, skip, limit int) ([]match.Match, error) {
	return readRows(ctx, s.db, Named("ended matches of a venue"), column.ScanMatch, selectEndedIn, v, skip, limit)
}

// scanPolicy reads all fields of a policy except the venue.
func scanPolicy(row column.Row) (p policy.Policy, err error) {
	err = row.Scan((*column.List)(&p.Places), (*column.Millis)(&p.TurnTime), (*column.List)(&p.Levels), (*column.List)(&p.Boards), &p.MentionsOff, &p.Unrated,
		(*column.Words[policy.Feature])(&p.Off), &p.Language, &p.Told, &p.ArenasByAll,
		(*column.Millis)(&p.TidyAfter), &p.PlacesOnly, &p.LeaversOff, (*column.List)(&p.Staff), &p.Version)
	return p, err
}

// askPermit returns a refusal if the bars or the policy that the transaction sees forbid the match or challenge, or [claim.ErrTaken] if
// the player who asks had all data deleted later.
func (s *Store) askPermit(ctx context.Context, tx Tx, ask match.Permit) error {
	if ask.Interaction != "" && len(ask.Players) > 0 {
		first, last := s.claimsOfLaterForms(ask.Players[0], ask.Interaction)
		if erased, err := Value[bool](tx.Row(ctx, selectErased, first, last)); err != nil {
			return fmt.Errorf("erasure of a player: %w", err)
		} else if erased {
			return claim.ErrTaken
		}
	}
	for i, p := range ask.Players {
		b, err := s.barOf(ctx, tx, ask.Venue, p, ask.At)
		if err != nil {
			return err
		}
		if refusal := b.Refuse(p, i == 0); refusal != nil {
			return refusal
		}
	}
	if ask.Joins || ask.Venue == "" {
		return nil
	}
	p, _, err := optional(scanPolicy(tx.Row(ctx, selectPolicy, ask.Venue)))
	p.Venue = ask.Venue
	if err != nil {
		return fmt.Errorf("policy of %s: %w", ask.Venue, err)
	}
	return p.Refuse(ask)
}

// SetPolicy replaces a policy, and adds an audit entry.
func (s *Store) SetPolicy(ctx context.Context, from, to policy.Policy, entry policy.AuditEntry, names ...match.Name) error {
	kind, others := Kind{Locks: []Lock{ofVenue(from.Venue)}}, from.LeaversOff != to.LeaversOff || !slices.Equal(from.Staff, to.Staff)
	if others {
		kind = Kind{Locks: append(kind.Locks, ofScores(from.Venue)), Long: true}
	}
	return s.rule(ctx, kind, entry, names, func(ctx context.Context, tx Tx) error {
		if others {
			if err := forgetChecks(ctx, tx, from.Venue); err != nil {
				return err
			}
		}
		return setPolicy(tx, from, to)
	})
}

// ResetScores resets the leaderboards of a venue, and adds an audit entry. It changes the rows of many players.
func (s *Store) ResetScores(ctx context.Context, entry policy.AuditEntry, names ...match.Name) error {
	return s.rule(ctx, scoresWrite(entry.Venue), entry, names, func(ctx context.Context, tx Tx) error {
		return resetScores(ctx, tx, entry)
	})
}

// UndoReset undoes the reset whose audit entry is entry.Undoes. It changes the rows of many players, and leaves some of
// the ladders to [Store.Replay].
func (s *Store) UndoReset(ctx context.Context, entry policy.AuditEntry, names ...match.Name) error {
	return s.rule(ctx, scoresWrite(entry.Venue), entry, names, func(ctx context.Context, tx Tx) error {
		return undoReset(ctx, tx, entry.Venue, entry.Undoes)
	})
}

func setPolicy(tx Tx, from, to policy.Policy) error {
	if to.Version <= from.Version {
		return fmt.Errorf("policy of %s: version %d does not follow %d", from.Venue, to.Version, from.Version)
	}
	statement := insertPolicy
	args := []any{from.Venue, column.List(to.Places), column.Millis(to.TurnTime), column.List(to.Levels), column.List(to.Boards),
		to.MentionsOff, to.Unrated, column.Words[policy.Feature](to.Off), to.Language, to.Told, to.ArenasByAll,
		column.Millis(to.TidyAfter), to.PlacesOnly, to.LeaversOff, column.List(to.Staff), to.Version}
	if from.Version > 0 {
		statement, args = updatePolicy, append(args, from.Version)
	}
	tx.Queue(Named("policy of %s", from.Venue).Or(match.ErrConflict), statement, args...)
	return nil
}
