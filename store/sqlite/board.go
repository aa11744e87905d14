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
	selectBoard = `SELECT id, guild, channel, message, token, expires, member, shown, mention_ply, mention_message
		FROM boards WHERE id = ?1`

	// Left to itself the planner might walk the primary key, past every board that is not behind.
	selectBehind = `SELECT id FROM boards INDEXED BY boards_behind WHERE shown < latest AND id > ?1 ORDER BY id LIMIT ?2`

	upsertBoard = `INSERT INTO boards (id, guild, channel, message, token, expires, member, latest)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(
			(SELECT version FROM matches WHERE id = ?1), (SELECT version FROM challenges WHERE id = ?1), 0))
		ON CONFLICT (id) DO UPDATE SET guild = excluded.guild, channel = excluded.channel,
			message = coalesce(nullif(excluded.message, ''), message),
			token = excluded.token, expires = excluded.expires, member = excluded.member`

	updateShown = `UPDATE boards SET shown = ?2, channel = coalesce(nullif(?3, ''), channel),
			message = coalesce(nullif(?4, ''), message)
		WHERE id = ?1 AND shown <= ?2`

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

// Behind are the ids whose message shows an older version than the stored one, in the order of the ids, after the given
// one (empty: from the start), at most limit. What it costs depends on how many those are, not on how many boards there
// are.
func (s *Store) Behind(ctx context.Context, after match.ID, limit int) (ids []match.ID, err error) {
	err = s.read(ctx, func(db querier) error {
		ids, err = list(ctx, db, scanID, selectBehind, after, limit)
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
		&b.Mention.Ply, &b.Mention.Message)
	b.Expires = expires.time()
	return b, err
}

func saveSighting(ctx context.Context, tx *sql.Conn, b board.Sighting) error {
	_, err := tx.ExecContext(ctx, upsertBoard, b.ID, b.Guild, b.Channel, b.Message, b.Token, instant(b.Expires), b.Member)
	if err != nil {
		return fmt.Errorf("board of %s: %w", b.ID, err)
	}
	return nil
}

func saveShown(ctx context.Context, tx *sql.Conn, b board.Shown) error {
	if _, err := tx.ExecContext(ctx, updateShown, b.ID, b.Version, b.Channel, b.Message); err != nil {
		return fmt.Errorf("board of %s: %w", b.ID, err)
	}
	return nil
}

func saveMentioned(ctx context.Context, tx *sql.Conn, b board.Mentioned) error {
	if _, err := tx.ExecContext(ctx, updateMention, b.ID, b.Ply, b.Message); err != nil {
		return fmt.Errorf("mention for %s: %w", b.ID, err)
	}
	return nil
}
