package bot

import (
	"encoding/json"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/internal/replica/claim"
)

// Interaction is a command, an autocomplete request, a click or a submitted modal, with the part of Discord's data that the bot uses. Data
// is never nil. Message is the clicked message; only its ids, type and flags are set, because discordgo does not know all types of
// components. Users have only their id and names.
type Interaction struct {
	*discordgo.Interaction
	// Received is when the interaction arrived, by Config.Clock.
	Received time.Time
	// Parent is the channel that contains the thread, if the interaction comes from a thread.
	Parent string
	// Within reports that, according to the gateway, the bot is in the server from which the interaction comes.
	Within bool
	// PermissionsUnknown reports that the event lacks the user's permissions in the server. Member.Permissions is then meaningless.
	PermissionsUnknown bool
	// NoFiles reports that the bot may not attach files in the interaction's channel.
	NoFiles bool
	// NoPosts reports that the bot may not post in the interaction's channel without an interaction.
	NoPosts bool
	// Saved is set by the handler once the request is saved. The apology for a later failure then does not claim that nothing has happened.
	Saved bool
	// Inputs holds what was entered in a submitted modal, by custom_id: the text of an input, and the first choice in a menu.
	Inputs map[string]string
	// Components are the components of the clicked message, as Discord sent them.
	Components json.RawMessage
	// Claim is set for a command of [Router.Claiming]. If the handler saves anything, it must save the claim in the same transaction.
	Claim *claim.Claim

	community bool  // the server is a Community
	ofServer  bool  // the command is registered in one server only
	sequence  int64 // sequence number of the gateway event; 0 if the interaction came over HTTP
	replayed  bool  // delivered after a RESUME, so perhaps for the second time
}

// User returns the user who sent the interaction, from a server or from direct messages. It is never nil.
func (in *Interaction) User() *discordgo.User {
	switch {
	case in.Interaction.Member != nil && in.Interaction.Member.User != nil:
		return in.Interaction.Member.User
	case in.Interaction.User != nil:
		return in.Interaction.User
	}
	return &discordgo.User{}
}

// Carried returns the custom_ids of all components on the clicked message. They come from Discord's record of the message; the custom_id of
// the click comes from the user's client.
func (in *Interaction) Carried() []string { return rest.CustomIDs(in.Components) }

// DisplayName returns the user's name as others see it: the nickname in this server, else the global name, else the username. Users
// choose it freely, so escape it.
func (in *Interaction) DisplayName() string {
	if m := in.Interaction.Member; m != nil && m.Nick != "" {
		return m.Nick
	}
	return in.User().DisplayName()
}

// Options returns the options of the innermost subcommand, by name. It is empty if the interaction is not a command.
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

// CommandPath returns the names of the command, its group and its subcommand, as "tictactoe challenge", or the name of a context-menu
// command. It is empty if the interaction is not a command.
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

// CustomID returns the custom_id of the clicked component or submitted modal. It is empty for a command.
func (in *Interaction) CustomID() string {
	switch data := in.Data.(type) {
	case discordgo.MessageComponentInteractionData:
		return data.CustomID
	case discordgo.ModalSubmitInteractionData:
		return data.CustomID
	}
	return ""
}

// BotMember reports whether the bot can write and edit messages here without an interaction: in its own direct messages, and in servers
// where it is a member, not where only the user has installed the app. It trusts either source, the interaction or the gateway.
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
