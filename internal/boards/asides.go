package boards

import (
	"context"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

const (
	// tokenMargin is the safety margin before a token expires. Within this margin the bot no longer edits or deletes the line that was
	// written with the token.
	tokenMargin = 30 * time.Second
	// asideWorkers is the number of goroutines that do jobs, and asidesWaiting the number of jobs that can wait for each goroutine. Further
	// jobs are dropped.
	asideWorkers, asidesWaiting = 8, 128
	// jobTime bounds the time for one job, including waits for rate limits.
	jobTime = 10 * time.Second
	// asideSweep is the interval at which the records of expired lines are deleted. The messages stay: a line on the screen is deleted when
	// the match continues or a new line replaces it, never because of its age.
	asideSweep = time.Minute
)

// Asides writes the private lines under boards: answers to refused clicks, and comments of the computer level "teacher" on a move. A player
// has at most one line under a board, even if several processes write there, and the line is deleted when it is outdated.
//
// The goroutines of Run post, replace and delete lines after the reply to the click, so that no reply waits for them. If such a job is
// dropped, or is left when Run ends, the only harm is that an old line stays until the player dismisses it or the match moves on. All
// methods except Run return at once.
type Asides struct {
	AsidesConfig
	jobs [asideWorkers]chan func(context.Context) error
}

// AsidesConfig has what NewAsides needs: the store, the messenger, the clock and the log. All fields are required.
type AsidesConfig struct {
	Store     board.Asides
	Messenger interface {
		FollowUpPrivately(ctx context.Context, token string, draw messages.Draw) (message string, err error)
		EditByToken(ctx context.Context, token, message string, draw messages.Draw) error
		DeleteByToken(ctx context.Context, token, message string) error
	}
	Now func() time.Time
	Log *slog.Logger
}

// NewAsides returns asides; Run starts them.
func NewAsides(c AsidesConfig) *Asides {
	k := &Asides{AsidesConfig: c}
	for i := range k.jobs {
		k.jobs[i] = make(chan func(context.Context) error, asidesWaiting)
	}
	return k
}

// Run does the jobs, and deletes the records of expired lines, until the context ends.
func (k *Asides) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, jobs := range k.jobs {
		running.Go(func() { k.work(ctx, jobs) })
	}
	due := time.NewTicker(asideSweep)
	defer due.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-due.C:
			k.do(ctx, func(ctx context.Context) error { return k.Store.ForgetAsides(ctx, k.Now()) })
		}
	}
	running.Wait()
}

func (k *Asides) work(ctx context.Context, jobs <-chan func(context.Context) error) {
	for {
		select {
		case job := <-jobs:
			k.do(ctx, job)
		case <-ctx.Done():
			return
		}
	}
}

// do calls job and logs its error or panic. A failed job affects only one line, so the goroutine goes on.
func (k *Asides) do(ctx context.Context, job func(context.Context) error) {
	bounded, cancel := context.WithTimeout(ctx, jobTime)
	defer cancel()
	var err error
	func() {
		defer recovered(&err)
		err = job(bounded)
	}()
	if err != nil && ctx.Err() == nil && !errors.Is(err, match.ErrUnsaved) {
		k.Log.Warn("a private line could not be brought up to date", "err", err)
	}
}

// later queues a job for the goroutine of the board, so that the jobs of one board are done in order. If the queue is full, the job is
// dropped.
func (k *Asides) later(id match.ID, job func(context.Context) error) {
	h := fnv.New32a()
	h.Write([]byte(id))
	select {
	case k.jobs[h.Sum32()%asideWorkers] <- job:
	default:
	}
}

// Line is the place of a private line, by user and board, with the interaction that lets the bot write it.
type Line struct {
	Board   match.ID
	User    match.User
	Token   string    // the token of the interaction; a secret
	Expires time.Time // when the token expires
}

// record returns the stored form of the line, given the id of the message that shows it.
func (l Line) record(message string) board.Aside {
	return board.Aside{ID: l.Board, User: l.User, Token: l.Token, Message: message, Expires: l.Expires.Add(-tokenMargin)}
}

// writtenAt returns when a line was written. That is when the token was issued, so it follows from Expires.
func writtenAt(a board.Aside) time.Time { return a.Expires.Add(tokenMargin - messages.TokenLife) }

// Replied returns the function to be called with the receipt of a private reply, which makes that reply the user's line. The previous line
// is deleted, not edited: a player who has dismissed it, or has reloaded Discord, would not see an edit.
func (k *Asides) Replied(l Line) func(messages.Receipt) {
	return func(r messages.Receipt) {
		if r.Err != nil || r.Message == "" {
			return
		}
		k.later(l.Board, func(ctx context.Context) error { return k.replace(ctx, l.record(r.Message)) })
	}
}

func (k *Asides) replace(ctx context.Context, a board.Aside) error {
	before, err := k.Store.ReplaceAside(ctx, a)
	if err != nil {
		return err
	}
	return k.remove(ctx, before)
}

// remove deletes the message of a line, unless the token has expired.
func (k *Asides) remove(ctx context.Context, a board.Aside) error {
	if !k.Now().Before(a.Expires) {
		return nil
	}
	err := k.Messenger.DeleteByToken(ctx, a.Token, a.Message)
	if errors.Is(err, messages.ErrGone) || errors.Is(err, messages.ErrForbidden) {
		return nil
	}
	return err
}

// Outdated deletes the lines of these users under a board, because the match has moved on. Lines that are written after the call of
// Outdated stay.
func (k *Asides) Outdated(id match.ID, users ...match.User) {
	since := k.Now()
	k.later(id, func(ctx context.Context) error {
		lines, err := k.Store.Asides(ctx, id)
		for _, a := range lines {
			if slices.Contains(users, a.User) && !writtenAt(a).After(since) {
				err = errors.Join(err, k.take(ctx, a))
			}
		}
		return err
	})
}

// take deletes the record and the message of a line, unless the user has another line under the board by now.
func (k *Asides) take(ctx context.Context, a board.Aside) error {
	err := k.Store.TakeAside(ctx, a)
	if errors.Is(err, match.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return k.remove(ctx, a)
}

// Say shows a text as the line of a user. It edits the present line as long as the token allows that, and then posts a new one. The
// interaction must already have been answered. A user who has dismissed the line does not see the edit, and sees a line again only when a
// new one is posted.
func (k *Asides) Say(l Line, draw messages.Draw) {
	k.later(l.Board, func(ctx context.Context) error {
		a, err := k.Store.Aside(ctx, l.Board, l.User)
		switch {
		case errors.Is(err, match.ErrNotFound):
		case err != nil:
			return err
		case k.Now().Before(a.Expires):
			err := k.Messenger.EditByToken(ctx, a.Token, a.Message, draw)
			if !errors.Is(err, messages.ErrGone) && !errors.Is(err, messages.ErrForbidden) {
				return err
			}
		}
		message, err := k.Messenger.FollowUpPrivately(ctx, l.Token, draw)
		if err != nil {
			return err
		}
		_, err = k.Store.ReplaceAside(ctx, l.record(message)) // the previous line is gone or can no longer be deleted
		return err
	})
}
