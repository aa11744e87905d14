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

// received is the data of an INTERACTION_CREATE, as far as the bot uses it. Fields that servers other than Discord may leave out
// or write differently are read leniently, and fields that nobody uses are not read.
type received struct {
	ID          string          `json:"id"`
	Application string          `json:"application_id"`
	Token       string          `json:"token"`
	Type        int             `json:"type"`
	Guild       string          `json:"guild_id"`
	ChannelID   string          `json:"channel_id"`
	Channel     channel         `json:"channel"`
	Locale      string          `json:"locale"`
	GuildLocale string          `json:"guild_locale"`
	Server      server          `json:"guild"`
	Context     int             `json:"context"`
	Owners      owners          `json:"authorizing_integration_owners"`
	Permissions bits            `json:"app_permissions"` // of the bot
	Member      *member         `json:"member"`
	User        *user           `json:"user"`
	Message     *clicked        `json:"message"`
	Data        json.RawMessage `json:"data"`
}

// member is a user as a member of a server, with permissions that may be missing.
type member struct {
	User        *user  `json:"user"`
	Nick        string `json:"nick"`
	Permissions bits   `json:"permissions"`
}

// discord is the member as discordgo knows it, nil for nil.
func (m *member) discord() *discordgo.Member {
	if m == nil {
		return nil
	}
	return &discordgo.Member{User: m.User.discord(), Nick: m.Nick, Permissions: m.Permissions.value}
}

// server is what an interaction tells of the server it comes from.
type server struct {
	Features []string `json:"features"`
}

// user is somebody with an account.
type user struct {
	ID         string `json:"id"`
	Username   string `json:"username"`
	GlobalName string `json:"global_name"`
}

// discord is the user as discordgo knows it, nil for nil.
func (u *user) discord() *discordgo.User {
	if u == nil {
		return nil
	}
	return &discordgo.User{ID: u.ID, Username: u.Username, GlobalName: u.GlobalName}
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

// lack tells that a permission is not among them.
func (b bits) lack(permission int64) bool {
	return b.known && b.value&(permission|discordgo.PermissionAdministrator) == 0
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

// decode reads the data of an INTERACTION_CREATE. If it returns both an interaction and an error, then enough could be
// read to answer, and no more. The error alone means that there is nobody to answer to.
func decode(raw json.RawMessage) (*Interaction, error) {
	var e received
	err := json.Unmarshal(raw, &e)
	if err != nil { // all but what has the wrong type was read; only what an answer needs is kept
		e = received{ID: e.ID, Application: e.Application, Token: e.Token, Type: e.Type, Message: e.Message, Channel: e.Channel, Data: e.Data}
	}
	locale := discordgo.Locale(e.GuildLocale)
	in := &Interaction{
		Interaction: &discordgo.Interaction{
			ID: e.ID, AppID: e.Application, Token: e.Token, Type: discordgo.InteractionType(e.Type), GuildID: e.Guild, ChannelID: e.ChannelID,
			Locale: discordgo.Locale(e.Locale), GuildLocale: &locale, Context: discordgo.InteractionContextType(e.Context),
			AuthorizingIntegrationOwners: e.Owners, Member: e.Member.discord(), User: e.User.discord(),
		},
		Parent:             e.Channel.thread(),
		community:          slices.Contains(e.Server.Features, "COMMUNITY"),
		PermissionsUnknown: e.Member != nil && !e.Member.Permissions.known,
		NoFiles:            e.Permissions.lack(discordgo.PermissionAttachFiles),
		NoPosts:            e.Permissions.lack(discordgo.PermissionViewChannel) || e.Permissions.lack(e.Channel.writing()),
	}
	kind := discordgo.InteractionType(e.Type)
	if int(kind) != e.Type {
		kind = 0
	}
	if kind == discordgo.InteractionPing {
		return nil, errors.Join(errPing, err)
	}
	if in.ID == "" || in.Token == "" {
		return nil, errors.Join(errIgnored, err)
	}
	if e.Message != nil {
		in.Message = &discordgo.Message{ID: e.Message.ID, ChannelID: e.Message.ChannelID, Type: e.Message.Type, Flags: e.Message.Flags}
		in.Components = e.Message.Components
	}
	var dataErr error
	switch kind {
	case discordgo.InteractionApplicationCommand, discordgo.InteractionApplicationCommandAutocomplete:
		in.Data, in.ofServer, dataErr = decodeCommand(e.Data)
	case discordgo.InteractionMessageComponent:
		in.Data, dataErr = decodeAs[discordgo.MessageComponentInteractionData](e.Data)
	case discordgo.InteractionModalSubmit:
		in.Data, dataErr = decodeModal(e.Data)
	default:
		return nil, fmt.Errorf("interaction %s of type %d: %w", in.ID, e.Type, errIgnored)
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

// thread returns the channel that a thread is in, empty for any other channel: the parent of those is only a category.
func (c channel) thread() string {
	switch c.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
		return c.Parent
	}
	return ""
}

// writing is the permission that it takes to write there.
func (c channel) writing() int64 {
	if c.thread() != "" {
		return discordgo.PermissionSendMessagesInThreads
	}
	return discordgo.PermissionSendMessages
}

// decodeCommand reads a command, and reports whether it is registered in one server alone, which discordgo does not know. It
// drops options that are null, which Discord does not send.
func decodeCommand(raw json.RawMessage) (decoded discordgo.InteractionData, ofServer bool, err error) {
	decoded, err = decodeAs[discordgo.ApplicationCommandInteractionData](raw)
	data, ok := decoded.(discordgo.ApplicationCommandInteractionData)
	if !ok || err != nil {
		return decoded, false, err
	}
	var home struct {
		Guild string `json:"guild_id"`
	}
	err = json.Unmarshal(raw, &home)
	data.Options = given(data.Options)
	return data, home.Guild != "", err
}

func given(options []*discordgo.ApplicationCommandInteractionDataOption) []*discordgo.ApplicationCommandInteractionDataOption {
	options = slices.DeleteFunc(options, func(o *discordgo.ApplicationCommandInteractionDataOption) bool { return o == nil })
	for _, o := range options {
		o.Options = given(o.Options)
	}
	return options
}

// clicked is what names a message, and its components.
type clicked struct {
	ID         string                 `json:"id"`
	ChannelID  string                 `json:"channel_id"`
	Type       discordgo.MessageType  `json:"type"`
	Flags      discordgo.MessageFlags `json:"flags"`
	Components json.RawMessage        `json:"components"` // read by carriedBy, if at all
}

// carriedBy returns the custom_ids of components and of those in them.
func carriedBy(components json.RawMessage) (ids []string) {
	var all []carrier
	_ = json.Unmarshal(components, &all) // a component that cannot be read has none
	for _, c := range all {
		c.each(func(customID string) { ids = append(ids, customID) })
	}
	return ids
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
