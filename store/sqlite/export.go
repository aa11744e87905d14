package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tictactoe/internal/match"
	"tictactoe/migrations"
)

// exportedMatch is a line of an export. The names are read by programs; docs/operating.md describes them.
type exportedMatch struct {
	ID      match.ID      `json:"id"`
	Series  match.ID      `json:"series"`
	Venue   match.Venue   `json:"venue"`
	Rules   string        `json:"rules"`
	X       exportedSeat  `json:"x"`
	O       exportedSeat  `json:"o"`
	TurnMS  int64         `json:"turn_ms"`
	Moves   []string      `json:"moves"`
	Outcome *string       `json:"outcome"`
	Cause   *string       `json:"cause"`
	Next    match.ID      `json:"rematch,omitempty"`
	Created exportedTime  `json:"created"`
	Ended   *exportedTime `json:"ended"`
}

type exportedSeat struct {
	Player match.Player `json:"player,omitempty"`
	Level  string       `json:"level,omitempty"`
}

// exportedTime is written to the millisecond, which is what is stored.
type exportedTime time.Time

// MarshalText writes it by RFC 3339.
func (t exportedTime) MarshalText() ([]byte, error) {
	return []byte(time.Time(t).Format("2006-01-02T15:04:05.000Z07:00")), nil
}

// Export writes every match of the database at path, which may be in use, as a line of JSON each, in the order of their
// ids, and returns how many. Those that make no sense are left out; then the error wraps an [*UnreadableError] for each,
// and the count is that of the others.
func Export(ctx context.Context, path string, w io.Writer, progress Progress) (n int, err error) {
	var unreadable []error
	err = peruse(ctx, path, func(conn *sql.Conn) error {
		if n > 0 || len(unreadable) > 0 {
			return errors.New("a bot has started on it meanwhile; export it again")
		}
		if err := current(ctx, conn); err != nil {
			return err
		}
		var all int
		if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM matches").Scan(&all); err != nil {
			return err
		}
		lines := json.NewEncoder(w)
		return eachMatch(ctx, conn, selectAllMatches, func(m match.Match, err error) error {
			progress.say(n+len(unreadable)+1, all)
			if broken := (*UnreadableError)(nil); errors.As(err, &broken) {
				unreadable = append(unreadable, err)
				return nil
			}
			if err != nil {
				return err
			}
			n++
			return lines.Encode(exported(m))
		})
	})
	if err = errors.Join(append(unreadable, err)...); err != nil {
		err = fmt.Errorf("export of %s: %w", path, err)
	}
	return n, err
}

// current refuses a schema that the program's statements do not fit.
func current(ctx context.Context, conn *sql.Conn) error {
	known, err := newest(migrations.SQLite())
	if err != nil {
		return err
	}
	switch version, err := schemaVersion(ctx, conn); {
	case err != nil:
		return err
	case version > known:
		return newer(version, known)
	case version < known:
		return fmt.Errorf("its schema is version %d; start the bot on it once, which brings it to %d", version, known)
	}
	return nil
}

func exported(m match.Match) exportedMatch {
	rules := m.Position().Rules()
	e := exportedMatch{
		ID: m.ID, Series: m.Series, Venue: m.Venue, Rules: rules.String(),
		X: exportedSeat(m.Seats[0]), O: exportedSeat(m.Seats[1]), TurnMS: m.TurnTime.Milliseconds(),
		Moves: make([]string, m.Record.Len()), Next: m.Rematch.Next, Created: exportedTime(m.Created),
	}
	for ply := range e.Moves {
		e.Moves[ply] = rules.Name(m.Record.Square(ply))
	}
	if m.Result.Over() {
		cause, ended := causes().word(int(m.Result.Cause)), exportedTime(m.Ended)
		e.Cause, e.Ended = &cause, &ended
		if outcome := outcomes().word(int(m.Result.Outcome)); outcome != "" {
			e.Outcome = &outcome
		}
	}
	return e
}
