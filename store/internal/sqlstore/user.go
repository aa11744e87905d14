package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/store/internal/column"
)

const (
	selectHeld = `SELECT
		coalesce((SELECT name FROM players WHERE id = $1), ''),
		(SELECT count(*) FROM matches WHERE x_player = $1) + (SELECT count(*) FROM matches WHERE o_player = $1),
		(SELECT count(*) FROM matches WHERE x_player = $1 AND ended IS NULL) + (SELECT count(*) FROM matches WHERE o_player = $1 AND ended IS NULL),
		(SELECT count(*) FROM challenges WHERE challenger = $1) + (SELECT count(*) FROM challenges WHERE challenged = $1),
		(SELECT count(*) FROM scores WHERE player = $1),
		(SELECT count(*) FROM (SELECT DISTINCT venue, rules FROM (` + ladders1 + `) AS seasons) AS ladders),
		(SELECT count(*) FROM deeds WHERE player = $1),
		(SELECT count(*) FROM lessons WHERE player = $1),
		(SELECT count(*) FROM puzzle_attempts WHERE player = $1),
		(SELECT count(*) FROM (` + crowdsOf1 + `) AS crowds),
		(SELECT count(*) FROM role_grants WHERE player = $1),
		(SELECT count(*) FROM entrants WHERE player = $1),
		(SELECT count(*) FROM bars WHERE player = $1) + (SELECT count(DISTINCT venue) FROM unranked WHERE player = $1),
		(SELECT count(*) FROM member_checks WHERE player = $1),
		(SELECT min(created) FROM (
			SELECT min(created) AS created FROM matches WHERE x_player = $1
			UNION ALL SELECT min(created) FROM matches WHERE o_player = $1
			UNION ALL SELECT min(created) FROM matches WHERE id IN (` + crowdsOf1 + `)
			UNION ALL SELECT min(created) FROM challenges WHERE challenger = $1
			UNION ALL SELECT min(created) FROM challenges WHERE challenged = $1
			UNION ALL SELECT min(at) FROM deeds WHERE player = $1
			UNION ALL SELECT min(created) FROM arenas WHERE host = $1
			UNION ALL SELECT min(joined) FROM entrants WHERE player = $1
			UNION ALL SELECT min(started) FROM puzzle_attempts WHERE player = $1) AS all_of_them)`

	selectChallengesOf = `SELECT * FROM (SELECT ` + challengeColumns + ` WHERE id IN (
			SELECT id FROM challenges WHERE challenger = $1 UNION ALL SELECT id FROM challenges WHERE challenged = $1)
		ORDER BY created DESC, id DESC LIMIT $2) AS latest ORDER BY created, id`

	selectMatchesOf = `SELECT * FROM (SELECT ` + matchColumns + ` WHERE id IN (
			SELECT id FROM matches WHERE x_player = $1 UNION ALL SELECT id FROM matches WHERE o_player = $1)
		ORDER BY created DESC, id DESC LIMIT $2) AS latest ORDER BY created, id`

	crowdsOf1      = `SELECT id FROM matches WHERE host = $1 UNION SELECT match FROM votes WHERE player = $1`
	selectCrowdsOf = `SELECT * FROM (SELECT ` + matchColumns + ` WHERE id IN (` + crowdsOf1 + `)
		ORDER BY created DESC, id DESC LIMIT $2) AS latest ORDER BY created, id`

	// The ladders on which the player $1 stands. No index of the table standings begins with the player. So the query first finds the servers
	// of the player by rated_met, the index of first meetings, which has a row for each ladder of a player.
	ladders1 = `SELECT venue, rules, season, player, ` + leadingColumns + ` FROM standings WHERE player = $1 AND leaderboard = 'rating'
		AND venue IN (SELECT venue FROM rated {sqlite:INDEXED BY rated_met} WHERE player = $1 AND met)`
	selectAllLaddersOf = ladders1 + ` ORDER BY venue, rules, season`
	selectRatingsOf    = `SELECT value, deviation, volatility, at, other_value, other_deviation
		FROM matches AS m JOIN rated AS r ON ` + sameMatch + ` WHERE m.id = $2 AND r.player = $1`

	selectMoveTimes = `SELECT at FROM moves WHERE match = $1 ORDER BY ply`

	selectBackOffsOf = `SELECT challenger, until FROM back_offs WHERE player = $1
		UNION ALL SELECT challenger, until FROM back_offs WHERE challenger = $1 ORDER BY until, challenger`

	selectLessonsOf = `SELECT lesson, solved FROM lessons WHERE player = $1 ORDER BY lesson`

	selectAsidesOf = `SELECT board, expires FROM asides WHERE player = $1 ORDER BY board`

	selectAuditEntriesOf = `SELECT ` + auditColumns + ` WHERE n IN (
			SELECT n FROM deeds WHERE player = $1 ORDER BY n DESC LIMIT $2) ORDER BY n`
)

// shownName selects the name under which leaderboards show a player, which is empty for a hidden player, and whether the player is
// hidden. With EXISTS, Postgres would read all players.
const shownName = `coalesce((SELECT name FROM players WHERE id = player AND NOT hidden), ''),
	coalesce((SELECT hidden FROM players WHERE id = player), false)`

const (
	selectLooks = `SELECT id, coalesce(name, ''), text_board, hidden FROM players WHERE id ` + oneOf1
	selectQuiet = `SELECT quiet FROM players WHERE id = $1`

	// Most names are unchanged. On a conflict Postgres would lock the row even then, and clicks of one player on several boards would
	// wait for each other's commits.
	upsertName = `INSERT INTO players (id, name) SELECT $1, nullif($2, '')
		WHERE NOT EXISTS (SELECT 1 FROM players WHERE id = $1 AND name IS NOT DISTINCT FROM nullif($2, ''))
		ON CONFLICT (id) DO UPDATE SET name = excluded.name`

	upsertQuiet = `INSERT INTO players (id, quiet) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET quiet = excluded.quiet`
)

// Names returns the names of players as last seen. Unknown players are absent.
func (s *Store) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	looks, err := s.Looks(ctx, players...)
	if err != nil {
		return nil, err
	}
	names := make(map[match.User]string, len(looks))
	for p, look := range looks {
		if look.Name != "" {
			names[p] = look.Name
		}
	}
	return names, nil
}

// Looks returns how players are shown. Unknown players are absent.
func (s *Store) Looks(ctx context.Context, players ...match.User) (match.Looks, error) {
	type known struct {
		id match.User
		match.Look
	}
	found, err := readRows(ctx, s.db, Named("names"), func(row column.Row) (k known, err error) {
		err = row.Scan(&k.id, &k.Name, &k.TextBoard, &k.Hidden)
		return k, err
	}, selectLooks, texts(players))
	if err != nil {
		return nil, err
	}
	looks := make(match.Looks, len(found))
	for _, k := range found {
		looks[k.id] = k.Look
	}
	return looks, nil
}

// TurnMentionsOff reports whether a player has switched turn mentions off.
func (s *Store) TurnMentionsOff(ctx context.Context, p match.User) (off bool, err error) {
	return readOptionalRow(ctx, s.db, Named("player %s", p), Value[bool], selectQuiet, p)
}

// SetTurnMentions switches a player's turn mentions off or on.
func (s *Store) SetTurnMentions(ctx context.Context, p match.User, off bool) error {
	return s.carryOut(ctx, Kind{}, Named("mentions of player %s", p), upsertQuiet, p, off)
}

func saveNames(tx Tx, names []match.Name) {
	for _, n := range names {
		tx.Queue(Named("name of player %s", n.Player), upsertName, n.Player, n.Name)
	}
}

const (
	selectSettings = `SELECT quiet, closed, text_board, hidden, language FROM players WHERE id = $1`
	selectLanguage = `SELECT language FROM players WHERE id = $1`
	selectBlocked  = `SELECT blocked FROM blocks WHERE player = $1 ORDER BY blocked`

	upsertClosed = `INSERT INTO players (id, closed) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET closed = excluded.closed`

	upsertTextBoard = `INSERT INTO players (id, text_board) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET text_board = excluded.text_board`

	upsertHidden = `INSERT INTO players (id, hidden) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET hidden = excluded.hidden`

	upsertLanguage = `INSERT INTO players (id, language) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET language = excluded.language`

	insertBlock = `INSERT INTO blocks (player, blocked) VALUES ($1, $2) ON CONFLICT DO NOTHING`
	deleteBlock = `DELETE FROM blocks WHERE player = $1 AND blocked IN ($2, $3)`
)

// Settings returns the settings that a player has chosen.
func (s *Store) Settings(ctx context.Context, p match.User) (user.Settings, error) {
	return readSnapshot(ctx, s.db, Named("settings of player %s", p), func(ctx context.Context, tx Tx) (user.Settings, error) {
		return settingsOf(ctx, tx, p)
	})
}

func settingsOf(ctx context.Context, tx Tx, p match.User) (user.Settings, error) {
	var settings user.Settings
	err := tx.Row(ctx, selectSettings, p).Scan(&settings.MentionsOff, &settings.NotTaking, &settings.TextBoard, &settings.Hidden, &settings.Language)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return settings, err
	}
	blocked, err := ScanRows(ctx, tx, Value[match.User], selectBlocked, p)
	for _, other := range blocked {
		if column.IsHashed(other) {
			settings.Hashed++
		} else {
			settings.Blocked = append(settings.Blocked, other)
		}
	}
	return settings, err
}

// SetClosed sets whether a player takes no challenges.
func (s *Store) SetClosed(ctx context.Context, p match.User, closed bool) error {
	return s.carryOut(ctx, Kind{Locks: []Lock{ofPlayer(p)}}, Named("challenges to player %s", p), upsertClosed, p, closed)
}

// SetTextBoard sets whether the boards of a player have words on their squares in place of pictures.
func (s *Store) SetTextBoard(ctx context.Context, p match.User, on bool) error {
	return s.carryOut(ctx, Kind{}, Named("text boards of player %s", p), upsertTextBoard, p, on)
}

// SetHidden sets whether a player is named on no leaderboard and shown in no profile.
func (s *Store) SetHidden(ctx context.Context, p match.User, hidden bool) error {
	return s.carryOut(ctx, Kind{}, Named("hiding of player %s", p), upsertHidden, p, hidden)
}

// Language returns the language that a player has chosen; empty if the player has not chosen one.
func (s *Store) Language(ctx context.Context, p match.User) (string, error) {
	return readOptionalRow(ctx, s.db, Named("language of player %s", p), Value[string], selectLanguage, p)
}

// SetLanguage sets the language of a player, as Discord names it. An empty language stands for the language of the player's Discord
// client.
func (s *Store) SetLanguage(ctx context.Context, p match.User, language string) error {
	return s.carryOut(ctx, Kind{}, Named("language of player %s", p), upsertLanguage, p, language)
}

// SetBlocked replaces the users whom a player blocks. Blocks of users whose data was deleted stay.
func (s *Store) SetBlocked(ctx context.Context, p match.User, blocked []match.User) error {
	done := Named("blocks of player %s", p)
	if len(blocked) > user.MaxBlocked {
		return done.Wrap(fmt.Errorf("%d blocked users are more than the limit of %d", len(blocked), user.MaxBlocked))
	}
	return s.db.Write(ctx, Kind{Locks: []Lock{ofPlayer(p), erasing().Share()}}, func(ctx context.Context, tx Tx) error {
		before, err := settingsOf(ctx, tx, p)
		if err != nil {
			return done.Wrap(err)
		}
		for _, other := range before.Blocked {
			if !slices.Contains(blocked, other) {
				tx.Queue(done, deleteBlock, p, other, s.key.Pair(p, other))
			}
		}
		for _, other := range blocked {
			tx.Queue(done, insertBlock, p, other)
		}
		return nil
	})
}

// Held counts the data that is stored about a player.
func (s *Store) Held(ctx context.Context, p match.User) (user.Held, error) {
	return readSnapshot(ctx, s.db, Named("what is known of player %s", p), func(ctx context.Context, tx Tx) (user.Held, error) {
		return heldOf(ctx, tx, p)
	})
}

func heldOf(ctx context.Context, tx Tx, p match.User) (user.Held, error) {
	var held user.Held
	err := tx.Row(ctx, selectHeld, p).Scan(&held.Name, &held.Matches, &held.Open, &held.Challenges, &held.Scores,
		&held.Ratings, &held.AuditEntries, &held.Lessons, &held.Puzzles, &held.Crowds, &held.Roles, &held.Arenas, &held.Bars, &held.Members, (*column.Time)(&held.Since))
	if err != nil {
		return held, err
	}
	held.Settings, err = settingsOf(ctx, tx, p)
	return held, err
}

// Data returns all data that is stored about a player.
func (s *Store) Data(ctx context.Context, p match.User) (user.Data, error) {
	return readSnapshot(ctx, s.db, Named("data of player %s", p), func(ctx context.Context, tx Tx) (user.Data, error) {
		return dataOf(ctx, tx, p)
	})
}

func dataOf(ctx context.Context, tx Tx, p match.User) (data user.Data, err error) {
	if data.Held, err = heldOf(ctx, tx, p); err != nil {
		return data, err
	}
	r := lists{ctx: ctx, tx: tx}
	readList(&r, &data.Entries, scanEntry, selectAllEntriesOf, p)
	readList(&r, &data.Challenged, column.ScanChallenge, selectChallengesOf, p, user.MaxExported)
	readList(&r, &data.Ratings, scanLadder, selectAllLaddersOf, p)
	readList(&r, &data.LeaveAlone, scanLeaveAlone(p), selectBackOffsOf, p)
	readList(&r, &data.Did, scanAuditEntry, selectAuditEntriesOf, p, user.MaxExported)
	readList(&r, &data.Puzzles, scanAttempt, selectAttemptsOf, p, user.MaxExported)
	readList(&r, &data.Listed, Value[match.Venue], selectListedOf, p)
	readList(&r, &data.Granted, scanGrant, selectGrantsOf, p)
	readList(&r, &data.Barred, scanBar, selectBarsOf, p)
	readList(&r, &data.Members, Value[match.Venue], selectChecksOf, p)
	readList(&r, &data.Unranked, Value[match.Venue], selectUnrankedOf, p)
	readList(&r, &data.Seasons, scanSeason, selectSeasonsOf, p)
	readList(&r, &data.Hosted, column.ScanArena, selectHosted, p)
	readList(&r, &data.Entered, scanEntered, selectEntered, p)
	readList(&r, &data.PrivateLines, scanPrivateLine, selectAsidesOf, p)
	readList(&r, &data.Solved, scanLesson, selectLessonsOf, p)
	readList(&r, &data.Crowds, column.ScanMatch, selectCrowdsOf, p, user.MaxExported)
	var matches []match.Match
	readList(&r, &matches, column.ScanMatch, selectMatchesOf, p, user.MaxExported)
	for _, m := range matches {
		played := user.Played{Match: m}
		readList(&r, &played.Moved, scanTime, selectMoveTimes, m.ID)
		if r.err == nil {
			r.err = scanRatings(tx.Row(ctx, selectRatingsOf, p, m.ID), &played)
		}
		if r.err == nil {
			played.Review, played.Judged, r.err = reviewOf(ctx, tx, m, p)
		}
		data.Played = append(data.Played, played)
	}
	return data, cmp.Or(r.err, r.unreadable)
}

// lists reads one list after another, until the database fails. It leaves out unreadable rows.
type lists struct {
	ctx             context.Context
	tx              Tx
	err, unreadable error
}

func readList[T any](l *lists, into *[]T, scan func(column.Row) (T, error), query string, args ...any) {
	if l.err != nil {
		return
	}
	if *into, l.err = ScanRows(l.ctx, l.tx, scan, query, args...); errors.Is(l.err, match.ErrUnreadable) {
		l.err, l.unreadable = nil, l.err
	}
}

func scanLadder(row column.Row) (r user.Rating, err error) {
	err = row.Scan(append([]any{&r.Venue, &r.Rules, &r.Season, &r.Player}, leading(&r.Standing)...)...)
	return r, err
}

// scanLeaveAlone reads a back-off as player p may see it: without the names of other challengers.
func scanLeaveAlone(p match.User) func(column.Row) (user.LeaveAlone, error) {
	return func(row column.Row) (l user.LeaveAlone, err error) {
		err = row.Scan(&l.Challenger, (*column.Time)(&l.Until))
		if l.Challenger != p {
			l.Challenger = ""
		}
		return l, err
	}
}

func scanPrivateLine(row column.Row) (l user.PrivateLine, err error) {
	err = row.Scan(&l.Board, (*column.Time)(&l.Until))
	return l, err
}

func scanEntered(row column.Row) (e user.Entered, err error) {
	e.Entrant, err = column.ScanEntrant(row, &e.Arena)
	return e, err
}

// scanRatings reads the ratings of both players of a match. A match without rated players has no row.
func scanRatings(row column.Row, played *user.Played) error {
	own, other := &played.Rating, &played.Other
	err := row.Scan(&own.Value, &own.Deviation, &own.Volatility, (*column.Time)(&own.At), &other.Value, &other.Deviation)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
