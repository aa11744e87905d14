package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"tictactoe/internal/draft"
)

const (
	// largestCopy is the size of a database up to which a copy is kept. For a larger one a start would take too long.
	largestCopy = 128 << 20
	// checkpointFrames is after how many pages the log is moved into the file, which is SQLite's own number.
	checkpointFrames = 1000
)

// guard notices when something else than SQLite writes to the files of a database, which nothing prevents: a backup that
// is copied over it, a truncation, a broken disk. It also keeps a copy of the database in a file without a name, which
// nobody else can reach and which is gone with the process. Every commit is written to that as well, without waiting for
// the disk, so that it holds all that was saved whatever becomes of the others.
//
// The log is written by commits alone, and the file only when the log is moved into it, which the guard has done while it
// has the turn. Whatever has changed either of them meanwhile was something else, or another process that uses SQLite
// as it should; the content tells which.
type guard struct {
	path string
	page int // the size of one
	log  logReader
	main *os.File // the database, opened only if its content has to be looked at, for closing it drops SQLite's locks
	copy *os.File // nil: the database is too large for one, or the disk too full

	logged    map[uint32]bool // the pages in the log; the file may have an older content of them
	mainStamp fileStamp
	logStamp  fileStamp
	tried     int   // how many frames the log had when it was last moved into the file
	moved     bool  // all of them were: the next commit begins the log anew
	behind    bool  // what others have committed may be missing in the copy
	lost      error // what was noticed: from then on nothing is read or written
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

// overwrittenError says that something else has written to the files.
type overwrittenError struct {
	file    string
	why     error
	rescued string // a file with what was saved; empty if there is none
	whole   bool   // it has all of it
	failed  error  // why it has not
}

func (e *overwrittenError) Error() string {
	text := fmt.Sprintf("%s was written to by something else while it was in use (%v)", e.file, e.why)
	switch {
	case e.whole:
		return text + "; all that was saved is in " + e.rescued + ": stop the bot, and tictactoe db restore that file"
	case e.rescued != "":
		return text + "; what could still be read is in " + e.rescued + ", but what was saved lately may be missing in it: stop the bot, " +
			"compare it with the newest backup, and tictactoe db restore one of them"
	default:
		return fmt.Sprintf("%s; what was saved since the newest backup may be lost (%v): stop the bot, and tictactoe db restore that backup", text, e.failed)
	}
}

func (e *overwrittenError) Unwrap() error { return e.why }

// Guard begins to watch the files for what only damage can do to them, and to keep a copy of what is in them. It is for a
// store that has the lock of its database, and has to be called before the store is used.
func (s *Store) Guard(ctx context.Context) error {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	g := &guard{path: s.places[0].name}
	for _, p := range []*pen{&s.firm, &s.loose} {
		if _, err := p.conn.ExecContext(ctx, "PRAGMA wal_autocheckpoint = 0"); err != nil {
			return fmt.Errorf("database %s: %w", g.path, err)
		}
	}
	err := s.firm.conn.QueryRowContext(ctx, "PRAGMA page_size").Scan(&g.page)
	if err == nil {
		g.log.file, err = os.Open(g.path + "-wal")
	}
	if err == nil {
		var failed error
		err = s.alone(ctx, func() { failed = g.fill(ctx, &s.firm) })
		err = errors.Join(err, failed)
	}
	if err != nil {
		return fmt.Errorf("database %s: %w", g.path, err)
	}
	s.guard = g
	return nil
}

// fill makes the copy, if there is to be one, and reads all of the log.
func (g *guard) fill(ctx context.Context, p *pen) (err error) {
	g.drop()
	if g.mainStamp, err = stampOf(g.path); err != nil {
		return err
	}
	if g.mainStamp.size+size(g.path+"-wal") <= largestCopy {
		g.copy, _ = nameless(ctx, p, g.path) // where there is no room for one, nothing else is to fail
	}
	g.logged, g.tried, g.moved, g.behind = make(map[uint32]bool), 0, false, false
	if err := g.log.begin(); err != nil {
		return err
	}
	return g.take()
}

// nameless is a copy of a database in a file that only this process can reach.
func nameless(ctx context.Context, p *pen, path string) (*os.File, error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".copy-*")
	if err != nil {
		return nil, err
	}
	err = copyInto(ctx, p.conn, file.Name(), allPages, nil)
	if err = errors.Join(err, os.Remove(file.Name())); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func (g *guard) drop() {
	if g.copy != nil {
		g.copy.Close()
	}
	g.copy = nil
}

// errAnew says that another process has begun the log anew, so that what it has written to the one before is not known.
var errAnew = errors.New("another process has begun the log anew")

// follow writes to the copy what was committed since.
func (g *guard) follow() error {
	if g.log.begunAnew() {
		before := g.log
		if err := g.log.begin(); err != nil {
			return err
		}
		if !(g.moved && g.log.follows(before)) {
			return errAnew
		}
		clear(g.logged)
		g.tried, g.moved = 0, false
	}
	return g.take()
}

// take is follow where the log is known to be the same one.
func (g *guard) take() error {
	stamp, err := stampOf(g.path + "-wal") // before it is read: what is written to it meanwhile is to be noticed
	if err != nil {
		return err
	}
	err = g.log.next(func(pages map[uint32][]byte, all uint32) {
		for number, content := range pages {
			g.logged[number] = true
			g.keep(func() error {
				_, err := g.copy.WriteAt(content, int64(number-1)*int64(g.page))
				return err
			})
		}
		g.keep(func() error { return g.copy.Truncate(int64(all) * int64(g.page)) })
	})
	if err != nil {
		return err
	}
	g.logStamp = stamp
	return nil
}

// followAll is follow where all that SQLite has written has to be found: a log that is cut off right after a commit ends as if
// there had been none. If it is short, SQLite is asked once more, for another process may have begun the log anew meanwhile.
func (g *guard) followAll(ctx context.Context, p *pen) error {
	for range 2 {
		frames, err := framesIn(ctx, p)
		if err != nil && !locked(err) {
			return err
		}
		if err := g.follow(); err != nil {
			return err
		}
		if g.log.frames >= frames {
			return nil
		}
	}
	return fmt.Errorf("%w: its end is missing", errLog)
}

// framesIn is how many pages are in the log. SQLite knows that without reading it.
func framesIn(ctx context.Context, p *pen) (frames int, err error) {
	var busy, moved int
	err = p.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(NOOP)").Scan(&busy, &frames, &moved)
	return frames, err
}

// keep changes the copy. One that cannot be changed, mostly because the disk is full, is of no use any more.
func (g *guard) keep(change func() error) {
	if g.copy != nil && change() != nil {
		g.drop()
	}
}

// alone calls do while no other process can write: what one does by SQLite's rules, as to empty the log and to write to it, looks
// like damage to whoever reads meanwhile. The caller has the turn, and has begun no transaction. The error says that another
// process lets nobody write.
func (s *Store) alone(ctx context.Context, do func()) error {
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

// look notices what was done to the files since it looked last, with the conditions of alone.
func (g *guard) look(ctx context.Context, s *Store) error {
	if g == nil || g.lost != nil {
		return s.overwritten()
	}
	var file string
	var damage error
	if err := s.alone(ctx, func() { file, damage = g.inspect(ctx, &s.firm) }); err != nil {
		return err
	}
	if damage != nil {
		return g.giveUp(ctx, s, file, damage)
	}
	return nil
}

// lookBefore notices the same in a transaction of p that has just begun, so that no other process can write.
func (g *guard) lookBefore(ctx context.Context, s *Store, p *pen) error {
	if g == nil || g.lost != nil {
		return s.overwritten()
	}
	idle := &s.firm
	if p == idle {
		idle = &s.loose
	}
	if file, damage := g.inspect(ctx, idle); damage != nil {
		return g.giveUp(ctx, s, file, damage)
	}
	return nil
}

// inspect finds what is wrong with the files, and with which, while no other process can write. The pen is in no transaction.
//
// What another process has committed has to be known before the file is compared. The time of the log does not tell: it moves
// on every few milliseconds only, and meanwhile a log can be moved into the file, begun anew, and have its old size again.
func (g *guard) inspect(ctx context.Context, idle *pen) (file string, err error) {
	if stamp, err := stampOf(g.path + "-wal"); err == nil && (g.behind || stamp != g.logStamp || g.log.begunAnew() || g.log.goesOn()) {
		err := g.lookAtLog(ctx, idle)
		if locked(err) {
			return "", nil // it is being changed; the next look will tell
		}
		if err != nil {
			return g.path + "-wal", err
		}
	}
	return g.path, g.lookAtMain()
}

// lookAtMain compares the file with what it has to be, if anything was done to it.
func (g *guard) lookAtMain() error {
	stamp, err := stampOf(g.path)
	if err != nil || stamp == g.mainStamp {
		return nil // who has deleted it is told so elsewhere
	}
	if err := g.compare(); err != nil {
		return err
	}
	g.mainStamp = stamp
	return nil
}

// lookAtLog tells damage from what another process has done by SQLite's rules, as a tool that replicates the file does.
func (g *guard) lookAtLog(ctx context.Context, idle *pen) error {
	if !g.behind && !g.log.begunAnew() {
		if err := g.log.verify(g.log.frames); err != nil {
			return err
		}
		return g.follow()
	}
	frames, err := framesIn(ctx, idle)
	if err == nil && frames > 0 {
		err = g.log.verify(frames)
	}
	if err != nil {
		return err
	}
	return g.fill(ctx, idle) // what was in the log before it began anew is not known
}

// errContent says that a database does not hold what was written to it.
var errContent = errors.New("its content is not what was written")

// compare compares the file with the copy, but for the pages of which the log has a newer content.
func (g *guard) compare() (err error) {
	if g.copy == nil {
		return errors.New("its size or its time has changed")
	}
	if g.main == nil {
		if g.main, err = os.Open(g.path); err != nil {
			return err
		}
	}
	there, wanted := make([]byte, g.page), make([]byte, g.page)
	for number := uint32(1); ; number++ {
		at := int64(number-1) * int64(g.page)
		if n, err := g.copy.ReadAt(wanted, at); n == 0 && errors.Is(err, io.EOF) {
			return nil
		} else if n < len(wanted) {
			return err
		}
		if g.logged[number] && number > 1 {
			continue
		}
		n, err := g.main.ReadAt(there, at)
		if n < len(there) && errors.Is(err, io.EOF) {
			return errContent
		} else if n < len(there) {
			return err
		}
		if number == 1 {
			there, wanted := lasting(there, g.logged[1]), lasting(wanted, g.logged[1])
			if !bytes.Equal(there, wanted) {
				return errContent
			}
			continue
		}
		if !bytes.Equal(there, wanted) {
			return errContent
		}
	}
}

// lasting is what a database and its copy have in common in their first page: all but how they are written, the counters,
// and who counted; if the page is in the log, that they are databases of this program, which nothing ever changes.
func lasting(page []byte, logged bool) []byte {
	parts := [][]byte{page[:18], page[20:24], page[68:72]}
	if !logged {
		parts = append(parts, page[28:40], page[44:92], page[100:])
	}
	return bytes.Join(parts, nil)
}

// committed takes over what has just been written by the turn's owner. With an error it is not known to be on disk.
func (g *guard) committed(ctx context.Context, s *Store) error {
	if g == nil {
		return nil
	}
	if g.lookAtMain() != nil {
		return g.lookAfter(ctx, s)
	}
	if g.followAll(ctx, &s.firm) != nil {
		g.behind = true
		return g.lookAfter(ctx, s)
	}
	if g.log.frames-g.tried < checkpointFrames {
		return nil
	}
	// A log with damage in it would be moved as it is.
	if g.log.verify(g.log.frames) != nil {
		return g.lookAfter(ctx, s)
	}
	g.tried = g.log.frames
	// What cannot be moved now stays in the log, and is tried again.
	var busy, frames, moved int
	err := s.firm.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &moved)
	g.moved = err == nil && moved == frames
	if g.copy == nil {
		if stamp, err := stampOf(g.path); err == nil {
			g.mainStamp = stamp
		}
		_ = s.alone(ctx, func() { _ = g.fill(ctx, &s.firm) }) // there may be room now
		return nil
	}
	if g.lookAtMain() != nil { // something else may have written meanwhile
		return g.lookAfter(ctx, s)
	}
	return nil
}

// lookAfter tells damage after a commit from what another process has done since.
func (g *guard) lookAfter(ctx context.Context, s *Store) error {
	g.logStamp = fileStamp{}
	if err := g.look(ctx, s); !locked(err) {
		return err
	}
	return nil // it is committed, and the next look will tell
}

// giveUp puts what was saved beside the files, and ends the use of them. The log is put aside: whoever opens the file next
// would have it written over what is there now.
func (g *guard) giveUp(ctx context.Context, s *Store, file string, why error) error {
	ctx = context.WithoutCancel(ctx)
	name := g.path + rescuedEnding + time.Now().UTC().Format(stamp)
	e := &overwrittenError{file: file, why: why, rescued: name + ".bak", whole: g.copy != nil}
	if e.failed = g.rescue(ctx, &s.firm, e.rescued); e.failed != nil {
		e.rescued, e.whole = "", false
	}
	_ = os.Rename(g.path+"-wal", name+".wal")
	_ = os.Remove(g.path + "-shm")
	g.lost = fmt.Errorf("%w: %w", errOverwritten, e)
	s.lost.Store(&g.lost)
	return g.lost
}

// rescue writes the copy, or else what can still be read, to a new file.
func (g *guard) rescue(ctx context.Context, p *pen, name string) error {
	d, err := draft.New(name)
	if err != nil {
		return err
	}
	defer d.Discard()
	if g.copy == nil {
		err = copyInto(ctx, p.conn, d.Name(), allPages, nil)
	} else if info, failed := g.copy.Stat(); failed != nil {
		err = failed
	} else {
		_, err = io.Copy(d, io.NewSectionReader(g.copy, 0, info.Size()))
	}
	if err == nil {
		err = checkCopy(ctx, d.Name())
	}
	if err != nil {
		return err
	}
	return d.Keep()
}

// close gives up what the guard has of its own.
func (g *guard) close() {
	if g == nil {
		return
	}
	g.drop()
	g.log.file.Close()
	if g.main != nil {
		g.main.Close()
	}
}
