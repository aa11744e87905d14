package commands

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/match"
)

// look is a board that has to be looked at. Times are real ones, as Discord's limits are.
type look struct {
	id    match.ID
	asked bool      // since it was last begun: it is due
	at    time.Time // when it is due again; zero if it is not
	tries int       // that failed, in a row; 0 if it waits for a limit or a reply
	// receipt is the version that the latest reply showed, 0 if there was none since the board was last drawn.
	receipt int
	// spent is a token of the board that Discord takes no more. It belongs to whoever draws.
	spent string
}

// ask puts a board into the queue, where it keeps the place that it has. receipt is the version of a reply that has just
// arrived, or 0.
func (r *Redrawer) ask(id match.ID, receipt int) {
	r.mu.Lock()
	l := r.queued[id]
	if l == nil {
		l = &look{id: id}
		r.queue, r.queued[id] = append(r.queue, l), l
	}
	l.asked = true
	if receipt != 0 {
		l.receipt = receipt
	}
	r.mu.Unlock()
	r.nudge()
}

// askAfter asks for a look at a board once the one that it is to link to has been looked at: when that is in the queue, was
// delivered, or is restored.
func (r *Redrawer) askAfter(next, id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.linking[next] = id
}

// next is when the first look that nobody will ask for is due again, or zero.
func (r *Redrawer) next() (at time.Time) {
	return r.first(func(*look) bool { return true })
}

// limit is when the first limit or reply is over that a look waits for, or zero.
func (r *Redrawer) limit() (at time.Time) {
	return r.first(func(l *look) bool { return l.tries == 0 })
}

func (r *Redrawer) first(of func(*look) bool) (at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.queue {
		if !l.at.IsZero() && of(l) && (at.IsZero() || l.at.Before(at)) {
			at = l.at
		}
	}
	return at
}

// pass looks at all that is due, once. What Discord does not let it draw yet keeps nobody waiting: it is due again when the
// limit is over, before what is asked for later. Two passes come one after the other.
func (r *Redrawer) pass(ctx context.Context) {
	select {
	case r.drawing <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-r.drawing }()
	var recorded time.Time
	for _, l := range r.due(time.Now()) {
		if ctx.Err() != nil {
			break
		}
		// Another process, or this one, would draw what is shown already if the receipt were not written. One commit is for many.
		if time.Since(recorded) >= settleTime || r.hasReceipt(l.id) {
			if err := r.Record(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrUnsaved) {
				r.Log.Error("record what is shown", "err", err)
			}
			recorded = time.Now()
		}
		if then := r.tend(ctx, l); then != "" {
			r.ask(then, 0)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = slices.DeleteFunc(r.queue, func(l *look) bool {
		done := !l.asked && l.at.IsZero()
		if done {
			delete(r.queued, l.id)
		}
		return done
	})
}

func (r *Redrawer) due(now time.Time) []*look {
	r.mu.Lock()
	defer r.mu.Unlock()
	var due []*look
	for _, l := range r.queue {
		if l.asked || !now.Before(l.at) {
			due = append(due, l)
		}
	}
	return due
}

// tend makes one board true, or notes when to try again. It returns which one waited for that.
func (r *Redrawer) tend(ctx context.Context, l *look) (then match.ID) {
	r.mu.Lock()
	receipt := l.receipt
	l.asked, l.at, l.receipt = false, time.Time{}, 0
	r.mu.Unlock()
	brief, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	err := r.attempt(brief, l, receipt)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		then, l.tries = r.linking[l.id], 0
		delete(r.linking, l.id)
		return then
	}
	if l.receipt == 0 {
		l.receipt = receipt
	}
	var limit *bot.LimitError
	switch {
	case ctx.Err() != nil:
		l.asked = true
	case errors.Is(err, match.ErrUnreadable):
		r.Log.Error("board of what cannot be read", "match", l.id, "err", err)
	case errors.Is(err, errReplying):
		l.at, l.tries = time.Now().Add(replyTime), 0
	case errors.As(err, &limit):
		l.at, l.tries = time.Now().Add(limit.After), 0
	case errors.Is(err, bot.ErrRateLimited):
		l.at, l.tries = time.Now().Add(retryPause), 0
	default:
		if l.tries++; l.tries >= maxTries {
			l.tries = 0
			r.Log.Warn("board left to its next click", "match", l.id, "err", err)
			return ""
		}
		l.at = time.Now().Add(retryPause)
		r.Log.Info("board will be tried again", "match", l.id, "err", err)
	}
	return ""
}

// attempt draws with a panic as an error: one board that cannot be drawn must not end the program at every start.
func (r *Redrawer) attempt(ctx context.Context, l *look, receipt int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return r.draw(ctx, l, receipt)
}
