package boards

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// job is the work of bringing one board up to date. retryAt is a time by the machine's clock, which also times Discord's rate limits;
// mentionDue is a time by the clock that dates the matches.
type job struct {
	id         match.ID
	asked      bool      // the job is due, because the board was enqueued since the job last started
	retryAt    time.Time // when to try again; zero if there is no retry
	mentionDue time.Time // when a mention beside the board is due; zero if none
	tries      int       // how many attempts have failed in a row; 0 while the job waits for a limit or a reply
	waits      int       // how many attempts in a row have ended with errUnfinished
	// receipt is a version older than the drawn one, if a late reply of this process may show it after the board was drawn; else 0.
	receipt int

	// spent is an interaction token of the board that Discord no longer accepts. unfinished is the version that was last drawn without a
	// link or ratings, because they were not known. Only the goroutine that draws the board uses the two.
	spent      string
	unfinished int
}

const (
	// maxWait is the longest pause after errUnfinished before a board is drawn again. After maxWaits pauses, about an hour, the board waits
	// for the next click or the next start of the bot.
	maxWait  = 30 * time.Second
	maxWaits = 135
)

// enqueue adds the job of a board to the queue, or marks a job that is already there as due. It sets the job's field receipt to the
// argument, unless that is 0.
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

// nextDue returns when the next retry or mention is due, or zero if there is none.
func (r *Redrawer) nextDue() (at time.Time) {
	date := r.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		at = earliest(at, j.retryAt)
		if !j.mentionDue.IsZero() {
			at = earliest(at, time.Now().Add(j.mentionDue.Sub(date)))
		}
	}
	return at
}

// limitOver returns the earliest retry of the jobs that wait for a rate limit or a reply, or zero if no job does.
func (r *Redrawer) limitOver() (at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		if j.tries == 0 {
			at = earliest(at, j.retryAt)
		}
	}
	return at
}

// waiting returns the number of jobs to be done. Jobs that only wait for a mention, or after errUnfinished, do not count.
func (r *Redrawer) waiting() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range r.queue {
		if j.asked || !j.retryAt.IsZero() && j.waits == 0 {
			n++
		}
	}
	return n
}

// earliest returns the earlier of two times. Zero means never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// pass saves the receipts and does each due job once. Boards of one channel are drawn in the order in which they were enqueued, boards of
// different channels concurrently. A job that meets a rate limit does not block the others: it is due again when the limit is over, before
// jobs that were enqueued later. Two passes never overlap.
func (r *Redrawer) pass(ctx context.Context) {
	select {
	case r.drawing <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-r.drawing }()
	r.trySaveReceipts(ctx)
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
				r.drawOne(ctx, j)
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

// byChannel groups jobs by the channel of the board. If the boards cannot be read, it returns all jobs as one group; each of them will then
// meet the error.
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

// drawOne does one job. If the job fails, drawOne sets when to try it again.
func (r *Redrawer) drawOne(ctx context.Context, j *job) {
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
		j.tries, j.waits = 0, 0
		return
	}
	if j.receipt == 0 && !errors.Is(err, errUnfinished) { // an unfinished drawing has settled the receipt
		j.receipt = receipt
	}
	r.postpone(ctx, j, err)
}

// postpone decides when a job that failed with err is tried again, if at all. The caller holds mu.
func (r *Redrawer) postpone(ctx context.Context, j *job, err error) {
	switch limit, limited := errors.AsType[*messages.LimitError](err); {
	case ctx.Err() != nil:
		j.asked = true
	case errors.Is(err, match.ErrUnreadable):
		r.Log.Error("board not drawn: its match or challenge cannot be read", "match", j.id, "err", err)
	case errors.Is(err, errPending):
		j.retryAt, j.tries = r.pending[j.id], 0
	case errors.Is(err, errEarly):
		j.retryAt, j.tries = r.paced[j.id], 0
	case errors.Is(err, errUnfinished):
		// The pauses grow: most missing links become known within a second, when a reply has arrived, but a few never become known.
		if j.waits++; j.waits <= maxWaits {
			j.retryAt, j.tries = time.Now().Add(min(time.Duration(j.waits)*time.Second, maxWait)), 1
		}
	case limited:
		j.retryAt, j.tries = time.Now().Add(limit.After), 0
	case errors.Is(err, messages.ErrRateLimited), errors.Is(err, errOccupied):
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

// attempt brings a board up to date. It returns a panic as an error, so that a board that cannot be drawn does not end the program at every
// start.
func (r *Redrawer) attempt(ctx context.Context, j *job, receipt int) (err error) {
	defer recovered(&err)
	return r.bringUpToDate(ctx, j, receipt)
}
