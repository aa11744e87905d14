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

// Interaction is a command, a command that is being typed, a click or a submitted modal, as Discord sent it and as far as the bot
// uses it. Data is never nil. Message is the clicked message, with its ids, type and flags only: its components may be of types
// that discordgo does not know, and must not be relied on. Users have only their id and names.
type Interaction struct {
	*discordgo.Interaction
	// Received is when the event arrived, by Config.Clock.
	Received time.Time
	// Parent is the channel that a thread is in, if the interaction comes from a thread.
	Parent string
	// Within tells that the bot is in the server by the gateway's list.
	Within bool
	// PermissionsUnknown reports that the event lacks the user's permissions in the server: the member's are meaningless.
	PermissionsUnknown bool
	// NoFiles tells that the bot has no permission to attach files where the interaction comes from.
	NoFiles bool
	// NoPosts tells that the bot has no permission to write messages of its own there.
	NoPosts bool
	// Saved is set by the handler once the request is saved, so that a later failure is not worded as if nothing had happened.
	Saved bool
	// Inputs are the texts in the inputs of a submitted modal, by custom_id.
	Inputs map[string]string
	// Components are the components of the clicked message, as Discord has it.
	Components json.RawMessage
	// Claim is set for a route of [Router.Claiming] or [Router.ClaimingCommand]. The handler saves it together with the
	// request, if it saves anything.
	Claim *claim.Claim

	community bool  // the server is a Community
	ofServer  bool  // it uses a command that is registered in one server alone
	sequence  int64 // of the event that brought it; 0 if none did
	replayed  bool  // a resumed session has missed it, and it may have been delivered before
}

// User is who did it: in a server the member's user, elsewhere the user. It is never nil.
func (in *Interaction) User() *discordgo.User {
	switch {
	case in.Interaction.Member != nil && in.Interaction.Member.User != nil:
		return in.Interaction.Member.User
	case in.Interaction.User != nil:
		return in.Interaction.User
	}
	return &discordgo.User{}
}

// Carried returns the custom_ids on the clicked message. Unlike the custom_id of the click they do not come from the user.
func (in *Interaction) Carried() []string { return rest.CustomIDs(in.Components) }

// Carries reports whether a custom_id is on the clicked message. Nearly always it is, which shows without reading the components.
func (in *Interaction) Carries(customID string) bool {
	return bytes.Contains(in.Components, []byte(`"custom_id":`+strconv.Quote(customID))) || slices.Contains(in.Carried(), customID)
}

// DisplayName is the name others see: the nickname in this server, else the global name, else the username. It is written
// by its owner: escape it.
func (in *Interaction) DisplayName() string {
	if m := in.Interaction.Member; m != nil && m.Nick != "" {
		return m.Nick
	}
	return in.User().DisplayName()
}

// Options are the options given to the innermost subcommand, by name; empty for anything but a command.
func (in *Interaction) Options() map[string]*discordgo.ApplicationCommandInteractionDataOption {
	_, given := in.command()
	options := make(map[string]*discordgo.ApplicationCommandInteractionDataOption, len(given))
	for _, option := range given {
		options[option.Name] = option
	}
	return options
}

// typing tells that somebody is typing a command, and Discord asks what to suggest.
func (in *Interaction) typing() bool {
	return in.Type == discordgo.InteractionApplicationCommandAutocomplete
}

// Focused is the option that is being typed, and what of it stands there so far; both are empty for anything but a command that
// is being typed.
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

// CommandPath is the name of the command, its group and its subcommand, as "tictactoe challenge"; of a
// context-menu command it is the name. It is empty for anything but a command.
func (in *Interaction) CommandPath() string {
	path, _ := in.command()
	return path
}

// command descends to the innermost subcommand and returns the names on the way and the options there.
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

// CustomID is the id that we gave to the component or modal; empty for a command.
func (in *Interaction) CustomID() string {
	switch data := in.Data.(type) {
	case discordgo.MessageComponentInteractionData:
		return data.CustomID
	case discordgo.ModalSubmitInteractionData:
		return data.CustomID
	}
	return ""
}

// BotMember reports whether the bot is in the server of the channel, or the channel is its own direct messages. Only there can it
// write and edit without an interaction. It is false if a user merely brought the app along. Of a server it is enough that either
// the interaction or the gateway says so.
func (in *Interaction) BotMember() bool {
	if in.GuildID == "" {
		return in.Context == discordgo.InteractionContextBotDM
	}
	return in.Within || in.AuthorizingIntegrationOwners[discordgo.ApplicationIntegrationGuildInstall] == in.GuildID
}

// Locale is the language of the person's Discord, as "en-US".
func (in *Interaction) Locale() string { return string(in.Interaction.Locale) }

// ServerLocale is the language that the server has chosen in Discord, as "en-US". It is empty for most: only a Community can choose one,
// and of all others Discord says en-US (https://discord.com/developers/docs/resources/guild#guild-object).
func (in *Interaction) ServerLocale() string {
	if in.GuildLocale == nil || *in.GuildLocale == discordgo.EnglishUS && !in.community {
		return ""
	}
	return string(*in.GuildLocale)
}
