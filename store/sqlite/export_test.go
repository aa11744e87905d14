package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// OpenWith is like Open, with migrations that the test chooses.
var OpenWith = open

// Limit limits the number of pages of the file of a store, as a full disk does; 0 means no limit.
func Limit(s *Store, pages int) error {
	if pages == 0 {
		pages = 1<<31 - 1
	}
	_, err := s.writer.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}

// CheckTime is the time limit of a start's check for damage.
var CheckTime = &checkTime

// Write runs a statement as a save does.
func Write(ctx context.Context, s *Store, statement string) error {
	return s.write(ctx, false, func(ctx context.Context, tx *sql.Conn) error {
		_, err := tx.ExecContext(ctx, statement)
		return err
	})
}

// Pragma returns a setting of the connection of the store that writes, or of a connection that reads.
func Pragma(s *Store, name string, writer bool) (value string, err error) {
	var conn querier = s.reader
	if writer {
		conn = s.writer
	}
	err = conn.QueryRowContext(context.Background(), "PRAGMA "+name).Scan(&value)
	return value, err
}
