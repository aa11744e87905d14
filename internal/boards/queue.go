package boards

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/match"
)

// job is the work of bringing one board up to date. retryAt is on the machine's clock, like Discord's rate limits;
// mentionDue is on the clock of the matches.
type job struct {
	id         match.ID
	asked      bool      // the board was enqueued since the job last started, so the job is due
	retryAt    time.Time // when to try again; zero if no retry is planned
	mentionDue time.Time // when a mention beside the board is due; zero if never
	tries      int       // how many attempts have failed in a row; 0 while the job waits for a limit or a reply
	// receipt is the older version that a reply of this process may have restored since the board was last drawn; 0 if
	// none.
	receipt int
	// spent is an interaction token of the board that Discord no longer accepts. Only the goroutine that draws the board
	// uses it.
	spent string
}

// enqueue adds the job of a board to the queue, with the receipt for [job] or 0. A job that is already in the queue
// keeps its place.
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

// nextDue returns when the earliest unrequested work is due: a retry, a mention, or saving receipts. It returns zero if
// there is none.
func (r *Redrawer) nextDue() time.Time {
	at := r.first(func(j *job) time.Time { return j.retryAt })
	if due := r.first(func(j *job) time.Time { return j.mentionDue }); !due.IsZero() {
		at = earliest(at, time.Now().Add(due.Sub(r.Now())))
	}
	return earliest(at, r.receiptsDue())
}

// expect notes when a mention beside the board of a job is due, zero if none is.
func (r *Redrawer) expect(j *job, due time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j.mentionDue = due
}

// limitOver returns the earliest retry of a job that waits for a rate limit or a reply; zero if none waits.
func (r *Redrawer) limitOver() (at time.Time) {
	return r.first(func(j *job) time.Time {
		if j.tries > 0 {
			return time.Time{}
		}
		return j.retryAt
	})
}

// waiting returns the number of jobs to be done, not counting jobs for which only a mention is due later.
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

// first returns the earliest non-zero time that `of` returns for a job, zero if there is none.
func (r *Redrawer) first(of func(*job) time.Time) (at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		at = earliest(at, of(j))
	}
	return at
}

// earliest returns the earlier of two times, where zero means never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pass does each job that is due once. Boards of one channel are drawn in the order in which they were enqueued, boards
// of different channels concurrently. A job that meets a rate limit does not block the others: it is due again when the
// limit is over, before jobs that are enqueued later. Two passes never overlap.
func (r *Redrawer) pass(ctx context.Context) {
	select {
	case r.drawing <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-r.drawing }()
	if due := r.receiptsDue(); !due.IsZero() && !time.Now().Before(due) {
		r.trySaveReceipts(ctx)
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
				if waiter := r.drawOne(ctx, j); waiter != "" {
					r.enqueue(waiter, 0)
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

// byChannel groups jobs by the channels of their boards. If the boards cannot be read, all jobs are one group, and each
// job meets the error itself.
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
	channels := map[string][]*job{}
	for _, j := range jobs {
		channel := boards[j.id].Channel
		channels[channel] = append(channels[channel], j)
	}
	return slices.Collect(maps.Values(channels))
}

// drawOne does one job, or notes when to try it again. It returns the board that waited for this board in order to link
// to it, empty if none did.
func (r *Redrawer) drawOne(ctx context.Context, j *job) (waiter match.ID) {
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
		waiter, j.tries = r.linkWaiters[j.id], 0
		delete(r.linkWaiters, j.id)
		return waiter
	}
	if j.receipt == 0 {
		j.receipt = receipt
	}
	r.postpone(ctx, j, err)
	return ""
}

// postpone notes when a job that failed is tried again. The caller holds mu.
func (r *Redrawer) postpone(ctx context.Context, j *job, err error) {
	switch failure, failed := errors.AsType[*Failure](err); {
	case ctx.Err() != nil:
		j.asked = true
	case errors.Is(err, match.ErrUnreadable):
		r.Log.Error("board not drawn: its match or challenge cannot be read", "match", j.id, "err", err)
	case errors.Is(err, errPending):
		j.retryAt, j.tries = r.receipts.pending[j.id], 0
	case failed && failure.After > 0:
		j.retryAt, j.tries = time.Now().Add(failure.After), 0
	case errors.Is(err, ErrRateLimited), errors.Is(err, errOccupied):
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

// attempt brings a board up to date and returns a panic as an error: one board that cannot be drawn must not end the program
// at every start.
func (r *Redrawer) attempt(ctx context.Context, j *job, receipt int) (err error) {
	defer recovered(&err)
	return r.bringUpToDate(ctx, j, receipt)
}
