// Package announce posts messages that have to be posted at most once, whichever process is killed meanwhile. A process that
// posts a message first claims it in the store, and gives it a nonce, by which Discord recognises it for a few minutes.
package announce

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
)

// Certain is for how long a post may be repeated with its nonce: less than the few minutes for which Discord recognises the
// nonce.
const Certain = 2 * time.Minute

// Outcome is the outcome of a call of [Post].
type Outcome int

// The outcomes.
const (
	Posted  Outcome = iota
	Closed          // the bot may not write there, or the channel is gone or not one of the server
	Refused         // Discord does not accept the message
	Taken           // another process posts it, or it is not to be posted any more
	Unknown         // it is claimed, and Arrived tells whether it may have arrived: it may be repeated with the same nonce
	Unsent          // it could not be drawn or claimed, or a rate limit forbids it: nothing has happened
)

// ErrElsewhere means that the channel of a message is not one of its server.
var ErrElsewhere = errors.New("the channel is not one of the server")

// Messenger posts messages, as [bot.REST] does.
type Messenger interface {
	ChannelGuild(ctx context.Context, channel string) (guild string, err error)
	PostOnce(ctx context.Context, channel, nonce string, draw bot.Draw) (message string, err error)
}

// Message is a message that is to be posted once.
type Message struct {
	Guild   string // the server that the message is for
	Channel string // nothing is posted unless Discord says that the server has it
	Nonce   string // at most [bot.MaxNonce] characters
	Draw    bot.Draw
	// Claim claims the message in the store. It is nil if this process has claimed it before. Its error is
	// [match.ErrConflict] if another process has.
	Claim func(context.Context) error
}

// Result is the result of a call of [Post].
type Result struct {
	Outcome Outcome
	Claimed bool  // the message is claimed by this process, now or before
	Arrived bool  // the message may have arrived, and Discord may recognise its nonce from now on
	Err     error // why it was not posted
}

// Post posts a message. It is claimed between drawing and sending, so that a message that cannot be drawn is left to the
// next attempt.
func Post(ctx context.Context, to Messenger, m Message) Result {
	r, drawn := Result{Claimed: m.Claim == nil}, 0
	_, r.Err = to.PostOnce(ctx, m.Channel, m.Nonce, func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, err := m.Draw(ctx)
		if err == nil && !r.Claimed {
			err = m.Claim(ctx)
			r.Claimed = err == nil
		}
		if err == nil {
			err = within(ctx, to, m)
		}
		if err == nil {
			drawn++
		}
		return components, err
	})
	turnedAway := drawn == 1 && errors.Is(r.Err, bot.ErrRateLimited)
	r.Arrived = drawn > 0 && !turnedAway
	r.Outcome = outcome(r)
	return r
}

// within returns nil if Discord says that the server of a message has its channel.
func within(ctx context.Context, to Messenger, m Message) error {
	guild, err := to.ChannelGuild(ctx, m.Channel)
	if api, is := errors.AsType[*bot.APIError](err); err == nil && guild != m.Guild || is && api.Status == http.StatusBadRequest {
		return fmt.Errorf("post in channel %q of server %s: %w", m.Channel, m.Guild, ErrElsewhere)
	}
	return err
}

func outcome(r Result) Outcome {
	refusal, isRefusal := errors.AsType[*bot.APIError](r.Err)
	switch {
	case r.Err == nil:
		return Posted
	case errors.Is(r.Err, match.ErrConflict):
		return Taken
	case errors.Is(r.Err, bot.ErrForbidden), errors.Is(r.Err, bot.ErrMessageGone), errors.Is(r.Err, ErrElsewhere):
		return Closed
	case isRefusal && refusal.Status < http.StatusInternalServerError && !errors.Is(r.Err, bot.ErrRateLimited):
		return Refused
	case r.Claimed:
		return Unknown
	default:
		return Unsent
	}
}

// Nonce returns the nonce of a message from words that no other message has.
func Nonce(words ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:bot.MaxNonce/2])
}

// Turn lets one pass over the messages to be posted run at a time. Its zero value is ready for use.
type Turn struct {
	once sync.Once
	free chan struct{} // has a value while no pass runs
}

// Do runs a pass once no other one runs, unless the context ends before.
func (t *Turn) Do(ctx context.Context, pass func() error) error {
	t.once.Do(func() { t.free = make(chan struct{}, 1); t.free <- struct{}{} })
	select {
	case <-t.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { t.free <- struct{}{} }()
	return pass()
}

// atOnce is how many posts are under way at the same time. If Discord takes a fifth of a second for each, that is half of
// the requests that a bot may make in all channels together, so that boards are still drawn meanwhile. Each channel also has
// a limit of its own.
const atOnce = 5

// Each calls post for all posts, a few of them concurrently, and returns all their errors joined. It begins no more once the
// context has ended. A panic becomes the error of its post.
func Each[T any](ctx context.Context, posts []T, post func(context.Context, T) error) error {
	failed := make([]error, len(posts))
	room := make(chan struct{}, atOnce)
	var running sync.WaitGroup
	for i, p := range posts {
		room <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-room }()
			defer bot.Recovered(&failed[i])
			failed[i] = post(ctx, p)
		})
	}
	running.Wait()
	return errors.Join(failed...)
}
