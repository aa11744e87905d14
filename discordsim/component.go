package discordsim

import (
	"cmp"
	"encoding/json"
)

// The component types that the simulator treats differently.
const (
	componentButton            = 2
	componentStringSelect      = 3
	componentTextInput         = 4
	componentUserSelect        = 5
	componentRoleSelect        = 6
	componentMentionableSelect = 7
	componentChannelSelect     = 8
	componentTextDisplay       = 10
	componentThumbnail         = 11
	componentFile              = 13
	componentSeparator         = 14
	componentContainer         = 17
	componentFileUpload        = 19
	componentRadioGroup        = 21
	componentCheckboxGroup     = 22
	componentCheckbox          = 23
)

// The styles of buttons that send no interaction: a link button opens a URL, a
// premium button sells a SKU.
const (
	buttonLink    = 5
	buttonPremium = 6
)

// Component is any of Discord's message and modal components, nested as received.
// The type decides which fields have a meaning.
type Component struct {
	Type          int             `json:"type"`
	ID            int             `json:"id,omitempty"`
	CustomID      string          `json:"custom_id,omitempty"`
	Style         int             `json:"style,omitempty"`
	Label         string          `json:"label,omitempty"`
	Description   json.RawMessage `json:"description,omitempty"`
	Emoji         *Emoji          `json:"emoji,omitempty"`
	URL           string          `json:"url,omitempty"`
	SKU           snowflake       `json:"sku_id,omitempty"`
	Disabled      bool            `json:"disabled,omitempty"`
	Content       string          `json:"content,omitempty"`
	Options       []SelectOption  `json:"options,omitempty"`
	Placeholder   string          `json:"placeholder,omitempty"`
	MinValues     *int            `json:"min_values,omitempty"`
	MaxValues     *int            `json:"max_values,omitempty"`
	MinLength     *int            `json:"min_length,omitempty"`
	MaxLength     *int            `json:"max_length,omitempty"`
	Required      *bool           `json:"required,omitempty"`
	Value         string          `json:"value,omitempty"`
	Default       bool            `json:"default,omitempty"`
	DefaultValues json.RawMessage `json:"default_values,omitempty"`
	ChannelTypes  []int           `json:"channel_types,omitempty"`
	FileTypes     []string        `json:"file_types,omitempty"`
	AccentColor   json.RawMessage `json:"accent_color,omitempty"`
	Spoiler       *bool           `json:"spoiler,omitempty"`
	Divider       *bool           `json:"divider,omitempty"`
	Spacing       int             `json:"spacing,omitempty"`
	Media         json.RawMessage `json:"media,omitempty"`
	Items         json.RawMessage `json:"items,omitempty"`
	File          json.RawMessage `json:"file,omitempty"`
	Name          string          `json:"name,omitempty"`
	Size          *int            `json:"size,omitempty"`
	Accessory     *Component      `json:"accessory,omitempty"`
	Component     *Component      `json:"component,omitempty"`
	Components    []Component     `json:"components,omitempty"`
}

// Emoji is the emoji of a button or an option: a Unicode emoji by Name, or a
// custom emoji by ID.
type Emoji struct {
	ID       snowflake `json:"id,omitempty"`
	Name     string    `json:"name,omitempty"`
	Animated bool      `json:"animated,omitempty"`
}

// SelectOption is one entry of a string select.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// walk visits every component in reading order and lets visit change it.
func walk(components []Component, visit func(*Component)) {
	for i := range components {
		components[i].walk(visit)
	}
}

func (c *Component) walk(visit func(*Component)) {
	visit(c)
	walk(c.Components, visit)
	for _, nested := range [...]*Component{c.Accessory, c.Component} {
		if nested != nil {
			nested.walk(visit)
		}
	}
}

// complete fills in the fields that Discord sets where the bot did not.
func (c *Component) complete() {
	one, yes, no := 1, true, false
	null := json.RawMessage("null")
	switch {
	case c.Type == componentContainer:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
		if c.AccentColor == nil {
			c.AccentColor = null
		}
	case c.Type == componentThumbnail:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
		if c.Description == nil {
			c.Description = null
		}
	case c.Type == componentFile:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
	case c.isSelect():
		c.MinValues, c.MaxValues = cmp.Or(c.MinValues, &one), cmp.Or(c.MaxValues, &one)
	case c.Type == componentSeparator:
		c.Divider, c.Spacing = cmp.Or(c.Divider, &yes), cmp.Or(c.Spacing, 1)
	}
}

// number gives an id to every component without one.
func number(components []Component) {
	taken := map[int]bool{}
	walk(components, func(c *Component) { taken[c.ID] = true })
	next := 1
	walk(components, func(c *Component) {
		if c.ID != 0 {
			return
		}
		for taken[next] {
			next++
		}
		c.ID = next
		next++
	})
}

// find returns a copy of the first component that satisfies is, or nil.
func find(components []Component, is func(Component) bool) *Component {
	var found *Component
	walk(components, func(c *Component) {
		if found == nil && is(*c) {
			clone := *c
			found = &clone
		}
	})
	return found
}

func (c Component) isSelect() bool {
	return c.Type == componentStringSelect || c.Type >= componentUserSelect && c.Type <= componentChannelSelect
}
