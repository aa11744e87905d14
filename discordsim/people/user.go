// Package people acts for the people of the simulated Discord: they use commands, press buttons, pick values, fill in
// modals and write messages.
package people

import (
	"context"
	"fmt"
	"slices"

	"tictactoe/discordsim/world"
)

// User acts for a person: it uses commands, presses buttons and fills in modals.
// It may be created before the person exists, since each call looks the person up.
//
// A channel is given as the name or the id of a server's channel that the person
// sees, or as "@name" for the direct messages with that bot or person. A call that
// creates an interaction returns when the interaction is settled. It returns
// ErrNotFound, ErrUnavailable, or another error that says why the call is invalid.
// A wrong or missing answer of the bot is reported as a Status, not as an error.
type User struct {
	w   *world.World
	ref string
	of  string // the application whose commands are used; empty for any
}

// NewUser returns the user with a name or an id.
func NewUser(w *world.World, ref string) *User { return &User{w: w, ref: ref} }

// Using returns the same user, limited to the commands of one application, which
// is given by its id or its bot's name. It is needed when several applications
// have a command of the same name.
func (u *User) Using(application string) *User {
	other := *u
	other.of = application
	return &other
}

// ID returns the id of the person, or "" if there is no such person.
func (u *User) ID() string {
	u.w.Lock()
	defer u.w.Unlock()
	if a := u.w.State.Account(u.ref); a != nil {
		return a.ID
	}
	return ""
}

// Button selects a button of a message: by CustomID, else by Label, else by Index
// among all its buttons, from 0.
type Button struct {
	CustomID string
	Label    string
	Index    int
	// Forge presses a button that no client would let a person press, because it
	// is disabled or does not exist.
	Forge bool
	// Hold delivers the interaction without waiting for its result, which Await
	// returns.
	Hold bool
}

// Command uses a slash command such as "tictactoe challenge". A user, channel or
// role is given by name or id, a choice by its value or its displayed name, a
// file as {"filename": "a.txt", "data": "<base64>"}.
func (u *User) Command(ctx context.Context, channel, name string, options map[string]any) (world.Result, error) {
	return u.settled(ctx, func() (*world.Interaction, error) {
		return u.StartCommand(channel, name, "", options, false)
	})
}

// UserCommand uses a context-menu command on a person or a bot.
func (u *User) UserCommand(ctx context.Context, channel, name, target string) (world.Result, error) {
	return u.settled(ctx, func() (*world.Interaction, error) {
		return u.StartCommand(channel, name, target, nil, false)
	})
}

// Click presses a button.
func (u *User) Click(ctx context.Context, message string, b Button) (world.Result, error) {
	act := func() (*world.Interaction, error) { return u.StartClick(message, b) }
	if b.Hold {
		return u.w.Interactions.Start(act)
	}
	return u.settled(ctx, act)
}

// Select picks values of a select: its options, or the names or ids of users,
// roles or channels.
func (u *User) Select(ctx context.Context, message, customID string, values ...string) (world.Result, error) {
	return u.settled(ctx, func() (*world.Interaction, error) {
		return u.StartSelect(message, customID, values, false)
	})
}

// Submit submits the modal that an interaction opened. Its inputs are filled in by
// custom_id: a text input takes a text; a select, a radio group or a group of
// checkboxes a value or a []string; a checkbox a bool; a file upload files in the
// form described at Command. An input without a given value keeps its preset value.
func (u *User) Submit(ctx context.Context, opener string, fields map[string]any) (world.Result, error) {
	return u.settled(ctx, func() (*world.Interaction, error) {
		return u.StartSubmit(opener, "", fields, false)
	})
}

// Messages returns the messages of a channel that the person sees, oldest first.
func (u *User) Messages(channel string) (messages []*world.Message, err error) {
	messages = []*world.Message{}
	err = u.w.Locked(func() error {
		who, err := u.w.State.Person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.w.Guilds.ChannelFor(who, channel)
		if err != nil {
			return err
		}
		for _, p := range u.w.State.Posts[ch.ID] {
			if p.VisibleTo(who.ID) {
				messages = append(messages, u.w.State.MessageFor(p, who.ID))
			}
		}
		return nil
	})
	return messages, err
}

// Dismiss removes an ephemeral message from the person's view permanently. As on Discord, the bot is not told, and can still edit
// and delete the message.
func (u *User) Dismiss(message string) error {
	return u.w.Locked(func() error {
		_, p, err := u.seen(message)
		if err != nil {
			return err
		}
		if p.Viewer == "" {
			return fmt.Errorf("message %s is not ephemeral", message)
		}
		dismissed := *p
		dismissed.Dismissed = true
		u.w.Events.PublishDelete(p)
		u.w.Put(world.Change{Post: &dismissed})
		u.w.Interactions.SettleChanged(message, nil)
		return nil
	})
}

// settled starts an interaction and waits until it is settled.
func (u *User) settled(ctx context.Context, start func() (*world.Interaction, error)) (world.Result, error) {
	held, err := u.w.Interactions.Start(start)
	if err != nil {
		return world.Result{}, err
	}
	return u.w.Interactions.Await(ctx, held.Interaction)
}

// use is a person's use of a command in a channel.
type use struct {
	cmd    *world.Command
	who    *world.Account
	ch     *world.Channel
	owners map[string]string
	words  []string // the names of the subcommand and its group
}

// useOf finds the command that a person uses by its full name.
func (u *User) useOf(channel, name string, menu bool) (*use, error) {
	who, err := u.w.State.Person(u.ref)
	if err != nil {
		return nil, err
	}
	ch, err := u.w.Guilds.ChannelFor(who, channel)
	if err != nil {
		return nil, err
	}
	return findCommand(u.w, who, ch, name, u.of, menu)
}

func (u *use) interaction(kind int, name string) *world.Interaction {
	return &world.Interaction{
		Type: kind, ApplicationID: u.cmd.ApplicationID, User: u.who, Channel: u.ch, Owners: u.owners,
		CommandName: name, CommandType: u.cmd.Type,
	}
}

func (u *use) data() commandData {
	return commandData{ID: u.cmd.ID, Name: u.cmd.Name, Type: u.cmd.Type, GuildID: u.cmd.GuildID}
}

// nest puts the values of a subcommand's options into the subcommand and its
// groups. A subcommand always has a list of options, even an empty one.
func nest(path []world.Option, values []optionValue) []optionValue {
	for _, branch := range slices.Backward(path) {
		values = []optionValue{{Name: branch.Name, Type: branch.Type, Options: append([]optionValue{}, values...)}}
	}
	return values
}

// StartCommand starts the use of a command by its full name. Interactions.Start calls it with the lock held. A target
// makes it a context-menu command. A forged use has options that no client offers.
func (u *User) StartCommand(channel, name, target string, options map[string]any, forge bool) (*world.Interaction, error) {
	use, err := u.useOf(channel, name, target != "")
	if err != nil {
		return nil, err
	}
	in, data := use.interaction(world.InteractionCommand, name), use.data()
	picker := &resolver{w: u.w, viewer: in.User.ID, app: in.ApplicationID, channel: in.Channel, forge: forge}
	if target != "" {
		if err := picker.target(use.cmd, target, &data); err != nil {
			return nil, err
		}
		if profile, isUser := picker.found.Users[data.TargetID]; isUser && use.cmd.Type == world.CommandUser {
			in.Target = &profile
		}
	} else {
		path, leaf, err := descend(use.cmd.Options, use.words)
		if err != nil {
			return nil, err
		}
		values, err := picker.values(leaf, options)
		if err != nil {
			return nil, err
		}
		data.Options = nest(path, values)
	}
	data.Resolved = picker.objects()
	u.w.Interactions.Deliver(in, data)
	return in, nil
}

// target resolves the target of a context-menu command.
func (r *resolver) target(cmd *world.Command, ref string, data *commandData) error {
	if cmd.Type == world.CommandMessage {
		p := r.w.State.PostByID[ref]
		if p == nil || !p.VisibleTo(r.viewer) || p.Message.ChannelID != r.channel.ID {
			return world.NotFoundMessage(ref)
		}
		note(&r.found.Messages, ref, r.w.State.MessageFor(p, cmd.ApplicationID))
		data.TargetID = ref
		return nil
	}
	id, ok := r.user(ref)
	switch {
	case !ok && r.forge:
		id = ref
	case !ok:
		return fmt.Errorf("%w: no user %q", world.ErrNotFound, ref)
	}
	data.TargetID = id
	return nil
}

// componentData is the data of a component interaction.
type componentData struct {
	CustomID string    `json:"custom_id"`
	Type     int       `json:"component_type"`
	ID       int       `json:"id"`
	Values   []string  `json:"values,omitzero"` // for a select, even an empty selection; otherwise nil
	Resolved *resolved `json:"resolved,omitempty"`
}

// clickable finds a message that a person sees, and returns an interaction with
// one of its components.
func (u *User) clickable(message string) (*world.Interaction, error) {
	who, p, err := u.seen(message)
	if err != nil {
		return nil, err
	}
	m := p.Message
	if err := u.silenced(who, m.ChannelID); err != nil {
		return nil, err
	}
	if !m.Author.Bot {
		return nil, fmt.Errorf("%w: message %s has no components", world.ErrUnavailable, message)
	}
	in := &world.Interaction{
		Type: world.InteractionComponent, ApplicationID: m.Application(), User: who, Channel: u.w.State.Channels[m.ChannelID], Message: p,
	}
	switch {
	case m.InteractionMetadata != nil:
		in.Owners = m.InteractionMetadata.Owners
	case in.Channel.GuildID != "":
		in.Owners = map[string]string{"0": in.Channel.GuildID}
	default:
		in.Owners = map[string]string{"0": "0"}
	}
	return in, nil
}

// silenced returns an error if a timeout keeps the person from acting in a channel.
func (u *User) silenced(who *world.Account, channel string) error {
	if u.w.Guilds.Silenced(who.ID, u.w.State.Channels[channel]) {
		return fmt.Errorf("%s is timed out here and may only look", who.Username)
	}
	return nil
}

// StartClick starts the press of a button. Interactions.Start calls it with the lock held.
func (u *User) StartClick(message string, b Button) (*world.Interaction, error) {
	in, err := u.clickable(message)
	if err != nil {
		return nil, err
	}
	pressed := b.find(in.Message.Message.Components)
	if pressed == nil && b.Forge {
		pressed = &world.Component{Type: world.ComponentButton, CustomID: b.CustomID, ID: 1}
	}
	switch {
	case pressed == nil:
		return nil, fmt.Errorf("%w: message %s has no such button", world.ErrUnavailable, message)
	case pressed.CustomID == "":
		return nil, fmt.Errorf("this button makes no interaction: it has no custom_id")
	case pressed.Disabled && !b.Forge:
		return nil, fmt.Errorf("%w: the button %q is disabled", world.ErrUnavailable, pressed.CustomID)
	}
	u.w.Interactions.Deliver(in, componentData{CustomID: pressed.CustomID, Type: world.ComponentButton, ID: pressed.ID})
	return in, nil
}

// find returns the selected button, or nil.
func (b Button) find(components []world.Component) *world.Component {
	n := -1
	return world.FindComponent(components, func(c world.Component) bool {
		if c.Type != world.ComponentButton {
			return false
		}
		n++
		switch {
		case b.CustomID != "":
			return c.CustomID == b.CustomID
		case b.Label != "":
			return c.Label == b.Label
		}
		return n == b.Index
	})
}

// StartSelect starts the choice of a select's values. Interactions.Start calls it with the lock held. A forged choice
// has values that no client offers.
func (u *User) StartSelect(message, customID string, values []string, forge bool) (*world.Interaction, error) {
	in, err := u.clickable(message)
	if err != nil {
		return nil, err
	}
	used := world.FindComponent(in.Message.Message.Components, func(c world.Component) bool { return c.IsSelect() && c.CustomID == customID })
	if used == nil && forge {
		used = &world.Component{Type: world.ComponentStringSelect, CustomID: customID, ID: 1}
	}
	switch {
	case used == nil:
		return nil, fmt.Errorf("%w: message %s has no select %q", world.ErrUnavailable, message, customID)
	case used.Disabled && !forge:
		return nil, fmt.Errorf("%w: the select %q is disabled", world.ErrUnavailable, customID)
	}
	picker := &resolver{w: u.w, viewer: in.User.ID, app: in.ApplicationID, channel: in.Channel, forge: forge}
	if values, err = picker.picked(*used, values); err != nil {
		return nil, err
	}
	u.w.Interactions.Deliver(in, componentData{CustomID: customID, Type: used.Type, ID: used.ID, Values: values, Resolved: picker.objects()})
	return in, nil
}

// picked checks the values of a select and turns names into ids.
func (r *resolver) picked(c world.Component, values []string) ([]string, error) {
	least, most := span(c)
	if !r.forge && (len(values) < least || len(values) > most) {
		return nil, fmt.Errorf("the select %q takes %d to %d values, not %d", c.CustomID, least, most, len(values))
	}
	kinds := map[int]int{
		world.ComponentUserSelect: world.OptionUser, world.ComponentRoleSelect: world.OptionRole,
		world.ComponentMentionableSelect: world.OptionMentionable, world.ComponentChannelSelect: world.OptionChannel,
	}
	picked := make([]string, 0, len(values))
	for _, v := range values {
		if kinds[c.Type] == 0 {
			if !r.forge && !slices.ContainsFunc(c.Options, func(o world.SelectOption) bool { return o.Value == v }) {
				return nil, fmt.Errorf("the select %q has no option %q", c.CustomID, v)
			}
			picked = append(picked, v)
			continue
		}
		id, err := r.pick(kinds[c.Type], v, c.ChannelTypes)
		if err != nil && r.forge {
			id, err = v, nil
		}
		if err != nil {
			return nil, err
		}
		picked = append(picked, id)
	}
	if distinct := slices.Compact(slices.Sorted(slices.Values(picked))); len(distinct) < len(picked) && !r.forge {
		return nil, fmt.Errorf("the select %q takes each value once", c.CustomID)
	}
	return picked, nil
}
