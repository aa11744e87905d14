package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

const (
	selectBoard = `SELECT id, guild, channel, message, token, expires, member, shown, mention_ply, mention_message,
			locale, refused, past_channel, past_message, edit
		FROM boards WHERE id = ?1`

	// Left to itself the planner might walk the primary key, past every board that is not behind.
	selectBehind = `SELECT id FROM boards INDEXED BY boards_behind
		WHERE (shown < latest OR edit <> '') AND id > ?3 AND ` + guildOfPartition + ` ORDER BY id LIMIT ?4`

	// Setting a column of an index to what it is costs as much as changing it: only a click after a refusal pays for that.
	upsertBoard = `INSERT INTO boards (id, guild, channel, message, token, expires, member, locale, latest)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, coalesce(
			(SELECT version FROM matches WHERE id = ?1), (SELECT version FROM challenges WHERE id = ?1), 0))
		ON CONFLICT (id) DO UPDATE SET channel = excluded.channel,
			message = coalesce(nullif(excluded.message, ''), message),
			token = excluded.token, expires = excluded.expires, member = excluded.member,
			locale = iif(guild = '' AND locale <> '', locale, excluded.locale)
		WHERE message = '' OR excluded.message IN ('', message)`

	moveBoard = `UPDATE boards SET guild = ?2, channel = ?3, message = '', token = ?5, expires = ?6, member = ?7,
			past_channel = iif(member AND message <> '', channel, ''), past_message = iif(member, message, ''),
			shown = 0, refused = 0, edit = ''
		WHERE id = ?1 AND token <> ?5`

	loseBoard = `UPDATE boards SET message = '', token = '', expires = NULL, shown = 0, edit = '' WHERE id = ?1 AND message = ?2`

	beginEdit = `UPDATE boards SET edit = ?3 WHERE id = ?1 AND (message = ?2 OR message = '' AND past_message <> ?2)`
	endEdit   = `UPDATE boards SET edit = '' WHERE id = ?1 AND edit = ?3 AND latest <= ?2`

	updateShown = `UPDATE boards SET shown = ?2, channel = coalesce(nullif(?3, ''), channel),
			message = coalesce(nullif(?4, ''), message)
		WHERE id = ?1 AND shown <= ?2 AND (message = '' OR ?4 IN ('', message))`

	forgiveBoard = `UPDATE boards SET refused = 0 WHERE id = ?1 AND refused > 0 AND refused < ?2`
	refuseBoard  = `UPDATE boards SET refused = refused + 1 WHERE id = ?1 AND refused < ?2`
	departBoard  = `UPDATE boards SET past_channel = '', past_message = '', mention_message = ''
		WHERE id = ?1 AND past_message = ?2`
	leaveBoards  = `UPDATE boards SET refused = ?2 WHERE guild = ?1`
	reopenBoards = `UPDATE boards SET refused = 0 WHERE guild = ?1 AND refused >= ?2`

	updateMention = `UPDATE boards SET mention_ply = ?2, mention_message = ?3 WHERE id = ?1`
)

// Board is where an id is shown; [match.ErrNotFound] if nowhere.
func (s *Store) Board(ctx context.Context, id match.ID) (b board.Board, err error) {
	err = s.read(ctx, func(db querier) error {
		b, err = scanBoard(db.QueryRowContext(ctx, selectBoard, id))
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = match.ErrNotFound
	}
	if err != nil {
		return board.Board{}, fmt.Errorf("board of %s: %w", id, err)
	}
	return b, nil
}

// Boards are those of several ids; unknown ones are absent.
func (s *Store) Boards(ctx context.Context, ids ...match.ID) (map[match.ID]board.Board, error) {
	boards := make(map[match.ID]board.Board, len(ids))
	for _, id := range ids {
		switch b, err := s.Board(ctx, id); {
		case err == nil:
			boards[id] = b
		case !errors.Is(err, match.ErrNotFound):
			return nil, err
		}
	}
	return boards, nil
}

// Behind are the ids in the partition whose message shows an older version than the stored one, or may for the sake of an edit, in
// the order of the ids, after the given one (empty: from the start), at most limit. What it costs depends on how many those
// are, not on how many boards there are.
func (s *Store) Behind(ctx context.Context, p match.Partition, after match.ID, limit int) (ids []match.ID, err error) {
	err = s.read(ctx, func(db querier) error {
		ids, err = list(ctx, db, scanID, selectBehind, p.Index, p.Count(), after, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("boards behind: %w", err)
	}
	return ids, nil
}

func scanBoard(row scanner) (board.Board, error) {
	var b board.Board
	var expires instant
	err := row.Scan(&b.ID, &b.Guild, &b.Channel, &b.Message, &b.Token, &expires, &b.Member, &b.Shown,
		&b.Mention.Ply, &b.Mention.Message, &b.Locale, &b.Refused, &b.Past.Channel, &b.Past.Message, &b.Edit)
	b.Expires = expires.Time()
	return b, err
}

func saveReference(ctx context.Context, tx *sql.Conn, b board.Reference) error {
	n, err := changed(ctx, tx, upsertBoard,
		b.ID, b.Guild, b.Channel, b.Message, b.Token, instant(b.Expires), b.Member, b.Locale)
	if err == nil && n == 0 {
		err = board.ErrMoved
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, forgiveBoard, b.ID, board.Left)
	}
	if err != nil {
		return fmt.Errorf("board of %s: %w", b.ID, err)
	}
	return nil
}

// changeBoard writes by one statement about one board.
func (s *Store) changeBoard(ctx context.Context, id match.ID, statement string, args ...any) error {
	return s.carryOut(ctx, fmt.Sprintf("board of %s", id), statement, append([]any{id}, args...)...)
}

// Move lets a board be shown in a new message, if that is permitted.
func (s *Store) Move(ctx context.Context, ask match.Permit, b board.Reference) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		if err := permit(ctx, tx, ask); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, moveBoard, b.ID, b.Guild, b.Channel, b.Message, b.Token, instant(b.Expires), b.Member)
		return err
	})
	if err != nil {
		return fmt.Errorf("move the board of %s: %w", b.ID, err)
	}
	return nil
}

// BeginEdit says that a message is about to be edited; [board.ErrMoved] if it does not show the board.
func (s *Store) BeginEdit(ctx context.Context, e board.Edit) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		n, err := changed(ctx, tx, beginEdit, e.ID, e.Message, e.Name)
		if err == nil && n == 0 {
			err = board.ErrMoved
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("board of %s: %w", e.ID, err)
	}
	return nil
}

// SaveShown says what messages show now.
func (s *Store) SaveShown(ctx context.Context, shown ...board.Shown) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		for _, b := range shown {
			if err := saveShown(ctx, tx, b); err != nil {
				return fmt.Errorf("board of %s: %w", b.ID, err)
			}
		}
		return nil
	})
}

func saveShown(ctx context.Context, tx *sql.Conn, b board.Shown) error {
	if b.Edit != "" {
		if _, err := tx.ExecContext(ctx, endEdit, b.ID, b.Version, b.Edit); err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, updateShown, b.ID, b.Version, b.Channel, b.Message)
	if err == nil {
		_, err = tx.ExecContext(ctx, forgiveBoard, b.ID, board.Left)
	}
	return err
}

// SaveMention says which message calls the side to move now.
func (s *Store) SaveMention(ctx context.Context, id match.ID, m board.Mention) error {
	return s.changeBoard(ctx, id, updateMention, m.Ply, m.Message)
}

// SaveDeleted says that a message was found deleted.
func (s *Store) SaveDeleted(ctx context.Context, id match.ID, message string) error {
	return s.changeBoard(ctx, id, loseBoard, message)
}

// SaveRefused counts that Discord did not let the bot draw the board.
func (s *Store) SaveRefused(ctx context.Context, id match.ID) error {
	return s.changeBoard(ctx, id, refuseBoard, board.Left)
}

// SaveDeparted says that the message which showed the board before does so no longer.
func (s *Store) SaveDeparted(ctx context.Context, id match.ID, message string) error {
	return s.changeBoard(ctx, id, departBoard, message)
}

// SaveGuildLeft says that the bot is not in a server any more.
func (s *Store) SaveGuildLeft(ctx context.Context, guild string) error {
	return s.carryOut(ctx, fmt.Sprintf("boards of %s", guild), leaveBoards, guild, board.Left)
}

// Reopen lets the boards of a server that were refused at least so often be tried again, and returns how many those are.
func (s *Store) Reopen(ctx context.Context, guild string, refused int) (n int, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		n, err = changed(ctx, tx, reopenBoards, guild, max(refused, 1))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("reopen boards of %s: %w", guild, err)
	}
	return n, nil
}
