package boards

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"tictactoe/internal/boards/messages"
)

// Messenger reads and writes messages at Discord. Methods with a token use the rights of an interaction, all other methods the
// rights of the bot. Their errors are those of package messages.
// Only DeleteByToken waits for a known rate limit.
type Messenger interface {
	Original(ctx context.Context, token string) (messages.Sent, error)
	Latest(ctx context.Context, channel string) (messages.History, error)
	EditMessage(ctx context.Context, channel, message string, draw messages.Draw) error
	EditByToken(ctx context.Context, token, message string, draw messages.Draw) error
	Post(ctx context.Context, channel, replyTo string, draw messages.Draw, notify []string) (message string, err error)
	PostOnce(ctx context.Context, channel, nonce string, draw messages.Draw, notify []string) (message string, err error)
	PostByToken(ctx context.Context, token string, draw messages.Draw, notify []string) (messages.Sent, error)
	// StartThread makes a public thread from a message, or finds the one that was made, and returns its id.
	StartThread(ctx context.Context, channel, message, name string) (thread string, err error)
	Delete(ctx context.Context, channel, message string) error
	DeleteByToken(ctx context.Context, token, message string) error
}

// covers reports whether the history has every message since a time by the bot's clock.
func covers(h messages.History, since time.Time) bool {
	return !h.Since.IsZero() && (h.All || h.Since.Before(since.Add(-Skew)))
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
