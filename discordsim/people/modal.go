package people

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"tictactoe/discordsim/world"
)

// modalData is the data of a modal-submit interaction.
type modalData struct {
	CustomID   string      `json:"custom_id"`
	Components []submitted `json:"components"`
	Resolved   *resolved   `json:"resolved,omitempty"`
}

// submitted is a component of a submitted modal, with its value.
type submitted struct {
	Type       int         `json:"type"`
	ID         int         `json:"id"`
	CustomID   string      `json:"custom_id,omitempty"`
	Value      any         `json:"value,omitempty"`
	Values     *[]string   `json:"values,omitempty"`
	Component  *submitted  `json:"component,omitempty"`
	Components []submitted `json:"components,omitempty"`
}

// StartSubmit begins a modal-submit interaction. A forged submission
// has values that no client would send, and the given custom_id if it is not empty.
func (u *User) StartSubmit(opener, customID string, fields map[string]any, forge bool) (*world.Interaction, error) {
	who, err := u.w.State.Person(u.ref)
	if err != nil {
		return nil, err
	}
	opened := u.w.Interactions.Find(opener)
	if opened == nil || opened.Modal == nil || opened.User.ID != who.ID {
		return nil, fmt.Errorf("%w: no modal of interaction %q", world.ErrNotFound, opener)
	}
	if ch := u.w.State.Channels[opened.Channel.ID]; ch == nil || !u.w.State.Permissions(who.ID, ch).Has(world.ViewChannel) {
		return nil, fmt.Errorf("%w: %s does not see the channel of the modal any more", world.ErrNotFound, who.Username)
	}
	if err := u.silenced(who, opened.Channel.ID); err != nil {
		return nil, err
	}
	in := &world.Interaction{
		Type: world.InteractionModal, ApplicationID: opened.ApplicationID, User: who, Channel: opened.Channel,
		Owners: opened.Owners, Trigger: opened.Metadata(),
	}
	if opened.Message != nil {
		if in.Message = u.w.State.PostByID[opened.Message.Message.ID]; in.Message == nil {
			return nil, world.NotFoundMessage(opened.Message.Message.ID)
		}
	}
	form := &form{
		fields: fields, known: map[string]bool{},
		picker: &resolver{w: u.w, viewer: who.ID, app: opened.ApplicationID, channel: opened.Channel, forge: forge},
	}
	components, err := form.fill(opened.Modal.Components)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Sorted(maps.Keys(fields)) {
		if !form.known[id] && !forge {
			return nil, fmt.Errorf("the modal has no input %q", id)
		}
	}
	u.w.Interactions.Deliver(in, modalData{cmp.Or(customID, opened.Modal.CustomID), components, form.picker.objects()})
	return in, nil
}

// form is a modal that is being filled in.
type form struct {
	fields map[string]any
	known  map[string]bool // the modal's inputs, by custom_id
	picker *resolver
}

func (f *form) fill(components []world.Component) ([]submitted, error) {
	var sent []submitted
	for _, c := range components {
		out := submitted{Type: c.Type, ID: c.ID, CustomID: c.CustomID}
		if c.CustomID != "" {
			f.known[c.CustomID] = true
			given, named := f.fields[c.CustomID]
			if !named {
				given = preset(c)
			}
			if err := f.input(c, given, &out); err != nil {
				return nil, err
			}
		}
		var err error
		if out.Components, err = f.fill(c.Components); err != nil {
			return nil, err
		}
		if c.Component != nil {
			inner, err := f.fill([]world.Component{*c.Component})
			if err != nil {
				return nil, err
			}
			out.Component = &inner[0]
		}
		sent = append(sent, out)
	}
	return sent, nil
}

// preset returns the value of an input that the person leaves unchanged.
func preset(c world.Component) any {
	switch c.Type {
	case world.ComponentTextInput:
		return c.Value
	case world.ComponentCheckbox:
		return c.Default
	}
	chosen := []any{}
	for _, o := range c.Options {
		if o.Default {
			chosen = append(chosen, o.Value)
		}
	}
	var others []struct{ ID string }
	if json.Unmarshal(c.DefaultValues, &others) == nil {
		for _, o := range others {
			chosen = append(chosen, o.ID)
		}
	}
	return chosen
}

// input checks a value as the client's form does, and sets it in out.
func (f *form) input(c world.Component, given any, out *submitted) error {
	switch c.Type {
	case world.ComponentTextInput:
		text, ok := given.(string)
		if !ok {
			return fmt.Errorf("the input %q takes a text", c.CustomID)
		}
		out.Value = text
		if f.picker.forge {
			return nil
		}
		return accepts(c, text)
	case world.ComponentCheckbox:
		ticked, ok := given.(bool)
		if !ok {
			return fmt.Errorf("the checkbox %q takes true or false", c.CustomID)
		}
		out.Value = ticked
		return nil
	}
	list := asList(given)
	if c.Type == world.ComponentFileUpload {
		least, most := span(c)
		if len(list) < least || len(list) > most {
			return fmt.Errorf("the input %q takes %d to %d files, not %d", c.CustomID, least, most, len(list))
		}
		values := []string{}
		for _, item := range list {
			id, err := f.picker.upload(item, c.FileTypes)
			if err != nil {
				return fmt.Errorf("the input %q: %w", c.CustomID, err)
			}
			values = append(values, id)
		}
		out.Values = &values
		return nil
	}
	names := make([]string, 0, len(list))
	for _, item := range list {
		name, ok := item.(string)
		if !ok {
			return fmt.Errorf("the input %q takes names, ids or values", c.CustomID)
		}
		names = append(names, name)
	}
	values, err := f.picker.picked(c, names)
	if err != nil {
		return err
	}
	if c.Type != world.ComponentRadioGroup {
		out.Values = &values
		return nil
	}
	if len(values) > 0 {
		out.Value = values[0]
	}
	return nil
}

// asList returns a list; a single value becomes a list of one.
func asList(given any) []any {
	switch given := given.(type) {
	case []any:
		return given
	case []string:
		list := make([]any, len(given))
		for i := range given {
			list[i] = given[i]
		}
		return list
	}
	return []any{given}
}

// span returns how many values a select or a group of a message or modal takes. A
// modal's input that is not required may be left empty.
func span(c world.Component) (least, most int) {
	least, most = 1, 1
	if c.Type == world.ComponentCheckboxGroup {
		most = len(c.Options)
	}
	if c.MinValues != nil {
		least = *c.MinValues
	}
	if c.MaxValues != nil {
		most = *c.MaxValues
	}
	if c.Required != nil && !*c.Required {
		least = 0
	}
	return least, most
}

// accepts returns an error for a text that the client's form refuses.
func accepts(c world.Component, value string) error {
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
