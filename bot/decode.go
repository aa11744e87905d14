package bot

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
)

// errIgnored marks an event that is not an interaction for this bot to answer.
var errIgnored = errors.New("not an interaction that can be answered")

// errPing marks a PING, by which Discord checks the endpoint.
var errPing = errors.New("a ping")

// received holds the fields of an INTERACTION_CREATE that the bot uses. Servers other than Discord may omit fields or write them
// differently.
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
	Owners      json.RawMessage `json:"authorizing_integration_owners"`
	Permissions json.RawMessage `json:"app_permissions"` // the bot's permissions
	Member      *member         `json:"member"`
	User        *discordgo.User `json:"user"`
	Message     *clicked        `json:"message"`
	Data        json.RawMessage `json:"data"`
}

// member is the member of the server who sent the interaction, or whom a command names.
type member struct {
	User        *discordgo.User `json:"user"`
	Nick        string          `json:"nick"`
	Permissions json.RawMessage `json:"permissions"`
	Roles       json.RawMessage `json:"roles"`
}

// server is the server in which an interaction was made.
type server struct {
	Features []string `json:"features"`
}

// permissions parses permissions, which Discord writes as a number in a string. It returns false for any other form.
func permissions(raw json.RawMessage) (value int64, known bool) {
	value, err := strconv.ParseInt(strings.Trim(string(raw), `"`), 10, 64)
	return value, err == nil
}

// decode parses an INTERACTION_CREATE. If it returns an interaction with an error, the interaction has only the fields that an answer
// needs. If it returns an error and nil, the interaction cannot be answered.
func decode(raw json.RawMessage) (*Interaction, error) {
	raw = bytes.ReplaceAll(raw, []byte(`\u0000`), []byte(`\ufffd`)) // Postgres stores no NUL; json replaces invalid UTF-8 itself
	var e received
	err := json.Unmarshal(raw, &e)
	if err != nil { // at least one field has a wrong type; keep only the fields that an answer needs
		e = received{ID: e.ID, Application: e.Application, Token: e.Token, Type: e.Type, Message: e.Message, Channel: e.Channel, Data: e.Data}
	}
	locale := discordgo.Locale(e.GuildLocale)
	own, known := permissions(e.Permissions)
	lacks := func(permission int64) bool { return known && own&(permission|discordgo.PermissionAdministrator) == 0 }
	in := &Interaction{
		Interaction: &discordgo.Interaction{
			ID: e.ID, AppID: e.Application, Token: e.Token, Type: discordgo.InteractionType(e.Type), GuildID: e.Guild, ChannelID: e.ChannelID,
			Locale: discordgo.Locale(e.Locale), GuildLocale: &locale, Context: discordgo.InteractionContextType(e.Context), User: e.User,
		},
		Parent:    e.Channel.thread(),
		community: slices.Contains(e.Server.Features, "COMMUNITY"),
		NoFiles:   lacks(discordgo.PermissionAttachFiles),
		NoPosts:   lacks(discordgo.PermissionViewChannel) || lacks(e.Channel.writing()),
	}
	_ = json.Unmarshal(e.Owners, &in.AuthorizingIntegrationOwners) // owners in any other form are ignored
	if e.Member != nil {
		may, known := permissions(e.Member.Permissions)
		in.Interaction.Member, in.PermissionsUnknown = &discordgo.Member{User: e.Member.User, Nick: e.Member.Nick, Permissions: may}, !known
		_ = json.Unmarshal(e.Member.Roles, &in.Interaction.Member.Roles) // nil in any other form
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
	dataErr := in.decodeData(kind, e.Data)
	if errors.Is(dataErr, errIgnored) {
		return nil, dataErr
	}
	if err == nil && dataErr != nil {
		err = fmt.Errorf("data: %w", dataErr)
	}
	if err != nil {
		return in, fmt.Errorf("interaction %s: %w", in.ID, err)
	}
	return in, nil
}

// decodeData parses the data of a command, a component or a modal. For an interaction of another kind it returns errIgnored.
func (in *Interaction) decodeData(kind discordgo.InteractionType, raw json.RawMessage) (err error) {
	switch kind {
	case discordgo.InteractionApplicationCommand, discordgo.InteractionApplicationCommandAutocomplete:
		var data struct {
			discordgo.ApplicationCommandInteractionData
			Guild string `json:"guild_id"` // empty: the command is registered in all servers
		}
		err = json.Unmarshal(raw, &data)
		data.Options = withoutNulls(data.Options)
		if data.Resolved != nil {
			completeMembers(data.Resolved.Members, raw)
		}
		in.Data, in.ofServer = data.ApplicationCommandInteractionData, data.Guild != ""
	case discordgo.InteractionMessageComponent:
		var data discordgo.MessageComponentInteractionData
		err = json.Unmarshal(raw, &data)
		in.Data = data
	case discordgo.InteractionModalSubmit:
		var data rest.Component
		err = json.Unmarshal(raw, &data)
		in.Data, in.Inputs = discordgo.ModalSubmitInteractionData{CustomID: data.CustomID}, make(map[string]string)
		for _, c := range data.Within() {
			in.Inputs[c.CustomID] = c.Value
			if len(c.Values) > 0 {
				in.Inputs[c.CustomID] = c.Values[0]
			}
		}
	default:
		return fmt.Errorf("interaction %s of type %d: %w", in.ID, in.Type, errIgnored)
	}
	return err
}

// completeMembers fills in the permissions of the members in a command's data: servers other than Discord may send members without
// permissions, and these count as administrators.
func completeMembers(members map[string]*discordgo.Member, raw json.RawMessage) {
	var sent struct {
		Resolved struct {
			Members map[string]member `json:"members"`
		} `json:"resolved"`
	}
	_ = json.Unmarshal(raw, &sent) // cannot fail, because decodeData has decoded the same data
	for id, m := range members {
		if m != nil && sent.Resolved.Members[id].Permissions == nil {
			m.Permissions = discordgo.PermissionAdministrator
		}
	}
}

// channel is the channel of an interaction; discordgo v0.29.0 does not decode it.
type channel struct {
	Type   discordgo.ChannelType `json:"type"`
	Parent string                `json:"parent_id"`
}

// thread returns the id of the channel that contains the thread. It is empty if c is not a thread, because the parent of any other channel
// is only a category.
func (c channel) thread() string {
	switch c.Type {
	case discordgo.ChannelTypeGuildNewsThread, discordgo.ChannelTypeGuildPublicThread, discordgo.ChannelTypeGuildPrivateThread:
		return c.Parent
	}
	return ""
}

// writing returns the permission that writing in the channel requires.
func (c channel) writing() int64 {
	if c.thread() != "" {
		return discordgo.PermissionSendMessagesInThreads
	}
	return discordgo.PermissionSendMessages
}

// withoutNulls removes null options, at any depth. Discord sends no nulls, but another server may.
func withoutNulls(options []*discordgo.ApplicationCommandInteractionDataOption) []*discordgo.ApplicationCommandInteractionDataOption {
	options = slices.DeleteFunc(options, func(o *discordgo.ApplicationCommandInteractionDataOption) bool { return o == nil })
	for _, o := range options {
		o.Options = withoutNulls(o.Options)
	}
	return options
}

// clicked holds the fields of the clicked message that the bot uses.
type clicked struct {
	ID         string                 `json:"id"`
	ChannelID  string                 `json:"channel_id"`
	Type       discordgo.MessageType  `json:"type"`
	Flags      discordgo.MessageFlags `json:"flags"`
	Components json.RawMessage        `json:"components"` // decoded only when [rest.CustomIDs] reads them
}
