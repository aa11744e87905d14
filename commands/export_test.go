package commands

import (
	"context"
	"reflect"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// This file gives the tests access to unexported parts of the package.

// Handle answers an interaction in the same way as the router.
func (c *Commands) Handle(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	class, name := slashCommands, in.CommandPath()
	verb, _, _ := strings.Cut(in.CustomID(), ":")
	switch data := in.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if data.CommandType == discordgo.UserApplicationCommand {
			class = userMenus
		}
		if in.Type == discordgo.InteractionApplicationCommandAutocomplete {
			class = suggestions
		}
	case discordgo.MessageComponentInteractionData:
		class, name = components, verb
	case discordgo.ModalSubmitInteractionData:
		class, name = modals, verb
	}
	for _, r := range c.routes() {
		if r.class == class && r.name == name {
			return c.handler(r)(ctx, in)
		}
	}
	return c.unknown(ctx, newInteraction(in))
}

// ParseCustomID parses a custom_id into an action.
func ParseCustomID(text string) (view.Action, error) {
	id, err := parseCustomID(text)
	return id.action, err
}

// Verbs returns the verbs of all custom_ids, each with an action of its type.
func Verbs() map[string]view.Action {
	verbs := map[string]view.Action{}
	for _, c := range codecs() {
		verbs[c.verb] = reflect.New(c.action).Elem().Interface().(view.Action)
	}
	return verbs
}

var (
	CustomIDOf  = customIDOf
	ErrCustomID = errCustomID
	IDOf        = idOf
	CleanName   = cleanName
	Exported    = exported
)

const (
	MaxCustomID = maxCustomID
	MaxListed   = maxListed
)

// Encoded returns a screen in the form that Discord gets, with links to the given boards at the given site, and with the bot's own
// emoji.
func Encoded(s view.Screen, words locale.Words, boards map[match.ID]board.Board, site string) []discordgo.MessageComponent {
	own := emoji.Drawn{}
	for _, e := range emoji.Set() {
		own[e.Name] = "18446744073709551615"
	}
	ids := new(bot.CommandIDs)
	ids.Registered([]*discordgo.ApplicationCommand{{Name: "tictactoe", ID: "18446744073709551615"}})
	return encode(s, words, discordStyle{boards: boards, site: site, emoji: own, ids: ids})
}

// Size returns how much text components contain, as the bot counts it.
var Size = size

const MaxText = maxText

// Shown returns the private reply that shows a screen.
func (c *Commands) Shown(in *bot.Interaction, s view.Screen) bot.Reply {
	reply, err := c.privately(context.Background(), newInteraction(in), s, nil)
	if err != nil {
		panic(err)
	}
	return reply
}

// Styled returns a name in the form that Discord gets.
func Styled(name string) string { return discordStyle{}.Name(name) }

// EncodeWith draws a screen with the given emoji, in English.
func EncodeWith(s view.Screen, book *locale.Book, drawn emoji.Drawn) []discordgo.MessageComponent {
	return encode(s, book.In(""), discordStyle{emoji: drawn})
}
