package discordsim

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"tictactoe/discordsim/check"
)

// The errors of a person's action, apart from errors for invalid calls.
var (
	// ErrNotFound means that there is no such user, channel, message, command or
	// interaction, or that the acting person cannot see it.
	ErrNotFound = errors.New("not found")
	// ErrUnavailable means that a button or select is disabled or does not exist.
	ErrUnavailable = errors.New("not available")
	// ErrClosed means that the simulator has been closed.
	ErrClosed = errors.New("the simulator is closed")
)

func notFoundMessage(id string) error { return fmt.Errorf("%w: no message %q", ErrNotFound, id) }

// Discord's refusals, with the status and code from its documentation or its
// observed behaviour.
var (
	errUnauthorized       = refusal(http.StatusUnauthorized, 0, "401: Unauthorized")
	errNoRoute            = refusal(http.StatusNotFound, 0, "404: Not Found")
	errMethod             = refusal(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
	errVersion            = refusal(http.StatusBadRequest, 50041, "Invalid API version")
	errUserAgent          = refusal(http.StatusForbidden, 40333, "internal network error")
	errUnknownApplication = refusal(http.StatusNotFound, 10002, "Unknown Application")
	errUnknownChannel     = refusal(http.StatusNotFound, 10003, "Unknown Channel")
	errUnknownGuild       = refusal(http.StatusNotFound, 10004, "Unknown Guild")
	errUnknownMember      = refusal(http.StatusNotFound, 10007, "Unknown Member")
	errUnknownMessage     = refusal(http.StatusNotFound, 10008, "Unknown Message")
	errUnknownUser        = refusal(http.StatusNotFound, 10013, "Unknown User")
	errUnknownWebhook     = refusal(http.StatusNotFound, 10015, "Unknown Webhook")
	errUnknownEmoji       = refusal(http.StatusNotFound, 10014, "Unknown Emoji")
	errUnknownInteraction = refusal(http.StatusNotFound, 10062, "Unknown interaction")
	errUnknownCommand     = refusal(http.StatusNotFound, 10063, "Unknown application command")
	errForeign            = refusal(http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	errNoSuchReaction     = refusal(http.StatusBadRequest, 10014, "Unknown Emoji")
	errThreadExists       = refusal(http.StatusBadRequest, 160004, "A thread has already been created for this message")
	errLocked             = refusal(http.StatusBadRequest, 160005, "Thread is locked")
	errWrongChannel       = refusal(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	errTooManyPins        = refusal(http.StatusBadRequest, 30003, "Maximum number of pins reached for the channel (250)")
	errSystemMessage      = refusal(http.StatusForbidden, 50021, "Cannot execute action on a system message")
	errTooOldForBulk      = refusal(http.StatusBadRequest, 50034, "You can only bulk delete messages that are under 14 days old.")
	errUnknownRole        = refusal(http.StatusNotFound, 10011, "Unknown Role")
	errInvalidRole        = refusal(http.StatusBadRequest, 50028, "Invalid role")
	errTooManyRoles       = refusal(http.StatusBadRequest, 30005, "Maximum number of guild roles reached (250)")
	errNeedsBoosts        = refusal(http.StatusForbidden, 50101, "This server needs more boosts to perform this action")
	errTooManyWebhooks    = refusal(http.StatusBadRequest, 30007, "Maximum number of webhooks reached (15)")
	errNoForum            = refusal(http.StatusBadRequest, 220003, "Webhooks can only create threads in forum channels")
	errTooManyReactions   = refusal(http.StatusBadRequest, 30010, "Maximum number of reactions reached (20)")
	errTooManyEmojis      = refusal(http.StatusBadRequest, 30008, "Maximum number of emojis reached (2000)")
	errEntryPoint         = refusal(http.StatusBadRequest, 50240, "You cannot remove this app's Entry Point command in a bulk update operation. "+
		"Please include the Entry Point command in your update request or delete it separately.")
	errDailyCreates       = refusal(http.StatusBadRequest, 30034, "Max number of daily application command creates has been reached (200)")
	errTooLarge           = refusal(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	errFollowUps          = refusal(http.StatusBadRequest, 40094, "The maximum number of follow-up messages has been reached")
	errAcknowledged       = refusal(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	errOverrides          = refusal(http.StatusNotFound, 10066, "Unknown application command permissions")
	errMissingAccess      = refusal(http.StatusForbidden, 50001, "Missing Access")
	errDirectChannel      = refusal(http.StatusForbidden, 50003, "Cannot execute action on a DM channel")
	errForeignMessage     = refusal(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	errPollEdit           = refusal(http.StatusBadRequest, 520003, "Cannot edit poll message")
	errUnknownReference   = invalidForm("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
	errReplyHistory       = refusal(http.StatusForbidden, 160002, "Cannot reply without permission to read message history")
	errReferenceHistory   = refusal(http.StatusForbidden, 160009, "Cannot reference a message without permission to read message history")
	errForwardContent     = refusal(http.StatusBadRequest, 160011, "Forward messages cannot have additional content")
	errForwardUnread      = refusal(http.StatusBadRequest, 160014, "You cannot forward a message whose content you cannot read.")
	errEmptyMessage       = refusal(http.StatusBadRequest, 50006, "Cannot send an empty message")
	errCannotMessage      = refusal(http.StatusForbidden, 50007, "Cannot send messages to this user")
	errMissingPermissions = refusal(http.StatusForbidden, 50013, "Missing Permissions")
	errWebhookToken       = refusal(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	errInvalidAsset       = refusal(http.StatusBadRequest, 50046, "Invalid Asset")
	errSticker            = refusal(http.StatusBadRequest, 50081, "Cannot use this sticker")
	errArchived           = refusal(http.StatusBadRequest, 50083, "Thread is archived")
	errInvalidJSON        = refusal(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
)

// errContentType refuses the request itself, not a field of it.
var errContentType = check.InvalidForm("CONTENT_TYPE_INVALID",
	`Expected "Content-Type" header to be one of {'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'}.`)

func refusal(status, code int, message string) *check.Error {
	return &check.Error{Status: status, Code: code, Message: message}
}

func tooManyCommands(most int) *check.Error {
	return refusal(http.StatusBadRequest, 30032, fmt.Sprintf("Maximum number of application commands reached (%d)", most))
}

// invalidForm returns Discord's refusal of one field of a body. The path, such as
// data.components.0.url, names the field.
func invalidForm(path, code, message string) *check.Error {
	return check.InvalidForm(code, message, strings.Split(path, ".")...)
}

func notSnowflake(path, value string) *check.Error {
	return invalidForm(path, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not snowflake.", value))
}
