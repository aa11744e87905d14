package bot

import (
	"sync/atomic"
	"time"
)

const (
	// slowCallback is when a callback that is still under way counts as slow, and slowExpected what is then expected of
	// the others.
	slowCallback = 500 * time.Millisecond
	slowExpected = 2 * time.Second
)

// callbackLatency is how long callbacks currently take: the time of the slowest one, lowered a little by each one that is faster.
type callbackLatency struct{ nanos atomic.Int64 }

// begin notes that a callback is sent, and end that it is over.
func (l *callbackLatency) begin() (end func()) {
	start := time.Now()
	slow := time.AfterFunc(slowCallback, func() { l.atLeast(slowExpected) })
	return func() {
		slow.Stop()
		took := time.Since(start)
		l.atLeast(took)
		// A change that another one overwrites is no loss.
		if old := l.expected(); took < old {
			l.nanos.Store(int64(old - (old-took)/8))
		}
	}
}

func (l *callbackLatency) atLeast(d time.Duration) {
	if d > l.expected() {
		l.nanos.Store(int64(d))
	}
}

func (l *callbackLatency) expected() time.Duration { return time.Duration(l.nanos.Load()) }
