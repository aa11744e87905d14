package rest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/messages"
)

// Kinds of refusals by Discord, beside those of package messages, for use with errors.Is.
var (
	// ErrArchived means that the message is in an archived thread. It is also a messages.ErrForbidden. Anyone who writes in the thread reopens it.
	ErrArchived = errors.New("the thread is archived")
	// ErrAlreadyAnswered means that the interaction already has a callback, because another instance of the bot was first.
	ErrAlreadyAnswered = errors.New("the interaction is already answered")
	// ErrLate means that the callback came after Discord's three seconds, or after another instance had answered the interaction.
	ErrLate = errors.New("the interaction is no longer open")
)

// APIError is a refusal by Discord's REST API, or an unreadable answer.
type APIError struct {
	// Request names the request, without tokens.
	Request string
	// Status is the HTTP status. Code and Message are Discord's; they are zero if the answer is not in Discord's form.
	Status  int
	Code    int
	Message string
	// Detail is the start of Discord's list of faulty fields, if there is one, or the start of an answer that is not in Discord's form.
	Detail string

	callback   bool
	unreadable error // the request succeeded, but its answer is not in Discord's form
}

// Error implements error.
func (e *APIError) Error() string {
	text := fmt.Sprintf("%s: HTTP %d", e.Request, e.Status)
	if e.unreadable != nil {
		return fmt.Sprintf("%s: the answer is not of Discord's form: %v, in %q", e.Request, e.unreadable, e.Detail)
	}
	if e.Code != 0 || e.Message != "" {
		text += fmt.Sprintf(", code %d: %s", e.Code, e.Message)
	}
	if e.Detail != "" {
		text += " " + e.Detail
	}
	return text
}

// Unwrap returns why an answer was unreadable, nil for a refusal.
func (e *APIError) Unwrap() error { return e.unreadable }

// IsAnswer reports whether the server answered the request that failed with err.
func IsAnswer(err error) bool {
	_, is := errors.AsType[*APIError](err)
	return is
}

// Is reports whether the refusal is of the kind target, such as messages.ErrForbidden. The codes are from Discord's "Opcodes and Status Codes".
func (e *APIError) Is(target error) bool {
	switch target {
	case ErrLate:
		return e.callback && e.Code == discordgo.ErrCodeUnknownInteraction
	case ErrAlreadyAnswered:
		return e.Code == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged
	case messages.ErrGone:
		return !e.callback && (e.Status == http.StatusNotFound && e.Code != discordgo.ErrCodeUnknownChannel || e.Code == discordgo.ErrCodeInvalidWebhookTokenProvided)
	case messages.ErrForbidden:
		return e.Status == http.StatusForbidden || e.Code == discordgo.ErrCodePerformedOperationOnArchivedThread ||
			e.Code == discordgo.ErrCodeUnknownChannel
	case ErrNoMember:
		return e.Code == discordgo.ErrCodeUnknownMember || e.Code == discordgo.ErrCodeUnknownUser
	case ErrNoRole:
		return e.Code == discordgo.ErrCodeUnknownRole
	case ErrArchived:
		return e.Code == discordgo.ErrCodePerformedOperationOnArchivedThread
	case messages.ErrRateLimited:
		return e.Status == http.StatusTooManyRequests
	case messages.ErrRefused:
		return e.Status < http.StatusInternalServerError
	}
	return false
}

// Refused reports whether Discord refused the content of a request, or an update of a message that was deleted. Other content, or a new
// message, may then succeed.
func Refused(err error) bool {
	api, is := errors.AsType[*APIError](err)
	return is && !errors.Is(err, ErrAlreadyAnswered) && (api.Status == http.StatusBadRequest ||
		api.Status == http.StatusRequestEntityTooLarge || api.Code == discordgo.ErrCodeMissingPermissions ||
		api.Code == discordgo.ErrCodeUnknownMessage)
}

// Missing reports whether the server does not know the route. Servers other than Discord may lack some.
func Missing(err error) bool {
	return slices.Contains([]int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}, statusOf(err))
}

// Unauthorized reports whether Discord rejected the bot's token.
func Unauthorized(err error) bool {
	api, is := errors.AsType[*APIError](err)
	return is && api.Status == http.StatusUnauthorized && api.Code == 0
}
