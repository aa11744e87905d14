package discordsim

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// User is a person who acts: uses commands, presses buttons, fills in modals.
// The handle may be made before the person exists; each call looks them up.
//
// Where a call takes a channel, it takes the name or the id of a server's
// channel that the person sees, or "@name" for the direct messages with that
// bot or person. A call that makes an interaction returns when it is settled.
// It fails with ErrNotFound or ErrUnavailable, or with another error that says
// why the call makes no sense; a bot that answers badly or not at all is no
// error but a Status.
type User struct {
	sim *Sim
	ref string
}

// User is the person of a name or an id.
func (s *Sim) User(ref string) *User { return &User{s, ref} }

// ID of the person, empty if there is none.
func (u *User) ID() string {
	u.sim.mu.Lock()
	defer u.sim.mu.Unlock()
	if a := u.sim.state.account(u.ref); a != nil {
		return a.ID
	}
	return ""
}

// person finds a person, not a bot.
func (s *Sim) person(ref string) (*account, error) {
	a := s.state.account(ref)
	if a == nil || a.Bot {
		return nil, fmt.Errorf("%w: no person %q", ErrNotFound, ref)
	}
	return a, nil
}

// Button says which button of a message to press: by CustomID, else by Label,
// else by Index among all its buttons, from 0.
type Button struct {
	CustomID string
	Label    string
	Index    int
	// Forge sends the request also where no client would offer it: for a
	// button that is disabled or not there.
	Forge bool
	// Hold delivers the interaction without waiting; Await has its result.
	Hold bool
}

// Command uses a slash command such as "tictactoe challenge". A user, channel or
// role is given by name or id, a choice by its value or its displayed name.
func (u *User) Command(ctx context.Context, channel, name string, options map[string]any) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.sim.useCommand(u.ref, channel, name, "", options)
	})
}

// UserCommand uses a context-menu command on a person or a bot.
func (u *User) UserCommand(ctx context.Context, channel, name, target string) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.sim.useCommand(u.ref, channel, name, target, nil)
	})
}

// Click presses a button.
func (u *User) Click(ctx context.Context, message string, b Button) (Result, error) {
	act := func() (*interaction, error) { return u.sim.click(u.ref, message, b) }
	if b.Hold {
		return u.sim.held(act)
	}
	return u.settled(ctx, act)
}

// Select picks values of a select: of its options, or the names or ids of
// users, roles or channels.
func (u *User) Select(ctx context.Context, message, customID string, values ...string) (Result, error) {
	return u.settled(ctx, func() (*interaction, error) {
		return u.sim.choose(u.ref, message, customID, values, false)
	})
}

// Submit sends the modal that an interaction opened, with a text for each of its
// inputs by custom_id; an input that is not named keeps its preset value.
func (u *User) Submit(ctx context.Context, interaction string, fields map[string]string) (Result, error) {
	return u.settled(ctx, u.sim.submission(u.ref, interaction, fields))
}

// Write posts a plain message.
func (u *User) Write(channel, content string) (message *Message, err error) {
	err = u.sim.locked(func() error {
		who, err := u.sim.person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.sim.channelFor(who, channel)
		if err != nil {
			return err
		}
		if n := utf8.RuneCountInString(content); n < 1 || n > 2000 {
			return fmt.Errorf("a message has 1 to 2000 characters, not %d", n)
		}
		if !u.sim.state.permissions(who.ID, ch).Has(ch.writing()) {
			return fmt.Errorf("%s may not write in this channel", who.Username)
		}
		message = u.sim.draft(who.Profile, ch, messagePlain)
		messageBody{Content: &content}.write(message)
		u.sim.address(message, nil, "")
		u.sim.post(&post{Message: message})
		return nil
	})
	return message, err
}

// Messages are those of a channel that the person sees, oldest first.
func (u *User) Messages(channel string) (messages []*Message, err error) {
	messages = []*Message{}
	err = u.sim.locked(func() error {
		who, err := u.sim.person(u.ref)
		if err != nil {
			return err
		}
		ch, err := u.sim.channelFor(who, channel)
		if err != nil {
			return err
		}
		for _, p := range u.sim.state.posts[ch.ID] {
			if p.visibleTo(who.ID) {
				messages = append(messages, p.Message)
			}
		}
		return nil
	})
	return messages, err
}

// Dismiss removes an ephemeral message from the person's view.
func (u *User) Dismiss(message string) error {
	return u.sim.locked(func() error {
		who, err := u.sim.person(u.ref)
		if err != nil {
			return err
		}
		p := u.sim.state.postByID[message]
		if p == nil || !u.sim.sees(who.ID, p) {
			return notFoundMessage(message)
		}
		if p.Viewer == "" {
			return fmt.Errorf("message %s is not ephemeral", message)
		}
		u.sim.remove(p)
		return nil
	})
}

// settled starts an interaction and waits for its result.
func (u *User) settled(ctx context.Context, start func() (*interaction, error)) (Result, error) {
	held, err := u.sim.held(start)
	if err != nil {
		return Result{}, err
	}
	return u.sim.Await(ctx, held.Interaction)
}

// held starts an interaction and does not wait.
func (s *Sim) held(start func() (*interaction, error)) (r Result, err error) {
	err = s.locked(func() error {
		in, err := start()
		if err == nil {
			r = Result{Interaction: in.id, Status: Held}
		}
		return err
	})
	return r, err
}

// useCommand starts the use of a command by its full name; a target makes it
// one of a context menu.
func (s *Sim) useCommand(as, channel, name, target string, options map[string]any) (*interaction, error) {
	who, err := s.person(as)
	if err != nil {
		return nil, err
	}
	ch, err := s.channelFor(who, channel)
	if err != nil {
		return nil, err
	}
	cmd, owners, words, err := s.findCommand(who, ch, name, target != "")
	if err != nil {
		return nil, err
	}
	in := &interaction{
		kind: interactionCommand, app: cmd.ApplicationID, who: who, channel: ch, owners: owners,
		name: name, command: cmd.Type,
	}
	data := commandData{ID: cmd.ID, Name: cmd.Name, Type: cmd.Type, GuildID: cmd.GuildID}
	picker := &resolver{state: s.state, viewer: who.ID, channel: ch}
	if target != "" {
		if err := picker.target(cmd, target, &data); err != nil {
			return nil, err
		}
		if profile, isUser := picker.found.Users[data.TargetID]; isUser && cmd.Type == commandUser {
			in.target = &profile
		}
	} else {
		path, leaf, err := descend(cmd.Options, words)
		if err != nil {
			return nil, err
		}
		values, err := picker.values(leaf, options)
		if err != nil {
			return nil, err
		}
		for _, branch := range slices.Backward(path) {
			values = []optionValue{{Name: branch.Name, Type: branch.Type, Options: values}}
		}
		data.Options = values
	}
	data.Resolved = picker.all()
	s.deliver(in, data)
	return in, nil
}

// target resolves what a context-menu command is used on.
func (r *resolver) target(cmd *Command, ref string, data *commandData) error {
	if cmd.Type == commandMessage {
		p := r.state.postByID[ref]
		if p == nil || !p.visibleTo(r.viewer) || p.Message.ChannelID != r.channel.ID {
			return notFoundMessage(ref)
		}
		note(&r.found.Messages, ref, p.Message)
		data.TargetID = ref
		return nil
	}
	id, ok := r.user(ref)
	if !ok {
		return fmt.Errorf("%w: no user %q", ErrNotFound, ref)
	}
	data.TargetID = id
	return nil
}

// findCommand finds the command that a person means in a channel, and the words
// of its subcommand.
func (s *Sim) findCommand(who *account, ch *Channel, name string, menu bool) (cmd *Command, owners map[string]string, words []string, err error) {
	why := ""
	for _, id := range slices.SortedFunc(maps.Keys(s.state.commands), compareIDs) {
		cmd := s.state.commands[id]
		var words []string
		if menu {
			if cmd.Type == commandChat || cmd.Name != name {
				continue
			}
		} else {
			words = strings.Fields(name)
			if len(words) == 0 || cmd.Type != commandChat || cmd.Name != words[0] {
				continue
			}
			words = words[1:]
		}
		owners, reason := s.usable(cmd, who, ch)
		if reason == "" {
			return cmd, owners, words, nil
		}
		why = reason
	}
	if why != "" {
		return nil, nil, nil, fmt.Errorf("the command %q cannot be used here: %s", name, why)
	}
	return nil, nil, nil, fmt.Errorf("%w: no command %q", ErrNotFound, name)
}

// componentData is what an interaction tells of the component that was used.
type componentData struct {
	CustomID string    `json:"custom_id"`
	Type     int       `json:"component_type"`
	ID       int       `json:"id"`
	Values   []string  `json:"values,omitempty"`
	Resolved *resolved `json:"resolved,omitempty"`
}

// clickable finds a message that a person sees and the interaction that using
// one of its components begins.
func (s *Sim) clickable(as, message string) (*interaction, error) {
	who, err := s.person(as)
	if err != nil {
		return nil, err
	}
	p := s.state.postByID[message]
	if p == nil || !s.sees(who.ID, p) {
		return nil, notFoundMessage(message)
	}
	m := p.Message
	if !m.Author.Bot {
		return nil, fmt.Errorf("%w: message %s has no components", ErrUnavailable, message)
	}
	in := &interaction{kind: interactionComponent, app: m.Author.ID, who: who, channel: s.state.channels[m.ChannelID], message: p}
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

func (s *Sim) click(as, message string, b Button) (*interaction, error) {
	in, err := s.clickable(as, message)
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
	s.deliver(in, componentData{CustomID: pressed.CustomID, Type: componentButton, ID: pressed.ID})
	return in, nil
}

// find the button that is meant.
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

func (s *Sim) choose(as, message, customID string, values []string, forge bool) (*interaction, error) {
	in, err := s.clickable(as, message)
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
	picker := &resolver{state: s.state, viewer: in.who.ID, channel: in.channel}
	if !forge {
		if values, err = picker.picked(*used, values); err != nil {
			return nil, err
		}
	}
	s.deliver(in, componentData{CustomID: customID, Type: used.Type, ID: used.ID, Values: values, Resolved: picker.all()})
	return in, nil
}

// picked checks the values of a select and turns names into ids.
func (r *resolver) picked(c Component, values []string) ([]string, error) {
	least, most := 1, 1
	if c.MinValues != nil {
		least = *c.MinValues
	}
	if c.MaxValues != nil {
		most = *c.MaxValues
	}
	if len(values) < least || len(values) > most {
		return nil, fmt.Errorf("the select %q takes %d to %d values, not %d", c.CustomID, least, most, len(values))
	}
	kinds := map[int]int{
		componentUserSelect: optionUser, componentRoleSelect: optionRole,
		componentMentionableSelect: optionMentionable, componentChannelSelect: optionChannel,
	}
	picked := make([]string, 0, len(values))
	for _, v := range values {
		if c.Type == componentStringSelect {
			if !slices.ContainsFunc(c.Options, func(o SelectOption) bool { return o.Value == v }) {
				return nil, fmt.Errorf("the select %q has no option %q", c.CustomID, v)
			}
			picked = append(picked, v)
			continue
		}
		id, err := r.pick(kinds[c.Type], v)
		if err != nil {
			return nil, err
		}
		picked = append(picked, id)
	}
	return picked, nil
}

// modalData is what an interaction tells of a submitted modal.
type modalData struct {
	CustomID   string      `json:"custom_id"`
	Components []Component `json:"components"`
}

// submission begins the interaction that sending a modal is.
func (s *Sim) submission(as, opener string, fields map[string]string) func() (*interaction, error) {
	return func() (*interaction, error) {
		who, err := s.person(as)
		if err != nil {
			return nil, err
		}
		opened := s.interaction(opener)
		if opened == nil || opened.modal == nil || opened.who.ID != who.ID {
			return nil, fmt.Errorf("%w: no modal of interaction %q", ErrNotFound, opener)
		}
		components, err := filled(opened.modal.Components, fields)
		if err != nil {
			return nil, err
		}
		in := &interaction{
			kind: interactionModal, app: opened.app, who: who, channel: opened.channel,
			owners: opened.owners, trigger: opened.metadata(),
		}
		if opened.message != nil {
			if in.message = s.state.postByID[opened.message.Message.ID]; in.message == nil {
				return nil, notFoundMessage(opened.message.Message.ID)
			}
		}
		s.deliver(in, modalData{opened.modal.CustomID, components})
		return in, nil
	}
}

// filled are the components of a modal as they are sent back: with the values,
// and little else.
func filled(components []Component, fields map[string]string) ([]Component, error) {
	known := map[string]bool{}
	sent, err := fill(components, fields, known)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		if !known[id] {
			return nil, fmt.Errorf("the modal has no input %q", id)
		}
	}
	return sent, nil
}

func fill(components []Component, fields map[string]string, known map[string]bool) ([]Component, error) {
	var sent []Component
	for _, c := range components {
		out := Component{Type: c.Type, ID: c.ID, CustomID: c.CustomID}
		if c.isInput() {
			known[c.CustomID] = true
			value, given := fields[c.CustomID]
			if !given {
				value = c.Value
			}
			if err := c.accepts(value); err != nil {
				return nil, err
			}
			if out.Value = value; c.isSelect() {
				out.Value, out.Values = "", []string{value}
			}
		}
		var err error
		if out.Components, err = fill(c.Components, fields, known); err != nil {
			return nil, err
		}
		if c.Component != nil {
			inner, err := fill([]Component{*c.Component}, fields, known)
			if err != nil {
				return nil, err
			}
			out.Component = &inner[0]
		}
		sent = append(sent, out)
	}
	return sent, nil
}

// accepts checks a text as the client's form does.
func (c Component) accepts(value string) error {
	n := utf8.RuneCountInString(value)
	required := c.Required == nil || *c.Required
	switch {
	case n == 0 && required:
		return fmt.Errorf("the input %q is required", c.CustomID)
	case n > 0 && c.MinLength != nil && n < *c.MinLength, c.MaxLength != nil && n > *c.MaxLength:
		return fmt.Errorf("a text of %d characters is too short or too long for the input %q", n, c.CustomID)
	}
	return nil
}
