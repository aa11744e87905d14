package bot

import (
	"context"
	"sync"
)

// Lanes are the ordered queues of messages. Each lane has one holder at a time, which handles an interaction and sends the reply, or
// edits the message outside of an interaction. So the message shows what the last holder drew, and each holder finds the state saved that
// the previous one has shown. The zero value is ready for use.
type Lanes struct {
	mu sync.Mutex
	// waits has the queue of each message whose lane is held. A waiter is called when it is its turn; it reports false if it has given up.
	waits map[string][]func() bool
}

// Edit runs edit while it alone holds the lane of the message, and returns its error. It waits for its turn; if ctx ends first, it returns
// the error of ctx.
func (l *Lanes) Edit(ctx context.Context, message string, edit func() error) error {
	turn, over := make(chan struct{}), false // over is guarded by mu
	l.enter(message, func() bool {
		if !over {
			close(turn)
		}
		return !over
	})
	select {
	case <-turn:
	case <-ctx.Done():
		l.mu.Lock()
		over = true
		l.mu.Unlock()
		select {
		case <-turn: // the edit got the lane at the last moment
		default:
			return ctx.Err()
		}
	}
	defer l.leave(message)
	return edit()
}

// enter calls begin once it is its turn to hold the lane of the message, which may be at once; begin must not block. The holder calls
// leave when it is done.
func (l *Lanes) enter(message string, begin func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waits == nil {
		l.waits = make(map[string][]func() bool)
	}
	if queue, held := l.waits[message]; held {
		l.waits[message] = append(queue, begin)
	} else if begin() {
		l.waits[message] = nil
	}
}

// waiting returns how many interactions and edits wait for the lane of the message.
func (l *Lanes) waiting(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waits[message])
}

// leave passes the lane to the next that waits, or frees it.
func (l *Lanes) leave(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for queue := l.waits[message]; len(queue) > 0; queue = queue[1:] {
		if queue[0]() {
			l.waits[message] = queue[1:]
			return
		}
	}
	delete(l.waits, message)
}
