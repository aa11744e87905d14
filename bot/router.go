package bot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Router finds the handler of an interaction by exact match. It is filled before the bot runs, and only read afterwards.
type Router struct {
	// Unknown handles interactions without a route: a command of an older tree, a button of an older program.
	Unknown Handler

	routes   map[string]Handler
	claiming map[string]bool
}

// NewRouter returns a router without routes.
func NewRouter() *Router {
	return &Router{routes: make(map[string]Handler), claiming: make(map[string]bool)}
}

// Command routes the slash command with that path, as "tictactoe challenge".
func (r *Router) Command(path string, h Handler) { r.add("command", path, h) }

// Autocomplete routes Discord's requests for suggestions while a user types an option of the slash command with that path. The handler
// answers with a Suggest, within two seconds, and saves nothing. If it fails or is late, the user is not told.
func (r *Router) Autocomplete(path string, h Handler) { r.add("autocomplete", path, h) }

// UserCommand routes the command with that name in the context menu of users.
func (r *Router) UserCommand(name string, h Handler) { r.add("user", name, h) }

// Component routes clicks on components whose custom_id is the verb, or starts with it and a colon.
func (r *Router) Component(verb string, h Handler) { r.add("component", verb, h) }

// Claiming says that the handler of a route, as "component play" or "command tictactoe move", saves [Interaction.Claim] in the transaction
// for which it sets [Interaction.Saved], and otherwise changes nothing. So its interactions need no separate transaction for the claim.
// Those of a command are claimed even if they come over the gateway: unlike a click, a command does not carry the state that it was made
// against, so a repeated delivery would be executed again.
func (r *Router) Claiming(route string) { r.claiming[route] = true }

// Modal routes submissions of modals whose custom_id is the verb, or starts with it and a colon.
func (r *Router) Modal(verb string, h Handler) { r.add("modal", verb, h) }

// Routes lists all routes, as "component play", sorted.
func (r *Router) Routes() []string {
	return slices.Sorted(maps.Keys(r.routes))
}

// add panics on mistakes of the program: an unusable or repeated route.
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

// find returns the handler and the route's name. Without a route the name is empty and the handler is Unknown, which may be nil.
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

// suggestNothing answers an autocomplete request for an option of an older tree.
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
