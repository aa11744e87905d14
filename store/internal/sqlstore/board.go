package sqlstore

import (
	"context"
	"fmt"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
)

const (
	boardColumns = `id, guild, channel, message, token, expires, member, shown, mention_ply, mention_message,
			locale, refused, past_channel, past_message, edit, small FROM boards`
	selectBoard  = `SELECT ` + boardColumns + ` WHERE id = $1`
	selectBoards = `SELECT ` + boardColumns + ` WHERE id ` + oneOf1

	// Without a hint, the planner of SQLite might scan the primary key, including all boards that are up to date.
	selectBehind = `SELECT id FROM boards {sqlite:INDEXED BY boards_behind} WHERE (shown < latest OR edit <> '') AND id > $3
			AND ` + guildOfPartition + ` ORDER BY id LIMIT $4`

	upsertBoard = `INSERT INTO boards (id, guild, channel, message, token, expires, member, locale, latest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
			coalesce((SELECT version FROM matches WHERE id = $1), (SELECT version FROM challenges WHERE id = $1),
				(SELECT version FROM arenas WHERE id = $1), 0))
		ON CONFLICT (id) DO UPDATE SET channel = excluded.channel,
			message = coalesce(nullif(excluded.message, ''), boards.message),
			token = excluded.token, expires = excluded.expires, member = excluded.member,
			locale = CASE WHEN boards.locale <> '' THEN boards.locale ELSE excluded.locale END,
			latest = CASE WHEN boards.latest > excluded.latest THEN boards.latest ELSE excluded.latest END,
			refused = CASE WHEN boards.refused < $9 THEN 0 ELSE boards.refused END
		WHERE boards.message = '' OR excluded.message IN ('', boards.message)`

	// Nothing has shown the new board yet. The bot posts it where it may, so it needs no token.
	insertBoardAfter = `INSERT INTO boards (id, guild, channel, message, token, member, locale, latest)
		SELECT $1, guild, coalesce(nullif($3, ''), channel), '', '', member, locale, (SELECT version FROM matches WHERE id = $1) FROM boards WHERE id = $2
		ON CONFLICT (id) DO NOTHING`

	moveBoard = `UPDATE boards SET guild = $2, channel = $3, message = '', token = $4, expires = $5, member = $6,
			past_channel = CASE WHEN member AND message <> '' THEN channel ELSE '' END,
			past_message = CASE WHEN member THEN message ELSE '' END,
			shown = 0, refused = 0, edit = ''
		WHERE id = $1 AND (token <> $4 OR channel <> $3)`

	loseBoard = `UPDATE boards SET message = '', token = '', expires = NULL, shown = 0, edit = '' WHERE id = $1 AND message = $2`

	beginEdit = `UPDATE boards SET edit = $3 WHERE id = $1
		AND ($2 = '' AND message = '' AND edit = $4 OR $2 <> '' AND (message = $2 OR message = '' AND past_message <> $2))`
	drawAgain = `UPDATE boards SET edit = $2 WHERE id = $1 AND message <> ''`
	endEdit   = `UPDATE boards SET edit = '' WHERE id = $1 AND edit = $3 AND latest <= $2`

	updateShown = `UPDATE boards SET shown = $2, channel = coalesce(nullif($3, ''), channel),
			message = coalesce(nullif($4, ''), message), refused = CASE WHEN refused < $5 THEN 0 ELSE refused END
		WHERE id = $1 AND shown <= $2 AND (message = '' OR $4 IN ('', message))`

	refuseBoard = `UPDATE boards SET refused = refused + 1 WHERE id = $1 AND refused < $2`
	departBoard = `UPDATE boards SET past_channel = '', past_message = '', mention_message = ''
		WHERE id = $1 AND past_message = $2`
	leaveBoards  = `UPDATE boards SET refused = $2 WHERE guild = $1`
	reopenBoards = `UPDATE boards SET refused = 0 WHERE guild = $1 AND refused >= $2 AND refused > 0` // the last condition lets SQLite use boards_refused

	// The board of a match without a move shrinks at once: then $3 is 0, otherwise 1.
	shrinkLater  = `UPDATE boards SET shrinks = $2 + p.tidy_ms * $3 FROM policies AS p WHERE boards.id = $1 AND p.venue = $4 AND p.tidy_ms IS NOT NULL`
	selectUntidy = `SELECT id FROM boards WHERE shrinks <= $3 AND ` + guildOfPartition + ` ORDER BY shrinks, id LIMIT $4`
	shrinkBoards = `UPDATE boards SET small = true, shrinks = NULL, edit = CASE WHEN message = '' THEN edit ELSE $2 END
		WHERE shrinks IS NOT NULL AND id ` + oneOf1

	updateLatest = `UPDATE boards SET latest = $2 WHERE id = $1 AND latest < $2`

	// The second condition holds if an earlier run of the transaction was committed without an answer.
	updateMention = `UPDATE boards SET mention_ply = $2, mention_message = $3
		WHERE id = $1 AND (mention_ply = $4 AND mention_message = $5 OR $3 <> '' AND mention_ply = $2 AND mention_message = $3)`

	// Postgres finds the running matches by their slots, SQLite by their deadlines. Without a hint, the planner of SQLite might begin
	// with a scan of all boards.
	selectWithoutMention = `SELECT m.id FROM matches m {sqlite:INDEXED BY matches_deadline} CROSS JOIN boards b
			WHERE {postgres:m.slot IS NOT NULL AND} ` + guildOfPartition + ` AND m.deadline IS NOT NULL AND m.x_player IS NOT NULL AND m.o_player IS NOT NULL AND m.id > $3
			AND b.id = m.id AND b.member AND b.message <> '' AND b.refused < $5
			AND b.mention_ply <= (SELECT count(*) FROM moves WHERE match = m.id)
		ORDER BY m.id LIMIT $4`
)

// Board returns the board of a match or challenge. The error is [match.ErrNotFound] if no message shows it.
func (s *Store) Board(ctx context.Context, id match.ID) (board.Board, error) {
	return readRow(ctx, s.db, ofBoard(id), scanBoard, selectBoard, id)
}

// Boards returns the boards of several matches and challenges, by id. It leaves out ids without a board.
func (s *Store) Boards(ctx context.Context, ids ...match.ID) (map[match.ID]board.Board, error) {
	found, err := readRows(ctx, s.db, Named("boards"), scanBoard, selectBoards, texts(ids))
	boards := make(map[match.ID]board.Board, len(found))
	for _, b := range found {
		boards[b.ID] = b
	}
	return boards, err
}

// Behind returns the ids of boards of the partition that must be redrawn: the message shows a version older than the latest, or an edit
// of the message was begun and not finished. It returns at most limit ids, sorted, each greater than the id given as after, which is
// empty for the first call. The cost depends on the number of boards to redraw, not on the number of all boards.
func (s *Store) Behind(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error) {
	return readRows(ctx, s.db, Named("boards behind"), Value[match.ID], selectBehind, p.Index, p.Count(), after, limit)
}

// WithoutMention returns at most limit ids of the matches in servers of the partition for whose current ply no mention is recorded,
// except matches whose boards are given up. It returns sorted ids that are greater than the id given as after, which is empty for the
// first call. The cost depends on the number of running matches.
func (s *Store) WithoutMention(ctx context.Context, p match.Partition, after match.ID, limit int) ([]match.ID, error) {
	named := Named("matches without a mention")
	return readRows(ctx, s.db, named, Value[match.ID], selectWithoutMention, p.Index, p.Count(), after, limit, board.MaxRefused)
}

// Untidy returns at most limit ids of boards of the partition that must have shrunk by the given time, the earliest first.
func (s *Store) Untidy(ctx context.Context, p match.Partition, by time.Time, limit int) ([]match.ID, error) {
	return readRows(ctx, s.db, Named("boards to shrink"), Value[match.ID], selectUntidy, p.Index, p.Count(), by.UnixMilli(), limit)
}

// Shrink records that boards that have to shrink are small from now on, and that an edit with that name is about to draw them.
func (s *Store) Shrink(ctx context.Context, edit string, ids ...match.ID) error {
	return s.carryOut(ctx, Kind{}, Named("shrink boards"), shrinkBoards, texts(ids), edit)
}

// Move records that a new message is going to show a board, unless the permit is refused.
func (s *Store) Move(ctx context.Context, permit match.Permit, b board.Reference) error {
	return s.db.Write(ctx, Kind{Locks: locksFor(match.Save{Permit: permit})}, func(ctx context.Context, tx Tx) error {
		tx.Queue(ofBoard(b.ID), moveBoard, b.ID, b.Guild, b.Channel, b.Token, column.Time(b.Expires), b.Member)
		return s.askPermit(ctx, tx, permit)
	})
}

// BeginEdit records that a message is about to be edited or posted. The error is [board.ErrMoved] if the message does not show the board,
// or if another post is recorded.
func (s *Store) BeginEdit(ctx context.Context, e board.Edit) error {
	return s.carryOut(ctx, Kind{}, ofBoard(e.ID).Or(board.ErrMoved), beginEdit, e.ID, e.Message, e.Name, e.Was)
}

// SaveShown records the versions that messages show now.
func (s *Store) SaveShown(ctx context.Context, shown ...board.Shown) error {
	return s.db.Write(ctx, Kind{}, func(_ context.Context, tx Tx) error {
		for _, b := range shown {
			done := ofBoard(b.ID)
			if b.Edit != "" {
				tx.Queue(done, endEdit, b.ID, b.Version, b.Edit)
			}
			tx.Queue(done, updateShown, b.ID, b.Version, b.Channel, b.Message, board.Left)
		}
		return nil
	})
}

// SaveMention replaces the first mention with the second. The error is [match.ErrConflict] if the first mention is not the stored
// mention.
func (s *Store) SaveMention(ctx context.Context, id match.ID, was, is board.Mention) error {
	return s.carryOut(ctx, Kind{}, ofBoard(id).Or(match.ErrConflict), updateMention, id, is.Ply, is.Message, was.Ply, was.Message)
}

// SaveDeleted records that the message of a board was deleted.
func (s *Store) SaveDeleted(ctx context.Context, id match.ID, message string) error {
	return s.carryOut(ctx, Kind{}, ofBoard(id), loseBoard, id, message)
}

// SaveRefused counts a refusal by Discord to let the bot draw the board.
func (s *Store) SaveRefused(ctx context.Context, id match.ID) error {
	return s.carryOut(ctx, Kind{}, ofBoard(id), refuseBoard, id, board.Left)
}

// SaveDeparted records that the previous message of a board does not show the board any more.
func (s *Store) SaveDeparted(ctx context.Context, id match.ID, message string) error {
	return s.carryOut(ctx, Kind{}, ofBoard(id), departBoard, id, message)
}

// SaveGuildLeft records that the bot has left a server.
func (s *Store) SaveGuildLeft(ctx context.Context, guild string) error {
	return s.carryOut(ctx, Kind{}, Named("boards of %s", guild), leaveBoards, guild, board.Left)
}

// Reopen resets the count of refusals of each board of a server whose count is at least the given number, so that the bot tries to
// draw these boards again. It returns the number of these boards.
func (s *Store) Reopen(ctx context.Context, guild string, refused int) (n int, err error) {
	return writeResult(ctx, s.db, Kind{}, Named("reopen boards of %s", guild), func(ctx context.Context, tx Tx) (int, error) {
		return tx.Exec(ctx, reopenBoards, guild, max(refused, 1))
	})
}

// saveBoardAfter writes the board of a new match in the channel where the message of another match or arena is.
func saveBoardAfter(tx Tx, b match.BoardAfter) {
	tx.Queue(ofBoard(b.ID), insertBoardAfter, b.ID, b.After, b.Channel)
}

func scanBoard(row column.Row) (board.Board, error) {
	var b board.Board
	err := row.Scan(&b.ID, &b.Guild, &b.Channel, &b.Message, &b.Token, (*column.Time)(&b.Expires), &b.Member, &b.Shown,
		&b.Mention.Ply, &b.Mention.Message, &b.Locale, &b.Refused, &b.Past.Channel, &b.Past.Message, &b.Edit, &b.Small)
	return b, err
}

func ofBoard(id match.ID) Outcome { return Named("board of %s", id) }

// tellBoard records in a board that its challenge or match has a later version, so that the board is redrawn. Every transaction that
// writes a version has to call tellBoard, because otherwise the board is not redrawn. Only moveDeadlines does not call it: it updates
// many boards in one statement.
func tellBoard(tx Tx, id match.ID, version int) { tx.Queue(ofBoard(id), updateLatest, id, version) }

// tellMatch does the same for a match. If the match has ended, it also records when the board shrinks. If the result has changed, and with it
// the standings of an arena, it requests that the message of the arena be drawn again; a message that is yet to be posted will show them.
func tellMatch(tx Tx, from, to match.Match) {
	tellBoard(tx, to.ID, to.Version)
	if !from.Result.Over() && to.Result.Over() {
		tx.Queue(ofBoard(to.ID), shrinkLater, to.ID, to.Ended.UnixMilli(), min(to.Record.Len(), 1), to.Venue)
	}
	if to.Arena != "" && to.Result != from.Result {
		tx.Queue(ofBoard(to.Arena), drawAgain, to.Arena, fmt.Sprintf("%s-%d", to.ID, to.Version))
	}
}

// saveReference writes the channel and message of a board, and the version of its challenge or match. The same
// transaction has written that version, so a new board cannot miss a later version.
func saveReference(tx Tx, b board.Reference) {
	tx.Queue(ofBoard(b.ID).Or(board.ErrMoved), upsertBoard,
		b.ID, b.Guild, b.Channel, b.Message, b.Token, column.Time(b.Expires), b.Member, b.Locale, board.Left)
}
