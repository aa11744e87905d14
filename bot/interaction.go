package bot

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/internal/replica/claim"
)

// Interaction is a command, an autocomplete request, a click or a submitted modal: the part of Discord's data that the bot uses. Data is
// never nil. Message is the clicked message, with only its ids, type and flags: its components may be of types that discordgo does not
// know, and must not be relied on. Users have only their id and names.
type Interaction struct {
	*discordgo.Interaction
	// Received is when the event arrived, by Config.Clock.
	Received time.Time
	// Parent is the channel that contains the thread, if the interaction comes from a thread.
	Parent string
	// Within reports that the bot is in the server according to the gateway.
	Within bool
	// PermissionsUnknown reports that the event lacks the user's permissions in the server. Member.Permissions is then meaningless.
	PermissionsUnknown bool
	// NoFiles reports that the bot may not attach files in the interaction's channel.
	NoFiles bool
	// NoPosts reports that the bot may not write its own messages in that channel.
	NoPosts bool
	// Saved is set by the handler once the request is saved, so that the text about a later failure does not claim that nothing has
	// happened.
	Saved bool
	// Inputs holds the texts in the inputs of a submitted modal, by custom_id.
	Inputs map[string]string
	// Components are the components of the clicked message, as Discord sent them.
	Components json.RawMessage
	// Claim is set for a route of [Router.Claiming]. The handler saves it together with the request, if it saves anything.
	Claim *claim.Claim

	community bool  // the server is a Community
	ofServer  bool  // a command that is registered in one server only
	sequence  int64 // sequence number of its gateway event; 0 if it came over HTTP
	replayed  bool  // the resumed session had missed it, so it may have been delivered before
}

// User returns the user who sent the interaction: the member's user in a server, elsewhere the user. It is never nil.
func (in *Interaction) User() *discordgo.User {
	switch {
	case in.Interaction.Member != nil && in.Interaction.Member.User != nil:
		return in.Interaction.Member.User
	case in.Interaction.User != nil:
		return in.Interaction.User
	}
	return &discordgo.User{}
}

// Carried returns the custom_ids on the clicked message. Unlike the custom_id of the click, they are Discord's own record, not the user's
// input.
func (in *Interaction) Carried() []string { return rest.CustomIDs(in.Components) }

// Carries reports whether a custom_id is on the clicked message. Nearly always it is, and a text search finds it without decoding the
// components.
func (in *Interaction) Carries(customID string) bool {
	return bytes.Contains(in.Components, []byte(`"custom_id":`+strconv.Quote(customID))) || slices.Contains(in.Carried(), customID)
}

// DisplayName returns the user's name as others see it: the nickname in this server, else the global name, else the username. Users
// choose it freely, so escape it.
func (in *Interaction) DisplayName() string {
	if m := in.Interaction.Member; m != nil && m.Nick != "" {
		return m.Nick
	}
	return in.User().DisplayName()
}

// Options returns the options of the innermost subcommand, by name; empty for anything but a command.
func (in *Interaction) Options() map[string]*discordgo.ApplicationCommandInteractionDataOption {
	_, given := in.command()
	options := make(map[string]*discordgo.ApplicationCommandInteractionDataOption, len(given))
	for _, option := range given {
		options[option.Name] = option
	}
	return options
}

// typing reports that the interaction is an autocomplete request.
func (in *Interaction) typing() bool {
	return in.Type == discordgo.InteractionApplicationCommandAutocomplete
}

// Focused returns the option that the user is typing, and its text so far; both are empty unless the interaction is an autocomplete
// request.
func (in *Interaction) Focused() (option, typed string) {
	if !in.typing() {
		return "", ""
	}
	_, given := in.command()
	for _, o := range given {
		if o.Focused {
			typed, _ = o.Value.(string)
			return o.Name, typed
		}
	}
	return "", ""
}

// CommandPath returns the names of the command, its group and its subcommand, as "tictactoe challenge"; for a context-menu command it is
// the command's name. It is empty for anything but a command.
func (in *Interaction) CommandPath() string {
	path, _ := in.command()
	return path
}

// command descends to the innermost subcommand and returns the names on the way and its options.
func (in *Interaction) command() (path string, options []*discordgo.ApplicationCommandInteractionDataOption) {
	data, ok := in.Data.(discordgo.ApplicationCommandInteractionData)
	if !ok {
		return "", nil
	}
	path, options = data.Name, data.Options
	for len(options) == 1 && (options[0].Type == discordgo.ApplicationCommandOptionSubCommand ||
		options[0].Type == discordgo.ApplicationCommandOptionSubCommandGroup) {
		path, options = path+" "+options[0].Name, options[0].Options
	}
	return path, options
}

// CustomID returns the custom_id of the component or modal; empty for a command.
func (in *Interaction) CustomID() string {
	switch data := in.Data.(type) {
	case discordgo.MessageComponentInteractionData:
		return data.CustomID
	case discordgo.ModalSubmitInteractionData:
		return data.CustomID
	}
	return ""
}

// BotMember reports whether the bot is in the server of the channel, or the channel is its own direct messages. Only there can it write
// and edit without an interaction. It is false if a user merely brought the app along. For a server it is enough that either the
// interaction or the gateway says so.
func (in *Interaction) BotMember() bool {
	if in.GuildID == "" {
		return in.Context == discordgo.InteractionContextBotDM
	}
	return in.Within || in.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationGuildInstall] == in.GuildID
}

// Locale returns the language of the user's Discord client, as "en-US".
func (in *Interaction) Locale() string { return string(in.Interaction.Locale) }

// ServerLocale returns the server's language setting in Discord, as "en-US". It is empty unless the server is a Community: other
// servers have no such setting, and Discord sends en-US for them
// (https://discord.com/developers/docs/resources/guild#guild-object).
func (in *Interaction) ServerLocale() string {
	if in.GuildLocale == nil || *in.GuildLocale == discordgo.EnglishUS && !in.community {
		return ""
	}
	return string(*in.GuildLocale)
}
