package commands

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// What the tests see of the inside.

// Handle answers an interaction as the router would let it be answered.
func (c *Commands) Handle(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	handler := bot.Handler(c.unknown)
	id, _ := parseCustomID(in.CustomID())
	switch data := in.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		if h, ok := c.slashCommands()[in.CommandPath()]; ok && data.CommandType != discordgo.UserApplicationCommand {
			handler = h
		} else if in.CommandPath() == challengeMenu {
			handler = c.challengeFromMenu
		}
	case discordgo.MessageComponentInteractionData:
		if h, ok := c.buttons()[id.verb]; ok {
			handler = c.parsed(h)
		}
	case discordgo.ModalSubmitInteractionData:
		if h, ok := c.modals()[id.verb]; ok {
			handler = c.parsed(h)
		}
	}
	return handler(ctx, in)
}

// CustomID is a custom_id with its fields open.
type CustomID struct {
	Verb   view.Verb
	ID     match.ID
	N      int
	Square string
	Word   string
	Board  string
}

func (c CustomID) String() string {
	return customID{c.Verb, c.ID, c.N, c.Square, c.Word, c.Board}.String()
}

func ParseCustomID(text string) (CustomID, error) {
	c, err := parseCustomID(text)
	return CustomID{c.verb, c.id, c.n, c.square, c.word, c.board}, err
}

// Fields are the fields of a verb after it; false for no verb.
func Fields(v view.Verb) (string, bool) { return fields(v) }

// Verbs are those that buttons have.
func Verbs() []view.Verb {
	var verbs []view.Verb
	for v := range (&Commands{}).buttons() {
		verbs = append(verbs, v)
	}
	return verbs
}

var (
	ErrCustomID = errCustomID
	IDOf        = idOf
	CleanName   = cleanName
	Exported    = exported
)

const (
	MaxCustomID  = maxCustomID
	MaxListed    = maxListed
	EntriesAPage = entriesAPage
)

// Encoded is a screen as Discord gets it, with links to these boards at that site.
func Encoded(s view.Screen, words locale.Words, boards map[match.ID]board.Board, site string) []discordgo.MessageComponent {
	return encode(s, words, discordStyle{boards: boards, site: site})
}

// Size is how much text is in components, as it is counted.
var Size = size

const MaxText = maxText

// Styled writes a name as Discord gets it.
func Styled(name string) string { return discordStyle{}.Name(name) }
