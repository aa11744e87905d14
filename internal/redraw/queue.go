package redraw

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
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
	// receipt is the version that a reply of ours showed although more was known to be shown, 0 if there was none since the
	// board was last drawn.
	receipt int
	// spent is a token of the board that Discord takes no more. It belongs to whoever draws.
	spent string
}

// ask puts a board into the queue, where it keeps the place that it has. receipt is as in look, or 0.
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

// next is when there is something to do that nobody will ask for, zero if there is nothing.
func (r *Redrawer) next() (at time.Time) {
	at = r.first(func(*look) bool { return true })
	if due := r.recordDue(); at.IsZero() || !due.IsZero() && due.Before(at) {
		return due
	}
	return at
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

// pass looks at all that is due, once: at the boards of one channel in the order in which they were asked for, at those of
// several channels at the same time. What Discord does not let it draw yet keeps nobody waiting: it is due again when the
// limit is over, before what is asked for later. Two passes come one after the other.
func (r *Redrawer) pass(ctx context.Context) {
	select {
	case r.drawing <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-r.drawing }()
	if due := r.recordDue(); !due.IsZero() && !time.Now().Before(due) {
		r.record(ctx)
	}
	var working sync.WaitGroup
	room := make(chan struct{}, abreast)
	for _, channel := range r.byChannel(ctx, r.due(time.Now())) {
		room <- struct{}{}
		working.Go(func() {
			defer func() { <-room }()
			for _, l := range channel {
				if ctx.Err() != nil {
					return
				}
				if then := r.attend(ctx, l); then != "" {
					r.ask(then, 0)
				}
			}
		})
	}
	working.Wait()
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
		if l.asked || !l.at.IsZero() && !now.Before(l.at) {
			due = append(due, l)
		}
	}
	return due
}

// byChannel groups looks by the channels of their boards. Where those cannot be read now, each look will find out why.
func (r *Redrawer) byChannel(ctx context.Context, looks []*look) [][]*look {
	if len(looks) < 2 {
		return slices.Collect(slices.Chunk(looks, 1))
	}
	ids := make([]match.ID, len(looks))
	for i, l := range looks {
		ids[i] = l.id
	}
	boards, err := r.Boards.Boards(ctx, ids...)
	if err != nil {
		return [][]*look{looks}
	}
	var groups [][]*look
	places := map[string]int{}
	for _, l := range looks {
		channel := boards[l.id].Channel
		i, ok := places[channel]
		if !ok {
			i = len(groups)
			places[channel] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], l)
	}
	return groups
}

// attend makes one board true, or notes when to try again. It returns which one waited for that.
func (r *Redrawer) attend(ctx context.Context, l *look) (then match.ID) {
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
	r.postpone(ctx, l, err)
	return ""
}

// postpone notes when a board is looked at again that could not be made true. The caller holds mu.
func (r *Redrawer) postpone(ctx context.Context, l *look, err error) {
	var limit *bot.LimitError
	switch {
	case ctx.Err() != nil:
		l.asked = true
	case errors.Is(err, match.ErrUnreadable):
		r.Log.Error("board of what cannot be read", "match", l.id, "err", err)
	case errors.Is(err, errPending):
		l.at, l.tries = r.receipts.pending[l.id], 0
	case errors.As(err, &limit):
		l.at, l.tries = time.Now().Add(limit.After), 0
	case errors.Is(err, bot.ErrRateLimited), errors.Is(err, errOccupied):
		l.at, l.tries = time.Now().Add(RetryPause), 0
	default:
		if l.tries++; l.tries >= MaxTries {
			l.tries = 0
			r.Log.Warn("board left to its next click", "match", l.id, "err", err)
			return
		}
		l.at = time.Now().Add(RetryPause)
		r.Log.Info("board will be tried again", "match", l.id, "err", err)
	}
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
