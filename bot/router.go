package bot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Router finds the handler of an interaction by its exact route. Add all routes before the bot runs.
type Router struct {
	// Unknown handles interactions that match no route, such as a click on a button that an older program has sent.
	Unknown Handler

	routes   map[string]Handler
	claiming map[string]bool
}

// NewRouter returns a router without routes.
func NewRouter() *Router {
	return &Router{routes: make(map[string]Handler), claiming: make(map[string]bool)}
}

// Command sends uses of the slash command with that path, as "tictactoe challenge", to the handler.
func (r *Router) Command(path string, h Handler) { r.add("command", path, h) }

// Autocomplete sends requests for suggestions to the handler, while a user types an option of the slash command with that path. The handler
// answers with a Suggest within two seconds, and saves nothing. If it fails or is late, the user sees no suggestions and no error.
func (r *Router) Autocomplete(path string, h Handler) { r.add("autocomplete", path, h) }

// UserCommand routes the command with that name in the context menu of users to the handler.
func (r *Router) UserCommand(name string, h Handler) { r.add("user", name, h) }

// Component sends clicks on components whose custom_id is the verb, or starts with the verb and a colon, to the handler.
func (r *Router) Component(verb string, h Handler) { r.add("component", verb, h) }

// Claiming declares that the handler of the slash command with that path saves [Interaction.Claim] in the one transaction in which it saves
// anything. Without the claim, a command that is delivered again, perhaps to another process, would be executed again. A click needs none: it
// names the state of the match for which it was made.
func (r *Router) Claiming(path string) { r.claiming["command "+path] = true }

// Modal sends submissions of modals whose custom_id is the verb, or starts with the verb and a colon, to the handler.
func (r *Router) Modal(verb string, h Handler) { r.add("modal", verb, h) }

// Routes lists all routes, as "component play", sorted.
func (r *Router) Routes() []string {
	return slices.Sorted(maps.Keys(r.routes))
}

// add adds a route. It panics if the route is unusable or exists already.
func (r *Router) add(class, name string, h Handler) {
	route := class + " " + name
	if name == "" || h == nil || (class == "component" || class == "modal") && strings.Contains(name, ":") {
		panic(fmt.Sprintf("bot: unusable route %q", route))
	}
	if _, ok := r.routes[route]; ok {
		panic(fmt.Sprintf("bot: route %q twice", route))
	}
	r.routes[route] = h
}

// find returns the handler and the name of the interaction's route. If no route matches, the name is empty and the handler is Unknown,
// which may be nil.
func (r *Router) find(in *Interaction) (Handler, string) {
	route := routeOf(in)
	if h, ok := r.routes[route]; ok {
		return h, route
	}
	if in.typing() {
		return suggestNothing, ""
	}
	return r.Unknown, ""
}

// suggestNothing answers an autocomplete request that matches no route, as for a command of an older program.
func suggestNothing(context.Context, *Interaction) (Reply, error) { return Reply{Kind: Suggest}, nil }

func routeOf(in *Interaction) string {
	verb, _, _ := strings.Cut(in.CustomID(), ":")
	switch data := in.Data.(type) {
	case discordgo.MessageComponentInteractionData:
		return "component " + verb
	case discordgo.ModalSubmitInteractionData:
		return "modal " + verb
	case discordgo.ApplicationCommandInteractionData:
		switch {
		case in.typing():
			return "autocomplete " + in.CommandPath()
		case data.CommandType == discordgo.UserApplicationCommand:
			return "user " + data.Name
		}
	}
	return "command " + in.CommandPath()
}
