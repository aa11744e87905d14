package commands

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
)

const (
	// settleTime is how long receipts are collected before they are written: one commit for all of them, none of which
	// is worth a commit of its own, since a board that is thought to be behind is only drawn once more.
	settleTime = 500 * time.Millisecond
	// restorePace is the time between two boards that are redrawn after the bot was away.
	restorePace = time.Second
	// drawTime bounds the drawing of one board: the others wait for it. Nobody waits for a rate limit.
	drawTime = 5 * time.Second
	// retryPause is the time after which boards that could not be drawn are tried again.
	retryPause = 5 * time.Second
	// replyTime bounds how long after a click its reply may still land.
	replyTime = 30 * time.Second
	// landTime bounds how long a reply waits for an edit of its board.
	landTime = time.Second
	// maxTries is how often a board is tried before it is left to the next click or the next start.
	maxTries = 4
	// mentionFrom is the time for each move from which on the side to move is mentioned.
	mentionFrom = time.Hour
	// maxTold bounds how many reasons are remembered of which the log was told.
	maxTold = 4096
	// restoreAtOnce bounds how many boards are looked up in one go.
	restoreAtOnce = 100
)

var (
	// errLeft: nothing that we hold lets us write to the board. It stays behind for its next click.
	errLeft = errors.New("the board is out of reach")
	// errRefused: Discord does not let us write to the board.
	errRefused = fmt.Errorf("%w: %w", errLeft, bot.ErrForbidden)
	// Why a board is out of reach, beside what Discord says.
	errLost   = fmt.Errorf("%w: the bot is not in its server, and was not told which message shows it", errLeft)
	errAway   = fmt.Errorf("%w: the bot is not in its server, and the token of the last click has run out", errLeft)
	errSpent  = fmt.Errorf("%w: the bot is not in its server, and the token of the last click is taken no more", errLeft)
	errQuiet  = fmt.Errorf("%w: it was refused too often", errLeft)
	errGoneBy = fmt.Errorf("%w: the bot has left its server", errLeft)
	// errReplying: a reply that is under way shows the board, and its receipt asks for a look.
	errReplying = errors.New("a reply is under way")
	// errArrived: a reply has arrived while the board was looked at.
	errArrived = errors.New("a reply has arrived")
	// errUnsure: the board was drawn, and something older may land on it yet.
	errUnsure = errors.New("something older may be on its way to the board")
)

// Messenger reads and writes messages outside of interactions. It waits for no rate limit.
type Messenger interface {
	Original(ctx context.Context, token string) (bot.Sent, error)
	Recent(ctx context.Context, channel string) ([]bot.Sent, error)
	EditMessage(ctx context.Context, channel, message string, draw bot.Draw) error
	EditByToken(ctx context.Context, token, message string, draw bot.Draw) error
	Post(ctx context.Context, channel, replyTo string, draw bot.Draw, ping []string) (message string, err error)
	Delete(ctx context.Context, channel, message string) error
}

// Redrawer makes boards true again whose match has changed without a click on them: lost on time, restarted in between, or
// a reply that Discord never took. It also keeps the one message that calls the side to move to a slow match.
//
// What is behind is in the store, and how often Discord has refused to let it be drawn; what is held here is only what to
// look at first.
type Redrawer struct {
	Sources
	wake chan struct{} // capacity 1

	drawing chan struct{} // capacity 1; full while a board is drawn. Waiting for it heeds a context

	mu      sync.Mutex
	shown   map[match.ID]board.Shown // by the latest receipts, not yet written
	queue   []*look                  // in the order in which they were asked for
	queued  map[match.ID]*look       // in queue
	handled map[match.ID]int         // clicks on it that are handled
	replies map[match.ID]reply       // that are under way
	editing match.ID                 // whose edit is under way, empty if none is
	landed  chan struct{}            // closed when it is over
	linking map[match.ID]match.ID    // the board before, which waits for that of this match to have a message it can link to
	restore map[match.Part]bool      // of which every board has to be looked at
	since   time.Time                // when that was asked for: what came later is answered by its handler
	told    map[stale]struct{}       // of which the log was told; at most maxTold
}

// Sources are what a redrawer reads from and writes to.
type Sources struct {
	Matches match.Store
	Boards  board.Store
	// Site is where people read, as bot.Site says: links to boards lead there.
	Site string
	// Policies say in which servers nobody is mentioned.
	Policies policy.Store
	REST     Messenger
	Book     *locale.Book
	Level    string // of the computer offered where a challenge came to nothing
	Now      func() time.Time
	Log      *slog.Logger
	// UnderWay is for how long another process may be busy with what it has received; what is younger than that is not
	// restored. 0: there is no other that hears the same players.
	UnderWay time.Duration
}

// NewRedrawer makes a redrawer; Run starts it.
func NewRedrawer(s Sources) *Redrawer {
	return &Redrawer{
		Sources: s, wake: make(chan struct{}, 1), drawing: make(chan struct{}, 1),
		shown: map[match.ID]board.Shown{}, queued: map[match.ID]*look{}, handled: map[match.ID]int{}, replies: map[match.ID]reply{},
		linking: map[match.ID]match.ID{}, restore: map[match.Part]bool{}, told: map[stale]struct{}{},
	}
}

// Poke asks for a look at where that challenge or match is shown. It never blocks.
func (r *Redrawer) Poke(id match.ID) { r.ask(id, 0) }

// Restore asks for a look at every board of a part, because the bot was away from it.
func (r *Redrawer) Restore(p match.Part) {
	r.mu.Lock()
	r.restore[p], r.since = true, r.Now().Add(-r.UnderWay)
	r.mu.Unlock()
	r.nudge()
}

// Guilds takes what happened to servers: the boards of one are left alone while the bot is not in it, and tried again when
// that or something else there changes.
func (r *Redrawer) Guilds(ctx context.Context, news bot.Guilds) error {
	for _, some := range []struct {
		guilds  []string
		refused int
	}{{news.Changed, 1}, {news.Present, board.Left}} { // by its presence alone, channels are as closed as they were
		for _, id := range some.guilds {
			n, err := r.Boards.Reopen(ctx, id, some.refused)
			if err != nil {
				return err
			}
			if n > 0 {
				r.Restore(match.Part{Index: news.Shard.ID, Of: news.Shard.Of})
			}
		}
	}
	for _, id := range news.Gone {
		r.Log.Info("boards of a server are left as they are: the bot is not in it any more", "guild", id)
		if err := r.Boards.Save(ctx, board.GuildLeft{Guild: id}); err != nil {
			return err
		}
	}
	return nil
}

func (r *Redrawer) nudge() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run works until the context ends, then writes the receipts it still has.
func (r *Redrawer) Run(ctx context.Context) {
	for {
		var due <-chan time.Time
		if at := r.next(); !at.IsZero() {
			due = time.After(time.Until(at))
		}
		select {
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := r.Record(end); err != nil && !errors.Is(err, match.ErrUnsaved) {
				r.Log.Error("record what is shown", "err", err)
			}
			return
		case <-due:
		case <-r.wake:
			if !wait(ctx, settleTime) {
				continue
			}
		}
		r.pass(ctx)
		r.mu.Lock()
		restore, since := r.restore, r.since
		r.restore = map[match.Part]bool{}
		r.mu.Unlock()
		for p := range restore {
			r.restoreAll(ctx, p, since)
		}
	}
}

// Flush draws everything that was asked for, now, and returns when it is drawn. It waits for no limit longer than drawTime.
func (r *Redrawer) Flush(ctx context.Context) {
	for {
		r.pass(ctx)
		limit := r.limit()
		if limit.IsZero() || time.Until(limit) > drawTime || !wait(ctx, time.Until(limit)) {
			return
		}
	}
}

// restoreAll draws every board of a part that is behind, at a pace that leaves room for the players. What nothing reaches
// costs no pause. A reply to what has come since may still be on its way, and its receipt will ask for a look.
func (r *Redrawer) restoreAll(ctx context.Context, p match.Part, since time.Time) {
	var after match.ID
	left := map[string]int{} // by the reason
	defer func() {
		for why, n := range left {
			r.Log.Info("boards are left as they are", "boards", n, "reason", why)
		}
	}()
	for {
		ids, err := r.Boards.Behind(ctx, p, after, restoreAtOnce)
		if err != nil {
			if ctx.Err() == nil {
				r.Log.Error("look for boards to restore", "err", err)
			}
			return
		}
		if len(ids) == 0 {
			return
		}
		for _, id := range ids {
			after = id
			b, err := r.Boards.Board(ctx, id)
			if why := r.beyond(b); err == nil && why != nil {
				left[why.Error()]++ // one line for all: there may be many, and each was told of when it fell behind
				continue
			}
			if err == nil && b.Message == "" && b.Expires.After(since.Add(bot.TokenLife)) {
				continue
			}
			r.ask(id, 0)
			r.pass(ctx)
			if !wait(ctx, restorePace) {
				return
			}
		}
	}
}

// wait reports false if the context ended first.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
