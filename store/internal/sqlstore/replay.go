package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"tictactoe/internal/match"
)

// The store that recounts ladders holds the lease replayLease. If it crashes, the lease ends after replayTime.
const (
	replayLease = "ladders"
	replayTime  = 2 * time.Minute
)

// errOutdated is returned if the rows that were read of a ladder have changed.
var errOutdated = errors.New("the ladder has changed")

// Replay recounts a stale ladder, and reports whether there are more. Only one store of a database recounts at a time; the error is
// [match.ErrBusy] for the other stores.
func (s *Store) Replay(ctx context.Context) (more bool, err error) {
	done := Named("work out a ladder again")
	due, err := readRows(ctx, s.db, done, scanLadderKey, selectAllReplays)
	if err != nil || len(due) == 0 {
		return false, err
	}
	if acquired, err := s.Acquire(ctx, replayLease, s.id, replayTime); err != nil || !acquired {
		return true, done.Wrap(cmp.Or(err, match.ErrBusy))
	}
	err = s.replay(ctx, due[0])
	outdated := errors.Is(err, errOutdated)
	if outdated {
		err = nil
	}
	err = errors.Join(err, s.Release(context.WithoutCancel(ctx), s.id, replayLease))
	return outdated || len(due) > 1, done.Wrap(err)
}

// replay reads one state of a ladder, and recounts it while other transactions write. Then it writes the corrections in parts, and
// finally adds the matches that ended meanwhile. If another change has made the rows that it read outdated, it stops, and the ladder
// stays stale.
func (s *Store) replay(ctx context.Context, l ladderKey) error {
	kind, run := Kind{Locks: []Lock{ofScores(l.venue)}, Long: true}, rand.Text()
	if err := s.carryOut(ctx, kind, Named("begin"), beginReplay, l.venue, l.rules, run); err != nil {
		return err
	}
	var c *recount
	if err := s.db.ReadLong(ctx, func(ctx context.Context, tx Tx) (err error) {
		c, err = recountLadder(ctx, tx, l, func() {})
		return err
	}); err != nil {
		return err
	}
	write := func(do func(ctx context.Context, tx Tx) error) error {
		return s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
			current, err := Value[bool](tx.Row(ctx, selectBegunReplay, l.venue, l.rules, run))
			if err == nil && !current {
				err = errOutdated
			}
			if err != nil {
				return err
			}
			return do(ctx, tx)
		})
	}
	for _, queue := range c.parts() {
		if err := write(func(_ context.Context, tx Tx) error {
			queue(tx)
			return nil
		}); err != nil {
			return err
		}
	}
	caughtUp := false
	return write(func(ctx context.Context, tx Tx) error {
		if caughtUp { // the transaction is run again, and the recount knows the rows that it wrote
			return errOutdated
		}
		caughtUp = true
		tx.Queue(Named("end"), deleteReplay, l.venue, l.rules)
		return c.catchUp(ctx, tx)
	})
}
