package commands

import (
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/match"
)

// forged reports whether a command or a menu has a value that Discord's clients do not offer: a user, role or channel that this user cannot
// choose there, or the same value twice. Discord sends data about the users, roles and channels that it offers, so one without data is forged.
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

// offered reports whether Discord has sent data about the user, the role, or the channel of this server, that is the value of a menu. For menus of
// texts it returns true, because their handlers check the values. There are no menus of other types.
func offered(in *interaction, data discordgo.MessageComponentInteractionData, value string) bool {
	switch data.ComponentType {
	case discordgo.UserSelectMenuComponent:
		return isSnowflake(value) && data.Resolved.Users[value] != nil
	case discordgo.ChannelSelectMenuComponent:
		channel := data.Resolved.Channels[value]
		return isSnowflake(value) && channel != nil && (channel.GuildID == "" || channel.GuildID == in.GuildID)
	case discordgo.RoleSelectMenuComponent:
		return isSnowflake(value) && data.Resolved.Roles[value] != nil
	case discordgo.MentionableSelectMenuComponent:
		return false
	}
	return true
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

// choice returns the value of a text option, or nothing if the option was not given.
func choice(in *interaction, option string) string {
	value, _ := optionOf[string](in, option, discordgo.ApplicationCommandOptionString)
	return value
}

// optionOf returns the value of an option. is reports whether the option was given and has that type.
func optionOf[T any](in *interaction, name string, kind discordgo.ApplicationCommandOptionType) (value T, is bool) {
	if o := in.Options()[name]; o != nil && o.Type == kind {
		value, is = o.Value.(T)
	}
	return value, is
}

// person returns the user whom an option names, or nothing if the option was not given.
func person(in *interaction, option string) match.User {
	id, _ := optionOf[string](in, option, discordgo.ApplicationCommandOptionUser)
	return match.User(id)
}

// only returns the chosen value if exactly one was chosen, and otherwise nothing.
func only(values []string) string {
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// clicked returns what Discord says about a clicked button or a menu, or the zero value for any other interaction. The function forged has
// checked the values of a menu of users, roles or channels.
func clicked(in *interaction) discordgo.MessageComponentInteractionData {
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	return data
}

// picks reports whether the values of an interaction come from a menu of that type.
func picks(in *interaction, menu discordgo.ComponentType) bool {
	return clicked(in).ComponentType == menu
}

// chosen returns the chosen values of a menu. For a button there are none.
func chosen(in *interaction) []string { return clicked(in).Values }
