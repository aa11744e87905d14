package people

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// fileGroups are the extensions in each of Discord's file groups.
var fileGroups = map[string][]string{
	"image": {".png", ".gif", ".jpg", ".jpeg", ".jfif", ".webp", ".avif"},
	"video": {".mp4", ".mov", ".qt", ".webm"},
	"audio": {".mp3", ".m4a", ".wav", ".ogg", ".opus", ".flac"},
}

// offered returns an error for a file that the client does not offer, because its name has none of the given groups
// and extensions. Without any types, every file is offered.
func offered(name string, types []string) error {
	extension := strings.ToLower(path.Ext(name))
	fits := func(kind string) bool {
		return strings.ToLower(kind) == extension || slices.Contains(fileGroups[kind], extension)
	}
	if len(types) > 0 && !slices.ContainsFunc(types, fits) {
		return fmt.Errorf("the file %q is none of %s", name, strings.Join(types, ", "))
	}
	return nil
}

// commandData is the data of a command interaction.
type commandData struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Type     int           `json:"type"`
	GuildID  string        `json:"guild_id,omitempty"`
	Options  []optionValue `json:"options,omitempty"`
	Resolved *resolved     `json:"resolved,omitempty"`
	TargetID string        `json:"target_id,omitempty"`
}

// optionValue is an option with its value, or a subcommand with its options.
type optionValue struct {
	Name    string        `json:"name"`
	Type    int           `json:"type"`
	Value   any           `json:"value,omitempty"`
	Focused bool          `json:"focused,omitempty"`
	Options []optionValue `json:"options,omitzero"` // never nil for a subcommand, so the field is always sent
}

// resolved holds the objects for the ids in an interaction.
type resolved struct {
	Users       map[string]world.Profile       `json:"users,omitempty"`
	Members     map[string]resolvedMember      `json:"members,omitempty"`
	Channels    map[string]world.ChannelObject `json:"channels,omitempty"`
	Roles       map[string]world.Role          `json:"roles,omitempty"`
	Messages    map[string]*world.Message      `json:"messages,omitempty"`
	Attachments map[string]world.Attachment    `json:"attachments,omitempty"`
}

// resolvedMember is a member in the resolved objects of an interaction, where Discord omits user, deaf and mute: Deaf
// and Mute, always nil, hide the fields of GuildMember.
type resolvedMember struct {
	world.GuildMember
	Deaf *bool `json:"deaf,omitempty"`
	Mute *bool `json:"mute,omitempty"`
}

// resolver turns a person's input in a channel into ids, and collects the objects for them.
type resolver struct {
	w       *world.World
	viewer  string
	app     string // the application that gets the objects
	channel *world.Channel
	forge   bool // accept values that no client offers, without resolving them
	found   resolved
}

// objects returns the collected objects, or nil if there are none.
func (r *resolver) objects() *resolved {
	if r.found.Users == nil && r.found.Channels == nil && r.found.Roles == nil && r.found.Messages == nil &&
		r.found.Attachments == nil {
		return nil
	}
	return &r.found
}

func note[V any](m *map[string]V, key string, v V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = v
}

func (r *resolver) user(ref string) (id string, ok bool) {
	a := r.w.State.Account(strings.TrimPrefix(ref, "@"))
	if a == nil {
		return "", false
	}
	note(&r.found.Users, a.ID, a.Profile)
	if guild := r.w.State.Guilds[r.channel.GuildID]; guild != nil {
		if m := guild.Member(a.ID); m != nil {
			member := r.w.State.GuildMember(m)
			may := r.w.State.Permissions(a.ID, r.channel)
			member.User, member.Permissions = nil, &may
			note(&r.found.Members, a.ID, resolvedMember{GuildMember: member})
		}
	}
	return a.ID, true
}

// channelRef finds a channel of the server. If types is not empty, the channel
// must have one of the types.
func (r *resolver) channelRef(ref string, types []int) (id string, ok bool) {
	for _, id := range r.w.State.ChannelOrder {
		ch := r.w.State.Channels[id]
		if ch.GuildID == "" || ch.GuildID != r.channel.GuildID || ch.ID != ref && ch.Name != strings.TrimPrefix(ref, "#") {
			continue
		}
		if len(types) > 0 && !slices.Contains(types, ch.Type) || !r.w.State.Permissions(r.viewer, ch).Has(world.ViewChannel) {
			continue
		}
		object := r.w.State.ChannelObject(ch, r.viewer)
		may, app := r.w.State.Permissions(r.viewer, ch), r.w.State.AppPermissions(r.app, r.viewer, ch)
		object.Permissions, object.AppPermissions, object.Overwrites = &may, &app, nil
		note(&r.found.Channels, id, object)
		return id, true
	}
	return "", false
}

func (r *resolver) role(ref string) (id string, ok bool) {
	if guild := r.w.State.Guilds[r.channel.GuildID]; guild != nil {
		for _, role := range guild.Roles {
			if role.ID == ref || role.Name == ref {
				note(&r.found.Roles, role.ID, role)
				return role.ID, true
			}
		}
	}
	return "", false
}

// descend follows the words after a command's name to its subcommand, and returns
// the options of the subcommand.
func descend(options []world.Option, words []string) (path []world.Option, leaf []world.Option, err error) {
	branches := func(o world.Option) bool { return o.Type == world.OptionSubcommand || o.Type == world.OptionGroup }
	for {
		if !slices.ContainsFunc(options, branches) {
			if len(words) > 0 {
				return nil, nil, fmt.Errorf("%w: no subcommand %q", world.ErrNotFound, words[0])
			}
			return path, options, nil
		}
		if len(words) == 0 {
			return nil, nil, fmt.Errorf("a subcommand is missing: the command cannot be used alone")
		}
		i := slices.IndexFunc(options, func(o world.Option) bool { return branches(o) && o.Name == words[0] })
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: no subcommand %q", world.ErrNotFound, words[0])
		}
		path, options, words = append(path, options[i]), options[i].Options, words[1:]
	}
}

// values checks the given options against the declared options and returns them
// in the form used by an interaction, in the declared order.
func (r *resolver) values(declared []world.Option, given map[string]any) ([]optionValue, error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !r.forge && !slices.ContainsFunc(declared, func(o world.Option) bool { return o.Name == name }) {
			return nil, fmt.Errorf("there is no option %q", name)
		}
	}
	var values []optionValue
	for _, o := range declared {
		v, is := given[o.Name]
		if !is {
			if o.Required && !r.forge {
				return nil, fmt.Errorf("the option %q is required", o.Name)
			}
			continue
		}
		value, err := r.value(o, v)
		if err != nil && r.forge {
			value, err = v, nil
		}
		if err != nil {
			return nil, fmt.Errorf("option %q: %w", o.Name, err)
		}
		values = append(values, optionValue{Name: o.Name, Type: o.Type, Value: value})
	}
	return values, nil
}

// value checks one option's value.
func (r *resolver) value(o world.Option, given any) (any, error) {
	if n, ok := asNumber(given); ok {
		given = n
	}
	if len(o.Choices) > 0 {
		return choiceValue(o, given)
	}
	switch o.Type {
	case world.OptionString:
		return textValue(o, given)
	case world.OptionInteger, world.OptionNumber:
		return numberValue(o, given)
	case world.OptionBoolean:
		if _, ok := given.(bool); !ok {
			return nil, fmt.Errorf("%v is neither true nor false", given)
		}
		return given, nil
	case world.OptionAttachment:
		return r.upload(given, o.FileTypes)
	}
	ref, ok := given.(string)
	if !ok {
		return nil, fmt.Errorf("%v is neither a name nor an id", given)
	}
	return r.pick(o.Type, ref, o.ChannelTypes)
}

// choiceValue returns the value of a choice given by value or name.
func choiceValue(o world.Option, given any) (any, error) {
	for _, c := range o.Choices {
		if n, ok := asNumber(c.Value); ok && given == n {
			return n, nil
		}
		if given == c.Value || given == c.Name {
			return c.Value, nil
		}
	}
	return nil, fmt.Errorf("%v is not one of its choices", given)
}

func textValue(o world.Option, given any) (any, error) {
	text, ok := given.(string)
	if !ok {
		return nil, fmt.Errorf("%v is not a text", given)
	}
	n := utf8.RuneCountInString(text)
	if o.MinLength != nil && n < *o.MinLength || o.MaxLength != nil && n > *o.MaxLength {
		return nil, fmt.Errorf("a text of %d characters is too short or too long", n)
	}
	return text, nil
}

func numberValue(o world.Option, given any) (any, error) {
	n, ok := given.(float64)
	if !ok || o.Type == world.OptionInteger && n != math.Trunc(n) {
		return nil, fmt.Errorf("%v is not a number of this kind", given)
	}
	if o.MinValue != nil && n < *o.MinValue || o.MaxValue != nil && n > *o.MaxValue {
		return nil, fmt.Errorf("%v is too small or too large", n)
	}
	return n, nil
}

// upload stores a file given as {"filename":..,"data":"<base64>"}, which must
// have one of the types.
func (r *resolver) upload(given any, types []string) (id string, err error) {
	var chosen struct {
		Filename string `json:"filename"`
		Data     []byte `json:"data"`
	}
	text, err := json.Marshal(given)
	if err == nil {
		err = json.Unmarshal(text, &chosen)
	}
	switch {
	case err != nil || chosen.Filename == "":
		return "", fmt.Errorf(`a file is given as {"filename":"a.txt","data":"<base64>"}`)
	case len(chosen.Data) > check.MaxFileSize:
		return "", fmt.Errorf("a file of %d bytes is too large", len(chosen.Data))
	}
	if err := offered(chosen.Filename, types); err != nil {
		return "", err
	}
	f := r.w.Messages.NewFile(world.Upload{Name: chosen.Filename, Data: chosen.Data}, r.channel.ID, "")
	r.w.Put(world.Change{File: f})
	note(&r.found.Attachments, f.ID, r.w.Attachment(f))
	return f.ID, nil
}

// pick resolves a name or an id to an object of the option's type.
func (r *resolver) pick(kind int, ref string, channelTypes []int) (id string, err error) {
	var ok bool
	switch kind {
	case world.OptionUser:
		id, ok = r.user(ref)
	case world.OptionChannel:
		id, ok = r.channelRef(ref, channelTypes)
	case world.OptionRole:
		id, ok = r.role(ref)
	case world.OptionMentionable:
		if id, ok = r.user(ref); !ok {
			id, ok = r.role(ref)
		}
	default:
		return "", fmt.Errorf("options of type %d are not supported here", kind)
	}
	if !ok {
		return "", fmt.Errorf("there is no %q", ref)
	}
	return id, nil
}

// asNumber converts any numeric type of Go or JSON.
func asNumber(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	case int64:
		return float64(n), true
	case json.Number:
		f, err := n.Float64()
		return f, err == nil
	}
	return 0, false
}
