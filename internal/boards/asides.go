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
	"tictactoe/internal/match"
)

const (
	// tokenMargin is the last part of the life of a token, in which its line is not edited or deleted any more.
	tokenMargin = 30 * time.Second
	// asideWorkers is the number of goroutines that do jobs, and asidesWaiting the number of jobs that can wait for each
	// of them. Further jobs are dropped.
	asideWorkers, asidesWaiting = 8, 128
	// jobTime bounds one job, rate limits included.
	jobTime = 10 * time.Second
	// asideSweep is the interval at which expired lines are forgotten. A line is deleted when the match continues, or
	// replaced, but never because of its age.
	asideSweep = time.Minute
	// followTries is how often the bot tries to post a line, and followPause the pause before each attempt. If an
	// interaction was answered in the response to its request, Discord takes a moment to know that.
	followTries, followPause = 3, 500 * time.Millisecond
)

// Asides keeps the private line that a player may have under a board: the answer to a refused click, or the words of
// the teacher. There is at most one, whichever process wrote it, and it is deleted once it is outdated.
//
// Goroutines of Run post, replace and delete lines after the reply to the click, so that no reply waits for them. If
// such a job is dropped, or is left when Run ends, the only harm is that an old line stays until its reader dismisses it or
// the match moves on. All methods except Run return at once.
type Asides struct {
	AsidesConfig
	jobs [asideWorkers]chan func(context.Context) error
}

// AsidesConfig holds the collaborators of asides. All fields are required.
type AsidesConfig struct {
	Store     board.Asides
	Messenger interface {
		FollowUpPrivately(ctx context.Context, token string, draw Draw) (message string, err error)
		EditByToken(ctx context.Context, token, message string, draw Draw) error
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

// Run works until the context ends.
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

// do does one job. An error or a panic affects only the line that the job is about.
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

// later queues a job for the worker of a board, so that the jobs of one line are done in order. If the queue is full, the
// job is dropped.
func (k *Asides) later(id match.ID, job func(context.Context) error) {
	h := fnv.New32a()
	h.Write([]byte(id))
	select {
	case k.jobs[h.Sum32()%asideWorkers] <- job:
	default:
	}
}

// Line is the line of a user under a board, and the interaction that allows the bot to write it.
type Line struct {
	Board   match.ID
	User    match.User
	Token   string    // the token of the interaction; a secret
	Expires time.Time // when the token expires
}

// record returns the record of the line, once a message shows it.
func (l Line) record(message string) board.Aside {
	return board.Aside{ID: l.Board, User: l.User, Token: l.Token, Message: message, Expires: l.Expires.Add(-tokenMargin)}
}

// writtenAt returns when a line was written. Its token was new then, so the time follows from Expires.
func writtenAt(a board.Aside) time.Time { return a.Expires.Add(tokenMargin - TokenLife) }

// Replied returns a function that takes the receipt of a private reply, which becomes the user's line. The previous
// line is deleted rather than edited: a player who has dismissed it, or has reloaded Discord, would not see an edit.
func (k *Asides) Replied(l Line) func(Receipt) {
	return func(r Receipt) {
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

// remove deletes the message of a line, if its token still allows that.
func (k *Asides) remove(ctx context.Context, a board.Aside) error {
	if !k.Now().Before(a.Expires) {
		return nil
	}
	err := k.Messenger.DeleteByToken(ctx, a.Token, a.Message)
	if errors.Is(err, ErrGone) || errors.Is(err, ErrForbidden) {
		return nil
	}
	return err
}

// Outdated deletes the lines that these users have under a board, because the match has moved on. Lines of later
// interactions stay.
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

// take forgets a line and deletes its message, unless the user has another line by now.
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

// Say shows a text in the line of a user: it edits the line while that is possible, and else posts a new one. The
// interaction must have been answered already. If the user has dismissed the line, the edit goes unseen; the user then
// sees no line until the old one can no longer be edited.
func (k *Asides) Say(l Line, draw Draw) {
	k.later(l.Board, func(ctx context.Context) error {
		a, err := k.Store.Aside(ctx, l.Board, l.User)
		switch {
		case errors.Is(err, match.ErrNotFound):
		case err != nil:
			return err
		case k.Now().Before(a.Expires):
			err := k.Messenger.EditByToken(ctx, a.Token, a.Message, draw)
			if !errors.Is(err, ErrGone) && !errors.Is(err, ErrForbidden) {
				return err
			}
		}
		message, err := k.post(ctx, l.Token, draw)
		if err != nil {
			return err
		}
		_, err = k.Store.ReplaceAside(ctx, l.record(message)) // the previous line is gone or can no longer be deleted
		return err
	})
}

// post posts a line, and retries while Discord does not know of the response to the interaction.
func (k *Asides) post(ctx context.Context, token string, draw Draw) (message string, err error) {
	for try := 1; ; try++ {
		if err := pause(ctx, followPause); err != nil {
			return "", err
		}
		message, err = k.Messenger.FollowUpPrivately(ctx, token, draw)
		if try == followTries || !errors.Is(err, ErrGone) {
			return message, err
		}
	}
}
