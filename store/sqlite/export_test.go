package sqlite

import (
	"context"
	"fmt"
)

// OpenWith is Open with other migrations than the program's.
var OpenWith = open

// Limit is how many pages the file of a store may have, as if the disk were full then; 0 is no limit.
func Limit(s *Store, pages int) error {
	if pages == 0 {
		pages = 1<<31 - 1
	}
	_, err := s.conn.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}
