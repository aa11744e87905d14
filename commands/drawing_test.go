package commands_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/longtest"
)

// callbackBody is the body of an interaction callback, with all fields that this bot uses.
type callbackBody struct {
	Type int
	Data struct {
		CustomID   string `json:"custom_id"` // the custom_id of a modal, like the title
		Title      string
		Flags      discordgo.MessageFlags
		Embeds     []struct{}
		Components []part
		Choices    []struct{ Name, Value string }
		Mentions   struct{ Parse, Users, Roles []string } `json:"allowed_mentions"`
		Files      []struct {
			ID                    int
			Filename, Description string
		} `json:"attachments"`
	}
}

// part is a component of any type.
type part struct {
	Type                discordgo.ComponentType
	Components          []part
	Component           *part
	Accent              int `json:"accent_color"`
	Spoiler             bool
	Content, Label, URL string
	Description, Value  string
	CustomID            string `json:"custom_id"`
	Style               int
	Disabled, Required  bool
	Placeholder         string
	Emoji               struct{ Name string }
	File                struct{ URL string }
	Items               []struct {
		Media       struct{ URL string }
		Description string
		Spoiler     bool
	}
	MinValues    int                         `json:"min_values"`
	MaxValues    int                         `json:"max_values"`
	MaxLength    int                         `json:"max_length"`
	ChannelTypes []int                       `json:"channel_types"`
	Defaults     []struct{ ID, Type string } `json:"default_values"`
	Options      []struct {
		Label, Value, Description string
		Default                   bool
	}
}

// labelComponent is the type of the component around an input of a modal. discordgo does not know it.
const labelComponent discordgo.ComponentType = 18

// draw writes a callback as text with the layout of a screen:
//
//	update
//	box #5865f2
//	  │ ### **Alice** ❌ vs ⭕ **Bob**                 a text display
//	  ⭕a1 ▫️b1 ▫️c1   grey   play:5rh:2:(a1 b1 c1)     a row of squares: their emojis and labels, styles and custom_ids
//	  ▫️a2 ❌b2 ▫️c2   grey blue grey   play:5rh:2:(a2 b2 c2)
//	  [Resign | grey | resign:5rh:2]                  a button: its label, style and custom_id; "off" if it is disabled
//	  [Time per move ▾ | 1 to 1 choices | clock] a select menu, with its options and which of them are chosen
//	    ✓ 1 minute | 1m
//
// It fails for an unknown field or number, so that the drawing never omits a part of the callback silently.
func draw(callback []byte) (string, error) {
	var body callbackBody
	decoder := json.NewDecoder(bytes.NewReader(callback))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return "", fmt.Errorf("draw a callback: %w", err)
	}
	d, data := drawing{}, body.Data
	plain := data.Flags&discordgo.MessageFlagsIsComponentsV2 == 0 && (body.Type == 4 || body.Type == 7)
	other := data.Flags &^ (discordgo.MessageFlagsEphemeral | discordgo.MessageFlagsIsComponentsV2)
	d.line("", joined(", ",
		d.word("callback type", body.Type, map[int]string{4: "post", 6: "quiet", 7: "update", 8: "suggest", 9: "modal"}),
		when(data.Flags&discordgo.MessageFlagsEphemeral != 0, "private"),
		when(plain, "without Components V2"), when(other != 0, fmt.Sprint("flags ", int(other))),
		when(data.Title != "", fmt.Sprintf("%q", data.Title)), data.CustomID,
		listed("pings ", data.Mentions.Users), listed("pings the role ", data.Mentions.Roles), listed("pings all ", data.Mentions.Parse)))
	for _, f := range data.Files {
		d.line("", joined(", ", fmt.Sprintf("attachment %d: %s", f.ID, f.Filename), when(f.Description != "", fmt.Sprintf("%q", f.Description))))
	}
	for _, c := range data.Choices {
		d.line("  ", c.Name+" | "+c.Value)
	}
	d.parts("", data.Components)
	return d.String(), d.err
}

// drawing is an unfinished drawing of a callback.
type drawing struct {
	strings.Builder
	err error // about the first unknown value
}

func (d *drawing) line(indent, text string) { d.WriteString(indent + text + "\n") }

// word returns the word for one of Discord's numbers.
func (d *drawing) word(of string, n int, words map[int]string) string {
	word, ok := words[n]
	if !ok && d.err == nil {
		d.err = fmt.Errorf("draw a callback: there is no word for %s %d", of, n)
	}
	return word
}

// parts draws components, with an empty line between two adjacent texts.
func (d *drawing) parts(indent string, parts []part) {
	for i, p := range parts {
		if i > 0 && p.Type == discordgo.TextDisplayComponent && parts[i-1].Type == p.Type {
			d.line("", "")
		}
		d.part(indent, p)
	}
}

func (d *drawing) part(indent string, p part) {
	switch p.Type {
	case discordgo.ContainerComponent:
		d.line(indent, joined(", ", fmt.Sprintf("box #%06x", p.Accent), when(p.Spoiler, "spoiler")))
		d.parts(indent+"  ", p.Components)
	case discordgo.TextDisplayComponent:
		for line := range strings.SplitSeq(p.Content, "\n") {
			d.line(indent, "│ "+line)
		}
	case discordgo.FileComponentType:
		d.line(indent, joined(", ", "file "+p.File.URL, when(p.Spoiler, "spoiler")))
	case discordgo.MediaGalleryComponent:
		for i, item := range p.Items {
			d.line(indent, joined(", ", fmt.Sprintf("picture %d: %s", i, item.Media.URL), fmt.Sprintf("%q", item.Description), when(item.Spoiler, "spoiler")))
		}
	case discordgo.ActionsRowComponent:
		d.row(indent, p.Components)
	case labelComponent:
		d.line(indent, joined(" ", p.Label+":", p.Description))
		if p.Component != nil {
			d.part(indent+"  ", *p.Component)
		}
	case discordgo.TextInputComponent:
		style := d.word("style of a text input", p.Style, map[int]string{1: "short", 2: "paragraph"})
		d.line(indent, token(cmp.Or(p.Value, "_____"), style, p.CustomID, fmt.Sprintf("up to %d characters", p.MaxLength), p.Placeholder, when(p.Required, "required")))
	default:
		d.menu(indent, p)
	}
}

// row draws a row of squares, other buttons, or a select menu.
func (d *drawing) row(indent string, parts []part) {
	if d.squares(indent, parts) {
		return
	}
	var buttons []string
	for _, p := range parts {
		if p.Type != discordgo.ButtonComponent {
			d.part(indent, p)
			continue
		}
		buttons = append(buttons, token(p.Emoji.Name, p.Label, d.style(p), when(p.Disabled, "off"), p.CustomID, p.URL))
	}
	if len(buttons) > 0 {
		d.line(indent, strings.Join(buttons, " "))
	}
}

func (d *drawing) style(button part) string {
	return d.word("style of a button", button.Style, map[int]string{1: "blue", 2: "grey", 3: "green", 4: "red", 5: "link"})
}

// squares draws a row of buttons that have an emoji and at most a square's name as the label, and whose custom_ids differ only in
// the last field. For any other row it draws nothing and returns false.
func (d *drawing) squares(indent string, parts []part) bool {
	var emojis, styles, on, names []string
	var prefix string
	for i, p := range parts {
		cut := strings.LastIndex(p.CustomID, ":") + 1
		if p.Type != discordgo.ButtonComponent || p.Emoji.Name == "" || len(p.Label) > len("b2") || p.URL != "" || i > 0 && p.CustomID[:cut] != prefix {
			return false
		}
		prefix = p.CustomID[:cut]
		emojis, names = append(emojis, p.Emoji.Name+p.Label), append(names, p.CustomID[cut:])
		styles, on = append(styles, d.style(p)), append(on, map[bool]string{false: "on", true: "off"}[p.Disabled])
	}
	d.line(indent, joined("   ", strings.Join(emojis, " "), shared(styles), when(slices.Contains(on, "off"), shared(on)),
		prefix+"("+strings.Join(names, " ")+")"))
	return true
}

func (d *drawing) menu(indent string, p part) {
	kind := d.word("component type", int(p.Type), map[int]string{3: "choices", 5: "people", 6: "roles", 8: "channels"})
	var types []string
	for _, n := range p.ChannelTypes {
		types = append(types, fmt.Sprint(n))
	}
	d.line(indent, token(p.Placeholder+" ▾", fmt.Sprintf("%d to %d %s", p.MinValues, p.MaxValues, kind), when(p.Disabled, "off"),
		p.CustomID, listed("types ", types)))
	for _, v := range p.Defaults {
		d.line(indent, "  ✓ "+v.Type+" "+v.ID)
	}
	for _, o := range p.Options {
		mark := map[bool]string{false: "  - ", true: "  ✓ "}[o.Default]
		d.line(indent, mark+joined(" | ", o.Label, o.Value, o.Description))
	}
}

// token returns the drawing of a component that can be clicked or filled in.
func token(fields ...string) string { return "[" + joined(" | ", fields...) + "]" }

// joined joins the fields that are not empty.
func joined(separator string, fields ...string) string {
	return strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == "" }), separator)
}

// shared returns the common word if all words are equal, and otherwise all words.
func shared(words []string) string {
	if len(slices.Compact(slices.Clone(words))) == 1 {
		return words[0]
	}
	return strings.Join(words, " ")
}

func listed(what string, list []string) string {
	return when(len(list) > 0, what+strings.Join(list, " "))
}

func when(is bool, word string) string {
	if is {
		return word
	}
	return ""
}

// drawn returns the drawing of a callback.
func drawn(t *testing.T, callback []byte) string {
	t.Helper()
	drawing, err := draw(callback)
	if err != nil {
		t.Fatal(err)
	}
	return drawing
}

// TestADrawingLeavesNothingOut changes each single value of every reply in turn, and removes each element of each list. Each time
// the drawing must differ or fail. Values at the same place of components of the same types are changed ten times.
func TestADrawingLeavesNothingOut(t *testing.T) {
	longtest.Only(t)
	tried := map[string]int{}
	for _, screens := range screens {
		for name, reply := range screens {
			t.Run(name, func(t *testing.T) {
				callback := callback(t, reply(newDesk(t)))
				want := drawn(t, callback)
				var body any
				if err := json.Unmarshal(callback, &body); err != nil {
					t.Fatal(err)
				}
				alter(body, "", func(any) {}, func(where string) {
					place := index.ReplaceAllString(where, "")
					if tried[place]++; tried[place] > 10 {
						return
					}
					other, err := json.Marshal(body)
					if err != nil {
						t.Fatal(err)
					}
					if got, err := draw(other); err == nil && got == want {
						t.Errorf("the drawing is the same with another %s", where)
					}
				})
			})
		}
	}
}

// index finds the indexes in what alter says of a place.
var index = regexp.MustCompile(`\[\d+\]`)

// alter calls try once for each single value, with this value changed, and once for each element of a list, with this element
// removed. set replaces value.
func alter(value any, where string, set func(any), try func(where string)) {
	switch value := value.(type) {
	case map[string]any:
		if kind, ok := value["type"]; ok {
			where += fmt.Sprint("<", kind, ">")
		}
		for name, v := range value {
			alter(v, where+"."+name, func(v any) { value[name] = v }, try)
		}
		return
	case []any:
		for i, v := range value {
			at := fmt.Sprintf("%s[%d]", where, i)
			alter(v, at, func(v any) { value[i] = v }, try)
			set(slices.Delete(slices.Clone(value), i, i+1))
			try(at + " gone")
			set(value)
		}
		return
	case string:
		set(value + " ")
	case float64:
		set(value + 1)
	case bool:
		set(!value)
	}
	try(where)
	set(value)
}
