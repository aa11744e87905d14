// Package check answers one question: would Discord accept this request body? It checks the bodies with which bots answer
// interactions, write messages and register commands, and words its errors as Discord does.
//
// The rules are written by hand, in one file for each kind of object. They include the constraints of Discord's OpenAPI
// description on these bodies, which a test verifies, and constraints that no schema expresses: which values must be unique,
// which lengths are added up, which fields exclude each other. If a file of the description is given, bodies are checked
// against the description after the rules, since the description may be newer than the rules. The codes of nested errors are
// the codes that Discord is known to send; a rule without a known code uses the generic code of its type.
package check

import (
	"bytes"
	"errors"
	"net/http"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Kind names the request that a body belongs to.
type Kind int

// The requests whose bodies can be checked.
const (
	// Callback is the response to an interaction, POST /interactions/{id}/{token}/callback.
	Callback Kind = iota
	// MessageCreate is a new message of the bot, POST /channels/{id}/messages.
	MessageCreate
	// MessageEdit is an edit of the bot's message, PATCH /channels/{id}/messages/{id}.
	MessageEdit
	// WebhookCreate is a follow-up, POST /webhooks/{application}/{token}.
	WebhookCreate
	// WebhookEdit is an edit with an interaction's token, PATCH /webhooks/{application}/{token}/messages/{id}.
	WebhookEdit
	// Command is the registration of one command, POST .../commands.
	Command
	// CommandsBulk is the replacement of all commands, PUT .../commands.
	CommandsBulk
	// UserEdit is a change of the bot's own user, PATCH /users/@me.
	UserEdit
	// DirectCreate opens a direct-message channel, POST /users/@me/channels.
	DirectCreate
	// EmojiCreate is a new emoji of an application, POST /applications/{id}/emojis.
	EmojiCreate
	// EmojiEdit is a change of an application's emoji, PATCH /applications/{id}/emojis/{id}.
	EmojiEdit
	// BulkDelete lists messages to delete, POST /channels/{id}/messages/bulk-delete.
	BulkDelete
	// ThreadCreate is a new thread, POST /channels/{id}/threads and POST
	// /channels/{id}/messages/{id}/threads.
	ThreadCreate
	// ThreadEdit is a change of a thread, PATCH /channels/{id}.
	ThreadEdit
	// PostCreate is a new post of a forum, POST /channels/{id}/threads.
	PostCreate
	// ChannelEdit is a change of a channel other than a thread, PATCH /channels/{id}.
	ChannelEdit
	// ChannelCreate is a new channel, POST /guilds/{id}/channels.
	ChannelCreate
	// OverwriteEdit is a permission overwrite of a role or member in a channel, PUT /channels/{id}/permissions/{id}.
	OverwriteEdit
	// ChannelWebhookCreate is a new webhook, POST /channels/{id}/webhooks.
	ChannelWebhookCreate
	// ChannelWebhookEdit is a change of a webhook, PATCH /webhooks/{id}.
	ChannelWebhookEdit
	// WebhookExecute is a message sent by a webhook, POST /webhooks/{id}/{token}.
	WebhookExecute
	// RoleEdit is the body of POST /guilds/{id}/roles and PATCH /guilds/{id}/roles/{id}.
	RoleEdit
	// RolesMove is a change of the order of roles, PATCH /guilds/{id}/roles.
	RolesMove
	// MemberEdit is a change of a member, PATCH /guilds/{id}/members/{id}.
	MemberEdit
	// BanCreate is a ban, PUT /guilds/{id}/bans/{id}.
	BanCreate
	// BulkBan is a ban of several users, POST /guilds/{id}/bulk-ban.
	BulkBan
)

// Checker checks request bodies. It is safe for concurrent use.
type Checker struct {
	schemas *schemas // nil without a description
}

// New returns a checker. specPath is the path of Discord's OpenAPI description as JSON (version 10 of the API). If it is empty,
// only the hand-written rules apply. New returns an error if the file cannot be read or is not such a description.
func New(specPath string) (*Checker, error) {
	if specPath == "" {
		return &Checker{}, nil
	}
	s, err := openSchemas(specPath)
	if err != nil {
		return nil, err
	}
	return &Checker{schemas: s}, nil
}

// CallbackOn checks the response to an interaction. wasV2 says whether the interaction's message has the flag IS_COMPONENTS_V2,
// which matters if the response updates the message. Like the other methods, it returns nil if Discord accepts the body.
func (c *Checker) CallbackOn(body []byte, wasV2 bool) *Error { return c.check(Callback, body, wasV2) }

// MessageCreate checks a new message of the bot.
func (c *Checker) MessageCreate(body []byte) *Error { return c.check(MessageCreate, body, false) }

// MessageEdit checks an edit of the bot's message; wasV2 says whether the message has the flag IS_COMPONENTS_V2.
func (c *Checker) MessageEdit(body []byte, wasV2 bool) *Error {
	return c.check(MessageEdit, body, wasV2)
}

// WebhookCreate checks a follow-up.
func (c *Checker) WebhookCreate(body []byte) *Error { return c.check(WebhookCreate, body, false) }

// WebhookEdit checks an edit with an interaction's token; wasV2 says whether the message has the flag IS_COMPONENTS_V2.
func (c *Checker) WebhookEdit(body []byte, wasV2 bool) *Error {
	return c.check(WebhookEdit, body, wasV2)
}

// Command checks the registration of one command.
func (c *Checker) Command(body []byte) *Error { return c.check(Command, body, false) }

// CommandsBulk checks the replacement of all commands of an application, or of its commands in a guild.
func (c *Checker) CommandsBulk(body []byte) *Error { return c.check(CommandsBulk, body, false) }

// UserEdit checks a change of the bot's own user.
func (c *Checker) UserEdit(body []byte) *Error { return c.check(UserEdit, body, false) }

// DirectCreate checks a request to open a direct-message channel.
func (c *Checker) DirectCreate(body []byte) *Error { return c.check(DirectCreate, body, false) }

// rules returns the hand-written rules for a kind of request. If the request changes a message, wasV2 says whether the message
// has the flag IS_COMPONENTS_V2.
func rules(kind Kind, wasV2 bool) func(value) {
	switch kind {
	case Callback:
		return func(v value) { callback(v, wasV2) }
	case MessageCreate, WebhookCreate:
		return message{kind: kind}.check
	case MessageEdit, WebhookEdit:
		return message{kind: kind, edit: true, wasV2: wasV2}.check
	case Command:
		return func(v value) { command(v) }
	case CommandsBulk:
		return commands
	case UserEdit:
		return user
	case EmojiCreate:
		return emojiCreate
	case EmojiEdit:
		return emojiEdit
	case BulkDelete:
		return bulkDelete
	case ThreadCreate:
		return threadCreate
	case ThreadEdit:
		return threadEdit
	case PostCreate:
		return postCreate
	case ChannelEdit:
		return channelEdit
	case ChannelCreate:
		return channelCreate
	case OverwriteEdit:
		return overwriteEdit
	case ChannelWebhookCreate:
		return channelWebhookCreate
	case ChannelWebhookEdit:
		return channelWebhookEdit
	case WebhookExecute:
		return webhookExecute
	case RoleEdit:
		return role
	case RolesMove:
		return rolesMove
	case MemberEdit:
		return memberEdit
	case BanCreate:
		return banCreate
	case BulkBan:
		return bulkBan
	default:
		return direct
	}
}

// Answer checks a response of the simulator against a named schema of Discord's description, to verify that it has
// everything that clients read. Without a description, every response passes.
func (c *Checker) Answer(schema string, body []byte) error {
	if c.schemas == nil {
		return nil
	}
	data, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return c.schemas.validate(schema, data)
}

// check applies the hand-written rules to a body and, if they find no error, the description.
func (c *Checker) check(kind Kind, body []byte, wasV2 bool) *Error {
	data, malformed := parse(body)
	if malformed != nil {
		return malformed
	}
	data = orEmpty(kind, data)
	r := &report{}
	rules(kind, wasV2)(value{data: data, report: r})
	if refusal := r.err(); refusal != nil {
		return refusal
	}
	return c.described(kind, data)
}

// orEmpty returns an empty object for a null body of a request that needs no fields.
func orEmpty(kind Kind, data any) any {
	switch {
	case data != nil:
		return data
	case kind == CommandsBulk:
		return []any{}
	default:
		return map[string]any{}
	}
}

// described checks data against the description alone.
func (c *Checker) described(kind Kind, data any) *Error {
	name := schemaName(kind, data)
	if c.schemas == nil || name == "" {
		return nil
	}
	err := c.schemas.validate(name, data)
	if err == nil {
		return nil
	}
	violation, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return &Error{Status: http.StatusInternalServerError, Message: err.Error()}
	}
	r := &report{}
	for _, v := range explain(violation) {
		r.addViolation(v)
	}
	return r.err()
}

// schemaName returns the name of the schema of a body, or "" if there is none.
func schemaName(kind Kind, data any) string {
	switch kind {
	case Callback:
		kind, _ := object(data)["type"].(int64)
		return callbackSchemas[kind]
	case MessageCreate:
		return "MessageCreateRequest"
	case MessageEdit:
		return "MessageEditRequestPartial"
	case BanCreate:
		return "BanUserFromGuildRequest"
	case BulkBan:
		return "BulkBanUsersRequest"
	case PostCreate:
		return "CreateForumThreadRequest"
	case ChannelEdit:
		return "UpdateGuildChannelRequestPartial"
	case ChannelCreate:
		return "CreateGuildChannelRequest"
	case WebhookCreate, WebhookExecute:
		return "IncomingWebhookRequestPartial"
	case WebhookEdit:
		return "IncomingWebhookUpdateRequestPartial"
	case Command:
		return "ApplicationCommandCreateRequest"
	case CommandsBulk:
		return commandList
	case UserEdit:
		return "BotAccountPatchRequest"
	case DirectCreate:
		return "CreatePrivateChannelRequest"
	}
	return ""
}

// callbackSchemas names the schema for each callback type. A single schema gives clearer errors than the union of all. Deferrals
// have no schema, since Discord ignores their data (Discord's api-docs#7910).
var callbackSchemas = map[int64]string{
	pong:                "PongInteractionCallbackRequest",
	channelMessage:      "CreateMessageInteractionCallbackRequest",
	updateMessage:       "UpdateMessageInteractionCallbackRequest",
	autocompleteResult:  "ApplicationCommandAutocompleteCallbackRequest",
	openModal:           "ModalInteractionCallbackRequest",
	launchActivity:      "LaunchActivityInteractionCallbackRequest",
	purchaseEligibility: "SocialLayerSKUPurchaseEligibilityInteractionCallbackRequest",
}
