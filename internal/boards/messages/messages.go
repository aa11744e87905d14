// Package messages has the types and errors that the requests about messages to Discord share: those of package boards, which makes the
// requests, and of the client that carries them out.
package messages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"
)

// TokenLife is how long Discord accepts the token of an interaction.
const TokenLife = 15 * time.Minute

// Kinds of failures, for use with errors.Is. One failure can be of several kinds.
var (
	// ErrGone means that the message no longer exists, or that the token with which it could be reached has expired. A retry is useless.
	ErrGone = errors.New("the message cannot be reached any more")
	// ErrForbidden means that the bot lacks the permission, or that the channel no longer exists.
	ErrForbidden = errors.New("the channel is closed to the bot")
	// ErrRateLimited means that a rate limit, either Discord's or the bot's own, requires a longer wait than the context or the request
	// allows. Usually it is a *LimitError.
	ErrRateLimited = errors.New("rate limited")
	// ErrRefused means that Discord rejected the request, for any reason.
	ErrRefused = errors.New("refused")
)

// LimitError is an ErrRateLimited that says when the limit ends.
type LimitError struct {
	// After is how long to wait before the request may be made.
	After time.Duration
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%v for %v", ErrRateLimited, e.After.Round(time.Millisecond))
}

// Is reports whether target is ErrRateLimited.
func (e *LimitError) Is(target error) bool { return target == ErrRateLimited }

// RetryAfter returns e.After. Package backoff waits for that long.
func (e *LimitError) RetryAfter() time.Duration { return e.After }

// Draw returns the content of a message. It is called before each try of the request, when no known rate limit forbids the request any
// more, so that the content is fresh. If Draw fails, the request is not made, and the request's error wraps the error of Draw.
type Draw = func(context.Context) ([]discordgo.MessageComponent, error)

// Sent is a message as Discord stores it.
type Sent struct {
	ID      string
	Flags   discordgo.MessageFlags
	Carried []string // the custom_ids of all components on the message
}

// History is the latest part of a channel's messages.
type History struct {
	Own []Sent // the bot's own messages, the newest first
	// All reports that the channel has no older messages. Since is the time, by Discord's clock, of the oldest message in this part, or
	// zero if the bot may not read the history.
	All   bool
	Since time.Time
}

// Receipt says where a reply to an interaction was delivered, or why it was not.
type Receipt struct {
	// Message and Channel are the ids of the message that now shows the reply, or empty if there is no such message. For a private message
	// that answered the interaction first, Message is "@original", because the id would cost another request.
	Message, Channel string
	// Err is why the reply is not shown: an error of package rest or of this one, or a failed connection. It is nil if the reply is shown.
	Err error
}
