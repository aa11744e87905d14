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

// The errors of a [Messenger], for use with errors.Is.
var (
	// ErrGone means that the message no longer exists, or that the token with which it could be edited has expired.
	ErrGone = errors.New("the message cannot be reached any more")
	// ErrForbidden means that the bot may not do this in the channel, or that the channel no longer exists.
	ErrForbidden = errors.New("the channel is closed to the bot")
	// ErrRateLimited means that the request was not made, because a rate limit of Discord forbids it at the moment.
	ErrRateLimited = errors.New("rate limited")
	// ErrRefused means that Discord rejected the request for a reason that none of the other errors names.
	ErrRefused = errors.New("refused")
)

// Failure wraps an error of a [Messenger] and says which of the errors above it means.
type Failure struct {
	Means error         // one of the errors above, or several of them joined
	After time.Duration // how long to wait after ErrRateLimited; zero if unknown
	Err   error
}

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap returns the errors that the failure means, and the error of the messenger.
func (f *Failure) Unwrap() []error { return []error{f.Means, f.Err} }

// Draw returns the content of a message. It is called when no known rate limit forbids the request any more, and again before each retry.
// If Draw fails, the request is not made, and the request's error wraps the error of Draw.
type Draw = func(context.Context) ([]discordgo.MessageComponent, error)

// Messenger reads and writes messages at Discord. Methods with a token use the rights of an interaction, all other methods the
// rights of the bot. Only DeleteByToken waits for a known rate limit.
type Messenger interface {
	Original(ctx context.Context, token string) (Sent, error)
	Latest(ctx context.Context, channel string) (History, error)
	EditMessage(ctx context.Context, channel, message string, draw Draw) error
	EditByToken(ctx context.Context, token, message string, draw Draw) error
	Post(ctx context.Context, channel, replyTo string, draw Draw, notify []string) (message string, err error)
	PostOnce(ctx context.Context, channel, nonce string, draw Draw, notify []string) (message string, err error)
	PostByToken(ctx context.Context, token string, draw Draw, notify []string) (Sent, error)
	// StartThread makes a public thread from a message, or finds the one that was made, and returns its id.
	StartThread(ctx context.Context, channel, message, name string) (thread string, err error)
	Delete(ctx context.Context, channel, message string) error
	DeleteByToken(ctx context.Context, token, message string) error
}

// Sent is a message as Discord stores it.
type Sent struct {
	ID      string
	Flags   discordgo.MessageFlags
	Carried []string // the custom_ids of its components
}

// History is the latest part of a channel's messages.
type History struct {
	Own []Sent // the bot's own messages, the newest first
	// All reports that the channel has no older messages. Since is the time, by Discord's clock, of the oldest message in this part, or
	// zero if the bot may not read the history.
	All   bool
	Since time.Time
}

// covers reports whether the history has every message since a time by the bot's clock.
func (h History) covers(since time.Time) bool {
	return !h.Since.IsZero() && (h.All || h.Since.Before(since.Add(-Skew)))
}

// Receipt says in which message a reply was shown, or why it was not shown.
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

// pause waits for the duration d. If ctx ends before, it returns the error of ctx at once.
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
