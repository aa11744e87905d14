package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tictactoe/internal/file/draft"
	"tictactoe/internal/match"
	"tictactoe/store/internal/column"
	"tictactoe/store/internal/sqlstore"
)

// The files beside a database that are not part of its backups: the key of the installation, and the record of the erasures. They stay
// when another file replaces the database.
const (
	keyEnding    = ".key"
	recordEnding = ".erasures"
)

// Recalled says what happened to recorded erasures when the store was opened.
type Recalled struct {
	Erased  int  // the number of users whose data an older backup had brought back
	KeyLost bool // the key was missing, so earlier erasures cannot be recognised any more
}

// Recalled returns how many erasures Open had to repeat because an older backup had brought data back, and whether the key was lost.
func (s *Store) Recalled() Recalled { return s.recalled }

// recall gives the store the key beside the database at path, and erases some users again: their erasures are recorded beside that database
// but not in the store, because another file has replaced the database since, or is about to.
func (s *Store) recall(ctx context.Context, path string) error {
	key, err := readKey(path)
	made := errors.Is(err, fs.ErrNotExist)
	if made {
		key = column.NewKey()
		if err = writeKey(path, key); errors.Is(err, fs.ErrExist) { // another store has just made one
			made = false
			key, err = readKey(path)
		}
	}
	if err != nil {
		return err
	}
	if s.recalled.KeyLost, err = s.UseKey(ctx, key, made); err != nil {
		return err
	}
	record, err := os.ReadFile(path + recordEnding)
	if err == nil {
		var people []match.User
		people, err = s.EraseAgain(ctx, bytes.NewReader(record), time.Now())
		s.recalled.Erased = len(people)
	}
	if errors.Is(err, sqlstore.ErrOtherKey) {
		s.recalled.KeyLost, err = true, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return err
}

func readKey(path string) (column.Key, error) {
	text, err := os.ReadFile(path + keyEnding)
	if err != nil {
		return nil, err
	}
	return column.ParseKey(string(text))
}

// writeKey writes the key file of a database, which must not exist yet.
func writeKey(path string, key column.Key) error {
	return writeFile(path+keyEnding, []byte(key.String()+"\n"), (*draft.File).KeepNew)
}

func writeFile(path string, content []byte, keep func(*draft.File) error) error {
	d, err := draft.New(path)
	if err != nil {
		return err
	}
	defer d.Discard()
	if _, err := d.Write(content); err != nil {
		return err
	}
	return keep(d)
}

// keepRecord writes the erasures in the database to the record beside it, on disk.
func (s *Store) keepRecord(ctx context.Context) error {
	if s.record == "" {
		return nil
	}
	s.recording.Lock()
	defer s.recording.Unlock()
	var now bytes.Buffer
	n, err := s.RecordErasures(ctx, &now)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(s.record)
	if bytes.Equal(before, now.Bytes()) || n == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := writeFile(s.record, now.Bytes(), (*draft.File).Keep); err != nil {
		return fmt.Errorf("record erasures: %w", err)
	}
	return nil
}

// EraseAgain calls [sqlstore.Store.EraseAgain], and then removes the ids of the erased users from the files, like [Store.Erase].
func (s *Store) EraseAgain(ctx context.Context, record io.Reader, now time.Time) (people []match.User, err error) {
	if people, err = s.Store.EraseAgain(ctx, record, now); err == nil {
		err = s.keepRecord(ctx)
	}
	for _, p := range people {
		s.scrub(p)
	}
	return people, err
}

// ForgetErasures calls [sqlstore.Store.ForgetErasures].
func (s *Store) ForgetErasures(ctx context.Context, before time.Time) error {
	if err := s.Store.ForgetErasures(ctx, before); err != nil {
		return err
	}
	return s.keepRecord(ctx)
}

// selectNewest selects the time when a bot last ran on a database.
const selectNewest = `SELECT max(last_seen) FROM presence`

// eraseAgain erases, from the unused database at path, the users whose erasures are recorded beside another database. It does not
// change a database with an older schema; its next start erases these users.
func eraseAgain(ctx context.Context, path, beside string) (r Restored, err error) {
	if size(beside+keyEnding) < 0 {
		return Restored{Unknown: true}, nil
	}
	if version, known, err := Inspect(ctx, path); err != nil || version < known {
		return r, err
	}
	s, err := connect(ctx, path)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var newest column.Time
	if err := s.reader.QueryRowContext(ctx, selectNewest).Scan(&newest); err != nil {
		return r, err
	}
	old := !newest.Time().IsZero() && time.Since(newest.Time()) > match.ErasureMemory
	err = s.recall(ctx, beside)
	return Restored{Erased: s.recalled.Erased, Unknown: old || s.recalled.KeyLost}, err
}
