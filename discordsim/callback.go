package discordsim

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
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
func callback(c *call) (answer, error) {
	id, token := c.PathValue("interaction"), c.PathValue("token")
	if err := c.api.holdBack(c.Context(), id); err != nil {
		return answer{}, err
	}
	var wasV2 bool
	err := c.w.Locked(func() error {
		in, err := c.w.interactions.AwaitingCallback(id, token)
		if err == nil && in.message != nil {
			wasV2 = in.message.Message.Flags&flagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(c.api.checker.CallbackOn(c.Body, wasV2)); err != nil {
		noteRefused(c.w, id, err)
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
	err = c.w.Locked(func() error {
		in, err := c.w.interactions.AwaitingCallback(id, token)
		if err != nil {
			return err
		}
		if what := absentCallbacks[body.Type]; what != "" {
			return &absentError{what}
		}
		if !slices.Contains(callbacksFor(in), body.Type) {
			return invalidForm("type", "BASE_TYPE_CHOICES", "This type of callback does not answer this type of interaction.")
		}
		shown, err := accept(c.w, in, body.Type, body.Data, c.Files)
		if err == nil && c.wantsResponse() {
			a = ok(response(c.w, in, body.Type, shown))
		}
		return err
	})
	if err != nil {
		noteRefused(c.w, id, err)
	}
	return a, err
}

// holdBack delays a callback for as long as the faults ask.
func (api *API) holdBack(ctx context.Context, id string) error {
	api.w.Lock()
	hold := api.faults.Of("").BeforeCallback
	var onWire <-chan struct{}
	if in := api.w.interactions.inFlight[id]; in != nil {
		hold, onWire = api.faults.Of(in.app).BeforeCallback, in.onWire
	}
	api.w.Unlock()
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

// callbacksFor returns the callback types with which the interaction may be answered.
func callbacksFor(in *interaction) []int {
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
func accept(w *World, in *interaction, kind int, data json.RawMessage, files []upload) (*post, error) {
	if w.state.channels[in.channel.ID] == nil {
		return nil, errUnknownChannel
	}
	body, err := readCallback(kind, data, files)
	if err != nil {
		return nil, err
	}
	if in.message != nil {
		// The message may have been edited or deleted since the click.
		now := w.state.postByID[in.message.Message.ID]
		if now == nil && (kind == callbackDeferUpdate || kind == callbackUpdate) {
			return nil, errUnknownMessage
		}
		if now != nil {
			in.message = now
		}
	}
	g := &grant{
		Interaction: in.id, Token: in.token, Application: in.app, Channel: in.channel.ID, User: in.who.ID,
		Created: stamp(in.created), Limited: in.limited(), Private: forcedPrivate(w, in), Metadata: in.metadata(),
	}
	if len(body.uploads) > 0 && !w.state.appPermissions(in.app, in.who.ID, in.channel).Has(AttachFiles) {
		return nil, errMissingPermissions
	}
	shown, err := carryOut(w, g, in, kind, body, data)
	if err != nil {
		return nil, err
	}
	in.acknowledged = true
	if kind != callbackSuggest { // an autocompletion has no message, so its token gets no grant
		if shown != nil {
			g.Original = shown.Message.ID
		}
		w.Put(change{Grant: g})
		w.state.forgetGrants(w.clock.Now())
	}
	// A person who has already seen a failure does not wait for the message after a deferral.
	if (kind == callbackDeferReply || kind == callbackDeferUpdate) && !in.isSettled() {
		w.interactions.Defer(in, g.Original)
		return shown, nil
	}
	w.interactions.Answer(in, shown)
	return shown, nil
}

// carryOut performs the callback's action. It returns the message that now shows the answer, or nil if there is no such message.
func carryOut(w *World, g *grant, in *interaction, kind int, body messageBody, data json.RawMessage) (shown *post, err error) {
	shown = in.message
	switch kind {
	case callbackReply:
		shown, err = createReply(w, g, in, body, body.flags(replyFlags))
	case callbackDeferReply:
		shown, err = createReply(w, g, in, messageBody{}, flagLoading|body.flags(flagEphemeral))
	case callbackDeferUpdate:
		if w.state.channels[in.channel.ID].Archived {
			err = errArchived
		}
	case callbackUpdate:
		shown, err = editPost(w, in.message, body)
	case callbackModal:
		shown, err = nil, showModal(w, in, data)
	case callbackSuggest:
		shown, err = nil, suggest(in, data)
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
func showModal(w *World, in *interaction, data json.RawMessage) error {
	var modal Modal
	if err := json.Unmarshal(data, &modal); err != nil {
		return errInvalidJSON
	}
	if err := (emojiWriter{w.state, in.app}).refused(modal.Components, "data.components"); err != nil {
		return err
	}
	number(modal.Components)
	in.modal = &modal
	return nil
}

// createReply makes the message that answers an interaction or, if in is nil, a
// follow-up message.
func createReply(w *World, g *grant, in *interaction, body messageBody, flags int) (*post, error) {
	ch := w.state.channels[g.Channel]
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
	m := w.messages.Draft(w.state.accounts[g.Application].Profile, ch, kind)
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
	if err := writeBody(w, m, body); err != nil {
		return nil, err
	}
	files, err := attach(w, m, body)
	if err != nil {
		return nil, err
	}
	storeFiles(w, files)
	w.messages.FillMentions(m, body.AllowedMentions, "")
	p := &post{Message: m, Interaction: g.Interaction}
	if m.Ephemeral() {
		p.Viewer = g.User
	}
	w.messages.Post(p)
	return p, nil
}

// wantsResponse reports whether the caller asks for the message in the response.
func (c *call) wantsResponse() bool {
	wants, _ := strconv.ParseBool(c.URL.Query().Get("with_response"))
	return wants
}

// response returns the body of an answered callback.
func response(w *World, in *interaction, kind int, shown *post) any {
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
			resource["message"] = w.state.messageFor(shown, in.app)
		}
	}
	return map[string]any{"interaction": about, "resource": resource}
}

// callbackTemplate is the path of the callback route.
const callbackTemplate = "/interactions/{interaction}/{token}/callback"

// interactionRoutes are the callback route and the routes authorised by the token
// of an interaction or a webhook.
var interactionRoutes = []route{
	{pattern: "POST " + callbackTemplate, serve: callback, open: true},
	{pattern: "POST /webhooks/{app}/{token}", serve: webhookPost, open: true, limit: someWebhooks},
	{pattern: "GET /webhooks/{app}/{token}/messages/{message}", serve: webhookGet, open: true, limit: someWebhooks},
	{pattern: "PATCH /webhooks/{app}/{token}/messages/{message}", serve: webhookEdit, open: true, limit: someWebhooks},
	{pattern: "DELETE /webhooks/{app}/{token}/messages/{message}", serve: webhookDelete, open: true, limit: someWebhooks},
}

// followUp creates a message after the answer. The first follow-up to a deferred
// reply fills in the deferred message instead.
func followUp(c *call) (answer, error) {
	if err := mayUse(c); err != nil {
		return answer{}, err
	}
	if err := c.passes(c.api.checker.WebhookCreate(c.Body)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var a answer
	err = c.w.Locked(func() error {
		g, err := grantFor(c.w, c.PathValue("app"), c.PathValue("token"))
		if err != nil {
			return err
		}
		if err := mayAttach(c, g); err != nil {
			return err
		}
		if original := c.w.state.postByID[g.Original]; original != nil && original.Message.Flags&flagLoading != 0 {
			filled, err := editPost(c.w, original, body)
			if err != nil {
				return err
			}
			a = ok(c.w.state.messageFor(filled, c.PathValue("app")))
			c.w.interactions.SettleFollowed(g, filled)
			return nil
		}
		if g.Limited && g.FollowUps >= maxFollowUps {
			return errFollowUps
		}
		counted := *g
		counted.FollowUps++
		made, err := createReply(c.w, &counted, nil, body, body.flags(replyFlags))
		if err != nil {
			return err
		}
		c.w.Put(change{Grant: &counted})
		a = ok(c.w.state.messageFor(made, c.PathValue("app")))
		c.w.interactions.SettleFollowed(g, made)
		return nil
	})
	return a, err
}

func webhookGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		found, err := ownMessage(c)
		if err == nil {
			a = ok(c.w.state.messageFor(found, c.w.state.speaker(c.PathValue("app"))))
		}
		return err
	})
	return a, err
}

func webhookEdit(c *call) (answer, error) {
	var wasV2 bool
	err := c.w.Locked(func() error {
		p, err := ownMessage(c)
		if err == nil {
			wasV2 = p.Message.Flags&flagComponentsV2 != 0
		}
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(c.api.checker.WebhookEdit(c.Body, wasV2)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var a answer
	err = c.w.Locked(func() error {
		p, err := ownMessage(c)
		if err != nil {
			return err
		}
		if g := c.w.state.grants[tokenInteraction(c.PathValue("token"))]; g != nil {
			if err := mayAttach(c, g); err != nil {
				return err
			}
		}
		edited, err := editPost(c.w, p, body)
		if err != nil {
			return err
		}
		a = ok(c.w.state.messageFor(edited, c.w.state.speaker(c.PathValue("app"))))
		if g := c.w.state.grants[tokenInteraction(c.PathValue("token"))]; g != nil {
			c.w.interactions.SettleFollowed(g, edited)
		}
		return nil
	})
	return a, err
}

func webhookDelete(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := ownMessage(c)
		if err == nil {
			c.w.messages.Remove(p)
		}
		return err
	})
}

// mayAttach returns an error if the request has files and the token's application
// may not attach files.
func mayAttach(c *call, g *grant) error {
	if len(c.Files) > 0 && !c.w.state.appPermissions(g.Application, g.User, c.w.state.channels[g.Channel]).Has(AttachFiles) {
		return errMissingPermissions
	}
	return nil
}

// mayUse checks a token before the body is read.
func mayUse(c *call) error {
	return c.w.Locked(func() error {
		_, err := grantFor(c.w, c.PathValue("app"), c.PathValue("token"))
		return err
	})
}

// ownMessage finds the message named by the path of a request with a token.
func ownMessage(c *call) (*post, error) {
	if c.w.state.webhooks[c.PathValue("app")] != nil {
		return webhookMessage(c)
	}
	g, err := grantFor(c.w, c.PathValue("app"), c.PathValue("token"))
	if err != nil {
		return nil, err
	}
	return grantedPost(c.w, g, c.PathValue("message"))
}

// noteRefused settles an interaction as failed because the bot's answer was refused.
func noteRefused(w *World, id string, err error) {
	refused, _ := refusalAnswer(err).body.(*check.Error)
	w.interactions.Fail(id, refused)
}

// suggest takes the suggestions of a callback. Their values must have the type of the option.
func suggest(in *interaction, data json.RawMessage) error {
	var body struct {
		Choices []Choice `json:"choices"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return errInvalidJSON
	}
	for i, c := range body.Choices {
		at := fmt.Sprintf("data.choices.%d.value", i)
		number, isNumber := c.Value.(float64)
		switch _, isText := c.Value.(string); {
		case in.focused.Type == optionString && !isText:
			return invalidForm(at, "STRING_TYPE_CONVERT", fmt.Sprintf("Could not interpret %q as string.", fmt.Sprint(c.Value)))
		case in.focused.Type == optionInteger && (!isNumber || number != math.Trunc(number)),
			in.focused.Type == optionNumber && !isNumber:
			return invalidForm(at, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not a number of this kind.", fmt.Sprint(c.Value)))
		}
	}
	in.choices = body.Choices
	return nil
}
