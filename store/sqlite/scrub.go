package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"tictactoe/internal/match"
)

const (
	// scrubPause is the time between two tries to empty the log while another process reads it.
	scrubPause = time.Second
	// scannedAtOnce is how many pages are read at once.
	scannedAtOnce = 256
)

// Erase implements [sqlstore.Store.Erase], and removes the player's id from all files, including the write-ahead log and the deleted
// bytes that SQLite leaves between the cells of a page. It returns when the erasure is recorded beside the database. While another
// process reads for a long time, the removal is delayed; it follows while the store is open.
func (s *Store) Erase(ctx context.Context, p match.User, at time.Time, form string) ([]match.ID, error) {
	ended, err := s.Store.Erase(ctx, p, at, form)
	if err == nil {
		err = s.keepRecord(ctx)
	}
	if err != nil {
		return nil, err
	}
	s.scrub(p)
	return ended, nil
}

// scrub removes the id of an erased player from the files, at once or, if another process is reading, later while the store is open.
func (s *Store) scrub(p match.User) {
	text := []byte(p)
	if s.scrubOnce(text) == nil {
		return
	}
	s.scrubbing.Go(func() {
		for s.scrubOnce(text) != nil && s.closing.Err() == nil {
			select {
			case <-time.After(scrubPause):
			case <-s.closing.Done():
			}
		}
	})
}

// scrubOnce removes a deleted text from the files. It fails if another process reads or writes meanwhile.
//
// SQLite overwrites the cells that it deletes (secure_delete). But when it moves cells to another page, it leaves their old copies in the
// unallocated space of the first page, which SQLite does not read. So scrubOnce first moves all pages from the log into the file, then
// searches the file without a lock, and overwrites the text in the pages that it found while nothing else can write. A deleted text is
// only in pages that had it before its deletion, because SQLite makes no new copy of it.
func (s *Store) scrubOnce(text []byte) error {
	if err := s.emptyLog(nil); err != nil {
		return err
	}
	file := s.guard.file
	header, err := readHeader(file)
	if err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint16(header[16:]))
	pages, err := pagesWith(file, size, text)
	if err != nil || len(pages) == 0 {
		return err
	}
	return s.emptyLog(func() error {
		page := make([]byte, size)
		for _, number := range pages {
			at := int64(number) * int64(size)
			if _, err := file.ReadAt(page, at); errors.Is(err, io.EOF) {
				continue // the file has become shorter
			} else if err != nil {
				return err
			}
			from, to := unallocated(page, number == 0)
			if !bytes.Contains(page[from:to], text) {
				continue
			}
			clear(page[from:to])
			if _, err := file.WriteAt(page[from:to], at+int64(from)); err != nil {
				return err
			}
		}
		return file.Sync()
	})
}

// emptyLog moves the log into the file and truncates the log. Then it calls do, if set, while no other process can write and the writer
// caches no page. It fails if the log cannot be emptied because another process reads or writes.
func (s *Store) emptyLog(do func() error) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if err := s.intact(); err != nil {
		return err
	}
	ctx := context.Background()
	if _, err := s.writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return err
	}
	return transact(ctx, s.writer, func(ctx context.Context, _ *sql.Conn) error {
		if size(s.guard.places[1].name) > 0 {
			return fmt.Errorf("the log cannot be emptied: %w", match.ErrBusy)
		}
		if do == nil {
			return nil
		}
		if _, err := s.writer.ExecContext(ctx, "PRAGMA shrink_memory"); err != nil {
			return err
		}
		return do()
	})
}

// pagesWith returns the numbers of the pages, from 0, that have a text in their unallocated space.
func pagesWith(file *os.File, size int, text []byte) (numbers []int, err error) {
	content := make([]byte, scannedAtOnce*size)
	for first := 0; ; first += scannedAtOnce {
		n, err := file.ReadAt(content, int64(first)*int64(size))
		for i := range n / size {
			page := content[i*size : (i+1)*size]
			if from, to := unallocated(page, first+i == 0); bytes.Contains(page[from:to], text) {
				numbers = append(numbers, first+i)
			}
		}
		if errors.Is(err, io.EOF) {
			return numbers, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// unallocated returns the positions at which the unallocated space of a page begins and ends. It lies between the list of cells and the
// cells. The positions are equal in a page without unallocated space. See https://www.sqlite.org/fileformat.html#b_tree_pages
func unallocated(page []byte, first bool) (from, to int) {
	header := 0
	if first {
		header = 100
	}
	switch page[header] {
	case 2, 5:
		from = header + 12
	case 10, 13:
		from = header + 8
	default:
		return 0, 0
	}
	from += 2 * int(binary.BigEndian.Uint16(page[header+3:]))
	to = int(binary.BigEndian.Uint16(page[header+5:]))
	if to < from || to > len(page) {
		return 0, 0 // a page of 65536 bytes may store its length as 0, but the databases of this program have smaller pages
	}
	return from, to
}
