package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// errDisplaced is why nothing is saved any more once a file of the database is no longer where it was. SQLite would go on
// writing to it, and all of that would be gone with the process.
var errDisplaced = errors.New("was deleted or replaced while it was in use; put back what was there, or stop the bot: " +
	"it then leaves all that was saved in a file .rescued-*.bak beside it")

// errOverwritten is why nothing is saved any more once something else has written to a file of the database.
var errOverwritten = errors.New("the database was damaged from outside")

// overwritten is what the guard has noticed, if anything.
func (s *Store) overwritten() error {
	if lost := s.lost.Load(); lost != nil {
		return *lost
	}
	return nil
}

// suspect looks at the files because what was read of them made no sense.
func (s *Store) suspect(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil
	}
	err := s.guard.look(ctx, s)
	if errors.Is(err, errOverwritten) {
		s.report(true, err)
	}
	return err
}

// place is a file and the name that it is to have.
type place struct {
	name string
	file os.FileInfo
}

// note remembers the files that commits are written to, once they are there.
func (s *Store) note(path string) error {
	for _, name := range []string{path, path + "-wal"} {
		file, err := os.Stat(name)
		if err != nil {
			return err
		}
		s.places = append(s.places, place{name, file})
	}
	return nil
}

// inPlace tells whether those files can still be found.
func (s *Store) inPlace() error {
	for _, p := range s.places {
		if file, err := os.Stat(p.name); err != nil || !os.SameFile(file, p.file) {
			return fmt.Errorf("%s %w", p.name, errDisplaced)
		}
	}
	return nil
}

// rescuedEnding follows the name of a database in that of what was rescued from it, before the time and what it is.
const rescuedEnding = ".rescued-"

// rescue writes all that was saved to a new file, if it could not be found any more otherwise.
func (s *Store) rescue() error {
	if s.inPlace() == nil {
		return nil
	}
	name := s.places[0].name + rescuedEnding + time.Now().UTC().Format(stamp) + ".bak"
	if _, err := s.firm.conn.ExecContext(context.Background(), "VACUUM INTO ?", name); err != nil {
		return fmt.Errorf("rescue what was saved: %w", err)
	}
	return os.Chmod(name, 0o600)
}
