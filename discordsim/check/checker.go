// Package check answers one question: would Discord accept this request body? It judges what bots send to answer
// interactions, to write messages and to register commands, and words a refusal as Discord does.
//
// The rules are written by hand, one file per noun. They include what Discord's OpenAPI description says about these bodies,
// which a test verifies, and what no schema says: which values must be unique, which lengths are added up, which fields exclude
// each other. If a file of the description is given, it judges bodies after the rules, since it may be newer. The codes of
// nested errors are those with which Discord is known to answer; a rule whose code is not known uses the generic code of its
// type.
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
	// Callback is the answer to an interaction, POST /interactions/{id}/{token}/callback.
	Callback Kind = iota
	// MessageCreate is a message by the bot itself, POST /channels/{id}/messages.
	MessageCreate
	// MessageEdit is a change by the bot itself, PATCH /channels/{id}/messages/{id}.
	MessageEdit
	// WebhookCreate is a follow-up, POST /webhooks/{application}/{token}.
	WebhookCreate
	// WebhookEdit is a change by interaction token, PATCH /webhooks/{application}/{token}/messages/{id}.
	WebhookEdit
	// Command is the registration of one command, POST .../commands.
	Command
	// CommandsBulk is the replacement of all commands, PUT .../commands.
	CommandsBulk
	// UserEdit is a change of the bot's own user, PATCH /users/@me.
	UserEdit
	// DirectCreate opens direct messages, POST /users/@me/channels.
	DirectCreate
	// EmojiCreate is a new emoji of an application, POST /applications/{id}/emojis.
	EmojiCreate
	// EmojiEdit is a change of one, PATCH /applications/{id}/emojis/{id}.
	EmojiEdit
	// BulkDelete names messages to delete, POST /channels/{id}/messages/bulk-delete.
	BulkDelete
	// ThreadCreate is a new thread, POST /channels/{id}/threads, and below a message.
	ThreadCreate
	// ThreadEdit is a change of a thread, PATCH /channels/{id}.
	ThreadEdit
	// ChannelWebhookCreate is a new webhook, POST /channels/{id}/webhooks.
	ChannelWebhookCreate
	// ChannelWebhookEdit is a change of one, PATCH /webhooks/{id}.
	ChannelWebhookEdit
	// WebhookExecute is a message by one, POST /webhooks/{id}/{token}.
	WebhookExecute
	// RoleEdit is a role that is made or changed, POST /guilds/{id}/roles and PATCH /guilds/{id}/roles/{id}.
	RoleEdit
	// MemberEdit is a change of a member, PATCH /guilds/{id}/members/{id}.
	MemberEdit
)

// Checker checks request bodies. It is safe for concurrent use.
type Checker struct {
	schemas *schemas // nil without a description
}

// New returns a checker. The path is that of Discord's OpenAPI description as JSON (version 10 of the API). If it is empty, only
// the hand-written rules judge. New fails if the file cannot be read or is not such a description.
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

// CallbackOn judges the answer to an interaction; wasV2 says whether that has a message with the flag IS_COMPONENTS_V2, which matters where
// the answer updates it. It returns nil if Discord accepts the answer; so do the other methods.
func (c *Checker) CallbackOn(body []byte, wasV2 bool) *Error { return c.check(Callback, body, wasV2) }

// MessageCreate judges a new message of the bot.
func (c *Checker) MessageCreate(body []byte) *Error { return c.check(MessageCreate, body, false) }

// MessageEdit judges a change to a message of the bot; wasV2 says whether the message has the flag IS_COMPONENTS_V2.
func (c *Checker) MessageEdit(body []byte, wasV2 bool) *Error {
	return c.check(MessageEdit, body, wasV2)
}

// WebhookCreate judges a follow-up.
func (c *Checker) WebhookCreate(body []byte) *Error { return c.check(WebhookCreate, body, false) }

// WebhookEdit judges a change by interaction token; wasV2 says whether the message has the flag IS_COMPONENTS_V2.
func (c *Checker) WebhookEdit(body []byte, wasV2 bool) *Error {
	return c.check(WebhookEdit, body, wasV2)
}

// Command judges the registration of one command.
func (c *Checker) Command(body []byte) *Error { return c.check(Command, body, false) }

// CommandsBulk judges the replacement of all commands of an application, or of its commands in a guild.
func (c *Checker) CommandsBulk(body []byte) *Error { return c.check(CommandsBulk, body, false) }

// UserEdit judges a change of the bot's own user.
func (c *Checker) UserEdit(body []byte) *Error { return c.check(UserEdit, body, false) }

// DirectCreate judges the opening of direct messages.
func (c *Checker) DirectCreate(body []byte) *Error { return c.check(DirectCreate, body, false) }

// rules returns the hand-written rules for a kind of request. If the request changes a message, wasV2 says whether that has the
// flag IS_COMPONENTS_V2.
func rules(kind Kind, wasV2 bool) func(value) {
	switch kind {
	case Callback:
		return func(v value) { callback(v, wasV2) }
	case MessageCreate, WebhookCreate:
		return message{kind: kind}.judge
	case MessageEdit, WebhookEdit:
		return message{kind: kind, edit: true, wasV2: wasV2}.judge
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
	case ChannelWebhookCreate:
		return channelWebhookCreate
	case ChannelWebhookEdit:
		return channelWebhookEdit
	case WebhookExecute:
		return webhookExecute
	case RoleEdit:
		return role
	case MemberEdit:
		return memberEdit
	default:
		return direct
	}
}

// Answer judges an answer of Discord's by a named schema of the description, to see that the simulator leaves out nothing that
// clients read. Without a description everything passes.
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

// check judges a body by the hand-written rules and then by the description. A fault that both find is reported once, in the words
// of the rules.
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

// orEmpty returns an empty object for a body that is null, for requests that need no fields.
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

// described judges data by the description alone.
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

// callbackSchemas has the name of the schema for each type of callback. Errors are clearer by one schema than by the union of all.
// Deferrals have no schema, since Discord ignores their data (its api-docs#7910).
var callbackSchemas = map[int64]string{
	pong:                "PongInteractionCallbackRequest",
	channelMessage:      "CreateMessageInteractionCallbackRequest",
	updateMessage:       "UpdateMessageInteractionCallbackRequest",
	autocompleteResult:  "ApplicationCommandAutocompleteCallbackRequest",
	openModal:           "ModalInteractionCallbackRequest",
	launchActivity:      "LaunchActivityInteractionCallbackRequest",
	purchaseEligibility: "SocialLayerSKUPurchaseEligibilityInteractionCallbackRequest",
}
