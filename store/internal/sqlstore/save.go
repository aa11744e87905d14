package sqlstore

import (
	"context"
	"fmt"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/replica/session"
	"tictactoe/internal/server/policy"
)

// Save writes all of save in one transaction, or nothing. Errors: [match.ErrExists], [match.ErrConflict], [match.ErrBusy],
// [match.ErrUnsaved], [claim.ErrTaken], a [*match.Refusal] if the permit, consent, quota or a [match.PublicPost] refuses. Nil means that
// save is committed.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	err := s.db.Write(ctx, Kind{Locks: locksFor(save), Save: &save}, func(ctx context.Context, tx Tx) error {
		for _, step := range []func(context.Context, Tx, match.Save) error{s.replaceValues, s.checkConditions, createValues} {
			if err := step(ctx, tx, save); err != nil {
				return err
			}
		}
		return s.saveRest(ctx, tx, save)
	})
	return Named("save").Wrap(err)
}

// replaceValues writes the challenge and matches of save that replace stored ones.
func (s *Store) replaceValues(ctx context.Context, tx Tx, save match.Save) error {
	if c := save.Challenge; c.Replaces() {
		if err := s.replaceChallenge(ctx, tx, c); err != nil {
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

// checkConditions returns a refusal if the permit, consent or quota of save does not hold. The transaction has locked the rows that
// decide these conditions, or is the only transaction that writes, so the answer holds until the transaction ends.
func (s *Store) checkConditions(ctx context.Context, tx Tx, save match.Save) error {
	if err := s.askPermit(ctx, tx, save.Permit); err != nil {
		return err
	}
	if save.Consent.Other != "" || save.Consent.Challenge {
		if err := s.askConsent(ctx, tx, save.Consent); err != nil {
			return err
		}
	}
	for _, c := range save.Matches {
		if err := s.keepApart(ctx, tx, c); err != nil {
			return err
		}
	}
	if save.Quota.By != "" {
		return keepQuota(ctx, tx, save.Quota)
	}
	return nil
}

// createValues writes the new challenge and matches of save.
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

// saveRest writes all other parts of save.
func (s *Store) saveRest(ctx context.Context, tx Tx, save match.Save) error {
	saveNames(tx, save.Names)
	if !save.Seen.At.IsZero() {
		if err := s.db.See(ctx, tx, save.Seen, false); err != nil {
			return err
		}
	}
	for _, extra := range save.Extras {
		switch e := extra.(type) {
		case board.Reference:
			saveReference(tx, e)
		case policy.AuditEntry:
			saveAuditEntry(tx, e)
		case claim.Claim:
			saveClaim(tx, e)
		case match.PublicPost:
			if err := savePublicPost(ctx, tx, e); err != nil {
				return err
			}
		case match.BoardAfter:
			saveBoardAfter(tx, e)
		case arena.Change:
			if err := saveArena(ctx, tx, e); err != nil {
				return err
			}
		case session.Kept:
			keepSession(tx, e)
		default:
			return fmt.Errorf("cannot save extra of type %T", extra)
		}
	}
	for _, c := range save.Matches { // changes only boards whose version saveReference has not written yet, so each row is written once
		tellMatch(tx, c.From, c.To)
	}
	if c := save.Challenge.To; c.ID != "" {
		tellBoard(tx, c.ID, c.Version)
	}
	return nil
}
