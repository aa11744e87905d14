package bot

import "github.com/bwmarrin/discordgo"

// The components of nearly every message, without discordgo's MarshalJSON methods: those marshal each level by itself, and every
// level around it reads the result once more.
type (
	plainContainer discordgo.Container
	plainRow       discordgo.ActionsRow
	plainButton    discordgo.Button
	plainText      discordgo.TextDisplay
)

// plain are components as discordgo would write them, to be marshalled in one go. They are never null.
func plain(components []discordgo.MessageComponent) []any {
	all := make([]any, len(components))
	for i, component := range components {
		all[i] = component
		switch c := component.(type) {
		case discordgo.Container:
			all[i] = &struct {
				plainContainer
				Components []any                   `json:"components"`
				Type       discordgo.ComponentType `json:"type"`
			}{plainContainer(c), plain(c.Components), c.Type()}
		case discordgo.ActionsRow:
			all[i] = &struct {
				plainRow
				Components []any                   `json:"components"`
				Type       discordgo.ComponentType `json:"type"`
			}{plainRow(c), plain(c.Components), c.Type()}
		case discordgo.Button:
			if c.Style == 0 {
				c.Style = discordgo.PrimaryButton
			}
			all[i] = &struct {
				plainButton
				Type discordgo.ComponentType `json:"type"`
			}{plainButton(c), c.Type()}
		case discordgo.TextDisplay:
			all[i] = &struct {
				plainText
				Type discordgo.ComponentType `json:"type"`
			}{plainText(c), c.Type()}
		}
	}
	return all
}
