package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/session"
)

// Save writes what that says in one transaction, or nothing of it. Errors: [match.ErrExists], [match.ErrConflict],
// [match.ErrBusy], [match.ErrUnsaved], a [*match.Refusal] for want of a permit, consent or quota. Nil means that it is on disk.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		for _, step := range []func(context.Context, *sql.Conn, match.Save) error{replaceValues, judge, createValues, saveRest} {
			if err := step(ctx, tx, save); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	return nil
}

// replaceValues writes the values that replace others.
func replaceValues(ctx context.Context, tx *sql.Conn, save match.Save) error {
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

// judge refuses if something does not hold that has to. Since the transaction is the only one that writes, what it finds stays
// true until it ends.
func judge(ctx context.Context, tx *sql.Conn, save match.Save) error {
	if save.Permit.Venue != "" {
		if err := permit(ctx, tx, save.Permit); err != nil {
			return err
		}
	}
	if save.Consent.Other != "" {
		if err := askConsent(ctx, tx, save.Consent); err != nil {
			return err
		}
	}
	if save.Quota.By != "" {
		return makeRoom(ctx, tx, save.Quota)
	}
	return nil
}

// createValues writes the new values.
func createValues(ctx context.Context, tx *sql.Conn, save match.Save) error {
	if c := save.Challenge; c.Creates() {
		if err := createChallenge(ctx, tx, c.To); err != nil {
			return err
		}
	}
	for _, c := range save.Matches {
		if !c.Creates() {
			continue
		}
		if err := createMatch(ctx, tx, c.To); err != nil {
			return err
		}
	}
	return nil
}

// saveRest writes what is saved beside challenges and matches.
func saveRest(ctx context.Context, tx *sql.Conn, save match.Save) error {
	if err := saveNames(ctx, tx, save.Names); err != nil {
		return err
	}
	if !save.Seen.At.IsZero() {
		if err := saveSeen(ctx, tx, save.Seen); err != nil {
			return err
		}
	}
	for _, extra := range save.Extras {
		if err := saveExtra(ctx, tx, extra); err != nil {
			return err
		}
	}
	return nil
}

func saveExtra(ctx context.Context, tx *sql.Conn, extra match.Extra) error {
	switch e := extra.(type) {
	case board.Reference:
		return saveReference(ctx, tx, e)
	case policy.AuditEntry:
		return saveAuditEntry(ctx, tx, e)
	case session.Kept:
		return keepSession(ctx, tx, e)
	default:
		return fmt.Errorf("no way to save a %T", extra)
	}
}
