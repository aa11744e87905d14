package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/score"
	"tictactoe/internal/session"
	"tictactoe/internal/user"
)

// Save writes all changes, in their order, in one transaction or none. Errors: [match.ErrExists], [match.ErrConflict],
// [match.ErrBusy], [match.ErrUnsaved], a [*match.Refusal] for want of room, consent or a permit; a kind of change that the
// store does not know is one as well. Nil means that the changes are committed.
func (s *Store) Save(ctx context.Context, changes ...match.Change) error {
	if len(changes) == 0 {
		return nil
	}
	if err := s.appear(ctx, changes); err != nil {
		return fmt.Errorf("save: %w", err)
	}
	unanswered := false
	err := s.saving(ctx, func(ctx context.Context) error {
		err := s.transact(ctx, timeFor(changes), locksFor(changes), func(ctx context.Context, tx db) error {
			for _, change := range changes {
				if err := save(ctx, tx, change); err != nil {
					return err
				}
			}
			return nil
		})
		if unanswered && turnedAway(err) {
			return s.unlessSaved(ctx, changes, err)
		}
		unanswered = unanswered || errors.Is(err, errUnanswered)
		return err
	})
	s.disappear(changes) // also if that was not saved: whoever hears the partition next gives back the time since what was
	if err != nil {
		return fmt.Errorf("save: %w", err)
	}
	return nil
}

// timeFor is what changes may take: a reset changes the rows of many.
func timeFor(changes []match.Change) time.Duration {
	if slices.ContainsFunc(changes, func(c match.Change) bool { _, is := c.(score.Reset); return is }) {
		return longTime
	}
	return transactTime
}

// save queues a change, or fails if the change asks for something that is not so.
func save(ctx context.Context, tx db, change match.Change) error {
	switch c := change.(type) {
	case match.CreateChallenge:
		createChallenge(tx, c.Challenge)
	case match.UpdateChallenge:
		return replaceChallenge(tx, c.From, c.To)
	case match.CreateMatch:
		createMatch(tx, c.Match)
	case match.UpdateMatch:
		return replaceMatch(tx, c.From, c.To)
	case match.Quota:
		return makeRoom(ctx, tx, c)
	case match.Permit:
		return permit(ctx, tx, c)
	case match.Consent:
		return askConsent(ctx, tx, c)
	case match.Answered:
		return saveAnswered(ctx, tx, c)
	case match.Name:
		tx.queue(named("name of player %s", c.Player), upsertName, c.Player, c.Name)
	case match.Seen:
		tx.queue(named("record presence"), see, c.Partition.Index, c.Partition.Count(), c.At.UnixMilli(), false)
	case session.Kept:
		keepSession(tx, c)
	case board.Reference:
		saveReference(tx, c)
	case board.Edit:
		saveEdit(tx, c)
	case board.Moved:
		saveMoved(tx, c)
	case board.Lost:
		tx.queue(ofBoard(c.ID), loseBoard, c.ID, c.Message)
	case board.Refused:
		tx.queue(ofBoard(c.ID), refuseBoard, c.ID, board.Left)
	case board.Departed:
		tx.queue(ofBoard(c.ID), departBoard, c.ID, c.Message)
	case board.GuildLeft:
		tx.queue(named("boards of %s", c.Guild), leaveBoards, c.Guild, board.Left)
	case board.Shown:
		saveShown(tx, c)
	case board.Mentioned:
		tx.queue(named("mention for %s", c.ID), updateMention, c.ID, c.Ply, c.Message)
	case board.TurnMentions:
		tx.queue(named("mentions of player %s", c.Player), upsertQuiet, c.Player, c.Off)
	case policy.Set:
		return setPolicy(tx, c)
	case policy.AuditEntry:
		saveAuditEntry(tx, c)
	case score.Reset:
		resetScores(tx, c)
	case user.Closed:
		tx.queue(named("challenges to player %s", c.Player), upsertClosed, c.Player, c.On)
	case user.Blocks:
		return saveBlocks(ctx, tx, c)
	default:
		return fmt.Errorf("no way to save a %T", change)
	}
	return nil
}
