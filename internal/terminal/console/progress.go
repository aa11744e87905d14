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

// Progress shows on a terminal how much of some long work is done. Several goroutines may report to it. If the work ends at once, it shows
// nothing.
type Progress struct {
	w     io.Writer // nil if nothing is shown
	pause time.Duration

	mu    sync.Mutex // guards the fields below
	next  time.Time
	shown bool // the terminal shows a line that must be cleared
}

// progressPause is how long the work runs before the first text is shown, and the minimum time between two texts.
const progressPause = 500 * time.Millisecond

// NewProgress returns a progress that is shown on w, or nowhere if w is not a terminal.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{pause: progressPause}
	if IsTerminal(w) {
		p.w = w
	}
	p.next = time.Now().Add(p.pause)
	return p
}

// Of returns a function that shows how much of the work is done, as in "checked 3 of 7 games".
func (p *Progress) Of(verb, unit string) func(done, all int) {
	return func(done, all int) { p.Say("%s %d of %d %s", verb, done, all, unit) }
}

// Say shows a text, which must fit on a line, unless the last text was shown less than a pause ago.
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
	p.shown = true
	fmt.Fprintf(p.w, "\r%s\x1b[K", fmt.Sprintf(format, args...))
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
