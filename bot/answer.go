package bot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/rest"
	"tictactoe/internal/boards/messages"
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
	in      *Interaction
	rest    *rest.Client
	log     *slog.Logger
	base    context.Context // parent of the contexts of requests; the handler's context may end before the requests
	arrived time.Time       // the time of arrival, by the real clock

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

// call sends the callback and records when Discord accepted it. It returns the ids of the updated message or, if wantMessage is set, of the
// new one.
func (a *answer) call(body rest.Callback, files []rest.File, wantMessage, deferred bool) (shown rest.Posted, err error) {
	ctx, cancel := context.WithTimeout(a.base, callbackTimeout)
	defer cancel()
	creates := wantMessage && body.Type == discordgo.InteractionResponseChannelMessageWithSource
	shown, err = a.rest.Callback(ctx, a.in.ID, a.in.Token, body, files, creates)
	if err != nil {
		return rest.Posted{}, err
	}
	if body.Type == discordgo.InteractionResponseUpdateMessage {
		shown = rest.Posted{ID: a.in.Message.ID, ChannelID: a.in.Message.ChannelID}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.first, a.deferred = time.Since(a.arrived), deferred
	return shown, nil
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
		reply.Sent(messages.Receipt{Message: shown.ID, Channel: shown.ChannelID, Err: err})
	}
	return err
}

func (a *answer) deliver(reply Reply) (rest.Posted, error) {
	if err := reply.fits(a.in); err != nil {
		return rest.Posted{}, err
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
	if a.ackErr != nil && errors.Is(err, messages.ErrGone) { // the acknowledgement did not arrive, so the callback is still free
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
