package bot

import (
	"sync"

	"github.com/bwmarrin/discordgo"
)

// CommandIDs are Discord's ids of the bot's global slash commands, as far as this process knows them. A text needs the id to mention a
// command so that readers can click it. A process learns the ids when it registers the commands or finds them registered, and from every
// use of a command. The zero value and nil are empty.
type CommandIDs struct{ ids sync.Map }

// Of returns the id of the command with that name, or empty if it is unknown.
func (c *CommandIDs) Of(name string) string {
	if c == nil {
		return ""
	}
	id, _ := c.ids.Load(name)
	known, _ := id.(string)
	return known
}

// know records the id of a command. A new id replaces the old one: a command that is deleted and registered again gets a new id.
func (c *CommandIDs) know(kind discordgo.ApplicationCommandType, name, id string) {
	if c != nil && id != "" && (kind == 0 || kind == discordgo.ChatApplicationCommand) { // 0 is Discord's default
		c.ids.Store(name, id)
	}
}

// Registered records the ids of commands as Discord returned them.
func (c *CommandIDs) Registered(commands []*discordgo.ApplicationCommand) {
	for _, command := range commands {
		if command != nil {
			c.know(command.Type, command.Name, command.ID)
		}
	}
}

// used records the id that came with the use of a global command. A server's own command of the same name has another id, which is ignored.
func (c *CommandIDs) used(in *Interaction) {
	if data, ok := in.Data.(discordgo.ApplicationCommandInteractionData); ok && !in.ofServer {
		c.know(data.CommandType, data.Name, data.ID)
	}
}
