// Package boards brings the messages that show challenges and matches up to date outside of interactions: after a loss on
// time, after a restart, after a reply that Discord never accepted. It edits a message, posts a new one if it was deleted, says
// in the old message where a moved board is now, and posts and deletes the mention that calls a player to the board. It also keeps
// the private lines under boards, and makes the posts that are made at most once: the champions of a season, the puzzle of a day.
//
// The store records which boards are behind, and how often Discord has refused an edit. The next step for a board follows from its row and
// its match, and from the replies that this process has sent but not yet recorded; see the function next. An edit takes the lane of its
// message, as replies to clicks on the message do, so that an older version never arrives after a newer one.
package boards

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

const (
	// CollectTime is the pause between a change and the drawing of the board, so that one edit can show several changes.
	CollectTime = 500 * time.Millisecond
	// CatchUpPace is the pause between two batches of boards that are redrawn after the bot was away.
	CatchUpPace = time.Second
	// CatchUpAtOnce is the number of boards in such a batch. The next batch begins when fewer than CatchUpMost jobs wait.
	CatchUpAtOnce = 100
	CatchUpMost   = 300
	// RetryPause is the pause before the next attempt at a board that could not be drawn.
	RetryPause = 5 * time.Second
	// MaxTries is how many attempts in a row at a board may fail before the board waits for the next click or the next start of the bot.
	// Rate limits do not count. For refusals by Discord, the limit is [board.MaxRefused].
	MaxTries = 4

	// drawTime bounds the time to draw one board, because other boards of the channel wait for that. Drawing does not wait for a rate
	// limit: the board is tried again when the limit is over.
	drawTime = 5 * time.Second
	// replyTime is how long after a click the reply may still arrive.
	replyTime = 30 * time.Second
	// channelsAtOnce is the number of channels whose boards are drawn at the same time.
	channelsAtOnce = 8
)

var (
	// errPending means that a reply under way will show the board in a new message. The receipt of that reply enqueues the board.
	errPending = errors.New("the reply that shows the board is under way")
	// errOccupied means that interactions with the message left no time for an edit.
	errOccupied = errors.New("the message is in use")
	// errUnsure means that the board was drawn, but an edit with an older version may still arrive after that.
	errUnsure = errors.New("an edit with an older version of the board may still arrive")
	// errUnfinished means that the board was drawn, but without a link or ratings that are not known yet; see [Drawing].
	errUnfinished = errors.New("a part of the board is not known yet")
)

// Painter draws messages, in the language of the board.
type Painter interface {
	// Challenge draws a challenge that has not led to a match.
	Challenge(ctx context.Context, b board.Board, c match.Challenge) ([]discordgo.MessageComponent, error)
	// Match draws a match, with mentions in place of the names of the called players.
	Match(ctx context.Context, b board.Board, m match.Match, called ...string) (Drawing, error)
	// Arena draws an arena.
	Arena(ctx context.Context, b board.Board, a arena.Arena) ([]discordgo.MessageComponent, error)
	// ArenaEnd draws the message about the end of an arena.
	ArenaEnd(ctx context.Context, b board.Board, a arena.Arena) ([]discordgo.MessageComponent, error)
	// ThreadName returns the name of the thread for the boards of an arena.
	ThreadName(b board.Board, a arena.Arena) string
	// Moved draws the old message of a moved board, which says where the board is now.
	Moved(b board.Board) []discordgo.MessageComponent
	// Mention draws the mention that calls the side to move to its turn or, if begun is set, the mention that calls the proposer to the
	// match that has begun.
	Mention(ctx context.Context, b board.Board, m match.Match, begun bool) ([]discordgo.MessageComponent, error)
	// About returns the id of the challenge or match that a custom_id names, or nothing if it names none.
	About(customID string) match.ID
}

// Drawing is the drawn message of a match.
type Drawing struct {
	Components []discordgo.MessageComponent
	// Version is the version of the match that the message shows. It is one less than the match's version while the ratings after the
	// match, or the message of the rematch, are not known yet. Such a board still counts as behind, and is drawn again when they are known.
	Version int
}

// Redrawer brings the messages of boards up to date after changes that were not made by a click on the message.
type Redrawer struct {
	RedrawerConfig
	wake chan struct{} // capacity 1

	drawing chan struct{} // capacity 1; full while a pass runs. It is a channel and not a mutex, so that a context can end the wait

	mu       sync.Mutex
	queue    []*job                   // in the order in which they were enqueued
	queued   map[match.ID]*job        // the same jobs by board
	receipts map[match.ID]board.Shown // the messages and versions that replies of this process have shown, not yet saved
	pending  map[match.ID]time.Time   // for each board, the time until which a reply that shows it in a new message may still arrive
	behind   map[match.Partition]bool // partitions whose boards must all be checked
	// cutoff is the time of the latest CatchUp, less UnderWay. If an interaction after cutoff created a board and its message is not known,
	// the board is left to the handler of that interaction.
	cutoff time.Time
	paced  map[match.ID]time.Time // for each open arena, when it may be drawn again
	tokens map[match.ID]string    // for each board, the interaction token with which the mention was posted, if any; at most maxTokens
}

// RedrawerConfig has what NewRedrawer needs. All fields except Arenas and UnderWay are required.
type RedrawerConfig struct {
	Matches match.Store
	Boards  board.Store
	// Arenas has the arenas, which also have a board. If it is nil, there are none.
	Arenas *arena.Desk
	// Policies says which servers have switched mentions off.
	Policies  policy.Store
	Messenger Messenger
	// Lanes makes an edit of a message wait for its turn among the replies to clicks on the message.
	Lanes interface {
		Edit(ctx context.Context, message string, edit func() error) error
	}
	Painter Painter
	Now     func() time.Time
	Log     *slog.Logger
	// UnderWay is how long another process may still need to answer an interaction. CatchUp skips boards that are younger and whose message
	// is not known. Zero means that no other process serves the same players, or has served them before.
	UnderWay time.Duration
}

// NewRedrawer returns a redrawer, which works while Run runs.
func NewRedrawer(c RedrawerConfig) *Redrawer {
	return &Redrawer{
		RedrawerConfig: c, wake: make(chan struct{}, 1), drawing: make(chan struct{}, 1), queued: map[match.ID]*job{},
		receipts: map[match.ID]board.Shown{}, pending: map[match.ID]time.Time{}, behind: map[match.Partition]bool{}, tokens: map[match.ID]string{},
		paced: map[match.ID]time.Time{},
	}
}

// Enqueue asks Run to bring the message of a challenge or match up to date. It never blocks.
func (r *Redrawer) Enqueue(id match.ID) { r.enqueue(id, 0) }

// CatchUp asks Run to bring every board of a partition up to date, because the bot was not connected to the partition for a while. It never
// blocks.
func (r *Redrawer) CatchUp(p match.Partition) {
	r.mu.Lock()
	r.behind[p], r.cutoff = true, r.Now().Add(-r.UnderWay)
	r.mu.Unlock()
	r.signal()
}

// Guilds handles news about the servers of a partition. Boards in servers that the bot has left are not drawn. Boards that Discord refused
// are tried again when something in the server changes.
func (r *Redrawer) Guilds(ctx context.Context, p match.Partition, news Guilds) error {
	for _, some := range []struct {
		guilds  []string
		refused int
	}{{news.Changed, 1}, {news.Present, board.Left}} { // being in the server again opens no channel, so only boards marked Left are reopened
		for _, id := range some.guilds {
			n, err := r.Boards.Reopen(ctx, id, some.refused)
			if err != nil {
				return err
			}
			if n > 0 {
				r.CatchUp(p)
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

// Run draws boards until the context ends, and then saves the remaining receipts. If another process may take over, Run then also draws the
// boards that are due, because the other process does not know of them.
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
			r.trySaveReceipts(end)
			if r.UnderWay > 0 {
				r.pass(end)
			}
			return
		case <-due:
		case <-r.wake:
			if pause(ctx, CollectTime) != nil {
				continue
			}
		}
		r.pass(ctx)
		r.mu.Lock()
		behind, cutoff := r.behind, r.cutoff
		r.behind = map[match.Partition]bool{}
		r.mu.Unlock()
		for p := range behind {
			err := r.catchUpAll(ctx, p, cutoff)
			if err == nil {
				err = r.catchUpMentions(ctx, p)
			}
			if err != nil && ctx.Err() == nil {
				r.Log.Error("boards that are behind could not be found", "err", err)
				if pause(ctx, RetryPause) == nil { // while the store fails, nothing can be drawn either
					r.CatchUp(p)
				}
			}
		}
	}
}

// Flush draws all enqueued boards and saves all receipts, and returns when that is done. It does not wait for a rate limit that lasts
// longer than drawTime.
func (r *Redrawer) Flush(ctx context.Context) {
	for {
		r.pass(ctx)
		limit := r.limitOver()
		if limit.IsZero() || time.Until(limit) > drawTime || pause(ctx, time.Until(limit)) != nil {
			break
		}
	}
	r.trySaveReceipts(ctx)
}

// catchUpAll draws every board of a partition that is behind. Boards of different channels are drawn concurrently, because Discord limits
// edits by channel. Replies to players are not delayed, because they have separate limits.
//
// A board that an interaction has created after cutoff is skipped if its message is not known: the reply may still be under way, and the
// receipt of that reply enqueues the board.
func (r *Redrawer) catchUpAll(ctx context.Context, p match.Partition, cutoff time.Time) error {
	left := map[string]int{} // the number of boards, by reason
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
				left[why.Error()]++ // one log line counts all boards, because they may be many, and each error was logged before
			} else if b.Message != "" || !b.Expires.After(cutoff.Add(messages.TokenLife)) {
				some = true
				r.enqueue(id, 0)
			}
		}
		for some {
			r.pass(ctx)
			if err := pause(ctx, CatchUpPace); err != nil {
				return err
			}
			some = r.waiting() >= CatchUpMost
		}
	}
}

// Tidy draws the boards of ended matches in a partition that must be small by now as one line. Their rows name an edit until they are
// drawn, so that CatchUp finds them if this process ends before. It reports whether there are more.
func (r *Redrawer) Tidy(ctx context.Context, p match.Partition) (more bool, err error) {
	if r.waiting() >= CatchUpMost {
		return false, nil
	}
	ids, err := r.Boards.Untidy(ctx, p, r.Now(), CatchUpAtOnce)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	if err := r.Boards.Shrink(ctx, rand.Text(), ids...); err != nil {
		return false, err
	}
	for _, id := range ids {
		r.enqueue(id, 0)
	}
	return len(ids) == CatchUpAtOnce, nil
}

// catchUpMentions enqueues every board of a partition that lacks a mention or may need one later. It runs after catchUpAll, so that few of
// these boards still have to be drawn.
func (r *Redrawer) catchUpMentions(ctx context.Context, p match.Partition) error {
	for after := match.ID(""); ; {
		ids, err := r.Boards.WithoutMention(ctx, p, after, CatchUpAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			after = id
			r.enqueue(id, 0)
		}
	}
}
