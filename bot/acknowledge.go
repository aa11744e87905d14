package bot

import (
	"fmt"
	"runtime/debug"
	"time"
)

const (
	// acknowledgeAfter is when an interaction is acknowledged if it has no reply yet. It is earlier while callbacks take so
	// long that they would not arrive within answerWithin: Discord waits for three seconds. Whether they do is looked at
	// again at lookAfter.
	acknowledgeAfter = 1500 * time.Millisecond
	answerWithin     = 2600 * time.Millisecond
	lookAfter        = 600 * time.Millisecond
	// acknowledgeEarliest leaves a reply that is nearly ready the time to be the callback itself.
	acknowledgeEarliest = 100 * time.Millisecond
)

// acknowledgeInTime starts a timer that acknowledges the interaction if nothing else has been sent in time, no matter what its
// handler waits for.
func (a *answer) acknowledgeInTime() {
	a.acknowledged = make(chan struct{})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(min(lookAfter, a.patience()), a.acknowledge)
}

// patience is how long after its arrival the interaction is acknowledged.
func (a *answer) patience() time.Duration {
	return min(acknowledgeAfter, max(acknowledgeEarliest, answerWithin-a.rest.latency.expected()))
}

// acknowledge runs on the timer's goroutine. Whoever failed to take the callback waits for it to end, so it outlives
// no handler. A panic counts as an acknowledgement that failed.
func (a *answer) acknowledge() {
	if left := a.patience() - time.Since(a.arrived); left > 0 {
		a.mu.Lock()
		defer a.mu.Unlock()
		if !a.taken {
			a.timer.Reset(left)
		}
		return
	}
	a.acknowledgeNow()
}

// acknowledgeNow acknowledges the interaction unless something else has been sent.
func (a *answer) acknowledgeNow() {
	if !a.take() {
		return
	}
	defer close(a.acknowledged)
	defer func() {
		if v := recover(); v != nil {
			a.ackErr = fmt.Errorf("acknowledge: panic: %v\n%s", v, debug.Stack())
			a.log.Error("acknowledgement failed", "interaction", a.in.ID, "err", redact(a.ackErr.Error(), a.in.Token, a.rest.token))
		}
	}()
	_, a.ackErr = a.call(acknowledgement(a.in), nil, false, true)
}
