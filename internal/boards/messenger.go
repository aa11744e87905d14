package boards

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/bwmarrin/discordgo"
)

// TokenLife is how long Discord accepts the token of an interaction.
const TokenLife = 15 * time.Minute

// The errors of a [Messenger], for errors.Is.
var (
	// ErrGone means that the message, or the token that could edit it, no longer exists.
	ErrGone = errors.New("the message cannot be reached any more")
	// ErrForbidden means that the bot may not do this in the channel, or that the channel no longer exists.
	ErrForbidden = errors.New("the channel is closed to the bot")
	// ErrRateLimited means that the request was not made, because a rate limit of Discord forbids it at the moment.
	ErrRateLimited = errors.New("rate limited")
	// ErrRefused means that Discord rejected the request for a reason that none of the other errors names.
	ErrRefused = errors.New("refused")
)

// Failure is an error of a [Messenger] that stands for one or more of the errors above.
type Failure struct {
	Means error         // one of the errors above, or several of them joined
	After time.Duration // how long to wait after ErrRateLimited; zero if unknown
	Err   error
}

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the errors that the failure stands for, and the error of the messenger.
func (f *Failure) Unwrap() []error { return []error{f.Means, f.Err} }

// Draw returns the content of a message. It is called once no known rate limit forbids the request, and again before
// each retry. If it fails, the request is given up and its error wraps the error of Draw.
type Draw = func(context.Context) ([]discordgo.MessageComponent, error)

// Messenger reads and writes messages outside of interactions. With a token, it has the rights of an interaction. Only
// DeleteByToken waits for a known rate limit.
type Messenger interface {
	Original(ctx context.Context, token string) (Sent, error)
	Recent(ctx context.Context, channel string) ([]Sent, error)
	EditMessage(ctx context.Context, channel, message string, draw Draw) error
	EditByToken(ctx context.Context, token, message string, draw Draw) error
	Post(ctx context.Context, channel, replyTo string, draw Draw, notify []string) (message string, err error)
	PostByToken(ctx context.Context, token string, draw Draw, notify []string) (Sent, error)
	Delete(ctx context.Context, channel, message string) error
	DeleteByToken(ctx context.Context, token, message string) error
}

// Sent is a message as Discord stores it.
type Sent struct {
	ID      string
	Flags   discordgo.MessageFlags
	Carried []string // the custom_ids on it
}

// History is a part of the history of a channel.
type History struct {
	Own []Sent // the bot's own messages, the newest first
	// All reports that the messages read reach back to the beginning of the channel. Since is when the oldest message read
	// was written, by Discord's clock; zero if the bot may not read the history.
	All   bool
	Since time.Time
}

// Receipt is the outcome of a reply.
type Receipt struct {
	Message string // empty if unknown
	Channel string
	Err     error
}

// Guilds is news about the servers of a partition.
type Guilds struct {
	Present []string // servers that the bot is in
	Gone    []string // servers that the bot has left
	Changed []string // servers in which a channel, a role or the bot's own membership has changed
}

// pause waits for d. If ctx ends before, it returns the cause.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recovered turns a panic into an error with the stack. It must be deferred directly.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
