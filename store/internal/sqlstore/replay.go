package sqlstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"time"

	"tictactoe/internal/match"
)

// replayLease is held by the store that works ladders out again, for that long at most if it crashes.
const (
	replayLease = "ladders"
	replayTime  = 2 * time.Minute
)

// errOutdated is returned if something has changed what was read of a ladder.
var errOutdated = errors.New("the ladder has changed")

// Replay works out again a ladder that needs it, and reports whether there is more. Of the stores of a database one does so at a time; for
// the others that is [match.ErrBusy].
func (s *Store) Replay(ctx context.Context) (more bool, err error) {
	done := Named("work out a ladder again")
	due, err := all(ctx, s.db, done, scanRung, selectAllReplays)
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

// replay reads a ladder at one moment, and works it out without keeping others from writing. Then it writes what differs, in parts, and at last
// adds the matches that ended meanwhile. Once anything else has changed what was read, nothing more is written: the ladder stays due.
func (s *Store) replay(ctx context.Context, on rung) error {
	kind, run := Kind{Locks: []Lock{ofScores(on.venue)}, Long: true}, rand.Text()
	if err := s.carryOut(ctx, kind, Named("begin"), beginReplay, on.venue, on.rules, run); err != nil {
		return err
	}
	var c *recount
	err := s.db.ReadLong(ctx, func(ctx context.Context, tx Tx) (err error) {
		c, err = recountLadder(ctx, tx, ladderSize{rung: on}, func(int) {})
		return err
	})
	caughtUp := false
	for n := 0; err == nil && !caughtUp; n += ReplayAtOnce {
		err = s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
			current, err := Value[bool](tx.Row(ctx, selectBegunReplay, on.venue, on.rules, run))
			switch {
			case err != nil:
				return err
			case !current || caughtUp: // the transaction is run again, and c knows what it wrote
				return errOutdated
			case n < c.corrections():
				c.queue(tx, n, n+ReplayAtOnce)
				return nil
			}
			caughtUp = true
			tx.Queue(Named("end"), deleteReplay, on.venue, on.rules)
			return c.catchUp(ctx, tx)
		})
	}
	return err
}
