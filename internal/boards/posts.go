package boards

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

const (
	// Busy is how long other processes leave a claimed post to the process that has claimed it.
	Busy = 20 * time.Second
	// Certain is how long after the claim a post may be sent again with the same nonce. It is less than the few minutes for which Discord
	// recognises a nonce.
	Certain = 2 * time.Minute
	// Skew is the largest expected difference between the clocks of Discord and the bot. The search for a post begins at the messages that
	// are this much older than the claim.
	Skew = 15 * time.Minute

	maxNonce = 25 // characters, as Discord allows
	// postsAtOnce is how many posts are under way at the same time. If each takes a fifth of a second, that is half of Discord's global
	// rate limit, so that boards can still be drawn.
	postsAtOnce = 5
)

// Outcome says what became of a post, in one word for logs and metrics.
type Outcome string

// Outcomes that all kinds of posts can have. Each kind has further ones.
const (
	Posted  Outcome = "posted"
	Closed  Outcome = "closed"  // the bot may not write in the channel
	Gone    Outcome = "gone"    // the channel was deleted or belongs to another server
	Refused Outcome = "refused" // Discord does not accept the message
	Unclear Outcome = "unclear" // it is unknown whether the message was posted
)

// Skip is the error with which a [messages.Draw] decides that nothing is posted. Its value is the outcome of the post.
type Skip Outcome

// Error implements error.
func (s Skip) Error() string { return "not posted: " + string(s) }

var (
	// ErrNotYet is the error with which a [messages.Draw] says that the content is not known yet. The post is tried again later.
	ErrNotYet = errors.New("the post cannot be drawn yet")
	// errElsewhere means that the channel of a post does not belong to the server for which the post is.
	errElsewhere = errors.New("the channel is not one of the server")
)

// Post is a message that is posted at most once, even if processes are killed. Between drawing and sending, a process claims the post in
// the store. For a few minutes Discord recognises a repeated post by its nonce.
type Post struct {
	Guild   string // the server that the message is for
	Channel string // Discord must confirm that the channel belongs to the server
	Nonce   string
	// Message is an earlier post that is edited if it still exists; "" if a new one is made. After the outcome Posted it is the post.
	Message string
	Draw    messages.Draw
	Claimed time.Time // zero if no process has claimed the post, or if it is certain that it was not sent
	Over    bool      // it is too late to post, so the outcome is Unclear
	Unsent  bool      // set with the outcome Closed if it is certain that nothing was posted
	// Claim claims the post for this process. The error is [match.ErrConflict] if another process has claimed it.
	Claim func(ctx context.Context, at time.Time) error
	// Release gives up the claim, because nothing was sent.
	Release func(context.Context) error
	// Settle records the outcome, after which the post is neither due nor claimed.
	Settle func(context.Context, Outcome) error
	// Shows reports whether a message with these custom_ids is the post. If Shows is nil, the channel cannot be searched for the post, and
	// the outcome of an old claim is Unclear.
	Shows func(carried []string) bool
	About []any // for the log
}

// Posts provides the posts of one kind that are to be made.
type Posts interface {
	// Claimed returns the posts that are claimed and not settled.
	Claimed(context.Context) ([]*Post, error)
	// Due returns the posts that are due and unclaimed.
	Due(context.Context) ([]*Post, error)
}

// PostMessenger makes the requests to Discord for a Poster.
type PostMessenger interface {
	// ChannelGuild returns the server of a channel, or nothing if the channel does not belong to a server or does not exist.
	ChannelGuild(ctx context.Context, channel string) (guild string, err error)
	PostOnce(ctx context.Context, channel, nonce string, draw messages.Draw, notify []string) (message string, err error)
	EditMessage(ctx context.Context, channel, message string, draw messages.Draw) error
	Latest(ctx context.Context, channel string) (messages.History, error)
}

// Poster makes the posts of one kind. Any number of processes may run one. If a post may not have arrived, it is sent again with the same
// nonce for a while. After that the channel is searched, and the post is sent again only if it is certainly not there.
type Poster struct {
	Kind      string // for the log
	Posts     Posts
	Messenger PostMessenger
	Clock     *clock.Clock
	Log       *slog.Logger
	Report    func(Outcome) // called with the outcome of each post, by several goroutines; may be nil

	once sync.Once
	free chan struct{} // contains a value while no pass runs
}

// Run calls Act again and again until the context ends.
func (p *Poster) Run(ctx context.Context) {
	background.Repeat(ctx, p.Clock, p.Log, "post the "+p.Kind, background.Once(p.Act))
}

// Act makes one pass: it continues the claimed posts, makes the posts that are due, and returns when that is done. If another pass runs, it
// first waits until that pass has ended.
func (p *Poster) Act(ctx context.Context) error {
	p.once.Do(func() { p.free = make(chan struct{}, 1); p.free <- struct{}{} })
	select {
	case <-p.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { p.free <- struct{}{} }()
	claimed, err := p.Posts.Claimed(ctx)
	if err != nil {
		return err
	}
	failed := each(ctx, claimed, p.resume)
	due, err := p.Posts.Due(ctx)
	return errors.Join(failed, err, each(ctx, due, p.post))
}

// resume continues with a claimed post. The process that claimed it may have ended.
func (p *Poster) resume(ctx context.Context, m *Post) error {
	since := p.Clock.Now().Sub(m.Claimed)
	switch {
	case m.Over:
		return p.done(ctx, m, Unclear, nil)
	case m.Claimed.IsZero(), Busy <= since && since <= Certain:
		return p.post(ctx, m)
	case 0 <= since && since < Busy:
		return nil
	case m.Shows == nil:
		return p.done(ctx, m, Unclear, nil)
	default:
		return p.search(ctx, m)
	}
}

// search looks for a claimed post in the channel, and posts it if it is certainly not there.
func (p *Poster) search(ctx context.Context, m *Post) error {
	h, err := p.Messenger.Latest(ctx, m.Channel)
	switch {
	case errors.Is(err, messages.ErrForbidden), errors.Is(err, messages.ErrGone):
		return p.done(ctx, m, Closed, err)
	case errors.Is(err, messages.ErrRateLimited):
		return nil
	case err != nil:
		return fmt.Errorf("look for the %s in channel %s: %w", p.Kind, m.Channel, err)
	}
	for _, sent := range h.Own {
		if m.Shows(sent.Carried) {
			m.Message = sent.ID
			return p.done(ctx, m, Posted, nil)
		}
	}
	if !covers(h, m.Claimed) {
		return p.done(ctx, m, Unclear, nil)
	}
	m.Claimed = p.Clock.Now()
	if err := m.Claim(ctx, m.Claimed); err != nil {
		return unlessConflict(err)
	}
	return p.post(ctx, m)
}

// post sends a post. If no process has claimed the post, it claims it first.
func (p *Poster) post(ctx context.Context, m *Post) error {
	unclaimed, sent := m.Claimed.IsZero(), 0
	claim := func(ctx context.Context) error {
		if !m.Claimed.IsZero() {
			return nil
		}
		now := p.Clock.Now()
		err := m.Claim(ctx, now)
		if err == nil {
			m.Claimed = now
		}
		return err
	}
	err := p.send(ctx, m, func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, err := m.Draw(ctx)
		if err == nil {
			err = claim(ctx)
		}
		if err == nil {
			err = p.checkChannel(ctx, m)
		}
		if err == nil {
			sent++
		}
		return components, err
	})
	skip, skipped := errors.AsType[Skip](err)
	limited := errors.Is(err, messages.ErrRateLimited)
	switch {
	case err == nil:
		return p.done(ctx, m, Posted, nil)
	case errors.Is(err, match.ErrConflict): // another process posts it
		return nil
	case skipped:
		if err := claim(ctx); err != nil {
			return unlessConflict(err)
		}
		return p.done(ctx, m, Outcome(skip), nil)
	case errors.Is(err, errElsewhere):
		return p.done(ctx, m, Gone, err)
	case errors.Is(err, messages.ErrForbidden), errors.Is(err, messages.ErrGone):
		m.Unsent = unclaimed && sent <= 1
		return p.done(ctx, m, Closed, err)
	case errors.Is(err, messages.ErrRefused) && !limited:
		return p.done(ctx, m, Refused, err)
	case !m.Claimed.IsZero():
		if unclaimed && (sent == 0 || sent == 1 && limited) { // the message cannot have arrived
			m.Claimed = time.Time{}
			return m.Release(ctx)
		}
		return nil
	case limited, errors.Is(err, ErrNotYet):
		return nil
	}
	return fmt.Errorf("post the %s in channel %s: %w", p.Kind, m.Channel, err)
}

// send edits the earlier post, or makes a new one if there is none.
func (p *Poster) send(ctx context.Context, m *Post, draw messages.Draw) error {
	if m.Message != "" {
		if err := p.Messenger.EditMessage(ctx, m.Channel, m.Message, draw); !errors.Is(err, messages.ErrGone) {
			return err
		}
	}
	message, err := p.Messenger.PostOnce(ctx, m.Channel, m.Nonce, draw, nil)
	if err == nil {
		m.Message = message
	}
	return err
}

// checkChannel asks Discord for the server of the channel. It returns errElsewhere if that is not the server of the post.
func (p *Poster) checkChannel(ctx context.Context, m *Post) error {
	guild, err := p.Messenger.ChannelGuild(ctx, m.Channel)
	if err == nil && guild != m.Guild {
		return fmt.Errorf("post in channel %q of server %s: %w", m.Channel, m.Guild, errElsewhere)
	}
	return err
}

// done records the outcome of a post, and logs and reports it once.
func (p *Poster) done(ctx context.Context, m *Post, what Outcome, why error) error {
	if err := m.Settle(ctx, what); err != nil {
		return err
	}
	level := slog.LevelInfo
	if what == Refused || what == Unclear || what == Closed || what == Gone {
		level = slog.LevelWarn
	}
	args := append([]any{"outcome", what, "venue", m.Guild, "channel", m.Channel}, m.About...)
	if why != nil {
		args = append(args, "err", why)
	}
	p.Log.Log(ctx, level, p.Kind, args...)
	if p.Report != nil {
		p.Report(what)
	}
	return nil
}

// nonceOf returns the nonce of the post that the words identify. The same words always give the same nonce.
func nonceOf(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:maxNonce/2])
}

// each calls post for each of the posts, a few concurrently, and returns all errors joined. When the context has ended, it begins no
// further call. If a call panics, the panic is returned as its error.
func each(ctx context.Context, posts []*Post, post func(context.Context, *Post) error) error {
	failed := make([]error, len(posts))
	room := make(chan struct{}, postsAtOnce)
	var running sync.WaitGroup
	for i, p := range posts {
		room <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-room }()
			defer recovered(&failed[i])
			failed[i] = post(ctx, p)
		})
	}
	running.Wait()
	return errors.Join(failed...)
}
