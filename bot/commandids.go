package bot

import (
	"sync"

	"github.com/bwmarrin/discordgo"
)

// CommandIDs are Discord's ids of the bot's global slash commands, as far as this process knows them. With the id, a text can mention a
// command so that readers can click it. The ids are learned when the commands are registered or found registered, and from every use of a
// command, so that a process that registers nothing learns them too. The zero value and nil know no ids.
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

// know records the id of a command. The latest id counts: a deleted command that is registered again gets a new one.
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

// used records the id that came with the use of a command. The id of a command that belongs to one server is not the global one's.
func (c *CommandIDs) used(in *Interaction) {
	if data, ok := in.Data.(discordgo.ApplicationCommandInteractionData); ok && !in.ofServer {
		c.know(data.CommandType, data.Name, data.ID)
	}
}
