package bot

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/endpoint"
	"tictactoe/bot/rest"
)

const (
	// callbackTimeout bounds a callback. A later response from Discord would be of no use.
	callbackTimeout = 2500 * time.Millisecond
	// lateTimeout bounds the delivery of a reply after the acknowledgement, including waits for rate limits.
	lateTimeout = 15 * time.Second
)

// pointer is the text that replaces the private "thinking" line when the late reply is a public message below that line. It is the same in
// all languages.
const pointer = "⬇️"

// answer is the one callback of an interaction, and the messages that may follow it.
type answer struct {
	in       *Interaction
	response *endpoint.Response // the response to the request that brought the interaction; nil if the gateway brought it
	rest     *rest.Client
	log      *slog.Logger
	base     context.Context // parent of the contexts of requests; the handler's context may end before the requests
	arrived  time.Time       // the time of arrival, by the real clock
	followed func() bool     // reports whether others wait for the lane of the message

	timer        *time.Timer // nil for suggestions and users who are turned away
	mu           sync.Mutex
	taken        bool          // the callback was sent or is being sent
	first        time.Duration // time from the arrival to the end of the callback that Discord accepted; 0 if there is none
	deferred     bool          // whether that callback was an acknowledgement
	acknowledged chan struct{} // closed when an acknowledgement has been answered
	ackErr       error         // set before acknowledged is closed
	refused      error         // why Discord refused the acknowledgement as an update of the clicked message; set before acknowledged is closed
}

// take reports whether the caller may send the callback.
func (a *answer) take() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.taken {
		return false
	}
	a.taken = true
	if a.timer != nil {
		a.timer.Stop()
	}
	return true
}

// call sends the callback and records when Discord accepted it.
func (a *answer) call(body rest.Callback, files []rest.File, wantMessage, deferred bool) (rest.Posted, error) {
	ctx, cancel := context.WithTimeout(a.base, callbackTimeout)
	defer cancel()
	shown, err := a.respond(ctx, body, files, wantMessage, deferred)
	if err == nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.first, a.deferred = time.Since(a.arrived), deferred
	}
	return shown, err
}

// respond sends the answer as the response to the HTTP request that brought the interaction, if Discord still waits for that response, and
// otherwise by the callback route. It also takes the callback route where the bot needs Discord's answer: for acknowledgements, for files,
// for updates in a thread, which may be archived, and for updates of a message whose lane others wait for: the responses to two requests
// may arrive in either order. If wantMessage is set, it also does so for a new message, whose id it returns, and
// after lookAfter, when another process may have acknowledged the interaction. The clicked message, which shows an update, has a known id.
func (a *answer) respond(ctx context.Context, body rest.Callback, files []rest.File, wantMessage, deferred bool) (rest.Posted, error) {
	var shown rest.Posted
	creates := wantMessage && body.Type == discordgo.InteractionResponseChannelMessageWithSource
	updates := body.Type == discordgo.InteractionResponseUpdateMessage
	if updates {
		shown = rest.Posted{ID: a.in.Message.ID, ChannelID: a.in.Message.ChannelID}
	}
	switch {
	case a.response == nil:
	case deferred || len(files) > 0 || creates || updates && (a.in.Parent != "" || a.followed()) || wantMessage && time.Since(a.arrived) >= lookAfter:
		a.response.Write(http.StatusAccepted, "", nil)
	default:
		content, kind, err := rest.Encode(body, nil)
		if err != nil {
			return rest.Posted{}, err
		}
		if !a.response.Write(http.StatusOK, kind, content) {
			break // Discord, or a proxy before us, has abandoned the request
		}
		return shown, nil
	}
	created, err := a.rest.Callback(ctx, a.in.ID, a.in.Token, body, files, creates)
	if err != nil {
		return rest.Posted{}, err
	}
	return cmp.Or(created, shown), nil
}

// leave leaves the answer to another instance. It returns false if this instance has already begun to send the answer.
func (a *answer) leave() bool {
	if !a.take() {
		return false
	}
	a.response.Write(http.StatusAccepted, "", nil)
	return true
}

// release makes the callback free again after Discord has refused its content.
func (a *answer) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken = false
}

// send delivers the reply: as the callback, or with the interaction's token if the callback was already used. Then it calls reply.Sent. The
// returned error is the one in the receipt.
func (a *answer) send(reply Reply) error {
	shown, err := a.deliver(reply)
	if reply.Wordy != nil && rest.Refused(err) {
		a.log.Warn("files refused, so the reply is sent in words", "interaction", a.in.ID, "err", a.rest.Redact(err.Error(), a.in.Token))
		shown, err = a.deliver(reply.inWords())
	}
	if reply.Sent != nil {
		reply.Sent(Receipt{Message: shown.ID, Channel: shown.ChannelID, Err: err})
	}
	return err
}

func (a *answer) deliver(reply Reply) (rest.Posted, error) {
	if err := reply.fits(a.in); err != nil {
		return rest.Posted{}, err
	}
	if reply.Kind == Suggest && time.Since(a.arrived) >= endpoint.ResponseTimeout {
		return rest.Posted{}, rest.ErrLate
	}
	if reply.Clicked != nil { // the token names the clicked message only if the callback was an update of it
		a.acknowledgeNow()
	}
	if a.take() {
		shown, err := a.callWith(reply)
		if rest.Refused(err) {
			a.release()
		}
		return shown, err
	}
	<-a.acknowledged
	if errors.Is(a.ackErr, rest.ErrLate) || errors.Is(a.ackErr, rest.ErrAlreadyAnswered) {
		return rest.Posted{}, a.ackErr
	}
	if a.refused != nil && reply.Kind == Update {
		return rest.Posted{}, a.refused
	}
	// If the acknowledgement failed with any other error, it may still have arrived.
	ctx, cancel := context.WithTimeout(a.base, lateTimeout)
	defer cancel()
	shown, err := a.late(ctx, reply)
	if a.ackErr != nil && errors.Is(err, rest.ErrMessageGone) { // the acknowledgement did not arrive, so the callback is still free
		return a.callWith(reply)
	}
	return shown, rest.WithLast(a.ackErr, err)
}

// callWith sends a reply as the callback. It does not ask for the id of a private message, because the token names that message.
func (a *answer) callWith(reply Reply) (rest.Posted, error) {
	private := reply.Kind == Post && reply.Private
	shown, err := a.call(reply.callback(), reply.Files, reply.Sent != nil && !private, false)
	if err == nil && private {
		shown = rest.Posted{ID: rest.Original, ChannelID: a.in.ChannelID}
	}
	return shown, err
}

// late delivers a reply after the acknowledgement.
func (a *answer) late(ctx context.Context, reply Reply) (rest.Posted, error) {
	token := a.in.Token
	line := a.in.Message == nil || a.refused != nil // the acknowledgement shows a private line
	switch {
	case reply.Kind == Ask:
		return rest.Posted{}, ErrModalLate
	case reply.Kind == Update, line && reply.Private:
		return a.rest.Change(ctx, token, rest.Original, reply.edit(), reply.Files)
	case line:
		// The first follow-up would replace the private line and stay private, so the line is edited first.
		below := []discordgo.MessageComponent{discordgo.TextDisplay{Content: pointer}}
		if _, err := a.rest.Change(ctx, token, rest.Original, rest.NewMessage(below, nil), nil); err != nil {
			return rest.Posted{}, err
		}
	}
	shown, err := a.rest.FollowUp(ctx, token, reply.message(), reply.Files)
	if to := reply.Clicked; err == nil && to != nil && !line { // the clicked message is redrawn after the new message is posted
		if _, err := a.rest.Change(ctx, token, rest.Original, to.edit(), to.Files); err != nil {
			a.log.Warn("the clicked message was not redrawn", "interaction", a.in.ID, "err", a.rest.Redact(err.Error(), token))
		}
	}
	return shown, err
}
