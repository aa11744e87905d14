package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
)

// Handler answers an interaction by returning the reply; it never sends anything. ctx ends after at most eight seconds. It returns an error
// only for an unexpected failure, which is logged and shown by Config.Apology. A refusal is a Reply.
type Handler func(ctx context.Context, in *Interaction) (Reply, error)

// Kind says what a Reply does.
type Kind uint8

const (
	// Post writes a new message.
	Post Kind = iota
	// Update redraws the clicked message. It can only answer a component, or a modal opened from a component.
	Update
	// Ask opens Reply.Modal. It must not answer a modal, and must be ready at once: see ErrModalLate.
	Ask
	// Suggest lists Reply.Choices to a user who is typing an option. Handlers of [Router.Autocomplete] return this kind, and no others do.
	Suggest
)

// MaxChoices is how many choices Discord shows. The bot does not send the rest of a longer list.
const MaxChoices = 25

// String names the kind, for logs.
func (k Kind) String() string {
	return [...]string{Post: "post", Update: "update", Ask: "ask", Suggest: "suggest"}[k]
}

// Reply is the answer to an interaction.
type Reply struct {
	Kind Kind
	// Private shows a Post only to the user of the interaction.
	Private bool
	// Components is the whole message; its texts are text displays (Components V2).
	Components []discordgo.MessageComponent
	// Ping lists the ids of the users whom the message may notify if it mentions them. No other user is notified.
	Ping []string
	// PingRole is the id of the role that the message may notify if it mentions it, or empty.
	PingRole string
	// Files are sent with a Post or an Update. The components must show them, by the address "attachment://" and the name. An Update
	// removes the files of the message that it redraws.
	Files []rest.File
	// Wordy is sent in place of Components and Files if Discord refuses the reply with files. If Wordy is nil, there is no second attempt.
	Wordy []discordgo.MessageComponent
	// Clicked updates the clicked message after the Post. For this the callback is an acknowledgement, and both messages are sent with the
	// token. If Discord refuses the update, the clicked message stays unchanged.
	Clicked *Reply
	// Modal is the form that Ask opens.
	Modal *Modal
	// Choices are the suggestions of a Suggest.
	Choices []Choice
	// Refusal says why the request was refused, or is empty if it was not. It is a metric label, so there must be only a few different
	// texts.
	Refusal string
	// Sent, if set, is called once, when Discord has accepted or refused the reply. It must not block.
	Sent func(messages.Receipt)
}

// Modal is a form with inputs that Discord opens for the user.
type Modal struct {
	CustomID   string                       `json:"custom_id"`
	Title      string                       `json:"title"`
	Components []discordgo.MessageComponent `json:"components"`
}

// Choice is a suggested value for an option, and the name under which Discord lists it. Both have 1 to 100 characters; the name is plain
// text.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// ErrModalLate means that the interaction was acknowledged before the modal was ready. Discord opens a modal only as the first answer.
var ErrModalLate = errors.New("too late to open a modal")

// errUnfit means that Discord would refuse the reply as an answer to this interaction; see fits.
var errUnfit = errors.New("reply does not fit this interaction")

// fits returns an error, which wraps errUnfit, if Discord would refuse the reply as an answer to the interaction.
func (r Reply) fits(in *Interaction) error {
	var why string
	switch {
	case r.Kind == Update && in.Message == nil:
		why = "there is no message to update"
	case len(r.Files) > 0 && r.Kind != Post && r.Kind != Update:
		why = "only a message can have files"
	case r.Clicked != nil && (r.Kind != Post || in.Message == nil):
		why = "only a post has something clicked to update"
	case r.Kind == Ask && (r.Modal == nil || in.Type == discordgo.InteractionModalSubmit):
		why = "it asks without a modal, or asks back on a modal"
	case (r.Kind == Suggest) != in.typing():
		why = "suggestions are for an option that is being typed, and for nothing else"
	default:
		return nil
	}
	return fmt.Errorf("reply %v to %s: %w: %s", r.Kind, in.ID, errUnfit, why)
}

// callback returns the reply as a callback.
func (r Reply) callback() rest.Callback {
	switch r.Kind {
	case Update:
		return rest.Callback{Type: discordgo.InteractionResponseUpdateMessage, Data: r.body()}
	case Suggest:
		choices := append([]Choice{}, r.Choices[:min(MaxChoices, len(r.Choices))]...)
		return rest.Callback{Type: discordgo.InteractionApplicationCommandAutocompleteResult, Data: choicesBody{choices}}
	case Ask:
		return rest.Callback{Type: discordgo.InteractionResponseModal, Data: r.Modal}
	}
	return rest.Callback{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: r.message()}
}

type choicesBody struct {
	Choices []Choice `json:"choices"` // never null
}

// acknowledgement returns the callback that announces a late reply. If line is false, Discord shows nothing (type 6), and the late reply
// redraws the clicked message or is a new one. If line is true, Discord shows a private line "thinking" (type 5). A late private reply
// replaces that line; a late public reply is a separate message, and the line then points to it.
func acknowledgement(line bool) rest.Callback {
	if !line {
		return rest.Callback{Type: discordgo.InteractionResponseDeferredMessageUpdate}
	}
	return rest.Callback{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource, Data: struct {
		Flags discordgo.MessageFlags `json:"flags"`
	}{discordgo.MessageFlagsEphemeral}}
}

// message returns the reply in the form for a new message.
func (r Reply) message() rest.Message {
	body := r.body()
	if r.Private {
		body.Flags |= discordgo.MessageFlagsEphemeral
	}
	return body
}

// body returns the content of the reply. When an update by callback has no list of attachments, Discord removes the old ones.
func (r Reply) body() rest.Message {
	body := rest.NewMessage(r.Components, r.Ping)
	if r.PingRole != "" {
		body.AllowedMentions.Roles = []string{r.PingRole}
	}
	if len(r.Files) > 0 {
		all := make([]rest.Attachment, len(r.Files))
		for i, f := range r.Files {
			all[i] = rest.Attachment{ID: i, Name: f.Name, Description: f.Description}
		}
		body.Attachments = &all
	}
	return body
}

// edit returns the reply in the form for an edit of a message. The list of attachments is always there, because without it the old files
// would stay.
func (r Reply) edit() rest.Message {
	body := r.body()
	if body.Attachments == nil {
		body.Attachments = &[]rest.Attachment{}
	}
	return body
}

// inWords returns the reply with Wordy in place of the components and files.
func (r Reply) inWords() Reply {
	r.Components, r.Files, r.Wordy = r.Wordy, nil, nil
	if r.Clicked != nil && r.Clicked.Wordy != nil {
		clicked := r.Clicked.inWords()
		r.Clicked = &clicked
	}
	return r
}
