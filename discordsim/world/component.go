package world

import (
	"cmp"
	"encoding/json"
)

// The component types that the simulator treats differently.
const (
	ComponentButton            = 2
	ComponentStringSelect      = 3
	ComponentTextInput         = 4
	ComponentUserSelect        = 5
	ComponentRoleSelect        = 6
	ComponentMentionableSelect = 7
	ComponentChannelSelect     = 8
	ComponentTextDisplay       = 10
	ComponentThumbnail         = 11
	ComponentFile              = 13
	ComponentSeparator         = 14
	ComponentContainer         = 17
	ComponentFileUpload        = 19
	ComponentRadioGroup        = 21
	ComponentCheckboxGroup     = 22
	ComponentCheckbox          = 23
)

// Component is any of Discord's message and modal components, nested as received. Its type determines which fields have
// a meaning.
type Component struct {
	Type          int             `json:"type"`
	ID            int             `json:"id,omitempty"`
	CustomID      string          `json:"custom_id,omitempty"`
	Style         int             `json:"style,omitempty"`
	Label         string          `json:"label,omitempty"`
	Description   json.RawMessage `json:"description,omitempty"`
	Emoji         *Emoji          `json:"emoji,omitempty"`
	URL           string          `json:"url,omitempty"`
	SKU           Snowflake       `json:"sku_id,omitempty"`
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
	ID       Snowflake `json:"id,omitempty"`
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

// WalkComponents visits every component in reading order and lets visit change it.
func WalkComponents(components []Component, visit func(*Component)) {
	for i := range components {
		components[i].walk(visit)
	}
}

func (c *Component) walk(visit func(*Component)) {
	visit(c)
	WalkComponents(c.Components, visit)
	for _, nested := range [...]*Component{c.Accessory, c.Component} {
		if nested != nil {
			nested.walk(visit)
		}
	}
}

// Complete sets the fields that the bot omitted and for which Discord has a default.
func (c *Component) Complete() {
	one, yes, no := 1, true, false
	null := json.RawMessage("null")
	switch {
	case c.Type == ComponentContainer:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
		if c.AccentColor == nil {
			c.AccentColor = null
		}
	case c.Type == ComponentThumbnail:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
		if c.Description == nil {
			c.Description = null
		}
	case c.Type == ComponentFile:
		c.Spoiler = cmp.Or(c.Spoiler, &no)
	case c.IsSelect():
		c.MinValues, c.MaxValues = cmp.Or(c.MinValues, &one), cmp.Or(c.MaxValues, &one)
	case c.Type == ComponentSeparator:
		c.Divider, c.Spacing = cmp.Or(c.Divider, &yes), cmp.Or(c.Spacing, 1)
	}
}

// FindComponent returns a copy of the first component for which matches returns true, or nil.
func FindComponent(components []Component, matches func(Component) bool) *Component {
	var found *Component
	WalkComponents(components, func(c *Component) {
		if found == nil && matches(*c) {
			clone := *c
			found = &clone
		}
	})
	return found
}

// IsSelect reports whether the component is one of the selects.
func (c Component) IsSelect() bool {
	return c.Type == ComponentStringSelect || c.Type >= ComponentUserSelect && c.Type <= ComponentChannelSelect
}
