// Package commands connects Discord with the core: it turns slash commands, clicks and forms into requests to the referee, and the
// resulting screens into replies. It has the command tree and the codec of custom_ids, and knows no rule of the game.
package commands

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// Commands answers interactions. It consists of areas, such as Play and Look. An area has the handlers for one purpose, and lists in its
// routes which commands, buttons and forms they answer. All handlers are safe for concurrent use.
type Commands struct {
	*Replies
	Play   Play
	Look   Look
	Learn  Learn
	People People
	Admin  Admin
}

// routes returns the routes of all areas.
func (c *Commands) routes() []route {
	return slices.Concat(c.Play.routes(), c.Look.routes(), c.Learn.routes(), c.People.routes(), c.Admin.routes())
}

// Route adds the handlers of all areas to a router.
func (c *Commands) Route(r *bot.Router) {
	add := map[class]func(string, bot.Handler){
		slashCommands: r.Command, suggestions: r.Autocomplete, userMenus: r.UserCommand, components: r.Component, modals: r.Modal,
	}
	for _, to := range c.routes() {
		add[to.class](to.name, c.handler(to))
		if to.moves && to.class == slashCommands {
			r.Claiming(to.name)
		}
	}
	r.Unknown = func(ctx context.Context, sent *bot.Interaction) (bot.Reply, error) {
		in := newInteraction(sent)
		if err := c.barred(ctx, in, route{}); err != nil {
			return c.refuse(ctx, in, err)
		}
		return c.unknown(ctx, in)
	}
}

// route says how a command, a button, a menu or a form is answered.
type route struct {
	class     class
	name      string // the command's name, or the verb of the custom_ids
	codec     codec  // only for a component
	handle    handler[view.Action]
	features  []policy.Feature // features that the server must not have switched off
	moderated bool             // only moderators may use it
	moves     bool             // plays a move: a command's claim is saved with the move (see bot.Router.Claiming), and the policy is not read
}

// class is the kind of interactions that a route answers.
type class int

const (
	slashCommands class = iota
	suggestions         // requests for suggestions while a user types a slash command
	userMenus           // commands in the context menu of a user
	components          // buttons and menus
	modals              // forms
)

// handler answers the use of a button, menu or form whose custom_id holds an action of type A.
type handler[A view.Action] func(context.Context, *interaction, A) (bot.Reply, error)

// command returns a route whose interactions have no action: a command, or suggestions for one.
func command(class class, name string, handle func(context.Context, *interaction) (bot.Reply, error)) route {
	return route{class: class, name: name, handle: func(ctx context.Context, in *interaction, _ view.Action) (bot.Reply, error) {
		return handle(ctx, in)
	}}
}

// modal returns the route of a form. The custom_id of the form is written by the codec of the button with the same verb.
func modal[A view.Action](verb string, handle handler[A]) route {
	return route{class: modals, name: verb, handle: func(ctx context.Context, in *interaction, action view.Action) (bot.Reply, error) {
		return handle(ctx, in, action.(A))
	}}
}

// component returns the route of the buttons or menus with an action of type A. describe writes and reads the fields after the verb in the
// custom_id. Verbs and fields must never change, because old messages contain them.
func component[A view.Action](verb string, handle handler[A], describe func(*fields, *A)) route {
	r := modal(verb, handle)
	r.class = components
	r.codec = codec{
		verb: verb, action: reflect.TypeFor[A](),
		write: func(f *fields, action view.Action) { a := action.(A); describe(f, &a) },
		read: func(f *fields) view.Action {
			var a A
			describe(f, &a)
			return a
		},
	}
	return r
}

// noFields is the describe of custom_ids that consist only of the verb.
func noFields[A view.Action](*fields, *A) {}

// needs returns the route with the features that it needs. Where the server has switched one of them off, the bot refuses the interaction.
func (r route) needs(features ...policy.Feature) route {
	r.features = features
	return r
}

// moving returns the route marked as one whose handler plays a move.
func (r route) moving() route {
	r.moves = true
	return r
}

// ofMatch returns a handler that loads the match that the custom_id names, and passes it to handle.
func ofMatch[A view.Action](c *Replies, handle func(context.Context, *interaction, A, match.Match) (bot.Reply, error)) handler[A] {
	return func(ctx context.Context, in *interaction, action A) (bot.Reply, error) {
		id, _ := parseCustomID(in.CustomID()) // the function answer has parsed it
		m, err := c.storedMatch(ctx, id.about, &match.Refusal{Reason: match.Unknown})
		if err != nil {
			return bot.Reply{}, err
		}
		return handle(ctx, in, action, m)
	}
}

// handler returns the bot's handler for a route. It calls the route's own handler, and turns a refusal that this returns as an error into a
// reply. Handlers of suggestions refuse nothing.
func (c *Replies) handler(r route) bot.Handler {
	return func(ctx context.Context, sent *bot.Interaction) (bot.Reply, error) {
		in := newInteraction(sent)
		barred := c.barred(ctx, in, r)
		switch {
		case r.class == suggestions && errors.As(barred, new(*match.Refusal)):
			return bot.Reply{Kind: bot.Suggest}, nil
		case r.class == suggestions && barred != nil:
			return bot.Reply{}, barred
		case r.class == suggestions:
			return r.handle(ctx, in, nil)
		}
		if _, err := idOf(sent.ID); err != nil { // ids of challenges and matches are made of it
			return bot.Reply{}, err
		}
		if barred != nil {
			return c.refuse(ctx, in, barred)
		}
		if !r.moves {
			var err error
			if in.policy, err = c.policyIn(ctx, in.venue); err != nil {
				return c.refuse(ctx, in, err)
			}
		}
		if forged(in) {
			return c.unknown(ctx, in)
		}
		reply, err := c.answer(ctx, in, r)
		if err != nil {
			return c.refuse(ctx, in, err)
		}
		return reply, nil
	}
}

// answer calls the handler of a route, or refuses the interaction. It refuses if the route is for moderators and the user is not
// one, if the server has switched a needed feature off, or if the bot did not write the custom_id on the message.
func (c *Replies) answer(ctx context.Context, in *interaction, r route) (bot.Reply, error) {
	if r.moderated {
		if err := notModerating(in); err != nil {
			return bot.Reply{}, err
		}
	}
	for _, f := range r.features {
		if !in.policy.Has(f) {
			return bot.Reply{}, refusal{text: view.OffHere(f)}
		}
	}
	if r.class != components && r.class != modals {
		return r.handle(ctx, in, nil)
	}
	id, err := parseCustomID(in.CustomID())
	if err != nil {
		return c.unknown(ctx, in)
	}
	if fits, err := c.fitsMessage(ctx, in, id); err != nil {
		return bot.Reply{}, err
	} else if !fits {
		return c.unknown(ctx, in)
	}
	return r.handle(ctx, in, id.action)
}

// notModerating returns the refusal to a user who may not manage the server, or nil. It trusts only the permissions in this interaction,
// because a user who was once shown the button may have lost them.
func notModerating(in *interaction) error {
	const enough = discordgo.PermissionManageGuild | discordgo.PermissionAdministrator
	switch by := in.Interaction.Member; {
	case in.GuildID == "":
		return refused("refusal.admin.server", nil)
	case in.PermissionsUnknown:
		return refused("refusal.admin.unknown", nil)
	case by == nil || by.Permissions&enough == 0:
		return refused("refusal.admin", nil)
	}
	return nil
}

// fitsMessage reports whether the custom_id of a click fits the clicked message, so that the answer may redraw the message. The
// message must have a button of the same match, challenge or leaderboard, or show the match. Any other custom_id is forged.
func (c *Replies) fitsMessage(ctx context.Context, in *interaction, id customID) (bool, error) {
	leaderboard := slices.Contains([]string{"board", "ranking", "rankedon", "seasons"}, id.verb)
	if in.Message == nil || id.about == "" && !leaderboard {
		return true, nil
	}
	for _, carried := range in.Carried() {
		other, err := parseCustomID(carried)
		if carried == in.CustomID() || err == nil && other.about == id.about && (id.about != "" || other.verb == id.verb) {
			return true, nil
		}
	}
	b, err := c.boardOf(ctx, id.about)
	return err == nil && b.Message == in.Message.ID, err
}
