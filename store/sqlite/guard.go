package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// largestCopy is the size of a database up to which a copy is kept. For a larger one a start would take too long.
var largestCopy int64 = 128 << 20

const (
	// checkpointFrames is after how many pages the write-ahead log is moved into the file, which is SQLite's own number.
	checkpointFrames = 1000
	// fixedHeader is how much of the first page never changes.
	fixedHeader = 24
)

// guard notices when something other than SQLite writes to the files of a database: a backup that is copied over it, a truncation, a broken
// disk. It also keeps a copy of the database in an unlinked file, which no other process can reach and which disappears with this one.
// Every commit is written to the copy too, without waiting for the disk, so the copy holds all that was saved, whatever happens to the
// other files.
//
// Only commits write to the write-ahead log, and only checkpoints write to the database. The guard runs the checkpoints itself, while it
// has the turn. Any other change came from something else, or from another process that uses SQLite correctly; the content shows which.
type guard struct {
	path  string
	page  int      // the size of one
	main  *os.File // the database. It and index are open as long as the store is, for closing them drops SQLite's locks
	index *os.File // of the log: memory that SQLite shares between processes
	wal   walReader
	copy  *os.File // nil: the database is too large for one, or the disk too full
	pages uint32   // how many the copy has, if it was given that size; else 0

	logged    map[uint32]bool // the pages in the log; the file may have an older content of them
	mainStamp fileStamp
	walStamp  fileStamp
	tried     int       // how many frames the log had when it was last moved into the file
	hold      *sql.Rows // a query that goes on while the store commits, see lookBefore
}

// fileStamp is what the file system says of a file: another one is a hint that it was written to.
type fileStamp struct {
	size    int64
	changed time.Time
}

func stampOf(name string) (fileStamp, error) {
	info, err := os.Stat(name)
	if err != nil {
		return fileStamp{}, err
	}
	return fileStamp{info.Size(), info.ModTime()}, nil
}

// Guard starts to watch the files for damage and to keep a copy of their content. The caller must have the [Lock] of the database, and must
// call Guard before it uses the store.
func (s *Store) Guard(ctx context.Context) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	g := &guard{path: s.places[0].name}
	err := g.open(ctx, s)
	if err == nil {
		var filled error
		err = s.exclusively(ctx, func() { filled = g.fill() })
		err = cmp.Or(err, filled)
	}
	if err != nil {
		g.close()
		return fmt.Errorf("database %s: %w", g.path, err)
	}
	s.guard = g
	return nil
}

// open opens the files and turns off SQLite's checkpoints: the guard runs them.
func (g *guard) open(ctx context.Context, s *Store) (err error) {
	for _, wr := range []*writer{&s.firm, &s.loose} {
		if _, err := wr.conn.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0"); err != nil {
			return err
		}
	}
	if err := s.firm.conn.QueryRowContext(ctx, "PRAGMA page_size").Scan(&g.page); err != nil {
		return err
	}
	if g.main, err = os.Open(g.path); err != nil {
		return err
	}
	if g.index, err = os.Open(g.path + "-shm"); err != nil {
		return err
	}
	g.wal.file, err = os.Open(g.path + "-wal")
	return err
}

// fill makes the copy, if there is to be one, and reads all of the log. No other process can write meanwhile.
func (g *guard) fill() (err error) {
	g.drop()
	if g.mainStamp, err = stampOf(g.path); err != nil {
		return err
	}
	if g.mainStamp.size+size(g.path+"-wal") <= largestCopy {
		g.copy, _ = nameless(g.main) // where there is no room for one, nothing else is to fail
	}
	return g.beginAnew()
}

// nameless is a copy of a file that only this process can reach.
func nameless(original *os.File) (*os.File, error) {
	file, err := os.CreateTemp(filepath.Dir(original.Name()), filepath.Base(original.Name())+".copy-*")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(file.Name()); err == nil {
		_, err = original.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = io.Copy(file, original)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// drop gives the copy up.
func (g *guard) drop() {
	g.copy.Close()
	g.copy, g.pages = nil, 0
}

// beginAnew takes a log over from its start. What was in the log before is in the copy already.
func (g *guard) beginAnew() error {
	g.logged, g.tried = make(map[uint32]bool), 0
	if err := g.wal.begin(); err != nil {
		return err
	}
	return g.take()
}

// take writes to the copy what was committed since.
func (g *guard) take() error {
	stamp, err := stampOf(g.path + "-wal") // before it is read: what is written to it meanwhile is to be noticed
	if err != nil {
		return err
	}
	err = g.wal.next(func(pages map[uint32][]byte, all uint32) {
		for number, content := range pages {
			g.logged[number] = true
			g.keep(func() error {
				_, err := g.copy.WriteAt(content, int64(number-1)*int64(g.page))
				return err
			})
		}
		if all != g.pages { // else the copy has that size
			g.keep(func() error { return g.copy.Truncate(int64(all) * int64(g.page)) })
			g.pages = all
		}
	})
	if err == nil {
		g.walStamp = stamp
	}
	return err
}

// keep changes the copy. One that cannot be changed, mostly because the disk is full, is of no use any more.
func (g *guard) keep(change func() error) {
	if g.copy != nil && change() != nil {
		g.drop()
	}
}

// exclusively calls do while no other process can write: some correct writes, such as restarting the log, look like damage to a process
// that reads at that moment. The caller has the turn, and has begun no transaction. The error means that another process holds the write
// lock.
func (s *Store) exclusively(ctx context.Context, do func()) error {
	ctx = context.WithoutCancel(ctx)
	_, err := s.loose.conn.ExecContext(ctx, "BEGIN IMMEDIATE")
	if locked(err) {
		return err
	}
	do() // also if SQLite could not begin because of damage
	if err == nil {
		_, _ = s.loose.conn.ExecContext(ctx, "ROLLBACK") // nothing was written
	}
	return nil
}

// look notices what was done to the files since it looked last, with the conditions of exclusively.
func (g *guard) look(ctx context.Context, s *Store) error {
	if g == nil || s.overwritten() != nil {
		return s.overwritten()
	}
	var damage error
	err := s.exclusively(ctx, func() { damage = g.inspect(ctx, s, &s.firm) })
	return cmp.Or(err, damage)
}

// lookBefore does the same in a transaction of wr that has just begun, so that no other process can write. It leaves a query open until the
// guard has read what wr commits: no process can reset the log while a query reads a snapshot older than its end.
func (g *guard) lookBefore(ctx context.Context, s *Store, wr *writer) error {
	if g == nil {
		return nil
	}
	idle := &s.firm
	if wr == idle {
		idle = &s.loose
	}
	err := g.inspect(ctx, s, idle)
	if err == nil {
		g.hold, err = idle.conn.QueryContext(context.WithoutCancel(ctx), "SELECT 1 FROM sqlite_schema")
	}
	if err == nil {
		g.hold.Next()
		err = g.hold.Err()
	}
	return err
}

// release ends what lookBefore has begun.
func (g *guard) release() {
	if g != nil && g.hold != nil {
		g.hold.Close()
		g.hold = nil
	}
}

// inspect checks the files while no other process can write. The writer idle is in no transaction.
//
// It must know what others have committed before it compares the file. The modification time of the log does not show that: it changes only
// every few milliseconds, and meanwhile a log can be checkpointed, restarted and grow to its old size again.
func (g *guard) inspect(ctx context.Context, s *Store, idle *writer) error {
	stamp, err := stampOf(g.path + "-wal")
	if err == nil && (stamp != g.walStamp || g.wal.begunAnew() || g.wal.goesOn()) {
		if err := g.lookAtWAL(); err != nil {
			return s.giveUp(ctx, g.path+"-wal", err, idle)
		}
	}
	if err := g.lookAtMain(); err != nil {
		return s.giveUp(ctx, g.path, err, idle)
	}
	return nil
}

// lookAtWAL distinguishes damage from correct writes of another process, such as a tool that replicates the file.
func (g *guard) lookAtWAL() error {
	frames, err := g.framesCommitted()
	if err == nil {
		err = g.wal.verify(frames)
	}
	switch {
	case err != nil:
		return err
	case g.wal.begunAnew():
		return g.fill() // what was in the log before it began anew is not known
	default:
		return g.take()
	}
}

// framesCommitted returns how many pages are in the log by its index, where a commit is noted at last. SQLite writes the index as memory of this
// machine: https://www.sqlite.org/walformat.html#the_wal_index_header
func (g *guard) framesCommitted() (int, error) {
	var last [4]byte
	_, err := g.index.ReadAt(last[:], 16)
	return int(binary.NativeEndian.Uint32(last[:])), err
}

// lookAtMain compares the file with what it has to be, if anything was done to it.
func (g *guard) lookAtMain() error {
	stamp, err := stampOf(g.path)
	if err != nil || stamp == g.mainStamp {
		return nil // inPlace reports a deleted file
	}
	if err := g.compare(); err != nil {
		return err
	}
	g.mainStamp = stamp
	return nil
}

// compare compares the file with the copy, but for the pages of which the log has a newer content. Of the first page, by
// which others know what the file is, the beginning is compared in any case.
func (g *guard) compare() error {
	if g.copy == nil {
		return errors.New("its size or its time has changed")
	}
	there, wanted := make([]byte, g.page), make([]byte, g.page)
	for number := uint32(1); ; number++ {
		at, length := int64(number-1)*int64(g.page), g.page
		if g.logged[number] {
			if number > 1 {
				continue
			}
			length = fixedHeader
		}
		if _, err := g.copy.ReadAt(wanted, at); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		n, err := g.main.ReadAt(there[:length], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !bytes.Equal(there[:n], wanted[:length]) {
			return errContent
		}
	}
}

// committed reads what the store has just committed. After an error, the commit may not be on disk.
func (g *guard) committed(ctx context.Context, s *Store) error {
	if g == nil {
		return nil
	}
	frames, err := g.framesCommitted()
	switch {
	case err != nil:
	case g.wal.begunAnew(): // by the store, and nobody could begin another one since
		err = g.beginAnew()
	default:
		err = g.take()
	}
	g.release()
	if err != nil || g.wal.frames < frames { // a log that is cut off right after a commit ends as if there had been none
		return g.lookAfter(ctx, s)
	}
	if g.wal.frames-g.tried < checkpointFrames {
		return nil
	}
	// A log with damage in it would be moved as it is.
	if g.wal.verify(g.wal.frames) != nil {
		return g.lookAfter(ctx, s)
	}
	g.tried = g.wal.frames
	// What cannot be moved now stays in the log, and is tried again. What else was done to the file meanwhile is seen by the next look.
	_, _ = s.firm.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
	if g.copy == nil {
		if stamp, err := stampOf(g.path); err == nil {
			g.mainStamp = stamp
		}
		_ = s.exclusively(ctx, func() { _ = g.fill() }) // there may be room now
	}
	return nil
}

// lookAfter tells damage after a commit from what another process has done since.
func (g *guard) lookAfter(ctx context.Context, s *Store) error {
	g.walStamp = fileStamp{}
	if err := g.look(ctx, s); !locked(err) {
		return err
	}
	return nil // it is committed, and the next look will tell
}

// close gives up what the guard has of its own.
func (g *guard) close() {
	if g == nil {
		return
	}
	g.drop()
	g.wal.file.Close()
	g.index.Close()
	g.main.Close()
}
