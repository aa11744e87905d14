package bot

import (
	"context"
	"slices"
	"sync"
)

// Lanes are the ordered queues of messages. Each lane has one holder at a time, which handles an interaction and sends the reply, or
// edits the message outside of an interaction. So the message shows what the last holder drew, and each holder finds the state saved that
// the previous one has shown. The zero value is ready for use.
type Lanes struct {
	mu sync.Mutex
	of map[string]*lane // by message; a lane without a holder is absent
}

// lane is the queue of a message whose lane is held.
type lane struct {
	interactions []func()        // one for each interaction that waits; called to begin it
	edits        []chan struct{} // one for each waiting edit, behind all interactions; closed when it is the edit's turn
}

// Edit runs edit while it alone holds the lane of the message, and returns its error. It waits for its turn, behind all interactions with
// the message; if ctx ends first, it returns the error of ctx.
func (l *Lanes) Edit(ctx context.Context, message string, edit func() error) error {
	if turn := l.enter(message); turn != nil {
		select {
		case <-turn:
		case <-ctx.Done():
			if l.withdraw(message, turn) {
				return ctx.Err()
			}
		}
	}
	defer l.leave(message)
	return edit()
}

// enter takes the lane for an edit if it is free, and returns nil, or else the channel that will be closed when it is the edit's turn.
func (l *Lanes) enter(message string) chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.of[message]; held != nil {
		turn := make(chan struct{})
		held.edits = append(held.edits, turn)
		return turn
	}
	l.take(message)
	return nil
}

// withdraw removes an edit from the queue. It reports false if the edit already holds the lane.
func (l *Lanes) withdraw(message string, turn chan struct{}) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.of[message]
	if held == nil {
		return false
	}
	waiting := len(held.edits)
	held.edits = slices.DeleteFunc(held.edits, func(other chan struct{}) bool { return other == turn })
	return len(held.edits) < waiting
}

// interact calls begin once the interaction holds the lane of the message, which may be at once; begin must not block. The
// caller calls leave when the interaction is over.
func (l *Lanes) interact(message string, begin func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.of[message]; held != nil {
		held.interactions = append(held.interactions, begin)
		return
	}
	l.take(message)
	begin()
}

// waiting returns how many interactions wait for the lane of the message.
func (l *Lanes) waiting(message string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held := l.of[message]; held != nil {
		return len(held.interactions)
	}
	return 0
}

// take makes the lane of a message held. The caller holds mu.
func (l *Lanes) take(message string) {
	if l.of == nil {
		l.of = make(map[string]*lane)
	}
	l.of[message] = &lane{}
}

// leave passes the lane to the next waiting interaction or edit, or frees it.
func (l *Lanes) leave(message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.of[message]
	switch {
	case len(held.interactions) > 0:
		begin := held.interactions[0]
		held.interactions = held.interactions[1:]
		begin()
	case len(held.edits) > 0:
		close(held.edits[0])
		held.edits = held.edits[1:]
	default:
		delete(l.of, message)
	}
}
