// Package commands translates between Discord and the core: a slash command, button or modal becomes a request to the
// referee, and the screen that comes of it a reply. It owns the command tree and the custom_id codec, and knows no rule
// of the game.
package commands

import (
	"slices"

	"tictactoe/bot"
)

// Commands answers interactions. Its handlers are safe for concurrent use. Each area has the handlers that belong together, with what
// they need, and says in its routes which commands, buttons and forms they answer.
type Commands struct {
	*Replies
	Play   Play
	Look   Look
	Learn  Learn
	People People
	Admin  Admin
}

// routes are those of all areas.
func (c *Commands) routes() []route {
	return slices.Concat(c.Play.routes(), c.Look.routes(), c.Learn.routes(), c.People.routes(), c.Admin.routes())
}

// Route adds all handlers.
func (c *Commands) Route(r *bot.Router) {
	for _, to := range c.routes() {
		switch to.class {
		case slashCommands:
			r.Command(to.name, c.handler(to))
			if to.claims {
				r.ClaimingCommand(to.name)
			}
		case suggestions:
			r.Autocomplete(to.name, c.handler(to))
		case userMenus:
			r.UserCommand(to.name, c.handler(to))
		case components:
			r.Component(to.name, c.handler(to))
			if to.claims {
				r.Claiming(to.name)
			}
		case modals:
			r.Modal(to.name, c.handler(to))
		}
	}
	r.Unknown = c.unknown
}
