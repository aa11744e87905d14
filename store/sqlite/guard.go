package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

// errDisplaced means that nothing can be saved any more because a file of the database is not in its place. SQLite would go on
// writing to the old file, which disappears when the process ends.
var errDisplaced = errors.New("was deleted or replaced while it was in use; put back the file that was there, " +
	"or stop the bot and restore the newest backup with tictactoe db restore")

// errOverwritten means that nothing can be saved any more because another program has written over the database.
var errOverwritten = errors.New("was written over by something else while it was in use; stop the bot, move the file and those " +
	"named -wal and -shm beside it away, and restore the newest backup with tictactoe db restore")

// guard notices when the files of a database are not the files that SQLite has open, and when another program has overwritten the
// database. The store calls check before each commit. The bot records its presence every five seconds, so it commits at least as often.
type guard struct {
	places  []place
	file    *os.File // the database. It is open as long as the store is, because closing it drops SQLite's locks
	size    int64    // the size of the file at the last check
	changes uint32   // SQLite's count of changes of the first page at that check
}

// place is an open file and the path at which it must still be found.
type place struct {
	name string
	file os.FileInfo
}

// watch begins to guard the database at path, once its log is there as well.
func watch(path string) (*guard, error) {
	g := &guard{}
	for _, name := range []string{path, path + "-wal"} {
		file, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		g.places = append(g.places, place{name, file})
	}
	var err error
	g.file, err = os.OpenFile(path, os.O_RDWR, 0) // opened for writing, because an erasure overwrites pages in it
	return g, err
}

// check returns an error that wraps errDisplaced or errOverwritten if the files were replaced or overwritten. A database that was
// truncated, or overwritten with an older copy of itself, is smaller or was changed less often than before. VACUUM
// makes a database smaller too, but is counted as a change.
func (g *guard) check() error {
	for _, p := range g.places {
		if file, err := os.Stat(p.name); err != nil || !os.SameFile(file, p.file) {
			return fmt.Errorf("%s %w", p.name, errDisplaced)
		}
	}
	info, err := g.file.Stat()
	if err != nil {
		return err
	}
	header, err := readHeader(g.file)
	changes := binary.BigEndian.Uint32(header[24:]) // https://www.sqlite.org/fileformat.html#file_change_counter
	if err != nil || changes < g.changes || changes == g.changes && info.Size() < g.size {
		return fmt.Errorf("%s %w", g.file.Name(), errOverwritten)
	}
	g.size, g.changes = info.Size(), changes
	return nil
}
