package bot

import (
	"context"
	"slices"
	"sync"
)

// Lanes are queues, one for each message. A lane has one holder at a time, which handles an interaction and sends the reply, or edits the
// message outside of an interaction. So the message shows what the last holder drew, and a holder starts only when the previous one has
// saved and shown its state. The zero value is ready for use.
type Lanes struct {
	mu sync.Mutex
	// waits has the queue of each held lane, by message. A waiting function is called on its turn.
	waits map[string][]*func()
}

// Edit waits for the lane of the message, calls edit while it holds the lane, and returns the error of edit. If ctx ends first, it returns
// the error of ctx.
func (l *Lanes) Edit(ctx context.Context, message string, edit func() error) error {
	turn := make(chan struct{})
	withdraw := l.enter(message, func() { close(turn) })
	select {
	case <-turn:
	case <-ctx.Done():
		if withdraw() {
			return ctx.Err()
		}
	}
	defer l.leave(message)
	return edit()
}

// enter calls begin when the lane of the message becomes free, at once if it is free now. begin must not block; the holder must call leave
// when it is done. enter returns a function that takes begin out of the queue, and returns false if begin has been called.
func (l *Lanes) enter(message string, begin func()) (withdraw func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waits == nil {
		l.waits = make(map[string][]*func())
	}
	if queue, held := l.waits[message]; held {
		l.waits[message] = append(queue, &begin)
	} else {
		l.waits[message] = nil
		begin()
	}
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		queue := l.waits[message]
		i := slices.Index(queue, &begin)
		if i >= 0 {
			l.waits[message] = slices.Delete(queue, i, i+1)
		}
		return i >= 0
	}
}

// waiting returns how many interactions and edits wait for the lane of the message.
func (l *Lanes) waiting(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waits[message])
}

// leave passes the lane to the next waiter, or frees the lane.
func (l *Lanes) leave(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waits[message]
	if len(queue) == 0 {
		delete(l.waits, message)
		return
	}
	l.waits[message] = queue[1:]
	(*queue[0])()
}
