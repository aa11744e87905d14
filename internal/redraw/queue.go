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

// job is the work of bringing one board up to date. Its times are of the machine's clock, as Discord's limits are, but for mentionDue.
type job struct {
	id         match.ID
	asked      bool      // somebody has asked for it since it was last begun, so it is due
	retryAt    time.Time // when it is tried again by itself; zero if it is not
	mentionDue time.Time // when a mention beside the board is due, by the clock of matches; zero if none will be
	tries      int       // how many attempts have failed in a row; 0 while it waits for a limit or a reply
	// receipt is the version that a reply of ours showed although more was known to be shown, 0 if there was none since the
	// board was last drawn.
	receipt int
	// spent is an interaction token of the board that Discord no longer accepts. Only the goroutine that draws uses it.
	spent string
}

// enqueue adds the job of a board to the queue. A job that is in the queue keeps its place. The receipt is as in [job], or 0.
func (r *Redrawer) enqueue(id match.ID, receipt int) {
	r.mu.Lock()
	j := r.queued[id]
	if j == nil {
		j = &job{id: id}
		r.queue, r.queued[id] = append(r.queue, j), j
	}
	j.asked = true
	if receipt != 0 {
		j.receipt = receipt
	}
	r.mu.Unlock()
	r.signal()
}

// enqueueAfter enqueues a board when the job of another one is done, to which its message has to link: next is the match after a
// rematch, id the match before.
func (r *Redrawer) enqueueAfter(next, id match.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.after[next] = id
}

// nextDue is the time of the earliest work that nobody will ask for: a job that is tried again, a mention that is due, or receipts
// that are to be written. It is zero if there is none.
func (r *Redrawer) nextDue() time.Time {
	at := r.first(func(j *job) time.Time { return j.retryAt })
	if due := r.first(func(j *job) time.Time { return j.mentionDue }); !due.IsZero() {
		at = earliest(at, time.Now().Add(due.Sub(r.Now())))
	}
	return earliest(at, r.recordDue())
}

// expect notes when a mention beside the board of a job is due, zero if none is.
func (r *Redrawer) expect(j *job, due time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j.mentionDue = due
}

// limitOver is the earliest time at which a job that waits for a rate limit or a reply is tried again; zero if none waits.
func (r *Redrawer) limitOver() (at time.Time) {
	return r.first(func(j *job) time.Time {
		if j.tries > 0 {
			return time.Time{}
		}
		return j.retryAt
	})
}

// waiting is how many jobs are still to be done, those aside for which only a mention is due later.
func (r *Redrawer) waiting() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		if j.asked || !j.retryAt.IsZero() {
			n++
		}
	}
	return n
}

// first is the earliest of the times of all jobs.
func (r *Redrawer) first(of func(*job) time.Time) (at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		at = earliest(at, of(j))
	}
	return at
}

// earliest is the earlier of two times, of which a zero one never comes.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pass does each job that is due once. Boards of one channel are drawn in the order in which they were asked for, those of
// several channels at the same time. A job that has to wait for a rate limit keeps no other waiting: it is due again when the
// limit is over, before jobs that are asked for later. Two passes never overlap.
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
	room := make(chan struct{}, channelsAtOnce)
	for _, channel := range r.byChannel(ctx, r.dueJobs(time.Now())) {
		room <- struct{}{}
		working.Go(func() {
			defer func() { <-room }()
			for _, j := range channel {
				if ctx.Err() != nil {
					return
				}
				if then := r.drawOne(ctx, j); then != "" {
					r.enqueue(then, 0)
				}
			}
		})
	}
	working.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.queue = slices.DeleteFunc(r.queue, func(j *job) bool {
		done := !j.asked && j.retryAt.IsZero() && j.mentionDue.IsZero()
		if done {
			delete(r.queued, j.id)
		}
		return done
	})
}

func (r *Redrawer) dueJobs(now time.Time) []*job {
	passed := func(now, at time.Time) bool { return !at.IsZero() && !now.Before(at) }
	date := r.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	var due []*job
	for _, j := range r.queue {
		if j.asked || passed(now, j.retryAt) || passed(date, j.mentionDue) {
			due = append(due, j)
		}
	}
	return due
}

// byChannel groups jobs by the channels of their boards. If the boards cannot be read now, all jobs are in one group, and each
// of them finds out why.
func (r *Redrawer) byChannel(ctx context.Context, jobs []*job) [][]*job {
	if len(jobs) < 2 {
		return slices.Collect(slices.Chunk(jobs, 1))
	}
	ids := make([]match.ID, len(jobs))
	for i, j := range jobs {
		ids[i] = j.id
	}
	boards, err := r.Boards.Boards(ctx, ids...)
	if err != nil {
		return [][]*job{jobs}
	}
	var groups [][]*job
	places := map[string]int{}
	for _, j := range jobs {
		channel := boards[j.id].Channel
		i, ok := places[channel]
		if !ok {
			i = len(groups)
			places[channel] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], j)
	}
	return groups
}

// drawOne does one job, or notes when to try it again. It returns the board that waited for this one, empty if none did.
func (r *Redrawer) drawOne(ctx context.Context, j *job) (then match.ID) {
	r.mu.Lock()
	receipt := j.receipt
	j.asked, j.retryAt, j.mentionDue, j.receipt = false, time.Time{}, time.Time{}, 0
	r.mu.Unlock()
	brief, cancel := context.WithTimeout(ctx, drawTime)
	defer cancel()
	err := r.attempt(brief, j, receipt)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		then, j.tries = r.after[j.id], 0
		delete(r.after, j.id)
		return then
	}
	if j.receipt == 0 {
		j.receipt = receipt
	}
	r.postpone(ctx, j, err)
	return ""
}

// postpone notes when a board is looked at again that could not be made true. The caller holds mu.
func (r *Redrawer) postpone(ctx context.Context, j *job, err error) {
	switch limit, limited := errors.AsType[*bot.LimitError](err); {
	case ctx.Err() != nil:
		j.asked = true
	case errors.Is(err, match.ErrUnreadable):
		r.Log.Error("board of what cannot be read", "match", j.id, "err", err)
	case errors.Is(err, errPending):
		j.retryAt, j.tries = r.receipts.pending[j.id], 0
	case limited:
		j.retryAt, j.tries = time.Now().Add(limit.After), 0
	case errors.Is(err, bot.ErrRateLimited), errors.Is(err, errOccupied):
		j.retryAt, j.tries = time.Now().Add(RetryPause), 0
	default:
		if j.tries++; j.tries >= MaxTries {
			j.tries = 0
			r.Log.Warn("board left to its next click", "match", j.id, "err", err)
			return
		}
		j.retryAt = time.Now().Add(RetryPause)
		r.Log.Info("board will be tried again", "match", j.id, "err", err)
	}
}

// attempt draws with a panic as an error: one board that cannot be drawn must not end the program at every start.
func (r *Redrawer) attempt(ctx context.Context, j *job, receipt int) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return r.bringUpToDate(ctx, j, receipt)
}
