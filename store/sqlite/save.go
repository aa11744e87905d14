package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/score"
	"tictactoe/internal/session"
	"tictactoe/internal/user"
)

// Save writes all changes, in their order, in one transaction or none. Errors: [match.ErrExists], [match.ErrConflict],
// [match.ErrBusy], [match.ErrUnsaved], a [*match.Refusal] for want of room, consent or a permit; a kind of change that the
// store does not know is one as well. Nil means that the changes are on disk.
func (s *Store) Save(ctx context.Context, changes ...match.Change) error {
	if len(changes) == 0 {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		for _, change := range changes {
			if err := save(ctx, tx, change); err != nil {
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

func save(ctx context.Context, tx *sql.Conn, change match.Change) error {
	switch c := change.(type) {
	case match.CreateChallenge:
		return createChallenge(ctx, tx, c.Challenge)
	case match.UpdateChallenge:
		return replaceChallenge(ctx, tx, c.From, c.To)
	case match.CreateMatch:
		return createMatch(ctx, tx, c.Match)
	case match.UpdateMatch:
		return replaceMatch(ctx, tx, c.From, c.To)
	case match.Quota:
		return makeRoom(ctx, tx, c)
	case match.Permit:
		return permit(ctx, tx, c)
	case match.Consent:
		return askConsent(ctx, tx, c)
	case match.Answered:
		return saveAnswered(ctx, tx, c)
	case match.Name:
		return saveName(ctx, tx, c)
	case match.Seen:
		return saveSeen(ctx, tx, c)
	case session.Kept:
		return keepSession(ctx, tx, c)
	case board.Reference:
		return saveReference(ctx, tx, c)
	case board.Edit:
		return saveEdit(ctx, tx, c)
	case board.Moved:
		return saveMoved(ctx, tx, c)
	case board.Lost:
		return saveOfBoard(ctx, tx, c.ID, loseBoard, c.Message)
	case board.Refused:
		return saveOfBoard(ctx, tx, c.ID, refuseBoard, board.Left)
	case board.Departed:
		return saveOfBoard(ctx, tx, c.ID, departBoard, c.Message)
	case board.GuildLeft:
		return saveLeft(ctx, tx, c)
	case board.Shown:
		return saveShown(ctx, tx, c)
	case board.Mentioned:
		return saveMentioned(ctx, tx, c)
	case board.TurnMentions:
		return saveQuiet(ctx, tx, c)
	case policy.Set:
		return setPolicy(ctx, tx, c)
	case policy.AuditEntry:
		return saveAuditEntry(ctx, tx, c)
	case score.Reset:
		return resetScores(ctx, tx, c)
	case user.Closed:
		return saveClosed(ctx, tx, c)
	case user.Blocks:
		return saveBlocks(ctx, tx, c)
	default:
		return fmt.Errorf("no way to save a %T", change)
	}
}
