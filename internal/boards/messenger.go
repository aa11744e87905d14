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

// Errors of a [Messenger]; decide by errors.Is.
var (
	// ErrGone means that the message, or the token that could edit it, no longer exists.
	ErrGone = errors.New("the message cannot be reached any more")
	// ErrForbidden means that the bot may not do this in the channel, or that the channel no longer exists.
	ErrForbidden = errors.New("the channel is closed to the bot")
	// ErrRateLimited means that nothing was done, because Discord asks to wait.
	ErrRateLimited = errors.New("rate limited")
	// ErrRefused means that Discord has not accepted the request for another reason.
	ErrRefused = errors.New("refused")
)

// Failure is an error of a [Messenger] that means some of the errors above.
type Failure struct {
	Means error         // the error above, or several that are joined
	After time.Duration // how long to wait, if it is rate limited; zero if unknown
	Err   error
}

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap makes the failure the errors that it means, and the error of the messenger.
func (f *Failure) Unwrap() []error { return []error{f.Means, f.Err} }

// Draw draws what a message is to show. It is called once no known rate limit forbids the request, and again before each
// further try. Its error ends the request, whose error wraps it.
type Draw = func(context.Context) ([]discordgo.MessageComponent, error)

// Messenger reads and writes messages outside of interactions. By a token, it does so with the rights of an interaction. Only
// DeleteByToken waits for a rate limit that Discord has told of.
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

// Sent is a message as Discord has it.
type Sent struct {
	ID      string
	Flags   discordgo.MessageFlags
	Carried []string // the custom_ids on it
}

// History is a part of the history of a channel.
type History struct {
	Own []Sent // the bot's own messages, the newest first
	// All reports that the channel has no messages before those that were read, and Since is when the oldest of these was
	// written, by Discord's clock: zero if the bot may not read the history.
	All   bool
	Since time.Time
}

// Receipt tells what became of a reply.
type Receipt struct {
	Message string // empty if unknown
	Channel string
	Err     error
}

// Guilds is news about the servers of a partition.
type Guilds struct {
	Present []string // the bot is in these
	Gone    []string // the bot has left these
	Changed []string // in these a channel, a role or the bot's own membership has changed
}

// pause waits for d, or returns why ctx ended before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recovered turns a panic into an error with the stack. It has to be deferred itself.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
	}
}
