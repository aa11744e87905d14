package discordsim

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"
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
	w   *World
	ref string
	of  string // the application whose commands are used; empty for any
}

// NewUser returns the user with a name or an id.
func NewUser(w *World, ref string) *User { return &User{w: w, ref: ref} }

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
	if a := u.w.state.account(u.ref); a != nil {
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
func (u *User) Command(ctx context.Context, channel, name string, options map[string]any) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.StartCommand(channel, name, "", options, false)
	})
}

// UserCommand uses a context-menu command on a person or a bot.
func (u *User) UserCommand(ctx context.Context, channel, name, target string) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.StartCommand(channel, name, target, nil, false)
	})
}

// Click presses a button.
func (u *User) Click(ctx context.Context, message string, b Button) (Result, error) {
	act := func() (*interaction, error) { return u.StartClick(message, b) }
	if b.Hold {
		return u.w.interactions.Start(act)
	}
	return u.settled(ctx, act)
}

// Select picks values of a select: its options, or the names or ids of users,
// roles or channels.
func (u *User) Select(ctx context.Context, message, customID string, values ...string) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.StartSelect(message, customID, values, false)
	})
}

// Submit submits the modal that an interaction opened. Its inputs are filled in by
// custom_id: a text input takes a text; a select, a radio group or a group of
// checkboxes a value or a []string; a checkbox a bool; a file upload files in the
// form described at Command. An input without a given value keeps its preset value.
func (u *User) Submit(ctx context.Context, opener string, fields map[string]any) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.StartSubmit(opener, "", fields, false)
	})
}

// Write posts a plain message.
func (u *User) Write(channel, content string) (message *Message, err error) {
	err = u.w.Locked(func() error {
		who, err := u.w.state.person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.w.guilds.ChannelFor(who, channel)
		if err != nil {
			return err
		}
		if n := utf8.RuneCountInString(content); n < 1 || n > 2000 {
			return fmt.Errorf("a message has 1 to 2000 characters, not %d", n)
		}
		if may := u.w.state.permissions(who.ID, ch); !may.Has(ch.writing()) || ch.Locked && !may.Has(ManageThreads) {
			return fmt.Errorf("%s may not write in this channel", who.Username)
		}
		message = u.w.messages.Draft(who.Profile, ch, messagePlain)
		message.Content = emojiText(u.w.state, who.ID, content)
		u.w.messages.FillMentions(message, nil, "")
		u.w.messages.Post(&post{Message: message})
		return nil
	})
	return message, err
}

// Messages returns the messages of a channel that the person sees, oldest first.
func (u *User) Messages(channel string) (messages []*Message, err error) {
	messages = []*Message{}
	err = u.w.Locked(func() error {
		who, err := u.w.state.person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.w.guilds.ChannelFor(who, channel)
		if err != nil {
			return err
		}
		for _, p := range u.w.state.posts[ch.ID] {
			if p.visibleTo(who.ID) {
				messages = append(messages, u.w.state.messageFor(p, who.ID))
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
		who, err := u.w.state.person(u.ref)
		if err != nil {
			return err
		}
		p := u.w.state.postByID[message]
		if p == nil || !u.w.state.sees(who.ID, p) {
			return notFoundMessage(message)
		}
		if p.Viewer == "" {
			return fmt.Errorf("message %s is not ephemeral", message)
		}
		dismissed := *p
		dismissed.Dismissed = true
		u.w.events.PublishDelete(p)
		u.w.Put(change{Post: &dismissed})
		u.w.interactions.SettleChanged(message, nil)
		return nil
	})
}

// settled starts an interaction and waits until it is settled.
func (u *User) settled(ctx context.Context, start func() (*interaction, error)) (Result, error) {
	held, err := u.w.interactions.Start(start)
	if err != nil {
		return Result{}, err
	}
	return u.w.interactions.Await(ctx, held.Interaction)
}

// use is a person's use of a command in a channel.
type use struct {
	cmd    *Command
	who    *account
	ch     *Channel
	owners map[string]string
	words  []string // the names of the subcommand and its group
}

// useOf finds the command that a person uses by its full name.
func (u *User) useOf(channel, name string, menu bool) (*use, error) {
	who, err := u.w.state.person(u.ref)
	if err != nil {
		return nil, err
	}
	ch, err := u.w.guilds.ChannelFor(who, channel)
	if err != nil {
		return nil, err
	}
	return findCommand(u.w, who, ch, name, u.of, menu)
}

func (u *use) interaction(kind int, name string) *interaction {
	return &interaction{
		kind: kind, app: u.cmd.ApplicationID, who: u.who, channel: u.ch, owners: u.owners,
		name: name, command: u.cmd.Type,
	}
}

func (u *use) data() commandData {
	return commandData{ID: u.cmd.ID, Name: u.cmd.Name, Type: u.cmd.Type, GuildID: u.cmd.GuildID}
}

// nest puts the values of a subcommand's options into the subcommand and its
// groups. A subcommand always has a list of options, even an empty one.
func nest(path []Option, values []optionValue) []optionValue {
	for _, branch := range slices.Backward(path) {
		values = []optionValue{{Name: branch.Name, Type: branch.Type, Options: append([]optionValue{}, values...)}}
	}
	return values
}

// useCommand returns a function that starts the use of a command by its full name. A
// target makes it a context-menu command. A forged use has options that no client offers.
func (u *User) StartCommand(channel, name, target string, options map[string]any, forge bool) (*interaction, error) {
	use, err := u.useOf(channel, name, target != "")
	if err != nil {
		return nil, err
	}
	in, data := use.interaction(interactionCommand, name), use.data()
	picker := &resolver{w: u.w, viewer: in.who.ID, channel: in.channel, forge: forge}
	if target != "" {
		if err := picker.target(use.cmd, target, &data); err != nil {
			return nil, err
		}
		if profile, isUser := picker.found.Users[data.TargetID]; isUser && use.cmd.Type == commandUser {
			in.target = &profile
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
	data.Resolved = picker.all()
	u.w.interactions.Deliver(in, data)
	return in, nil
}

// target resolves the target of a context-menu command.
func (r *resolver) target(cmd *Command, ref string, data *commandData) error {
	if cmd.Type == commandMessage {
		p := r.w.state.postByID[ref]
		if p == nil || !p.visibleTo(r.viewer) || p.Message.ChannelID != r.channel.ID {
			return notFoundMessage(ref)
		}
		note(&r.found.Messages, ref, r.w.state.messageFor(p, cmd.ApplicationID))
		data.TargetID = ref
		return nil
	}
	id, ok := r.user(ref)
	switch {
	case !ok && r.forge:
		id = ref
	case !ok:
		return fmt.Errorf("%w: no user %q", ErrNotFound, ref)
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
func (u *User) clickable(message string) (*interaction, error) {
	who, err := u.w.state.person(u.ref)
	if err != nil {
		return nil, err
	}
	p := u.w.state.postByID[message]
	if p == nil || !u.w.state.sees(who.ID, p) {
		return nil, notFoundMessage(message)
	}
	m := p.Message
	if !m.Author.Bot {
		return nil, fmt.Errorf("%w: message %s has no components", ErrUnavailable, message)
	}
	in := &interaction{kind: interactionComponent, app: m.application(), who: who, channel: u.w.state.channels[m.ChannelID], message: p}
	switch {
	case m.InteractionMetadata != nil:
		in.owners = m.InteractionMetadata.Owners
	case in.channel.GuildID != "":
		in.owners = map[string]string{"0": in.channel.GuildID}
	default:
		in.owners = map[string]string{"0": "0"}
	}
	return in, nil
}

func (u *User) StartClick(message string, b Button) (*interaction, error) {
	in, err := u.clickable(message)
	if err != nil {
		return nil, err
	}
	pressed := b.find(in.message.Message.Components)
	if pressed == nil && b.Forge {
		pressed = &Component{Type: componentButton, CustomID: b.CustomID, ID: 1}
	}
	switch {
	case pressed == nil:
		return nil, fmt.Errorf("%w: message %s has no such button", ErrUnavailable, message)
	case pressed.CustomID == "":
		return nil, fmt.Errorf("this button makes no interaction: it has no custom_id")
	case pressed.Disabled && !b.Forge:
		return nil, fmt.Errorf("%w: the button %q is disabled", ErrUnavailable, pressed.CustomID)
	}
	u.w.interactions.Deliver(in, componentData{CustomID: pressed.CustomID, Type: componentButton, ID: pressed.ID})
	return in, nil
}

// find returns the selected button, or nil.
func (b Button) find(components []Component) *Component {
	n := -1
	return find(components, func(c Component) bool {
		if c.Type != componentButton {
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

func (u *User) StartSelect(message, customID string, values []string, forge bool) (*interaction, error) {
	in, err := u.clickable(message)
	if err != nil {
		return nil, err
	}
	used := find(in.message.Message.Components, func(c Component) bool { return c.isSelect() && c.CustomID == customID })
	if used == nil && forge {
		used = &Component{Type: componentStringSelect, CustomID: customID, ID: 1}
	}
	switch {
	case used == nil:
		return nil, fmt.Errorf("%w: message %s has no select %q", ErrUnavailable, message, customID)
	case used.Disabled && !forge:
		return nil, fmt.Errorf("%w: the select %q is disabled", ErrUnavailable, customID)
	}
	picker := &resolver{w: u.w, viewer: in.who.ID, channel: in.channel, forge: forge}
	if values, err = picker.picked(*used, values); err != nil {
		return nil, err
	}
	u.w.interactions.Deliver(in, componentData{CustomID: customID, Type: used.Type, ID: used.ID, Values: values, Resolved: picker.all()})
	return in, nil
}

// picked checks the values of a select and turns names into ids.
func (r *resolver) picked(c Component, values []string) ([]string, error) {
	least, most := span(c)
	if !r.forge && (len(values) < least || len(values) > most) {
		return nil, fmt.Errorf("the select %q takes %d to %d values, not %d", c.CustomID, least, most, len(values))
	}
	kinds := map[int]int{
		componentUserSelect: optionUser, componentRoleSelect: optionRole,
		componentMentionableSelect: optionMentionable, componentChannelSelect: optionChannel,
	}
	picked := make([]string, 0, len(values))
	for _, v := range values {
		if kinds[c.Type] == 0 {
			if !r.forge && !slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == v }) {
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
