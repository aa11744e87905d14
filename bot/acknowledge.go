package bot

import (
	"fmt"
	"runtime/debug"
	"time"

	"tictactoe/bot/rest"
)

const (
	// acknowledgeAfter is the age at which an interaction without a reply is acknowledged. While callbacks are slow, lookAfter is used
	// instead. Discord waits for three seconds.
	acknowledgeAfter = 1500 * time.Millisecond
	lookAfter        = 600 * time.Millisecond
)

// acknowledgeInTime starts a timer that acknowledges the interaction if nothing else has been sent in time.
func (a *answer) acknowledgeInTime() {
	a.acknowledged = make(chan struct{})
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(lookAfter, a.acknowledge)
}

// acknowledge acknowledges the interaction when the timer fires, or restarts the timer if it is still too early. It runs on the timer's
// goroutine. The interaction counts as handled only when that goroutine is done, because a reply that finds the callback taken waits for
// a.acknowledged.
func (a *answer) acknowledge() {
	if left := acknowledgeAfter - time.Since(a.arrived); left > 0 && !a.rest.CallbacksAreSlow() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if !a.taken {
			a.timer.Reset(left)
		}
		return
	}
	a.acknowledgeNow()
}

// acknowledgeNow acknowledges the interaction unless something else has been sent. A panic counts as a failed acknowledgement. If the
// clicked message can no longer change, as in an archived thread, Discord refuses to acknowledge a click as an update, but accepts the
// acknowledgement of a command.
func (a *answer) acknowledgeNow() {
	if !a.take() {
		return
	}
	defer close(a.acknowledged)
	defer func() {
		if v := recover(); v != nil {
			a.ackErr = fmt.Errorf("acknowledge: panic: %v\n%s", v, debug.Stack())
			a.log.Error("acknowledgement failed", "interaction", a.in.ID, "err", a.rest.Redact(a.ackErr.Error(), a.in.Token))
		}
	}()
	line := a.in.Message == nil
	if _, a.ackErr = a.call(acknowledgement(line), nil, false, true); !line && rest.Refused(a.ackErr) {
		a.refused = a.ackErr
		_, a.ackErr = a.call(acknowledgement(true), nil, false, true)
	}
}
