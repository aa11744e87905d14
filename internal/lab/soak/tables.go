package soak

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3"
)

// database is the bot's database as an external program sees it: the laws read it, and faults disturb it.
type database interface {
	// address returns the bot's --db flag.
	address() string
	// tables reads the database. names has the players' names by id.
	tables(ctx context.Context, names map[string]string) (Tables, error)
	// behind returns how many boards the bot has yet to redraw.
	behind(ctx context.Context) (int, error)
	// choose switches on the daily puzzle in a channel of a server, as if that had been done long ago. It returns an error if the
	// database cannot be written now.
	choose(ctx context.Context, server, channel string) error
	// tidy makes finished boards of a server shrink after tidyAfter from now on. It returns an error if the database cannot be written now.
	tidy(ctx context.Context, server string) error
	// host opens an arena in a channel of a server, as if it had been announced and had just begun. It returns an error if the database cannot be
	// written now.
	host(ctx context.Context, a hosted) error
	// hold locks the database against other writers until the given channel is closed. It calls the function held as soon as it has the
	// lock, and calls the function that held has returned when it has given up the lock.
	hold(ctx context.Context, held func() (release func()), until <-chan struct{}) error
	// owner returns the id of the process that has locked the database, or zero if none has.
	owner() int
	// keep copies the database into a folder, after the bot has ended.
	keep(folder string) error
	// close releases the database. If kept is true, because a breach is kept, data that has no copy must stay.
	close(kept bool) error
}

// sqliteFile is the path of an SQLite database.
type sqliteFile string

func (f sqliteFile) address() string { return string(f) }

// close does nothing: the file is deleted with its folder.
func (f sqliteFile) close(bool) error { return nil }

// open opens the database as an external program would.
func (f sqliteFile) open() (*sql.DB, error) {
	options := url.Values{"mode": {"rw"}, "_busy_timeout": {"10000"}, "_foreign_keys": {"1"}}
	u := url.URL{Scheme: "file", Path: string(f), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite3", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func (f sqliteFile) behind(ctx context.Context) (n int, err error) {
	db, err := f.open()
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return countBehind(ctx, db)
}

// countBehind returns how many boards the bot has yet to redraw.
func countBehind(ctx context.Context, db *sql.DB) (n int, err error) {
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM boards WHERE shown < latest OR edit <> ''`).Scan(&n)
	return n, err
}

func (f sqliteFile) choose(ctx context.Context, server, channel string) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return choosePost(ctx, db, server, channel)
}

// choosePost stores the channel in which a server gets the puzzle, with no day posted yet.
func choosePost(ctx context.Context, db *sql.DB, server, channel string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO calendar_posts (venue, kind, channel, every, next) VALUES ($1, 'puzzle', $2, 'day', 0)`, server, channel)
	return err
}

func (f sqliteFile) tidy(ctx context.Context, server string) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return shrinkBoards(ctx, db, server)
}

// shrinkBoards stores the policy of a server that has chosen nothing else.
func shrinkBoards(ctx context.Context, db *sql.DB, server string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO policies (venue, places, levels, quiet, tidy_ms, version) VALUES ($1, '', '', $2, $3, 1)`,
		server, false, tidyAfter.Milliseconds())
	return err
}

func (f sqliteFile) host(ctx context.Context, a hosted) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	return a.open(ctx, db)
}

// hosted is an arena that the soak test opens: a player has to announce one a minute before, for ten minutes at least.
type hosted struct {
	id, server, channel string
	players             []string // the ids of the entrants
	begins              time.Time
	lasts               time.Duration
}

// open stores a running arena with its entrants. Its message is still to be posted.
func (a hosted) open(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	begins, ends := a.begins.UnixMilli(), a.begins.Add(a.lasts).UnixMilli()
	_, err = tx.ExecContext(ctx, `INSERT INTO arenas (id, venue, channel, thread, message, host, name, rules, turn_ms, lasts_ms, rated, created, begins, ends, status, version)
		VALUES ($1, $2, $3, '', '', $4, '', '3x3x3', 15000, $5, $6, $7, $7, $8, 'running', 1)`,
		a.id, a.server, a.channel, a.players[0], a.lasts.Milliseconds(), true, begins, ends)
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO boards (id, guild, channel, message, token, member, shown, latest) VALUES ($1, $2, $3, '', '', $4, 0, 1)`,
			a.id, a.server, a.channel, true)
	}
	for _, p := range a.players {
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO entrants (arena, player, joined, since, state) VALUES ($1, $2, $3, $3, 'ready')`, a.id, p, begins)
		}
	}
	if err == nil { // barred players cannot enter
		_, err = tx.ExecContext(ctx, `DELETE FROM entrants WHERE arena = $1 AND player IN (SELECT player FROM bars WHERE venue = $2)`, a.id, a.server)
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}

func (f sqliteFile) hold(ctx context.Context, held func() (release func()), until <-chan struct{}) error {
	db, err := f.open()
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); isBusy(err) {
		return nil // a paused bot holds the lock
	} else if err != nil {
		return fmt.Errorf("holding the database: %w", err)
	}
	release := held()
	<-until
	_, err = conn.ExecContext(ctx, "ROLLBACK")
	release()
	return err
}

// isBusy reports whether an error means that the database is locked.
func isBusy(err error) bool {
	failed := sqlite3.Error{}
	return errors.As(err, &failed) && failed.Code == sqlite3.ErrBusy
}

// owner reads the process id from the lock file, where the bot writes it for people.
func (f sqliteFile) owner() int {
	content, err := os.ReadFile(string(f) + ".lock")
	if err != nil {
		return 0
	}
	return number(strings.TrimSpace(string(content)))
}

func (f sqliteFile) keep(folder string) error {
	content, err := os.ReadFile(string(f)) // complete, because the bot has ended
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filepath.Base(string(f))), content, 0o600)
}

func (f sqliteFile) tables(ctx context.Context, names map[string]string) (Tables, error) {
	db, err := f.open()
	if err != nil {
		return Tables{}, err
	}
	defer db.Close()
	return readTables(ctx, db, names, `SELECT name FROM sqlite_master WHERE type = 'table'`)
}

// readTables reads the tables, which are the same in SQLite and Postgres except for the statement that lists them. A player without a
// name is represented by the id.
func readTables(ctx context.Context, db *sql.DB, names map[string]string, list string) (t Tables, err error) {
	r := &tableReader{ctx: ctx, db: db, names: names}
	t.Matches = rowsOf(r, `SELECT id, series, venue, rules, coalesce(x_player, ''), coalesce(o_player, ''), coalesce(x_level, ''),
			coalesce(o_level, ''), turn_ms, coalesce(deadline, 0), coalesce(rematch_deadline, 0), coalesce(outcome, ''),
			coalesce(cause, ''), coalesce(rematch_next, ''), created, coalesce(ended, 0),
			coalesce(proposer, ''), backs, best_of, coalesce(arena, '') FROM matches`,
		func(m *Match) []any {
			return []any{
				&m.ID, &m.Series, &m.Venue, &m.Rules, r.player(&m.X), r.player(&m.O), &m.XLevel,
				&m.OLevel, milliseconds(&m.TurnTime), date(&m.Deadline), date(&m.RematchDeadline), &m.Outcome,
				&m.Cause, &m.Next, date(&m.Created), date(&m.Ended),
				&m.Proposer, &m.Backs, &m.BestOf, &m.Arena,
			}
		})
	t.Arenas = r.arenas()
	t.Challenges = rowsOf(r, `SELECT id, challenger, challenged, status, coalesce(deadline, 0) FROM challenges`, func(c *Challenge) []any {
		return []any{&c.ID, r.player(&c.From), r.player(&c.To), &c.Status, date(&c.Deadline)}
	})
	t.Moves = rowsOf(r, `SELECT match, ply, square, at FROM moves ORDER BY match, ply`, func(m *Move) []any {
		return []any{&m.Match, &m.Ply, &m.Square, date(&m.At)}
	})
	score := func(s *Score) []any {
		return []any{&s.Venue, r.player(&s.Player), &s.Level, &s.Wins, &s.Draws, &s.Losses}
	}
	t.Scores = rowsOf(r, `SELECT venue, player, level, sum(wins), sum(draws), sum(losses) FROM scores WHERE rules = ''
			GROUP BY venue, player, level`, score)
	t.Computer = rowsOf(r, `SELECT venue, player, '', 0, sum(9999999999 - CAST(substr(place, 13, 10) AS bigint)),
			sum(CAST(substr(place, 23, 10) AS bigint)) FROM standings WHERE leaderboard = 'computers' AND rules = ''
			GROUP BY venue, player`, score)
	t.Attempts = rowsOf(r, `SELECT player, day, presses FROM puzzle_attempts`, func(a *Attempt) []any {
		return []any{r.player(&a.Player), day(&a.Day), &a.Presses}
	})
	t.Bars = bars(rowsOf(r, `SELECT venue, whom, kind, at FROM deeds WHERE kind IN ('bar', 'unbar') ORDER BY n`, func(one *ruling) []any {
		return []any{&one.venue, r.player(&one.whom), &one.kind, date(&one.at)}
	}))
	t.Behind = r.texts(`SELECT id FROM boards WHERE shown < latest OR edit <> ''`)
	t.Named = r.named(list)
	if err = r.err; err == nil {
		t.SecondMove, err = secondMove(ctx, db)
	}
	if err != nil {
		return Tables{}, fmt.Errorf("reading what the bot has stored: %w", err)
	}
	return t, nil
}

// secondMove tries to store a second move at a ply, rolls back, and returns the database's error.
func secondMove(ctx context.Context, db *sql.DB) (string, error) {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO moves (match, ply, square, at) SELECT match, ply, square, at FROM moves LIMIT 1`); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

// tableReader runs one query after the other, until one fails.
type tableReader struct {
	ctx   context.Context
	db    *sql.DB
	names map[string]string // by id
	err   error
}

// rowsOf returns the rows of a query. The function returns where to store the columns of a row.
func rowsOf[T any](r *tableReader, query string, columns func(row *T) []any) (all []T) {
	if r.err != nil {
		return nil
	}
	rows, err := r.db.QueryContext(r.ctx, query)
	if r.err = err; err != nil {
		return nil
	}
	defer rows.Close()
	for rows.Next() {
		var row T
		if r.err = rows.Scan(columns(&row)...); r.err != nil {
			return nil
		}
		all = append(all, row)
	}
	r.err = rows.Err()
	return all
}

// texts returns the rows of a query for one column.
func (r *tableReader) texts(query string) []string {
	return rowsOf(r, query, func(text *string) []any { return []any{text} })
}

// arenas returns the arenas with their entrants.
func (r *tableReader) arenas() []Arena {
	all := rowsOf(r, `SELECT id, message, begins, coalesce(ends, 0) FROM arenas`, func(a *Arena) []any {
		return []any{&a.ID, &a.Message, date(&a.Begins), date(&a.Ends)}
	})
	for _, e := range rowsOf(r, `SELECT arena, player, state, since FROM entrants ORDER BY joined, player`, func(e *Entrant) []any {
		return []any{&e.Arena, r.player(&e.Player), &e.State, date(&e.Since)}
	}) {
		for i := range all {
			if all[i].ID == e.Arena {
				all[i].Entrants = append(all[i].Entrants, e)
			}
		}
	}
	return all
}

// A column reads a column whose values are stored in another form than they have in the row.
type column[T any] func(stored T)

// Scan implements [sql.Scanner].
func (c column[T]) Scan(value any) error {
	var stored sql.Null[T]
	err := stored.Scan(value)
	c(stored.V)
	return err
}

// player reads the id of a player, and stores the name.
func (r *tableReader) player(name *string) sql.Scanner {
	return column[string](func(id string) { *name = cmp.Or(r.names[id], id) })
}

// date reads a time in milliseconds since 1970; 0 is the zero time.
func date(at *time.Time) sql.Scanner {
	return column[int64](func(ms int64) {
		if ms != 0 {
			*at = time.UnixMilli(ms)
		}
	})
}

// day reads a number of days since 1970.
func day(text *string) sql.Scanner {
	return column[int64](func(n int64) { *text = time.Unix(n*24*60*60, 0).UTC().Format(time.DateOnly) })
}

func milliseconds(d *time.Duration) sql.Scanner {
	return column[int64](func(ms int64) { *d = time.Duration(ms) * time.Millisecond })
}

// named returns, by player, the tables that contain one of the player's ids in any column. The query lists all tables.
func (r *tableReader) named(list string) map[string][]string {
	in := map[string][]string{}
	for _, table := range r.texts(list) {
		for id, name := range r.names {
			if r.has(table, id) {
				in[name] = append(in[name], table)
			}
		}
	}
	return in
}

// has reports whether any column of a table contains a text.
func (r *tableReader) has(table, text string) bool {
	if r.err != nil {
		return false
	}
	rows, err := r.db.QueryContext(r.ctx, `SELECT * FROM "`+table+`"`)
	if r.err = err; err != nil {
		return false
	}
	defer rows.Close()
	columns, err := rows.Columns()
	values := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for err == nil && rows.Next() {
		err = rows.Scan(into...)
		if slices.ContainsFunc(values, func(v sql.RawBytes) bool { return bytes.Contains(v, []byte(text)) }) {
			return true
		}
	}
	r.err = cmp.Or(err, rows.Err())
	return false
}
