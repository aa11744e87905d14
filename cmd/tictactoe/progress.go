package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progress shows people on a terminal how far some long work is, of which several goroutines may tell. What is over at once
// shows nothing.
type progress struct {
	w     io.Writer // nil: nobody looks
	lines bool      // one below the other
	pause time.Duration

	mu    sync.Mutex // guards what follows
	next  time.Time
	shown bool // a line that is to be taken away
}

// progressPause is how long work takes before its progress is shown, and the interval after that. linePause is the same where each
// text stays on a line of its own.
const (
	progressPause = 500 * time.Millisecond
	linePause     = 10 * time.Second
)

func newProgress(s surroundings) *progress {
	p := &progress{pause: progressPause}
	if isTerminal(s.stderr) {
		p.w = s.stderr
	}
	p.next = time.Now().Add(p.pause)
	return p
}

// orLines has it written line by line where there is no terminal.
func (p *progress) orLines(w io.Writer) *progress {
	if p.w == nil {
		p.w, p.lines, p.pause = w, true, linePause
		p.next = time.Now().Add(p.pause)
	}
	return p
}

// of shows how much is done of how much, as "checked 3 of 7 games".
func (p *progress) of(verb, unit string) func(done, all int) {
	return func(done, all int) { p.say("%s %d of %d %s", verb, done, all, unit) }
}

// say shows a text that fits a line, unless the last one was shown only just now.
func (p *progress) say(format string, args ...any) {
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

// end takes it away.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		p.shown = false
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
