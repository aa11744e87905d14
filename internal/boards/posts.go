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

	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
)

const (
	// Busy is how long a claimed post is left to the process that claimed it.
	Busy = 20 * time.Second
	// Certain is how long after its claim a post may be repeated with its nonce: less than the few minutes for which
	// Discord recognises the nonce.
	Certain = 2 * time.Minute
	// Skew is the largest difference expected between the clocks of Discord and the bot when a channel is searched for a
	// post.
	Skew = 15 * time.Minute

	maxNonce = 25 // characters, as Discord allows
	// postsAtOnce is how many posts are under way at the same time. If Discord takes a fifth of a second for each, that is
	// half of a bot's global rate limit, so that boards are still drawn meanwhile.
	postsAtOnce = 5
)

// Outcome is the outcome of a post.
type Outcome string

// The outcomes of all kinds of posts. Each kind has some more.
const (
	Posted  Outcome = "posted"
	Closed  Outcome = "closed"  // the bot may not write in the channel, or the channel is gone or belongs to another server
	Refused Outcome = "refused" // Discord does not accept the message
	Unclear Outcome = "unclear" // it is unknown whether the message was posted
)

// Skip is the error of a [Draw] that decides not to post. It is the outcome of the post.
type Skip Outcome

// Error implements error.
func (s Skip) Error() string { return "not posted: " + string(s) }

var (
	// ErrNotYet is the error of a [Draw] whose content is not known yet.
	ErrNotYet = errors.New("the post cannot be drawn yet")
	// errElsewhere means that the channel of a post belongs to another server.
	errElsewhere = errors.New("the channel is not one of the server")
)

// Post is a message that is posted at most once, even if processes are killed. A process claims the post in the store
// between drawing and sending, and gives it a nonce, by which Discord recognises it for a few minutes.
type Post struct {
	Guild   string // the server that the message is for
	Channel string // nothing is posted unless Discord says that the channel belongs to the server
	Nonce   string
	Draw    Draw
	Claimed time.Time // zero if the post is unclaimed, or if it is certain that no claimant has sent it
	Over    bool      // it is too late to post, so the outcome of a claim stays unclear
	// Claim claims the post. The error is [match.ErrConflict] if another process has claimed it.
	Claim func(ctx context.Context, at time.Time) error
	// Release gives up the claim, because nothing was sent.
	Release func(context.Context) error
	// Settle records that the outcome is known.
	Settle func(context.Context, Outcome) error
	// Shows reports whether a message with the given custom_ids is the post. If it is nil, the channel is not searched,
	// and the outcome is unclear after [Certain].
	Shows func(carried []string) bool
	About []any // for the log
}

// Posts is the source of the posts of one kind.
type Posts interface {
	// Claimed returns the posts that are claimed and not settled.
	Claimed(context.Context) ([]*Post, error)
	// Due returns the posts that are due and unclaimed.
	Due(context.Context) ([]*Post, error)
}

// PostMessenger posts messages.
type PostMessenger interface {
	// ChannelGuild returns the server of a channel, empty if the channel has no server or does not exist.
	ChannelGuild(ctx context.Context, channel string) (guild string, err error)
	PostOnce(ctx context.Context, channel, nonce string, draw Draw) (message string, err error)
	Latest(ctx context.Context, channel string) (History, error)
}

// Poster makes the posts of one kind. Any number of processes may run one. A post that may not have arrived is repeated
// with its nonce for a while. After that its channel is searched, and it is posted again only if it is certainly not
// there.
type Poster struct {
	Kind      string // for the log
	Posts     Posts
	Messenger PostMessenger
	Clock     *clock.Clock
	Log       *slog.Logger
	Report    func(Outcome) // gets the outcome of each post, from several goroutines; may be nil

	once sync.Once
	free chan struct{} // has a value while no pass runs
}

// Run works until the context ends.
func (p *Poster) Run(ctx context.Context) {
	background.Repeat(ctx, p.Clock, p.Log, "post the "+p.Kind, background.Once(p.Act))
}

// Act waits until no other pass runs, makes the posts that are due, and returns when that is done.
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

// resume continues a post that was claimed, perhaps by a process that has ended since.
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

// search looks for a post in its channel, and posts it if it is not there.
func (p *Poster) search(ctx context.Context, m *Post) error {
	h, err := p.Messenger.Latest(ctx, m.Channel)
	switch {
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrGone):
		return p.done(ctx, m, Closed, err)
	case errors.Is(err, ErrRateLimited):
		return nil
	case err != nil:
		return fmt.Errorf("look for the %s in channel %s: %w", p.Kind, m.Channel, err)
	}
	for _, sent := range h.Own {
		if m.Shows(sent.Carried) {
			return p.done(ctx, m, Posted, nil)
		}
	}
	if h.Since.IsZero() || !h.All && !h.Since.Before(m.Claimed.Add(-Skew)) {
		return p.done(ctx, m, Unclear, nil)
	}
	m.Claimed = p.Clock.Now()
	if err := m.Claim(ctx, m.Claimed); err != nil {
		return unlessConflict(err)
	}
	return p.post(ctx, m)
}

// post makes a post. If the post is unclaimed, it claims it first.
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
	_, err := p.Messenger.PostOnce(ctx, m.Channel, m.Nonce, func(ctx context.Context) ([]discordgo.MessageComponent, error) {
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
	limited := errors.Is(err, ErrRateLimited)
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
	case errors.Is(err, ErrForbidden), errors.Is(err, ErrGone), errors.Is(err, errElsewhere):
		return p.done(ctx, m, Closed, err)
	case errors.Is(err, ErrRefused) && !limited:
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

// checkChannel returns nil if Discord says that the channel of a post belongs to its server.
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
	if what == Refused || what == Unclear || what == Closed {
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

// nonceOf returns the nonce of a post, given words that identify the post.
func nonceOf(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:maxNonce/2])
}

// each calls post for all posts, a few of them concurrently, and returns all their errors joined. Once the context has
// ended it starts no more. A panic becomes the error of its post.
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
