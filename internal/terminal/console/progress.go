// Package console detects terminals, and shows the progress of long work on them.
package console

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
)

// IsTerminal reports whether a stream is a terminal and not a file, a pipe or a buffer.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(file.Fd())
}

// Progress shows people on a terminal how far some long work is. Several goroutines may report to it. Work that ends at
// once shows nothing.
type Progress struct {
	w     io.Writer // nil to show nothing
	lines bool      // each text stays on a line of its own
	pause time.Duration

	mu    sync.Mutex // guards the fields below
	next  time.Time
	shown bool // a line is shown that must be cleared
}

// progressPause is how long work takes before its progress is shown, and the interval after that. linePause is the same
// where each text stays on a line of its own.
const (
	progressPause = 500 * time.Millisecond
	linePause     = 10 * time.Second
)

// NewProgress returns a progress that is shown on w if that is a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{pause: progressPause}
	if IsTerminal(w) {
		p.w = w
	}
	p.next = time.Now().Add(p.pause)
	return p
}

// OrLines makes the progress print line by line if the stream is not a terminal.
func (p *Progress) OrLines(w io.Writer) *Progress {
	if p.w == nil {
		p.w, p.lines, p.pause = w, true, linePause
		p.next = time.Now().Add(p.pause)
	}
	return p
}

// Of shows how much of the work is done, as in "checked 3 of 7 games".
func (p *Progress) Of(verb, unit string) func(done, all int) {
	return func(done, all int) { p.Say("%s %d of %d %s", verb, done, all, unit) }
}

// Say shows a text that fits on a line, unless the last one was shown only just now.
func (p *Progress) Say(format string, args ...any) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Now().Before(p.next) {
		return
	}
	p.next = time.Now().Add(p.pause)
	text := fmt.Sprintf(format, args...)
	if p.lines {
		fmt.Fprintln(p.w, text)
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "\r%s\x1b[K", text)
}

// End clears the progress line.
func (p *Progress) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
