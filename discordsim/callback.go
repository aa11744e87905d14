package discordsim

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"tictactoe/discordsim/check"
)

// The types of callback.
const (
	callbackReply       = 4
	callbackDeferReply  = 5
	callbackDeferUpdate = 6
	callbackUpdate      = 7
	callbackSuggest     = 8
	callbackModal       = 9
)

// absentCallbacks are the callback types of Discord that are not simulated.
var absentCallbacks = map[int]string{
	12: "a callback of type 12, which launches an Activity",
	13: "a callback of type 13, which tells who may buy a SKU",
}

// replyFlags are the flags that a new message of an interaction may have.
const replyFlags = flagSuppressEmbeds | flagEphemeral | flagSuppressNotifications | flagComponentsV2

// callback handles POST /interactions/{interaction}/{token}/callback.
func (s *Sim) callback(c *call) (answer, error) {
	id, token := c.PathValue("interaction"), c.PathValue("token")
	if err := s.holdBack(c.Context(), id); err != nil {
		return answer{}, err
	}
	var wasV2 bool
	err := s.locked(func() error {
		in, err := s.awaitingCallback(id, token)
		if err == nil && in.message != nil {
			wasV2 = in.message.Message.Flags&flagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(s.checker.CallbackOn(c.Body, wasV2)); err != nil {
		s.noteRefused(id, err)
		return answer{}, err
	}
	var body struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := c.decode(&body); err != nil {
		return answer{}, err
	}
	a := noContent
	err = s.locked(func() error {
		in, err := s.awaitingCallback(id, token)
		if err != nil {
			return err
		}
		if what := absentCallbacks[body.Type]; what != "" {
			return &absentError{what}
		}
		if !slices.Contains(in.callbacks(), body.Type) {
			return invalidForm("type", "BASE_TYPE_CHOICES", "This type of callback does not answer this type of interaction.")
		}
		shown, err := s.accept(in, body.Type, body.Data, c.Files)
		if err == nil && c.wantsResponse() {
			a = ok(s.response(in, body.Type, shown))
		}
		return err
	})
	if err != nil {
		s.noteRefused(id, err)
	}
	return a, err
}

// holdBack delays a callback for as long as the faults ask.
func (s *Sim) holdBack(ctx context.Context, id string) error {
	s.mu.Lock()
	hold := s.faultsOf("").BeforeCallback
	var onWire <-chan struct{}
	if in := s.inFlight[id]; in != nil {
		hold, onWire = s.faultsOf(in.app).BeforeCallback, in.onWire
	}
	s.mu.Unlock()
	if onWire != nil {
		late := time.NewTimer(answerWithin)
		defer late.Stop()
		select {
		case <-onWire:
		case <-late.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if hold != nil {
		hold(ctx, id)
	}
	return nil
}

// awaitingCallback finds the interaction, if it is still waiting for its callback.
func (s *Sim) awaitingCallback(id, token string) (*interaction, error) {
	if g := s.state.grants[id]; g != nil && g.Token == token && !g.expired(s.clock.Now()) {
		return nil, errAcknowledged
	}
	if in := s.settledLog.byID[id]; in != nil && in.token == token && in.kind == interactionAutocomplete && in.acknowledged {
		return nil, errAcknowledged
	}
	in := s.inFlight[id]
	if in == nil || in.token != token {
		return nil, errUnknownInteraction
	}
	return in, nil
}

// callbacks returns the callback types with which the interaction may be answered.
func (in *interaction) callbacks() []int {
	if in.kind == interactionAutocomplete {
		return []int{callbackSuggest}
	}
	may := []int{callbackReply, callbackDeferReply}
	if in.message != nil {
		may = append(may, callbackDeferUpdate, callbackUpdate)
	}
	if in.kind != interactionModal {
		may = append(may, callbackModal)
	}
	return may
}

// accept carries out a callback and acknowledges the interaction. It returns the
// message that now shows the answer, or nil if there is no such message.
func (s *Sim) accept(in *interaction, kind int, data json.RawMessage, files []upload) (*post, error) {
	if s.state.channels[in.channel.ID] == nil {
		return nil, errUnknownChannel
	}
	body, err := readCallback(kind, data, files)
	if err != nil {
		return nil, err
	}
	if in.message != nil {
		// The message may have been edited or deleted since the click.
		now := s.state.postByID[in.message.Message.ID]
		if now == nil && (kind == callbackDeferUpdate || kind == callbackUpdate) {
			return nil, errUnknownMessage
		}
		if now != nil {
			in.message = now
		}
	}
	g := &grant{
		Interaction: in.id, Token: in.token, Application: in.app, Channel: in.channel.ID, User: in.who.ID,
		Created: stamp(in.created), Limited: in.limited(), Private: s.forcedPrivate(in), Metadata: in.metadata(),
	}
	if len(body.uploads) > 0 && !s.appPermissions(in.app, in.who.ID, in.channel).Has(AttachFiles) {
		return nil, errMissingPermissions
	}
	shown, err := s.carryOut(g, in, kind, body, data)
	if err != nil {
		return nil, err
	}
	in.acknowledged = true
	if kind != callbackSuggest { // an autocompletion has no message, so its token gets no grant
		if shown != nil {
			g.Original = shown.Message.ID
		}
		s.put(change{Grant: g})
		s.state.forgetGrants(s.clock.Now())
	}
	// A person who has already seen a failure does not wait for the message after a deferral.
	if (kind == callbackDeferReply || kind == callbackDeferUpdate) && !in.isSettled() {
		in.timer.Stop()
		in.timer = time.AfterFunc(s.config.Settle, func() { s.overdue(in, Deferred) })
		in.shownBy = g.Original
		s.deferred[in.shownBy] = append(s.deferred[in.shownBy], in)
		return shown, nil
	}
	s.settle(in, Answered, shown)
	in.timer.Stop()
	delete(s.inFlight, in.id)
	return shown, nil
}

// carryOut performs the callback's action. It returns the message that now shows the answer, or nil if there is no such message.
func (s *Sim) carryOut(g *grant, in *interaction, kind int, body messageBody, data json.RawMessage) (shown *post, err error) {
	shown = in.message
	switch kind {
	case callbackReply:
		shown, err = s.createReply(g, in, body, body.flags(replyFlags))
	case callbackDeferReply:
		shown, err = s.createReply(g, in, messageBody{}, flagLoading|body.flags(flagEphemeral))
	case callbackDeferUpdate:
		if s.state.channels[in.channel.ID].Archived {
			err = errArchived
		}
	case callbackUpdate:
		shown, err = s.edit(in.message, body)
	case callbackModal:
		shown, err = nil, s.showModal(in, data)
	case callbackSuggest:
		shown, err = nil, in.suggest(data)
	}
	return shown, err
}

// readCallback reads the message of a callback. Of a deferral it reads only the
// flags, and of the callback types without a message nothing.
func readCallback(kind int, data json.RawMessage, files []upload) (body messageBody, err error) {
	switch {
	case kind == callbackReply, kind == callbackUpdate:
		body, err := readMessage(data, files, "data")
		body.update = kind == callbackUpdate
		return body, err
	case kind == callbackDeferReply && len(data) > 0:
		var deferral struct {
			Flags *int `json:"flags"`
		}
		if json.Unmarshal(data, &deferral) != nil {
			return body, errInvalidJSON
		}
		body.Flags = deferral.Flags
	}
	return body, nil
}

// showModal shows a modal to the person.
func (s *Sim) showModal(in *interaction, data json.RawMessage) error {
	var modal Modal
	if err := json.Unmarshal(data, &modal); err != nil {
		return errInvalidJSON
	}
	if err := (emojiWriter{s.state, in.app}).refused(modal.Components, "data.components"); err != nil {
		return err
	}
	number(modal.Components)
	in.modal = &modal
	return nil
}

// createReply makes the message that answers an interaction or, if in is nil, a
// follow-up message.
func (s *Sim) createReply(g *grant, in *interaction, body messageBody, flags int) (*post, error) {
	ch := s.state.channels[g.Channel]
	kind, about := messageReply, g.Original
	meta := *g.Metadata
	switch {
	case in == nil:
		meta.OriginalResponse = g.Original
	case in.message != nil:
		about = in.message.Message.ID
	case in.kind == interactionCommand && in.command != commandChat:
		kind, about = messageContextMenu, ""
	default:
		kind, about = messageChatCommand, ""
	}
	m := s.draft(s.state.accounts[g.Application].Profile, ch, kind)
	m.ApplicationID, m.WebhookID, m.InteractionMetadata = g.Application, g.Application, &meta
	if in != nil && in.kind == interactionCommand {
		m.Interaction = &MessageInteraction{ID: in.id, Type: in.kind, Name: in.name, User: in.who.Profile}
	}
	if about != "" {
		m.MessageReference = &MessageReference{MessageID: about, ChannelID: ch.ID, GuildID: ch.GuildID}
	} else if kind == messageReply {
		m.Type = messagePlain
	}
	m.TTS, m.Flags = body.TTS, flags
	if g.Private {
		m.Flags |= flagEphemeral
	}
	if err := s.write(m, body); err != nil {
		return nil, err
	}
	files, err := s.attach(m, body)
	if err != nil {
		return nil, err
	}
	s.file(files)
	s.fillMentions(m, body.AllowedMentions, "")
	p := &post{Message: m, Interaction: g.Interaction}
	if m.Ephemeral() {
		p.Viewer = g.User
	}
	s.post(p)
	return p, nil
}

// noteRefused settles an interaction as failed because the bot's answer was refused.
func (s *Sim) noteRefused(id string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.inFlight[id]
	if in == nil || in.acknowledged || in.isSettled() {
		return
	}
	in.result.Error, _ = refusalAnswer(err).body.(*check.Error)
	s.settle(in, Failed, nil)
}

// wantsResponse reports whether the caller asks for the message in the response.
func (c *call) wantsResponse() bool {
	wants, _ := strconv.ParseBool(c.URL.Query().Get("with_response"))
	return wants
}

// response returns the body of an answered callback.
func (s *Sim) response(in *interaction, kind int, shown *post) any {
	about := map[string]any{"id": in.id, "type": in.kind, "channel_id": in.channel.ID}
	resource := map[string]any{"type": kind}
	if in.channel.GuildID != "" {
		about["guild_id"] = in.channel.GuildID
	}
	if shown != nil {
		about["response_message_id"] = shown.Message.ID
		about["response_message_loading"] = shown.Message.Flags&flagLoading != 0
		about["response_message_ephemeral"] = shown.Message.Ephemeral()
		if kind == callbackReply || kind == callbackUpdate {
			resource["message"] = s.state.messageFor(shown, in.app)
		}
	}
	return map[string]any{"interaction": about, "resource": resource}
}

// callbackTemplate is the path of the callback route.
const callbackTemplate = "/interactions/{interaction}/{token}/callback"

// interactionRoutes are the callback route and the routes authorised by the token
// of an interaction or a webhook.
var interactionRoutes = []route{
	{pattern: "POST " + callbackTemplate, serve: (*Sim).callback, open: true},
	{pattern: "POST /webhooks/{app}/{token}", serve: (*Sim).webhookPost, open: true, limit: someWebhooks},
	{pattern: "GET /webhooks/{app}/{token}/messages/{message}", serve: (*Sim).webhookGet, open: true, limit: someWebhooks},
	{pattern: "PATCH /webhooks/{app}/{token}/messages/{message}", serve: (*Sim).webhookEdit, open: true, limit: someWebhooks},
	{pattern: "DELETE /webhooks/{app}/{token}/messages/{message}", serve: (*Sim).webhookDelete, open: true, limit: someWebhooks},
}

// followUp creates a message after the answer. The first follow-up to a deferred
// reply fills in the deferred message instead.
func (s *Sim) followUp(c *call) (answer, error) {
	if err := s.mayUse(c); err != nil {
		return answer{}, err
	}
	if err := c.passes(s.checker.WebhookCreate(c.Body)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var a answer
	err = s.locked(func() error {
		g, err := s.grantFor(c.PathValue("app"), c.PathValue("token"))
		if err != nil {
			return err
		}
		if err := s.mayAttach(c, g); err != nil {
			return err
		}
		if original := s.state.postByID[g.Original]; original != nil && original.Message.Flags&flagLoading != 0 {
			filled, err := s.edit(original, body)
			if err != nil {
				return err
			}
			a = ok(s.state.messageFor(filled, c.PathValue("app")))
			s.settleFollowed(g, filled)
			return nil
		}
		if g.Limited && g.FollowUps >= maxFollowUps {
			return errFollowUps
		}
		counted := *g
		counted.FollowUps++
		made, err := s.createReply(&counted, nil, body, body.flags(replyFlags))
		if err != nil {
			return err
		}
		s.put(change{Grant: &counted})
		a = ok(s.state.messageFor(made, c.PathValue("app")))
		s.settleFollowed(g, made)
		return nil
	})
	return a, err
}

func (s *Sim) webhookGet(c *call) (a answer, err error) {
	err = s.locked(func() error {
		found, err := s.ownMessage(c)
		if err == nil {
			a = ok(s.state.messageFor(found, s.state.speaker(c.PathValue("app"))))
		}
		return err
	})
	return a, err
}

func (s *Sim) webhookEdit(c *call) (answer, error) {
	var wasV2 bool
	err := s.locked(func() error {
		p, err := s.ownMessage(c)
		if err == nil {
			wasV2 = p.Message.Flags&flagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(s.checker.WebhookEdit(c.Body, wasV2)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var a answer
	err = s.locked(func() error {
		p, err := s.ownMessage(c)
		if err != nil {
			return err
		}
		if g := s.state.grants[tokenInteraction(c.PathValue("token"))]; g != nil {
			if err := s.mayAttach(c, g); err != nil {
				return err
			}
		}
		edited, err := s.edit(p, body)
		if err != nil {
			return err
		}
		a = ok(s.state.messageFor(edited, s.state.speaker(c.PathValue("app"))))
		if g := s.state.grants[tokenInteraction(c.PathValue("token"))]; g != nil {
			s.settleFollowed(g, edited)
		}
		return nil
	})
	return a, err
}

func (s *Sim) webhookDelete(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		p, err := s.ownMessage(c)
		if err == nil {
			s.remove(p)
		}
		return err
	})
}

// mayAttach returns an error if the request has files and the token's application
// may not attach files.
func (s *Sim) mayAttach(c *call, g *grant) error {
	if len(c.Files) > 0 && !s.appPermissions(g.Application, g.User, s.state.channels[g.Channel]).Has(AttachFiles) {
		return errMissingPermissions
	}
	return nil
}

// mayUse checks a token before the body is read.
func (s *Sim) mayUse(c *call) error {
	return s.locked(func() error {
		_, err := s.grantFor(c.PathValue("app"), c.PathValue("token"))
		return err
	})
}

// ownMessage finds the message named by the path of a request with a token.
func (s *Sim) ownMessage(c *call) (*post, error) {
	if s.state.webhooks[c.PathValue("app")] != nil {
		return s.webhookMessage(c)
	}
	g, err := s.grantFor(c.PathValue("app"), c.PathValue("token"))
	if err != nil {
		return nil, err
	}
	return s.own(g, c.PathValue("message"))
}

// settleFollowed settles a deferred interaction with the follow-up message, for
// which the person has been waiting.
func (s *Sim) settleFollowed(g *grant, shown *post) {
	if in := s.inFlight[g.Interaction]; in != nil && in.acknowledged {
		s.settle(in, Answered, shown)
	}
}

// settleChanged settles the interactions that were answered by a deferral and
// whose message is now edited or, if shown is nil, deleted. The route by which
// the message changed does not matter to the person. Deleting a deferred reply
// settles nothing, since a follow-up may still take its place.
func (s *Sim) settleChanged(message string, shown *post) {
	for _, in := range slices.Clone(s.deferred[message]) {
		if clicked := in.message != nil && in.message.Message.ID == message; clicked || shown != nil {
			s.settle(in, Answered, shown)
		}
	}
}

// undefer removes an interaction from the deferred interactions that await a message.
func (s *Sim) undefer(in *interaction) {
	waiting := slices.DeleteFunc(s.deferred[in.shownBy], func(w *interaction) bool { return w == in })
	if s.deferred[in.shownBy] = waiting; len(waiting) == 0 {
		delete(s.deferred, in.shownBy)
	}
}
