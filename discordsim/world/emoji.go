package world

import (
	"regexp"
	"slices"
)

// MaxEmojis is how many emoji an application may have.
const MaxEmojis = 2000

// ApplicationEmoji is an emoji of an application, usable only by that application. It is immutable: a change stores a
// new value.
type ApplicationEmoji struct {
	ID          string `json:"id"`
	Application string `json:"application"`
	Name        string `json:"name"`
	Animated    bool   `json:"animated,omitempty"`
	Type        string `json:"type"` // such as image/png
	Data        []byte `json:"data"`
}

// EmojiOf finds an emoji of an application by its id, or returns nil.
func (st *State) EmojiOf(app, id string) *ApplicationEmoji {
	if e := st.Emojis[id]; e != nil && e.Application == app {
		return e
	}
	return nil
}

// EmojisOf lists an application's emoji, the oldest first.
func (st *State) EmojisOf(app string) []*ApplicationEmoji {
	var own []*ApplicationEmoji
	for _, e := range st.Emojis {
		if e.Application == app {
			own = append(own, e)
		}
	}
	slices.SortFunc(own, func(a, b *ApplicationEmoji) int { return CompareIDs(a.ID, b.ID) })
	return own
}

// customEmoji matches a custom emoji in a text, as clients write it.
var customEmoji = regexp.MustCompile(`<a?:(\w{2,32}):(\d{1,20})>`)

// EmojiText replaces the custom emoji in a text that the application does not own by their names.
func EmojiText(st *State, app, text string) string {
	return customEmoji.ReplaceAllStringFunc(text, func(written string) string {
		part := customEmoji.FindStringSubmatch(written)
		if st.EmojiOf(app, part[2]) != nil {
			return written
		}
		return ":" + part[1] + ":"
	})
}
