package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// OpenWith is like Open, with migrations that the test chooses.
var OpenWith = open

// Limit limits the number of pages in the file of a store, to simulate a full disk; 0 means no limit.
func Limit(s *Store, pages int) error {
	if pages == 0 {
		pages = 1<<31 - 1
	}
	_, err := s.writer.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// CheckTime points to the time limit of the check for damage at a start.
var CheckTime = &checkTime

// Write runs a statement in the same way as a save.
func Write(ctx context.Context, s *Store, statement string) error {
	return s.write(ctx, func(ctx context.Context, tx *sql.Conn) error {
		_, err := tx.ExecContext(ctx, statement)
		return err
	})
}

// Pragma returns a setting of the writing connection of a store, or of a reading connection.
func Pragma(s *Store, name string, writer bool) (value string, err error) {
	var conn querier = s.reader
	if writer {
		conn = s.writer
	}
	err = conn.QueryRowContext(context.Background(), "PRAGMA "+name).Scan(&value)
	return value, err
}
