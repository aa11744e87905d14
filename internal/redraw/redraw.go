// Package redraw brings the messages that show challenges and matches up to date outside of interactions: after a loss on
// time, after a restart, after a reply that Discord never took. It draws a message, posts it anew where it was deleted, says
// in the old one where a board was moved to, and keeps the mention that calls a player to the board.
//
// What is behind is in the store, and so is how often Discord has refused to let it be drawn. What has to be done next with
// a board follows from its row and its match alone, but for what this process has sent and not yet recorded (see next).
// Edits of a message take its lane, as replies to clicks on it do, so that nothing older lands last.
package redraw

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
)

const (
	// CollectTime is how long jobs are collected before boards are drawn, so that one edit shows what several changes made.
	CollectTime = 500 * time.Millisecond
	// CatchUpPace is the time between two lots of boards that are redrawn after the bot was away.
	CatchUpPace = time.Second
	// RetryPause is the time after which a board that could not be drawn is tried again.
	RetryPause = 5 * time.Second
	// MaxTries is how often drawing a board may fail in a row before it is left to the next click or the next start. How often Discord may
	// refuse it is [board.MaxRefused].
	MaxTries = 4

	// drawTime bounds the drawing of one board: others of its channel wait for it. Nobody waits for a rate limit.
	drawTime = 5 * time.Second
	// replyTime bounds how long after a click its reply may still land.
	replyTime = 30 * time.Second
	// CatchUpAtOnce is the number of boards of such a lot. The next lot follows when fewer than CatchUpMost wait to be drawn.
	CatchUpAtOnce = 100
	CatchUpMost   = 300
	// channelsAtOnce is the number of channels whose boards are drawn at the same time.
	channelsAtOnce = 8
)

var (
	// errPending: the reply that is to show the board in a new message is under way. Its receipt enqueues the board.
	errPending = errors.New("the reply that shows the board is under way")
	// errOccupied: interactions with the message left no time for an edit.
	errOccupied = errors.New("the message is in use")
	// errUnsure: the board was drawn, but an edit of an older version may still arrive after that.
	errUnsure = errors.New("something older may be on its way to the board")
)

// Messenger reads and writes messages outside of interactions. It waits for no rate limit, but to delete by a token.
type Messenger interface {
	Original(ctx context.Context, token string) (bot.Sent, error)
	Recent(ctx context.Context, channel string) ([]bot.Sent, error)
	EditMessage(ctx context.Context, channel, message string, draw bot.Draw) error
	EditByToken(ctx context.Context, token, message string, draw bot.Draw) error
	Post(ctx context.Context, channel, replyTo string, draw bot.Draw, ping []string) (message string, err error)
	PostByToken(ctx context.Context, token string, draw bot.Draw, ping []string) (bot.Sent, error)
	Delete(ctx context.Context, channel, message string) error
	DeleteByToken(ctx context.Context, token, message string) error
}

// Lanes are the queues through which everything goes that is sent about a message.
type Lanes interface {
	// Edit runs edit while no interaction with the message is handled or answered, and returns its error, or that of the context
	// if that ends before.
	Edit(ctx context.Context, message string, edit func() error) error
}

// Painter words what a message shows, in the language of its board.
type Painter interface {
	// Challenge shows a challenge that led to no match.
	Challenge(ctx context.Context, b board.Board, c match.Challenge) ([]discordgo.MessageComponent, error)
	// Match shows a match, and returns the version that is shown: one less than the match has while the message of its
	// rematch, to which it has to link, is not known.
	Match(ctx context.Context, b board.Board, m match.Match) (shown []discordgo.MessageComponent, version int, err error)
	// Moved says where the board is now.
	Moved(b board.Board) []discordgo.MessageComponent
	// TurnMention calls the side to move.
	TurnMention(ctx context.Context, b board.Board, m match.Match) ([]discordgo.MessageComponent, error)
	// StartMention calls the proposer to a match that has begun.
	StartMention(ctx context.Context, b board.Board, m match.Match) ([]discordgo.MessageComponent, error)
	// About is the challenge or match that a custom_id is about, empty if none.
	About(customID string) match.ID
}

// Redrawer brings boards up to date whose match has changed without a click on their message.
type Redrawer struct {
	Config
	wake chan struct{} // capacity 1

	drawing chan struct{} // capacity 1; full while boards are drawn. Waiting for it heeds a context

	mu       sync.Mutex
	queue    []*job                   // in the order in which they were asked for
	queued   map[match.ID]*job        // in queue
	receipts receipts                 // of replies, not yet written
	after    map[match.ID]match.ID    // the board before, which waits for that of this match to have a message it can link to
	absent   map[match.Partition]bool // those whose boards all have to be brought up to date
	since    time.Time                // when that was asked for: later interactions are answered by their handlers
	logged   map[unreachable]struct{} // of which the log was told; at most maxLogged
	tokens   map[match.ID]string      // by which the mention beside a board was posted, if not by the bot's own; at most maxTokens
}

// Config is what a redrawer works with. All fields are required but UnderWay.
type Config struct {
	Matches match.Store
	Boards  board.Store
	// Policies say in which servers nobody is mentioned.
	Policies  policy.Store
	Messenger Messenger
	Lanes     Lanes
	Painter   Painter
	Now       func() time.Time
	Log       *slog.Logger
	// UnderWay is for how long another process may be busy with what it has received; what is younger than that is not
	// caught up on. 0: there is no other that hears the same players, now or before them.
	UnderWay time.Duration
}

// New makes a redrawer; Run starts it.
func New(c Config) *Redrawer {
	return &Redrawer{
		Config: c, wake: make(chan struct{}, 1), drawing: make(chan struct{}, 1), queued: map[match.ID]*job{},
		receipts: receipts{shown: map[match.ID]board.Shown{}, pending: map[match.ID]time.Time{}},
		after:    map[match.ID]match.ID{}, absent: map[match.Partition]bool{}, logged: map[unreachable]struct{}{},
		tokens: map[match.ID]string{},
	}
}

// Enqueue asks for the message that shows a challenge or match to be brought up to date. It never blocks.
func (r *Redrawer) Enqueue(id match.ID) { r.enqueue(id, 0) }

// CatchUp asks for every board of a partition to be brought up to date, because the bot was away from it.
func (r *Redrawer) CatchUp(p match.Partition) {
	r.mu.Lock()
	r.absent[p], r.since = true, r.Now().Add(-r.UnderWay)
	r.mu.Unlock()
	r.signal()
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
				r.CatchUp(match.Partition{Index: news.Shard.ID, Of: news.Shard.Of})
			}
		}
	}
	for _, id := range news.Gone {
		r.Log.Info("boards of a server are left as they are: the bot is not in it any more", "guild", id)
		if err := r.Boards.SaveGuildLeft(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (r *Redrawer) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run works until the context ends, then writes the receipts it still has. Where another process goes on meanwhile, it also draws
// what is due, for that process does not know of it.
func (r *Redrawer) Run(ctx context.Context) {
	for {
		var due <-chan time.Time
		if at := r.nextDue(); !at.IsZero() {
			due = time.After(time.Until(at))
		}
		select {
		case <-ctx.Done():
			end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			r.record(end)
			if r.UnderWay > 0 {
				r.pass(end)
			}
			return
		case <-due:
		case <-r.wake:
			if !wait(ctx, CollectTime) {
				continue
			}
		}
		r.pass(ctx)
		r.mu.Lock()
		absent, since := r.absent, r.since
		r.absent = map[match.Partition]bool{}
		r.mu.Unlock()
		for p := range absent {
			err := r.catchUpAll(ctx, p, since)
			if err == nil {
				err = r.catchUpMentions(ctx, p)
			}
			if err != nil && ctx.Err() == nil {
				r.Log.Error("find boards that are behind", "err", err)
				if wait(ctx, RetryPause) { // nothing can be drawn either while the store fails
					r.CatchUp(p)
				}
			}
		}
	}
}

// Flush draws everything that was asked for and writes all receipts, now, and returns when that is done. It waits for no
// limit longer than drawTime.
func (r *Redrawer) Flush(ctx context.Context) {
	r.record(ctx)
	for {
		r.pass(ctx)
		limit := r.limitOver()
		if limit.IsZero() || time.Until(limit) > drawTime || !wait(ctx, time.Until(limit)) {
			break
		}
	}
	r.record(ctx)
}

// catchUpAll draws every board of a partition that is behind. Boards of several channels are drawn at the same time, so what they wait
// for is Discord's limit of each channel. Replies to players have limits of their own. A board that an interaction has created
// since then is left out: its reply may still be on its way, and the receipt enqueues it.
func (r *Redrawer) catchUpAll(ctx context.Context, p match.Partition, since time.Time) error {
	left := map[string]int{} // by the reason
	defer func() {
		for why, n := range left {
			r.Log.Info("boards are left as they are", "boards", n, "reason", why)
		}
	}()
	for after := match.ID(""); ; {
		ids, err := r.Boards.Behind(ctx, p, after, CatchUpAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		after = ids[len(ids)-1]
		boards, err := r.Boards.Boards(ctx, ids...)
		if err != nil {
			return err
		}
		some := false
		for _, id := range ids {
			b := boards[id]
			if why := r.whyUnreachable(b); why != nil {
				left[why.Error()]++ // one line counts them all: there may be many, and each was logged when it fell behind
			} else if b.Message != "" || !b.Expires.After(since.Add(bot.TokenLife)) {
				some = true
				r.enqueue(id, 0)
			}
		}
		for some {
			r.pass(ctx)
			if !wait(ctx, CatchUpPace) {
				return ctx.Err()
			}
			some = r.waiting() >= CatchUpMost
		}
	}
}

// catchUpMentions asks for every board of a partition beside which a mention may be missing, or due later. Few of them are drawn: those
// that are behind have been brought up to date before.
func (r *Redrawer) catchUpMentions(ctx context.Context, p match.Partition) error {
	for after := match.ID(""); ; {
		ids, err := r.Boards.Uncalled(ctx, p, after, CatchUpAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			after = id
			r.enqueue(id, 0)
		}
	}
}

// wait reports false if the context ended first.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
