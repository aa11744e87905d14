package sqlstore

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tictactoe/internal/board"
	"tictactoe/internal/claim"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/session"
	"tictactoe/store/internal/column"
)

// Save writes what that says in one transaction, or nothing of it. Errors: [match.ErrExists], [match.ErrConflict],
// [match.ErrBusy], [match.ErrUnsaved], a [*match.Refusal] for want of a permit, consent or quota. Nil means that it is committed.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	err := s.db.Write(ctx, Kind{Locks: locksFor(save), Save: &save}, func(ctx context.Context, tx Tx) error {
		for _, step := range []func(context.Context, Tx, match.Save) error{replaceValues, judge, createValues} {
			if err := step(ctx, tx, save); err != nil {
				return err
			}
		}
		return s.saveRest(ctx, tx, save)
	})
	return Named("save").Wrap(err)
}

// replaceValues writes the values that replace others.
func replaceValues(ctx context.Context, tx Tx, save match.Save) error {
	if c := save.Challenge; c.Replaces() {
		if err := replaceChallenge(ctx, tx, c); err != nil {
			return err
		}
	}
	for _, c := range save.Matches {
		if c.Creates() {
			continue
		}
		if err := replaceMatch(ctx, tx, c.From, c.To); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses if something does not hold that has to. Since the transaction has locked what that depends on, or is the only
// one that writes, what it finds stays true until it ends.
func judge(ctx context.Context, tx Tx, save match.Save) error {
	if save.Permit.Venue != "" {
		if err := askPermit(ctx, tx, save.Permit); err != nil {
			return err
		}
	}
	if save.Consent.Other != "" {
		if err := askConsent(ctx, tx, save.Consent); err != nil {
			return err
		}
	}
	if save.Quota.By != "" {
		return keepQuota(ctx, tx, save.Quota)
	}
	return nil
}

// createValues writes the new values.
func createValues(ctx context.Context, tx Tx, save match.Save) error {
	if c := save.Challenge; c.Creates() {
		createChallenge(tx, c.To)
	}
	for _, c := range save.Matches {
		if c.Creates() {
			if err := createMatch(ctx, tx, c.To); err != nil {
				return err
			}
		}
	}
	return nil
}

// saveRest writes what is saved beside challenges and matches.
func (s *Store) saveRest(ctx context.Context, tx Tx, save match.Save) error {
	saveNames(tx, save.Names)
	versions := versionsIn(save)
	if !save.Seen.At.IsZero() {
		if err := s.db.See(ctx, tx, save.Seen, false); err != nil {
			return err
		}
	}
	for _, extra := range save.Extras {
		switch e := extra.(type) {
		case board.Reference:
			saveReference(tx, e, versions[e.ID])
			delete(versions, e.ID)
		case policy.AuditEntry:
			saveAuditEntry(tx, e)
		case claim.Claim:
			saveClaim(tx, e)
		case session.Kept:
			keepSession(tx, e)
		default:
			return fmt.Errorf("no way to save a %T", extra)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(versions)) {
		tx.Queue(ofBoard(id), tellBoard, id, versions[id])
	}
	if save.Show != nil {
		id := save.Matches[0].To.ID
		tx.QueueEach(Named("show match %s", id), func(row column.Row) (err error) {
			*save.Show, err = column.ScanShown(row)
			return err
		}, selectShown, id)
	}
	return nil
}

// versionsIn are the versions of what a save writes, which their boards have to show. A match follows its challenge.
func versionsIn(save match.Save) map[match.ID]int {
	versions := make(map[match.ID]int, 1)
	if c := save.Challenge.To; c.ID != "" {
		versions[c.ID] = c.Version
	}
	for _, c := range save.Matches {
		versions[c.To.ID] = c.To.Version
	}
	return versions
}
