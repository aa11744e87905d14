package postgres

import (
	"context"
	"errors"
	"fmt"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/session"
)

// Save writes what that says in one transaction, or nothing of it. Errors: [match.ErrExists], [match.ErrConflict],
// [match.ErrBusy], [match.ErrUnsaved], a [*match.Refusal] for want of a permit, consent or quota. Nil means that it is committed.
func (s *Store) Save(ctx context.Context, save match.Save) error {
	seen := save.Seen
	if !seen.At.IsZero() && !seen.Leaving {
		if err := s.presence.hold(ctx, seen.Partition); err != nil {
			return fmt.Errorf("save: %w", err)
		}
	}
	unanswered := false
	err := s.saving(ctx, func(ctx context.Context) error {
		err := s.transact(ctx, transactTime, locksFor(save), func(ctx context.Context, tx db) error {
			for _, step := range []func(context.Context, db, match.Save) error{replaceValues, judge, createValues, saveRest} {
				if err := step(ctx, tx, save); err != nil {
					return err
				}
			}
			return nil
		})
		if unanswered && turnedAway(err) {
			return s.unlessSaved(ctx, save, err)
		}
		unanswered = unanswered || errors.Is(err, errUnanswered)
		return err
	})
	if seen.Leaving { // also if that was not saved: whoever hears the partition next gives back the time since what was
		s.presence.drop(seen.Partition)
	}
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	return nil
}

// replaceValues writes the values that replace others.
func replaceValues(ctx context.Context, tx db, save match.Save) error {
	if c := save.Challenge; c.Replaces() {
		if err := replaceChallenge(ctx, tx, c); err != nil {
			return err
		}
	}
	for _, c := range save.Matches {
		if c.Creates() {
			continue
		}
		if err := replaceMatch(tx, c.From, c.To); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses if something does not hold that has to. Since the transaction has locked what that depends on, what it finds
// stays true until it ends.
func judge(ctx context.Context, tx db, save match.Save) error {
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
func createValues(_ context.Context, tx db, save match.Save) error {
	if c := save.Challenge; c.Creates() {
		createChallenge(tx, c.To)
	}
	for _, c := range save.Matches {
		if c.Creates() {
			createMatch(tx, c.To)
		}
	}
	return nil
}

// saveRest writes what is saved beside challenges and matches.
func saveRest(_ context.Context, tx db, save match.Save) error {
	saveNames(tx, save.Names)
	if seen := save.Seen; !seen.At.IsZero() {
		tx.queue(named("record presence"), see, seen.Partition.Index, seen.Partition.Count(), seen.At.UnixMilli(), false)
	}
	for _, extra := range save.Extras {
		switch e := extra.(type) {
		case board.Reference:
			saveReference(tx, e)
		case policy.AuditEntry:
			saveAuditEntry(tx, e)
		case session.Kept:
			keepSession(tx, e)
		default:
			return fmt.Errorf("no way to save a %T", extra)
		}
	}
	return nil
}

func saveNames(tx db, names []match.Name) {
	for _, n := range names {
		tx.queue(named("name of player %s", n.Player), upsertName, n.Player, n.Name)
	}
}
