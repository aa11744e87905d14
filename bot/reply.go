package bot

import (
	"context"
	"errors"
	"fmt"
	"tictactoe/bot/rest"

	"github.com/bwmarrin/discordgo"
)

// Handler answers an interaction by returning the answer; it never sends anything. ctx ends after eight seconds. An error
// is for what nobody expected: it is logged and shown as Texts.Apology words it. A refusal is a Reply.
type Handler func(ctx context.Context, in *Interaction) (Reply, error)

// Kind is what a Reply does.
type Kind uint8

const (
	// Post writes a new message.
	Post Kind = iota
	// Update redraws the message that was clicked on. Only for components and modals opened from one.
	Update
	// Ask opens Reply.Modal. Not for modals, and only for work that is done at once: see ErrModalLate.
	Ask
	// Suggest lists Reply.Choices to a user who is typing an option. Only for [Router.Autocomplete], which takes nothing else.
	Suggest
)

// MaxChoices is how many choices Discord shows; of a longer list the first ones are sent.
const MaxChoices = 25

// String names the kind, for logs.
func (k Kind) String() string {
	return [...]string{Post: "post", Update: "update", Ask: "ask", Suggest: "suggest"}[k]
}

// Reply is the answer to an interaction.
type Reply struct {
	Kind Kind
	// Private shows a Post to the person alone.
	Private bool
	// Components is the whole message: text stands in text displays among them (Components V2).
	Components []discordgo.MessageComponent
	// Ping are the ids of the users whom the message may notify if it mentions them. Nobody else is notified.
	Ping []string
	// Files come with a Post or an Update. The components have to show them, by the address "attachment://" and the name. What an
	// Update redraws loses the files that it had.
	Files []rest.File
	// Wordy is shown in place of Components, and without the files, if Discord does not take those. If it is nil, the reply is
	// refused then like any other.
	Wordy []discordgo.MessageComponent
	// Clicked is an Update of the clicked message that is made once the Post is there. It is made by the token, so the callback is
	// an acknowledgement. If Discord refuses it, the clicked message stays as it is.
	Clicked *Reply
	// Modal is what Ask opens.
	Modal *Modal
	// Choices are what Suggest lists.
	Choices []Choice
	// Refusal says why the request was turned down, for metrics, so it must be one of few texts. Empty if it was not.
	Refusal string
	// Sent, if set, is called once, when Discord has accepted or refused the reply. It must not block.
	Sent func(Receipt)
}

// Modal is a form.
type Modal struct {
	CustomID, Title string
	Components      []discordgo.MessageComponent
}

// Choice is a value for an option. Both texts have 1 to 100 characters; the name is plain text.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Receipt tells what became of a reply.
type Receipt struct {
	// Message and Channel are the ids of the message that now shows the reply. They are empty if there is no such message. Message
	// is [rest.Original] for a private Post that was the callback, because its id would take another request.
	Message, Channel string
	// Err is why the reply is not shown: rest.ErrLate, rest.ErrAlreadyAnswered, rest.ErrMessageGone, another refusal, or no connection.
	Err error
}

// ErrModalLate: a modal can only be the first answer, and the interaction had to be acknowledged before it was ready.
var ErrModalLate = errors.New("too late to open a modal")

// errUnfit is wrapped by the error of fits.
var errUnfit = errors.New("reply does not fit this interaction")

// fits returns an error if Discord would not take the reply as an answer to in.
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

// callback is the reply as a callback.
func (r Reply) callback() rest.Callback {
	switch r.Kind {
	case Update:
		return rest.Callback{Type: rest.CallbackUpdate, Data: r.body()}
	case Suggest:
		return rest.Callback{Type: rest.CallbackSuggest, Data: choicesBody{append([]Choice{}, r.Choices[:min(MaxChoices, len(r.Choices))]...)}}
	case Ask:
		return rest.Callback{Type: rest.CallbackModal, Data: modalBody{r.Modal.CustomID, r.Modal.Title, r.Modal.Components}}
	}
	return rest.Callback{Type: rest.CallbackPost, Data: r.message()}
}

type choicesBody struct {
	Choices []Choice `json:"choices"` // never null
}

// acknowledgement returns the callback that says that the reply will be late. If a message was clicked, it shows nothing (6): a
// late update redraws the message, and a late Post is a new one. Otherwise it shows "thinking" to the person alone (5): a late
// private reply replaces that line; a late public one is a message of its own, to which the line then points.
func acknowledgement(in *Interaction) rest.Callback {
	if in.Message != nil {
		return rest.Callback{Type: rest.CallbackDeferUpdate}
	}
	return rest.Callback{Type: rest.CallbackDefer, Data: struct {
		Flags discordgo.MessageFlags `json:"flags"`
	}{discordgo.MessageFlagsEphemeral}}
}

// message is the reply as a new message.
func (r Reply) message() rest.Message {
	body := r.body()
	if r.Private {
		body.Flags |= discordgo.MessageFlagsEphemeral
	}
	return body
}

// body is what the reply shows. Of an update by callback without a list of attachments Discord takes the old ones out.
func (r Reply) body() rest.Message {
	body := rest.NewMessage(r.Components, r.Ping)
	if len(r.Files) > 0 {
		all := make([]rest.Attachment, len(r.Files))
		for i, f := range r.Files {
			all[i] = rest.Attachment{ID: i, Name: f.Name, Description: f.Description}
		}
		body.Attachments = &all
	}
	return body
}

// edit is the reply in place of what a message has shown. An edit without a list of attachments would leave the old ones.
func (r Reply) edit() rest.Message {
	body := r.body()
	if body.Attachments == nil {
		body.Attachments = &[]rest.Attachment{}
	}
	return body
}

// inWords is the reply without its files.
func (r Reply) inWords() Reply {
	r.Components, r.Files, r.Wordy = r.Wordy, nil, nil
	if r.Clicked != nil && r.Clicked.Wordy != nil {
		clicked := r.Clicked.inWords()
		r.Clicked = &clicked
	}
	return r
}

type modalBody struct {
	CustomID   string                       `json:"custom_id"`
	Title      string                       `json:"title"`
	Components []discordgo.MessageComponent `json:"components"`
}
