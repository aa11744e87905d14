package people

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"tictactoe/discordsim/world"
)

// Autocomplete asks a bot for suggestions while a person types the value of an
// option. The options map holds the values filled in so far, and may include the
// half-typed value of the focused option. Result.Choices has the suggestions.
func (u *User) Autocomplete(ctx context.Context, channel, name string, options map[string]any, focused string) (world.Result, error) {
	return u.settled(ctx, func() (*world.Interaction, error) {
		return u.startAutocomplete(channel, name, options, focused)
	})
}

// startAutocomplete starts an autocompletion. The caller holds the lock.
func (u *User) startAutocomplete(channel, name string, options map[string]any, focused string) (*world.Interaction, error) {
	use, err := u.useOf(channel, name, false)
	if err != nil {
		return nil, err
	}
	path, leaf, err := descend(use.cmd.Options, use.words)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !slices.ContainsFunc(leaf, func(o world.Option) bool { return o.Name == name }) {
			return nil, fmt.Errorf("there is no option %q", name)
		}
	}
	i := slices.IndexFunc(leaf, func(o world.Option) bool { return o.Name == focused })
	if i < 0 || !leaf[i].Autocomplete {
		return nil, fmt.Errorf("there is no option %q with autocomplete", focused)
	}
	in := use.interaction(world.InteractionAutocomplete, name)
	in.Focused = &leaf[i]
	picker := &resolver{w: u.w, viewer: in.User.ID, app: in.ApplicationID, channel: in.Channel}
	var values []optionValue
	for _, o := range leaf {
		given, is := options[o.Name]
		if o.Name == focused {
			if given == nil {
				given = ""
			}
			text := fmt.Sprint(given) // an unfinished value is sent as a text
			if n, is := given.(float64); is {
				text = strconv.FormatFloat(n, 'f', -1, 64)
			}
			values = append(values, optionValue{Name: o.Name, Type: o.Type, Value: text, Focused: true})
			continue
		}
		if !is {
			continue
		}
		// Discord does not check options before the command is sent; an option
		// with an invalid value is left out.
		if value, err := picker.value(o, given); err == nil {
			values = append(values, optionValue{Name: o.Name, Type: o.Type, Value: value})
		}
	}
	data := use.data()
	data.Options, data.Resolved = nest(path, values), picker.objects()
	u.w.Interactions.Deliver(in, data)
	return in, nil
}
