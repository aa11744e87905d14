package check

import (
	"fmt"
	"net/http"
	"strings"
)

// Discord's refusals, with the status and code from its documentation or its
// observed behaviour.
var (
	ErrUnauthorized       = Refusal(http.StatusUnauthorized, 0, "401: Unauthorized")
	ErrNoRoute            = Refusal(http.StatusNotFound, 0, "404: Not Found")
	ErrMethod             = Refusal(http.StatusMethodNotAllowed, 0, "405: Method Not Allowed")
	ErrVersion            = Refusal(http.StatusBadRequest, 50041, "Invalid API version")
	ErrUserAgent          = Refusal(http.StatusForbidden, 40333, "internal network error")
	ErrUnknownApplication = Refusal(http.StatusNotFound, 10002, "Unknown Application")
	ErrUnknownChannel     = Refusal(http.StatusNotFound, 10003, "Unknown Channel")
	ErrUnknownGuild       = Refusal(http.StatusNotFound, 10004, "Unknown Guild")
	ErrUnknownMember      = Refusal(http.StatusNotFound, 10007, "Unknown Member")
	ErrUnknownMessage     = Refusal(http.StatusNotFound, 10008, "Unknown Message")
	ErrUnknownUser        = Refusal(http.StatusNotFound, 10013, "Unknown User")
	ErrUnknownWebhook     = Refusal(http.StatusNotFound, 10015, "Unknown Webhook")
	ErrUnknownEmoji       = Refusal(http.StatusNotFound, 10014, "Unknown Emoji")
	ErrUnknownInteraction = Refusal(http.StatusNotFound, 10062, "Unknown interaction")
	ErrUnknownCommand     = Refusal(http.StatusNotFound, 10063, "Unknown application command")
	ErrNotForBots         = Refusal(http.StatusForbidden, 20001, "Bots cannot use this endpoint")
	ErrForeign            = Refusal(http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	ErrNoSuchReaction     = Refusal(http.StatusBadRequest, 10014, "Unknown Emoji")
	ErrThreadExists       = Refusal(http.StatusBadRequest, 160004, "A thread has already been created for this message")
	ErrLocked             = Refusal(http.StatusBadRequest, 160005, "Thread is locked")
	ErrWrongChannel       = Refusal(http.StatusBadRequest, 50024, "Cannot execute action on this channel type")
	ErrTooManyPins        = Refusal(http.StatusBadRequest, 30003, "Maximum number of pins reached for the channel (250)")
	ErrSystemMessage      = Refusal(http.StatusForbidden, 50021, "Cannot execute action on a system message")
	ErrTooOldForBulk      = Refusal(http.StatusBadRequest, 50034, "You can only bulk delete messages that are under 14 days old.")
	ErrUnknownRole        = Refusal(http.StatusNotFound, 10011, "Unknown Role")
	ErrInvalidRole        = Refusal(http.StatusBadRequest, 50028, "Invalid role")
	ErrUnknownOverwrite   = Refusal(http.StatusNotFound, 10009, "Unknown permission overwrite")
	ErrTooManyChannels    = Refusal(http.StatusBadRequest, 30013, "Maximum number of guild channels reached (500)")
	ErrTooManyRoles       = Refusal(http.StatusBadRequest, 30005, "Maximum number of guild roles reached (250)")
	ErrNeedsBoosts        = Refusal(http.StatusForbidden, 50101, "This server needs more boosts to perform this action")
	ErrTooManyWebhooks    = Refusal(http.StatusBadRequest, 30007, "Maximum number of webhooks reached (15)")
	ErrUnknownBan         = Refusal(http.StatusNotFound, 10026, "Unknown Ban")
	ErrBulkBan            = Refusal(http.StatusBadRequest, 500000, "Failed to ban users")
	ErrUnknownTag         = Refusal(http.StatusNotFound, 10087, "Unknown Tag")
	ErrTagTwice           = Refusal(http.StatusBadRequest, 40061, "Tag names must be unique")
	ErrNoUsableTags       = Refusal(http.StatusBadRequest, 40066, "There are no tags available that can be set by non-moderators")
	ErrTagRequired        = Refusal(http.StatusBadRequest, 40067, "A tag is required to create a forum post in this channel")
	ErrPinnedPost         = Refusal(http.StatusBadRequest, 30047, "Maximum number of pinned threads in a forum channel has been reached")
	ErrNoPost             = Refusal(http.StatusBadRequest, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id")
	ErrTwoPosts           = Refusal(http.StatusBadRequest, 220002, "Webhooks posted to forum channels cannot have both a thread_name and thread_id")
	ErrNoForum            = Refusal(http.StatusBadRequest, 220003, "Webhooks can only create threads in forum channels")
	ErrTooManyReactions   = Refusal(http.StatusBadRequest, 30010, "Maximum number of reactions reached (20)")
	ErrTooManyEmojis      = Refusal(http.StatusBadRequest, 30008, "Maximum number of emojis reached (2000)")
	ErrEntryPoint         = Refusal(http.StatusBadRequest, 50240, "You cannot remove this app's Entry Point command in a bulk update operation. "+
		"Please include the Entry Point command in your update request or delete it separately.")
	ErrDailyCreates       = Refusal(http.StatusBadRequest, 30034, "Max number of daily application command creates has been reached (200)")
	ErrTooLarge           = Refusal(http.StatusRequestEntityTooLarge, 40005, "Request entity too large")
	ErrFollowUps          = Refusal(http.StatusBadRequest, 40094, "The maximum number of follow-up messages has been reached")
	ErrAcknowledged       = Refusal(http.StatusBadRequest, 40060, "Interaction has already been acknowledged.")
	ErrOverrides          = Refusal(http.StatusNotFound, 10066, "Unknown application command permissions")
	ErrMissingAccess      = Refusal(http.StatusForbidden, 50001, "Missing Access")
	ErrDirectChannel      = Refusal(http.StatusForbidden, 50003, "Cannot execute action on a DM channel")
	ErrForeignMessage     = Refusal(http.StatusForbidden, 50005, "Cannot edit a message authored by another user")
	ErrPollEdit           = Refusal(http.StatusBadRequest, 520003, "Cannot edit poll message")
	ErrPollOver           = Refusal(http.StatusBadRequest, 520001, "Poll expired")
	ErrNoPoll             = Refusal(http.StatusBadRequest, 520006, "Cannot expire a non-poll message")
	ErrUnknownReference   = InvalidField("message_reference", "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
	ErrReplyHistory       = Refusal(http.StatusForbidden, 160002, "Cannot reply without permission to read message history")
	ErrReferenceHistory   = Refusal(http.StatusForbidden, 160009, "Cannot reference a message without permission to read message history")
	ErrForwardContent     = Refusal(http.StatusBadRequest, 160011, "Forward messages cannot have additional content")
	ErrForwardUnread      = Refusal(http.StatusBadRequest, 160014, "You cannot forward a message whose content you cannot read.")
	ErrEmptyMessage       = Refusal(http.StatusBadRequest, 50006, "Cannot send an empty message")
	ErrCannotMessage      = Refusal(http.StatusForbidden, 50007, "Cannot send messages to this user")
	ErrNotForText         = Refusal(http.StatusBadRequest, 50008, "Cannot send messages in a non-text channel")
	ErrMissingPermissions = Refusal(http.StatusForbidden, 50013, "Missing Permissions")
	ErrWebhookToken       = Refusal(http.StatusUnauthorized, 50027, "Invalid Webhook Token")
	ErrInvalidAsset       = Refusal(http.StatusBadRequest, 50046, "Invalid Asset")
	ErrSticker            = Refusal(http.StatusBadRequest, 50081, "Cannot use this sticker")
	ErrArchived           = Refusal(http.StatusBadRequest, 50083, "Thread is archived")
	ErrInvalidJSON        = Refusal(http.StatusBadRequest, 50109, "The request body contains invalid JSON.")
)

// ErrContentType refuses the whole request, not one of its fields.
var ErrContentType = InvalidForm("CONTENT_TYPE_INVALID",
	`Expected "Content-Type" header to be one of {'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'}.`)

// Refusal returns an error that consists of a status, a code and a message.
func Refusal(status, code int, message string) *Error {
	return &Error{Status: status, Code: code, Message: message}
}

// InvalidField returns Discord's refusal of one field of a body. The path, such as
// data.components.0.url, names the field.
func InvalidField(path, code, message string) *Error {
	return InvalidForm(code, message, strings.Split(path, ".")...)
}

// NotSnowflake returns the error for a field or parameter that is not an id.
func NotSnowflake(path, value string) *Error {
	return InvalidField(path, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not snowflake.", value))
}
