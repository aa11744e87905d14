package bot

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// errIgnored marks an event that is no interaction of ours to answer.
var errIgnored = errors.New("not an interaction that can be answered")

// errPing marks Discord's question whether there is an endpoint.
var errPing = errors.New("a ping")

// labelComponent wraps an input of a modal; discordgo v0.29.0 does not know it.
const labelComponent = 18

// plainInteraction is discordgo's type without its UnmarshalJSON, which fails altogether when any component of the clicked
// message is of a type it does not know.
type plainInteraction discordgo.Interaction

// interactionCreate is the gateway's name of the event.
const interactionCreate = "INTERACTION_CREATE"

// errOtherEvent marks a message of the gateway that is no interaction.
var errOtherEvent = errors.New("another event")

// received is the data of an INTERACTION_CREATE as far as it is read at once. What others than Discord may leave out or write in
// another way is read leniently, and what nobody uses is not read.
type received struct {
	plainInteraction
	Data    json.RawMessage `json:"data"`
	Message *clicked        `json:"message"`
	Channel channel         `json:"channel"`
	Person  *person         `json:"member"`
	Owners  owners          `json:"authorizing_integration_owners"`
	Unused  json.RawMessage `json:"app_permissions"`
}

// person is a member with permissions that may be missing.
type person struct {
	discordgo.Member
	Permissions bits `json:"permissions"`
}

// bits are permissions, which Discord writes as a number in a string.
type bits struct {
	value int64
	known bool
}

// UnmarshalJSON implements json.Unmarshaler. What is no number stays unknown.
func (b *bits) UnmarshalJSON(raw []byte) error {
	value, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	*b = bits{value, err == nil}
	return nil
}

// owners say for whom the bot is installed where an interaction comes from.
type owners map[discordgo.ApplicationIntegrationType]string

// UnmarshalJSON implements json.Unmarshaler. What is not of Discord's form says nothing.
func (o *owners) UnmarshalJSON(raw []byte) error {
	var told map[discordgo.ApplicationIntegrationType]string
	if json.Unmarshal(raw, &told) != nil {
		told = nil
	}
	*o = told
	return nil
}

// decodeEvent reads a message of the gateway, in one go if it is as it should be. The interaction and the error are those of
// decode, and nothing in them refers to body; a message that is no INTERACTION_CREATE is errOtherEvent.
func decodeEvent(body []byte) (in *Interaction, sequence int64, err error) {
	var whole struct {
		Op       int      `json:"op"`
		Sequence int64    `json:"s"`
		Type     string   `json:"t"`
		Data     received `json:"d"`
	}
	if json.Unmarshal(body, &whole) == nil {
		if whole.Op != 0 || whole.Type != interactionCreate {
			return nil, 0, errOtherEvent
		}
		in, err = whole.Data.interaction(discordgo.Interaction(whole.Data.plainInteraction), nil)
		return in, whole.Sequence, err
	}
	var event struct {
		Op       int             `json:"op"`
		Sequence int64           `json:"s"`
		Type     string          `json:"t"`
		Data     json.RawMessage `json:"d"`
	}
	if json.Unmarshal(body, &event) != nil || event.Op != 0 || event.Type != interactionCreate {
		return nil, 0, errOtherEvent
	}
	in, err = decode(event.Data)
	return in, event.Sequence, err
}

// decode reads the data of an INTERACTION_CREATE. If it returns both an interaction and an error, then enough could be
// read to answer, and no more. The error alone means that there is nobody to answer to.
func decode(raw json.RawMessage) (*Interaction, error) {
	var event received
	err := json.Unmarshal(raw, &event)
	plain := discordgo.Interaction(event.plainInteraction)
	if err != nil {
		plain = envelope(raw)
	}
	return event.interaction(plain, err)
}

// interaction puts the parts together; err is what was wrong with reading them.
func (event received) interaction(plain discordgo.Interaction, err error) (*Interaction, error) {
	in := &Interaction{Interaction: &plain, Parent: event.Channel.thread()}
	if err == nil {
		in.AuthorizingIntegrationOwners = event.Owners
	}
	if p := event.Person; err == nil && p != nil {
		p.Member.Permissions = p.Permissions.value
		in.Interaction.Member, in.PermissionsUnknown = &p.Member, !p.Permissions.known
	}
	if in.Type == discordgo.InteractionPing {
		return nil, errors.Join(errPing, err)
	}
	if in.ID == "" || in.Token == "" {
		return nil, errors.Join(errIgnored, err)
	}
	if event.Message != nil {
		in.Message = event.Message.message()
	}
	var dataErr error
	switch in.Type {
	case discordgo.InteractionApplicationCommand:
		in.Data, dataErr = decodeCommand(event.Data)
	case discordgo.InteractionMessageComponent:
		in.Data, dataErr = decodeAs[discordgo.MessageComponentInteractionData](event.Data)
	case discordgo.InteractionModalSubmit:
		in.Data, dataErr = decodeModal(event.Data)
	default:
		return nil, fmt.Errorf("interaction %s of type %d: %w", in.ID, in.Type, errIgnored)
	}
	if err == nil {
		err = dataErr
	}
	if err != nil {
		return in, fmt.Errorf("interaction %s: %w", in.ID, err)
	}
	return in, nil
}

// channel is where an interaction comes from; discordgo v0.29.0 does not know it.
type channel struct {
	Type   discordgo.ChannelType `json:"type"`
	Parent string                `json:"parent_id"`
}

// thread is the channel that a thread is in, empty for any other channel: the parent of those is a mere heading.
func (c channel) thread() string {
	switch c.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
		return c.Parent
	}
	return ""
}

// decodeCommand reads a command. An option that is null, which Discord does not send, is no option.
func decodeCommand(raw json.RawMessage) (discordgo.InteractionData, error) {
	decoded, err := decodeAs[discordgo.ApplicationCommandInteractionData](raw)
	if data, ok := decoded.(discordgo.ApplicationCommandInteractionData); ok {
		data.Options = given(data.Options)
		return data, err
	}
	return decoded, err
}

func given(options []*discordgo.ApplicationCommandInteractionDataOption) []*discordgo.ApplicationCommandInteractionDataOption {
	options = slices.DeleteFunc(options, func(o *discordgo.ApplicationCommandInteractionDataOption) bool { return o == nil })
	for _, o := range options {
		o.Options = given(o.Options)
	}
	return options
}

// envelope reads only what an answer needs, of an interaction that cannot be read as a whole.
func envelope(raw json.RawMessage) discordgo.Interaction {
	var fields struct {
		ID    string                    `json:"id"`
		AppID string                    `json:"application_id"`
		Token string                    `json:"token"`
		Type  discordgo.InteractionType `json:"type"`
	}
	_ = json.Unmarshal(raw, &fields) // what is missing then is missing here
	return discordgo.Interaction{ID: fields.ID, AppID: fields.AppID, Token: fields.Token, Type: fields.Type}
}

// clicked is what names a message, and the custom_ids on it.
type clicked struct {
	ID        string                 `json:"id"`
	ChannelID string                 `json:"channel_id"`
	GuildID   string                 `json:"guild_id"`
	Type      discordgo.MessageType  `json:"type"`
	Flags     discordgo.MessageFlags `json:"flags"`
	carrier
}

// carrier is whatever has components, of any type.
type carrier struct {
	CustomID   string    `json:"custom_id"`
	Components []carrier `json:"components"`
	Accessory  *carrier  `json:"accessory"`
}

// each visits the custom_ids of the component and of those in it.
func (c carrier) each(visit func(customID string)) {
	if c.CustomID != "" {
		visit(c.CustomID)
	}
	for _, inner := range c.Components {
		inner.each(visit)
	}
	if c.Accessory != nil {
		c.Accessory.each(visit)
	}
}

func (c *clicked) message() *discordgo.Message {
	m := &discordgo.Message{ID: c.ID, ChannelID: c.ChannelID, GuildID: c.GuildID, Type: c.Type, Flags: c.Flags}
	c.each(func(customID string) {
		m.Components = append(m.Components, discordgo.Button{CustomID: customID})
	})
	return m
}

// decodeAs returns a usable value of type T also beside an error, so that Interaction.Data is never nil.
func decodeAs[T discordgo.InteractionData](raw json.RawMessage) (discordgo.InteractionData, error) {
	var data T
	if err := json.Unmarshal(raw, &data); err != nil {
		var empty T
		return empty, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// decodeModal turns each labelled input into an action row with that input, which is how discordgo knows inputs, and leaves
// out what it does not know.
func decodeModal(raw json.RawMessage) (discordgo.InteractionData, error) {
	var data struct {
		CustomID   string `json:"custom_id"`
		Components []struct {
			Type       int               `json:"type"`
			Component  json.RawMessage   `json:"component"`
			Components []json.RawMessage `json:"components"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		return discordgo.ModalSubmitInteractionData{}, fmt.Errorf("data: %w", err)
	}
	modal := discordgo.ModalSubmitInteractionData{CustomID: data.CustomID}
	for _, outer := range data.Components {
		inner := outer.Components
		if outer.Type == labelComponent {
			inner = []json.RawMessage{outer.Component}
		}
		row := &discordgo.ActionsRow{}
		for _, raw := range inner {
			if input, err := discordgo.MessageComponentFromJSON(raw); err == nil {
				row.Components = append(row.Components, input)
			}
		}
		if len(row.Components) > 0 {
			modal.Components = append(modal.Components, row)
		}
	}
	return modal, nil
}
