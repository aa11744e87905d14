package soak

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	_ "github.com/mattn/go-sqlite3" // the driver
)

// openDatabase is another program's view of the bot's database.
func openDatabase(path string) (*sql.DB, error) {
	options := url.Values{"mode": {"rw"}, "_busy_timeout": {"10000"}, "_foreign_keys": {"1"}}
	u := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite3", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// behind counts the boards that the bot has yet to draw again.
func behind(ctx context.Context, db *sql.DB) (n int, err error) {
	err = db.QueryRowContext(ctx, `SELECT count(*) FROM boards WHERE shown < latest OR edit <> ''`).Scan(&n)
	return n, err
}

// hold keeps everybody else from writing until told to stop. It calls held when it does.
func hold(ctx context.Context, path string, held func() (release func()), until <-chan struct{}) error {
	db, err := openDatabase(path)
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("holding the database: %w", err)
	}
	release := held()
	<-until
	_, err = conn.ExecContext(ctx, "ROLLBACK")
	release()
	return err
}

// readTables reads the database as it is. People is who has which id.
func readTables(ctx context.Context, path string, people map[string]string) (Tables, error) {
	db, err := openDatabase(path)
	if err != nil {
		return Tables{}, err
	}
	defer db.Close()
	named := func(id string) string {
		if name := people[id]; name != "" {
			return name
		}
		return id
	}
	var t Tables
	err = each(ctx, db, `SELECT id, series, venue, rules, coalesce(x_player, ''), coalesce(o_player, ''), coalesce(x_level, ''),
			coalesce(o_level, ''), turn_ms, coalesce(deadline, 0), coalesce(rematch_deadline, 0), coalesce(outcome, ''),
			coalesce(cause, ''), coalesce(rematch_next, ''), created, coalesce(ended, 0) FROM matches`,
		func(scan func(...any) error) error {
			var m Match
			var turn, deadline, rematch, created, ended int64
			err := scan(&m.ID, &m.Series, &m.Venue, &m.Rules, &m.X, &m.O, &m.XLevel, &m.OLevel, &turn, &deadline, &rematch,
				&m.Outcome, &m.Cause, &m.Next, &created, &ended)
			m.X, m.O = named(m.X), named(m.O)
			m.TurnTime = time.Duration(turn) * time.Millisecond
			m.Deadline, m.RematchDeadline, m.Created, m.Ended = dated(deadline), dated(rematch), dated(created), dated(ended)
			t.Matches = append(t.Matches, m)
			return err
		})
	if err == nil {
		err = each(ctx, db, `SELECT id, challenger, challenged, status, coalesce(deadline, 0) FROM challenges`,
			func(scan func(...any) error) error {
				var c Challenge
				var deadline int64
				err := scan(&c.ID, &c.From, &c.To, &c.Status, &deadline)
				c.From, c.To, c.Deadline = named(c.From), named(c.To), dated(deadline)
				t.Challenges = append(t.Challenges, c)
				return err
			})
	}
	if err == nil {
		err = each(ctx, db, `SELECT match, ply, square, at FROM moves ORDER BY match, ply`, func(scan func(...any) error) error {
			var m Move
			var at int64
			err := scan(&m.Match, &m.Ply, &m.Square, &at)
			m.At = dated(at)
			t.Moves = append(t.Moves, m)
			return err
		})
	}
	for _, scores := range []struct {
		query string
		into  *[]Score
	}{
		{`SELECT venue, player, level, wins, draws, losses FROM scores`, &t.Scores},
		{`SELECT venue, player, '', wins, draws, losses FROM standings WHERE computers`, &t.Computer},
	} {
		if err == nil {
			err = each(ctx, db, scores.query, func(scan func(...any) error) error {
				var s Score
				err := scan(&s.Venue, &s.Player, &s.Level, &s.Wins, &s.Draws, &s.Losses)
				s.Player = named(s.Player)
				*scores.into = append(*scores.into, s)
				return err
			})
		}
	}
	if err == nil {
		err = each(ctx, db, `SELECT id FROM boards WHERE shown < latest OR edit <> ''`, func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			t.Behind = append(t.Behind, id)
			return err
		})
	}
	if err == nil {
		t.Wall, err = wall(ctx, db)
	}
	if err != nil {
		return Tables{}, fmt.Errorf("reading what the bot has stored: %w", err)
	}
	return t, nil
}

// wall tries to store a second move of a ply, takes that back, and returns what the database said to it.
func wall(ctx context.Context, db *sql.DB) (string, error) {
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

// each calls row with each row of a query.
func each(ctx context.Context, db *sql.DB, query string, row func(scan func(...any) error) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// dated is a stored time, zero for none.
func dated(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}
