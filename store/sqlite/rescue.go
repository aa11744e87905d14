package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"tictactoe/internal/file/draft"
)

// errDisplaced says that nothing is saved any more because a file of the database is not in its place. SQLite would go on writing to the
// old file, which disappears with the process.
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
		_ = s.Health.Report(err, true)
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

// rescueDisplaced writes all that was saved to a new file, if it could not be found any more otherwise.
func (s *Store) rescueDisplaced(ctx context.Context) error {
	if s.inPlace() == nil {
		return nil
	}
	if err := rescue(ctx, nil, s.firm.conn, s.rescued()+".bak"); err != nil {
		return fmt.Errorf("rescue what was saved: %w", err)
	}
	return nil
}

// rescued is the name of what is rescued now, but for its last ending.
func (s *Store) rescued() string {
	return s.places[0].name + rescuedEnding + time.Now().UTC().Format(stamp)
}

// rescue makes a file of a copy, or else of what a connection can still read.
func rescue(ctx context.Context, copy *os.File, conn *sql.Conn, path string) error {
	return newFile(ctx, path, (*draft.File).Keep, func(file *os.File) error {
		if copy == nil {
			return copyInto(ctx, conn, file.Name(), allPages, nil)
		}
		_, err := copy.Seek(0, io.SeekStart)
		if err == nil {
			_, err = io.Copy(file, copy)
		}
		return err
	})
}

// giveUp ends the use of the files because something else has written to one of them, and puts what was saved beside them. It moves the log
// aside, else the next process would checkpoint it over what is there now. idle is in no transaction.
func (s *Store) giveUp(ctx context.Context, file string, why error, idle *writer) error {
	name := s.rescued()
	failed := rescue(context.WithoutCancel(ctx), s.guard.copy, idle.conn, name+".bak")
	_ = os.Rename(s.places[1].name, name+".wal")
	_ = os.Remove(s.places[0].name + "-shm")
	advice := ""
	switch {
	case failed != nil:
		advice = fmt.Sprintf("what was saved since the newest backup may be lost (%v): stop the bot, and tictactoe db restore that backup", failed)
	case s.guard.copy != nil:
		advice = "all that was saved is in " + name + ".bak: stop the bot, and tictactoe db restore that file"
	default:
		advice = "what could still be read is in " + name + ".bak, but what was saved lately may be missing in it: stop the bot, " +
			"compare it with the newest backup, and tictactoe db restore one of them"
	}
	err := fmt.Errorf("%w: %s was written to by something else while it was in use (%w); %s", errOverwritten, file, why, advice)
	s.lost.Store(&err)
	return err
}
