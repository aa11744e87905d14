package commands

import (
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match"
)

// forged reports whether a command or a menu has a value that no client offers: a user or channel that this person cannot choose
// there, or the same value twice. Discord resolves the users and channels that a client offers, so any other one was made by hand.
func forged(in *interaction) bool {
	switch data := in.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		var ids []string
		if data.CommandType == discordgo.UserApplicationCommand {
			ids = append(ids, data.TargetID)
		}
		for _, o := range in.Options() {
			if o.Type == discordgo.ApplicationCommandOptionUser {
				id, _ := o.Value.(string)
				ids = append(ids, id)
			}
		}
		users := resolved(in).Users
		return slices.ContainsFunc(ids, func(id string) bool { return users[id] == nil || !isSnowflake(id) })
	case discordgo.MessageComponentInteractionData:
		for i, value := range data.Values {
			if slices.Contains(data.Values[:i], value) || !offered(in, data, value) {
				return true
			}
		}
	}
	return false
}

// offered reports whether Discord has resolved the user, or the channel of this server, that a value of a menu names.
// Handlers check the values of menus of texts; there are no menus of other types.
func offered(in *interaction, data discordgo.MessageComponentInteractionData, value string) bool {
	switch data.ComponentType {
	case discordgo.UserSelectMenuComponent:
		return isSnowflake(value) && data.Resolved.Users[value] != nil
	case discordgo.ChannelSelectMenuComponent:
		channel := data.Resolved.Channels[value]
		return isSnowflake(value) && channel != nil && (channel.GuildID == "" || channel.GuildID == in.GuildID)
	case discordgo.RoleSelectMenuComponent, discordgo.MentionableSelectMenuComponent:
		return false
	}
	return true
}

// picksChannels reports whether the values of an interaction come from a menu of channels, which forged has
// checked.
func picksChannels(in *interaction) bool {
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	return data.ComponentType == discordgo.ChannelSelectMenuComponent
}

// pressed reports whether an interaction came from a button, which has no values.
func pressed(in *interaction) bool {
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	return data.ComponentType == discordgo.ButtonComponent
}

// isSnowflake reports whether an id is as Discord writes it: a positive number of 64 bits in decimal.
func isSnowflake(id string) bool {
	n, err := strconv.ParseUint(id, 10, 64)
	return err == nil && n > 0 && strconv.FormatUint(n, 10) == id
}

// isOff reports whether an option was given and is false.
func isOff(in *interaction, option string) bool {
	on, is := optionOf[bool](in, option, discordgo.ApplicationCommandOptionBoolean)
	return is && !on
}

// choice returns the value of a text option, empty if it was not given.
func choice(in *interaction, option string) string {
	value, _ := optionOf[string](in, option, discordgo.ApplicationCommandOptionString)
	return value
}

// optionOf returns the value of an option, and whether one of that type was given.
func optionOf[T any](in *interaction, name string, kind discordgo.ApplicationCommandOptionType) (value T, is bool) {
	if o := in.Options()[name]; o != nil && o.Type == kind {
		value, is = o.Value.(T)
	}
	return value, is
}

// person returns the user whom an option names, empty if it was not given.
func person(in *interaction, option string) match.User {
	id, _ := optionOf[string](in, option, discordgo.ApplicationCommandOptionUser)
	return match.User(id)
}

// only returns the chosen value, empty unless exactly one was chosen.
func only(values []string) string {
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// chosen returns the chosen values of a menu, none for a button.
func chosen(in *interaction) []string {
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	return data.Values
}
