package bot

import (
	"context"
	"sync"
)

// Lanes are queues, one for each message. A lane has one holder at a time, which handles an interaction and sends the reply, or edits the
// message outside of an interaction. So the message shows what the last holder drew, and a holder starts only when the previous one has
// saved and shown its state. The zero value is ready for use.
type Lanes struct {
	mu sync.Mutex
	// waits has the queue of each held lane, by message. A waiting function is called on its turn, and returns false if the waiter has
	// given up.
	waits map[string][]func() bool
}

// Edit waits for the lane of the message, calls edit while it holds the lane, and returns the error of edit. If ctx ends first, it returns
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

// enter calls begin when the lane of the message becomes free, at once if it is free now. begin must not block; if it returns true, it has
// the lane and must call leave when it is done.
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

// leave passes the lane to the next waiter that has not given up, or frees the lane.
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
