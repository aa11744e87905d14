package bot

import (
	"sync"

	"github.com/bwmarrin/discordgo"
)

// CommandIDs are Discord's ids of the bot's global slash commands, as far as this process knows them: with its id, a text can name a
// command so that a reader can press it. They are learned when the commands are registered, or found registered, and from every use of
// a command, which is how a process learns them that registers nothing. The zero value knows none, and so does nil.
type CommandIDs struct {
	mu  sync.Mutex
	ids map[string]string
}

// Of returns the id of the command of that name, empty while it is not known.
func (c *CommandIDs) Of(name string) string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ids[name]
}

// know notes the id of a command. The last word counts: a command that was deleted and registered again has another id.
func (c *CommandIDs) know(kind discordgo.ApplicationCommandType, name, id string) {
	if kind == 0 {
		kind = discordgo.ChatApplicationCommand // as Discord takes it
	}
	if c == nil || id == "" || kind != discordgo.ChatApplicationCommand {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = make(map[string]string)
	}
	c.ids[name] = id
}

// Registered notes the ids of commands as Discord has them.
func (c *CommandIDs) Registered(commands []*discordgo.ApplicationCommand) {
	for _, command := range commands {
		if command != nil {
			c.know(command.Type, command.Name, command.ID)
		}
	}
}

// used notes the id that came with the use of a command. A command that belongs to one server tells nothing of the global one.
func (c *CommandIDs) used(in *Interaction) {
	if data, ok := in.Data.(discordgo.ApplicationCommandInteractionData); ok && !in.ofServer {
		c.know(data.CommandType, data.Name, data.ID)
	}
}
