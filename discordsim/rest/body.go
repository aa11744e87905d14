package rest

import (
	"encoding/json"
	"fmt"
	"slices"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// messageBody is a bot's request to create or edit a message. An absent field leaves the message unchanged; a null
// field clears it.
type messageBody struct {
	Content         optional[string]            `json:"content"`
	TTS             bool                        `json:"tts"`
	Embeds          optional[[]json.RawMessage] `json:"embeds"`
	Components      optional[[]world.Component] `json:"components"`
	Attachments     optional[[]attachmentBody]  `json:"attachments"`
	Flags           *int                        `json:"flags"`
	AllowedMentions *world.AllowedMentions      `json:"allowed_mentions"`
	Nonce           json.RawMessage             `json:"nonce"`
	EnforceNonce    bool                        `json:"enforce_nonce"`
	Reference       *referenceBody              `json:"message_reference"`
	Theme           *world.ClientTheme          `json:"shared_client_theme"`
	Poll            *pollBody                   `json:"poll"`
	Stickers        []world.Snowflake           `json:"sticker_ids"`

	uploads []world.Upload
	update  bool   // the body updates the clicked message, which removes the files that it does not list
	inside  string // the request field that holds the body; may be empty
}

// optional is the value of a field and whether the body has the field. The value is the zero value for null.
type optional[T any] struct {
	set   bool
	value T
}

// UnmarshalJSON records that the body has the field. It is called for null as well.
func (o *optional[T]) UnmarshalJSON(text []byte) error {
	o.set = true
	return json.Unmarshal(text, &o.value)
}

// attachmentBody names a file: one to keep, by its id, or an upload of the same
// request, by its number.
type attachmentBody struct {
	ID          world.Snowflake `json:"id"`
	Filename    string          `json:"filename"`
	Description *string         `json:"description"`
	Spoiler     *bool           `json:"is_spoiler"`
}

// readMessage reads the message body in a request, or in the request's field named inside.
func readMessage(text []byte, uploads []world.Upload, inside string) (messageBody, error) {
	body := messageBody{uploads: uploads, inside: inside}
	if len(text) == 0 || string(text) == "null" {
		return body, nil
	}
	if json.Unmarshal(text, &body) != nil {
		return body, check.ErrInvalidJSON
	}
	premium := func(c world.Component) bool { return c.Type == world.ComponentButton && c.Style == buttonPremium }
	if world.FindComponent(body.Components.value, premium) != nil {
		return body, &absentError{"a premium button (style 6), which sells a SKU"}
	}
	return body, nil
}

// path returns the path of a field of the body in the request.
func (b messageBody) path(field string) string {
	if b.inside != "" {
		return b.inside + "." + field
	}
	return field
}

func (b messageBody) refused(field, code, format string, args ...any) *check.Error {
	return check.InvalidField(b.path(field), code, fmt.Sprintf(format, args...))
}

// attachmentEntry returns the entry for a file in the body's list of attachments.
func (b messageBody) attachmentEntry(id string) (entry attachmentBody, listed bool) {
	i := slices.IndexFunc(b.Attachments.value, func(a attachmentBody) bool { return string(a.ID) == id })
	if i < 0 {
		return entry, false
	}
	return b.Attachments.value[i], true
}

// flags returns the body's flags without the flags that the request may not set.
func (b messageBody) flags(may int) int {
	if b.Flags == nil {
		return 0
	}
	return *b.Flags & may
}

// write applies the body to m, which is a new message or a copy of one.
func (b messageBody) write(m *world.Message) {
	if b.Content.set {
		m.Content = b.Content.value
	}
	if b.Embeds.set {
		m.Embeds = richEmbeds(b.Embeds.value)
	}
	if b.Components.set {
		m.Components = b.Components.value
		numberComponents(m.Components)
		world.WalkComponents(m.Components, (*world.Component).Complete)
	}
	// Discord never sends null for these lists.
	m.Embeds = append([]json.RawMessage{}, m.Embeds...)
	m.Components = append([]world.Component{}, m.Components...)
	m.Attachments = append([]json.RawMessage{}, m.Attachments...)
}

// richEmbeds returns embeds with the type that Discord gives to the embeds of bots.
func richEmbeds(embeds []json.RawMessage) []json.RawMessage {
	rich := make([]json.RawMessage, len(embeds))
	for i, text := range embeds {
		var embed map[string]any
		if rich[i] = text; json.Unmarshal(text, &embed) != nil || embed == nil {
			continue
		}
		embed["type"] = "rich"
		if text, err := json.Marshal(embed); err == nil {
			rich[i] = text
		}
	}
	return rich
}

// editPost applies the body to a message and replaces the message by the result.
func editPost(w *world.World, old *world.Post, body messageBody) (*world.Post, error) {
	if w.State.Channels[old.Message.ChannelID].Archived {
		return nil, check.ErrArchived
	}
	m := *old.Message
	if err := body.pollRefused(&m); err != nil {
		return nil, err
	}
	if err := body.upgrade(&m); err != nil {
		return nil, err
	}
	if err := writeBody(w, &m, body); err != nil {
		return nil, err
	}
	if body.Flags != nil {
		m.Flags = m.Flags&^world.FlagSuppressEmbeds | body.flags(world.FlagSuppressEmbeds|world.FlagComponentsV2)
	}
	files, err := attach(w, &m, body)
	if err != nil {
		return nil, err
	}
	if m.Empty() && (m.Flags&world.FlagLoading != 0 || !old.Message.Empty()) {
		return nil, check.ErrEmptyMessage
	}
	if m.Flags&world.FlagLoading != 0 {
		m.Flags &^= world.FlagLoading
	} else {
		now := world.Stamp(w.Clock.Now())
		m.EditedTimestamp = &now
	}
	w.Messages.FillMentions(&m, body.AllowedMentions, "")
	if body.Poll != nil {
		w.Messages.AwaitPoll(m.Poll)
	}
	edited := old.With(&m)
	storeFiles(w, files)
	w.Put(world.Change{Post: edited})
	w.Events.Message("MESSAGE_UPDATE", edited)
	w.Events.PublishMessage(edited, false)
	w.Interactions.SettleChanged(m.ID, edited)
	return edited, nil
}

// upgrade prepares a message without Components V2 for a body that switches to Components V2. It returns an error
// unless the body explicitly clears the fields that Components V2 excludes.
func (b messageBody) upgrade(m *world.Message) error {
	if m.Flags&world.FlagComponentsV2 != 0 || b.flags(world.FlagComponentsV2) == 0 {
		return nil
	}
	const code = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
	const words = "The '%s' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
	switch {
	case m.Content != "" && !b.Content.set:
		return b.refused("content", code, words, "content")
	case len(m.Embeds) > 0 && b.Embeds.value == nil: // Discord accepts only an empty list
		return b.refused("embeds", code, words, "embeds")
	}
	m.Content = ""
	return nil
}
