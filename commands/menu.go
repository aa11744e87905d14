package commands

import (
	"encoding/json"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/game"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// selection is a select in a row of its own.
func selection(s view.Select, words locale.Words, style labelStyle) discordgo.ActionsRow {
	menu := discordgo.SelectMenu{
		MenuType: discordgo.StringSelectMenu, CustomID: customIDOf(s.Do),
		Placeholder: words.Say(s.Hint, style), MinValues: &s.Min, MaxValues: s.Max,
	}
	for _, o := range s.Options {
		menu.Options = append(menu.Options, discordgo.SelectMenuOption{
			Label: cutName(words.Say(o.Label, style), maxChoiceLength), Value: o.Value, Default: o.Chosen,
		})
	}
	var of discordgo.SelectMenuDefaultValueType
	switch s.Of {
	case view.VenuePlaces:
		menu.MenuType, of = discordgo.ChannelSelectMenu, discordgo.SelectMenuDefaultValueChannel
		menu.ChannelTypes = []discordgo.ChannelType{
			discordgo.ChannelTypeGuildText, discordgo.ChannelTypeGuildVoice, discordgo.ChannelTypeGuildNews, discordgo.ChannelTypeGuildForum,
		}
	case view.AllPeople:
		menu.MenuType, of = discordgo.UserSelectMenu, discordgo.SelectMenuDefaultValueUser
	}
	for _, id := range s.Chosen {
		if !isSnowflake(id) { // Discord would refuse the whole message
			continue
		}
		menu.DefaultValues = append(menu.DefaultValues, discordgo.SelectMenuDefaultValue{ID: id, Type: of})
	}
	return discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}}
}

// labelStyle writes where Discord reads no markdown.
type labelStyle struct{ discordStyle }

// Name is the name, clean.
func (labelStyle) Name(name string) string { return isolated(cleanName(name)) }

// Title is the title, clean.
func (labelStyle) Title(title string) string { return isolated(cleanTitle(title)) }

// Date is the day in UTC.
func (labelStyle) Date(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// Mark is the emoji of everybody: no other is drawn there.
func (labelStyle) Mark(m game.Mark) string { return discordStyle{}.Mark(m) }

// Command is what one types.
func (labelStyle) Command(_, named string) string { return "/" + named }

// labeled is an input of a modal with its label, which discordgo v0.29 does not know.
type labeled struct {
	label    string
	id       string // custom_id of the input
	required bool
	most     int // characters
}

// Type is that of Discord's label.
func (labeled) Type() discordgo.ComponentType { return 18 }

// MarshalJSON writes it as Discord wants it: an input of one line, which itself has no label.
func (l labeled) MarshalJSON() ([]byte, error) {
	type input struct {
		Type      discordgo.ComponentType  `json:"type"`
		CustomID  string                   `json:"custom_id"`
		Style     discordgo.TextInputStyle `json:"style"`
		Required  bool                     `json:"required"`
		MaxLength int                      `json:"max_length"`
	}
	return json.Marshal(struct {
		Type      discordgo.ComponentType `json:"type"`
		Label     string                  `json:"label"`
		Component input                   `json:"component"`
	}{l.Type(), l.label, input{discordgo.TextInputComponent, l.id, discordgo.TextInputShort, l.required, l.most}})
}
