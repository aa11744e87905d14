package rest

import (
	"encoding/json"

	"github.com/bwmarrin/discordgo"
)

// File is an attachment of at most 10 MiB.
type File struct {
	Name, Type  string // the name has ASCII letters, digits, and ".-_" inside; the type is as "application/json"
	Description string // alternative text for screen readers; plain text of at most 1,024 characters
	Content     []byte
}

// Callback is the JSON body of an interaction callback.
type Callback struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// Message is the JSON body of a request that creates or edits a message. The fields without omitempty are always sent: an edit without
// allowed_mentions would notify all mentioned users, and a message with embeds of null would not become a Components V2 message.
type Message struct {
	Flags           discordgo.MessageFlags       `json:"flags"`
	Components      []discordgo.MessageComponent `json:"components"` // never null
	Embeds          []struct{}                   `json:"embeds"`
	AllowedMentions mentionsBody                 `json:"allowed_mentions"`
	Reference       *referenceBody               `json:"message_reference,omitempty"`
	Attachments     *[]Attachment                `json:"attachments,omitempty"` // nil leaves the attachments unchanged
	Nonce           string                       `json:"nonce,omitempty"`
	EnforceNonce    bool                         `json:"enforce_nonce,omitempty"` // Discord makes only one message with the nonce
}

// Attachment names and describes a file that is sent with a message. ID is the index of the file.
type Attachment struct {
	ID          int    `json:"id"`
	Name        string `json:"filename"`
	Description string `json:"description,omitempty"`
}

type mentionsBody struct {
	Parse []string `json:"parse"`
	Users []string `json:"users,omitempty"`
	Roles []string `json:"roles,omitempty"`
}

type referenceBody struct {
	MessageID       string `json:"message_id"`
	FailIfNotExists bool   `json:"fail_if_not_exists"`
}

// NewMessage returns a message that notifies only the users in ping.
func NewMessage(components []discordgo.MessageComponent, ping []string) Message {
	return Message{
		Flags:           discordgo.MessageFlagsIsComponentsV2,
		Components:      append([]discordgo.MessageComponent{}, components...),
		Embeds:          []struct{}{},
		AllowedMentions: mentionsBody{Parse: []string{}, Users: ping},
	}
}

// CustomIDs returns the custom_ids of components, given as JSON, and of all components inside them.
func CustomIDs(components json.RawMessage) (ids []string) {
	var outer Component
	_ = json.Unmarshal(components, &outer.Components) // an unreadable component has no custom_ids
	for _, c := range outer.Within() {
		if c.CustomID != "" {
			ids = append(ids, c.CustomID)
		}
	}
	return ids
}

// Component is a component of any type, as Discord sends it in a message or a submitted modal.
type Component struct {
	CustomID   string      `json:"custom_id"`
	Value      string      `json:"value"`  // the value of a text input
	Values     []string    `json:"values"` // the values of a menu
	Components []Component `json:"components"`
	Component  *Component  `json:"component"`
	Accessory  *Component  `json:"accessory"`
}

// Within returns the component itself and all components inside it.
func (c Component) Within() []Component {
	all := []Component{c}
	for _, inner := range c.Components {
		all = append(all, inner.Within()...)
	}
	for _, inner := range []*Component{c.Component, c.Accessory} {
		if inner != nil {
			all = append(all, inner.Within()...)
		}
	}
	return all
}
