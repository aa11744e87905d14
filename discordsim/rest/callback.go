package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// The types of callback.
const (
	callbackReply       = 4
	callbackDeferReply  = 5
	callbackDeferUpdate = 6
	callbackUpdate      = 7
	callbackSuggest     = 8
	callbackModal       = 9
	callbackLaunch      = 12
)

// absentCallbacks are the callback types of Discord that are not simulated.
var absentCallbacks = map[int]string{
	13: "a callback of type 13, which tells who may buy a SKU",
}

// replyFlags are the flags that a new message of an interaction may have.
const replyFlags = world.FlagSuppressEmbeds | world.FlagEphemeral | world.FlagSuppressNotifications | world.FlagComponentsV2

// callback handles POST /interactions/{interaction}/{token}/callback.
func callback(c *call) (answer, error) {
	id, token := c.PathValue("interaction"), c.PathValue("token")
	if err := c.api.holdBack(c.Context(), id); err != nil {
		return answer{}, err
	}
	var wasV2 bool
	err := c.w.Locked(func() error {
		in, err := c.w.Interactions.AwaitingCallback(id, token)
		if err == nil && in.Message != nil {
			wasV2 = in.Message.Message.Flags&world.FlagComponentsV2 != 0
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
		in, err := c.w.Interactions.AwaitingCallback(id, token)
		if err != nil {
			return err
		}
		if feature := absentCallbacks[body.Type]; feature != "" {
			return &absentError{feature}
		}
		if !slices.Contains(callbacksFor(in), body.Type) {
			return check.InvalidField("type", "BASE_TYPE_CHOICES", "This type of callback does not answer this type of interaction.")
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

// holdBack delays a callback until all deliveries of its interaction are on the wire and the fault BeforeCallback
// returns.
func (api *API) holdBack(ctx context.Context, id string) error {
	api.w.Lock()
	hold := api.faults.Of("").BeforeCallback
	var onWire <-chan struct{}
	if in := api.w.Interactions.InFlight(id); in != nil {
		hold, onWire = api.faults.Of(in.ApplicationID).BeforeCallback, in.OnWire
	}
	api.w.Unlock()
	if onWire != nil {
		late := time.NewTimer(world.AnswerWithin)
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
func callbacksFor(in *world.Interaction) []int {
	if in.Type == world.InteractionAutocomplete {
		return []int{callbackSuggest}
	}
	may := []int{callbackReply, callbackDeferReply, callbackLaunch}
	if in.Message != nil {
		may = append(may, callbackDeferUpdate, callbackUpdate)
	}
	if in.Type != world.InteractionModal {
		may = append(may, callbackModal)
	}
	return may
}

// accept performs a callback and acknowledges the interaction. It returns the message that now shows the answer, or
// nil if there is no such message.
func accept(w *world.World, in *world.Interaction, kind int, data json.RawMessage, files []world.Upload) (*world.Post, error) {
	if w.State.Channels[in.Channel.ID] == nil {
		return nil, check.ErrUnknownChannel
	}
	body, err := readCallback(kind, data, files)
	if err != nil {
		return nil, err
	}
	if in.Message != nil {
		// The message may have been edited or deleted since the click.
		now := w.State.PostByID[in.Message.Message.ID]
		if now == nil && (kind == callbackDeferUpdate || kind == callbackUpdate) {
			return nil, check.ErrUnknownMessage
		}
		if now != nil {
			in.Message = now
		}
	}
	g := &world.Grant{
		Interaction: in.ID, Token: in.Token, Application: in.ApplicationID, Channel: in.Channel.ID, User: in.User.ID,
		Created: world.Stamp(in.Created), Limited: in.Limited(), Private: forcedPrivate(w, in), Metadata: in.Metadata(),
	}
	if len(body.uploads) > 0 && !w.State.AppPermissions(in.ApplicationID, in.User.ID, in.Channel).Has(world.AttachFiles) {
		return nil, check.ErrMissingPermissions
	}
	shown, err := carryOut(w, g, in, kind, body, data)
	if err != nil {
		return nil, err
	}
	in.Acknowledged = true
	if kind != callbackSuggest { // the answer to an autocompletion is no message, so its token gets no grant
		if shown != nil {
			g.Original = shown.Message.ID
		}
		w.Put(world.Change{Grant: g})
		w.State.ForgetGrants(w.Clock.Now())
	}
	// A person who has already seen a failure does not wait for the message after a deferral.
	if (kind == callbackDeferReply || kind == callbackDeferUpdate) && !in.IsSettled() {
		w.Interactions.Defer(in, g.Original)
		return shown, nil
	}
	w.Interactions.Answer(in, shown)
	return shown, nil
}

// carryOut performs the callback's action. It returns the message that now shows the answer, or nil if there is no such message.
func carryOut(
	w *world.World, g *world.Grant, in *world.Interaction, kind int, body messageBody, data json.RawMessage,
) (shown *world.Post, err error) {
	shown = in.Message
	switch kind {
	case callbackReply:
		shown, err = createReply(w, g, in, body, body.flags(replyFlags))
	case callbackDeferReply:
		shown, err = createReply(w, g, in, messageBody{}, world.FlagLoading|body.flags(world.FlagEphemeral))
	case callbackDeferUpdate:
		if w.State.Channels[in.Channel.ID].Archived {
			err = check.ErrArchived
		}
	case callbackUpdate:
		shown, err = editPost(w, in.Message, body)
	case callbackModal:
		shown, err = nil, showModal(w, in, data)
	case callbackSuggest:
		shown, err = nil, suggest(in, data)
	case callbackLaunch:
		shown, in.Activity = nil, w.Interactions.Launch(in)
	}
	return shown, err
}

// readCallback reads the message in a callback. It reads only the flags of a deferral, and nothing from the callback
// types without a message.
func readCallback(kind int, data json.RawMessage, files []world.Upload) (body messageBody, err error) {
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
			return body, check.ErrInvalidJSON
		}
		body.Flags = deferral.Flags
	}
	return body, nil
}

// showModal stores the modal that a callback opens for the person.
func showModal(w *world.World, in *world.Interaction, data json.RawMessage) error {
	var modal world.Modal
	if err := json.Unmarshal(data, &modal); err != nil {
		return check.ErrInvalidJSON
	}
	if err := (emojiWriter{w.State, in.ApplicationID}).refused(modal.Components, "data.components"); err != nil {
		return err
	}
	numberComponents(modal.Components)
	in.Modal = &modal
	return nil
}

// createReply posts the message that answers an interaction or, if in is nil, a follow-up message.
func createReply(w *world.World, g *world.Grant, in *world.Interaction, body messageBody, flags int) (*world.Post, error) {
	ch := w.State.Channels[g.Channel]
	kind, about := world.MessageReply, g.Original
	meta := *g.Metadata
	switch {
	case in == nil:
		meta.OriginalResponse = g.Original
	case in.Message != nil:
		about = in.Message.Message.ID
	case in.Type == world.InteractionCommand && in.CommandType != world.CommandChat:
		kind, about = world.MessageContextMenu, ""
	default:
		kind, about = world.MessageChatCommand, ""
	}
	m := w.Messages.Draft(w.State.Accounts[g.Application].Profile, ch, kind)
	m.ApplicationID, m.WebhookID, m.InteractionMetadata = g.Application, g.Application, &meta
	if in != nil && in.Type == world.InteractionCommand {
		m.Interaction = &world.MessageInteraction{ID: in.ID, Type: in.Type, Name: in.CommandName, User: in.User.Profile}
	}
	if about != "" {
		m.MessageReference = &world.MessageReference{MessageID: about, ChannelID: ch.ID, GuildID: ch.GuildID}
	} else if kind == world.MessageReply {
		m.Type = world.MessagePlain
	}
	m.TTS, m.Flags = body.TTS, flags
	if g.Private {
		m.Flags |= world.FlagEphemeral
	}
	if err := writeBody(w, m, body); err != nil {
		return nil, err
	}
	files, err := attach(w, m, body)
	if err != nil {
		return nil, err
	}
	storeFiles(w, files)
	w.Messages.FillMentions(m, body.AllowedMentions, "")
	p := &world.Post{Message: m, Interaction: g.Interaction}
	if m.Ephemeral() {
		p.Viewer = g.User
	}
	w.Messages.Post(p)
	return p, nil
}

// wantsResponse reports whether the caller asks for the message in the response.
func (c *call) wantsResponse() bool {
	wants, _ := strconv.ParseBool(c.URL.Query().Get("with_response"))
	return wants
}

// response returns the response body for an accepted callback, with the message that now shows the answer.
func response(w *world.World, in *world.Interaction, kind int, shown *world.Post) any {
	about := map[string]any{"id": in.ID, "type": in.Type, "channel_id": in.Channel.ID}
	resource := map[string]any{"type": kind}
	if in.Channel.GuildID != "" {
		about["guild_id"] = in.Channel.GuildID
	}
	if in.Activity != nil {
		about["activity_instance_id"] = in.Activity.InstanceID
		resource["activity_instance"] = map[string]string{"id": in.Activity.InstanceID}
	}
	if shown != nil {
		about["response_message_id"] = shown.Message.ID
		about["response_message_loading"] = shown.Message.Flags&world.FlagLoading != 0
		about["response_message_ephemeral"] = shown.Message.Ephemeral()
		if kind == callbackReply || kind == callbackUpdate {
			resource["message"] = w.State.MessageFor(shown, in.ApplicationID)
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
	{pattern: "POST /webhooks/{app}/{token}", serve: afterResponse(webhookPost), open: true, limit: webhookBudget},
	{pattern: "GET /webhooks/{app}/{token}/messages/{message}", serve: afterResponse(webhookGet), open: true, limit: webhookBudget},
	{pattern: "PATCH /webhooks/{app}/{token}/messages/{message}", serve: afterResponse(webhookEdit), open: true, limit: webhookBudget},
	{pattern: "DELETE /webhooks/{app}/{token}/messages/{message}", serve: afterResponse(webhookDelete), open: true, limit: webhookBudget},
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
		if original := c.w.State.PostByID[g.Original]; original != nil && original.Message.Flags&world.FlagLoading != 0 {
			filled, err := editPost(c.w, original, body)
			if err != nil {
				return err
			}
			a = ok(c.w.State.MessageFor(filled, c.PathValue("app")))
			c.w.Interactions.SettleFollowed(g, filled)
			return nil
		}
		if g.Limited && g.FollowUps >= maxFollowUps {
			return check.ErrFollowUps
		}
		counted := *g
		counted.FollowUps++
		made, err := createReply(c.w, &counted, nil, body, body.flags(replyFlags))
		if err != nil {
			return err
		}
		c.w.Put(world.Change{Grant: &counted})
		a = ok(c.w.State.MessageFor(made, c.PathValue("app")))
		c.w.Interactions.SettleFollowed(g, made)
		return nil
	})
	return a, err
}

func webhookGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		found, err := ownMessage(c)
		if err == nil {
			a = ok(c.w.State.MessageFor(found, c.w.State.Speaker(c.PathValue("app"))))
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
			wasV2 = p.Message.Flags&world.FlagComponentsV2 != 0
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
		if g := c.w.State.Grants[world.TokenInteraction(c.PathValue("token"))]; g != nil {
			if err := mayAttach(c, g); err != nil {
				return err
			}
		}
		edited, err := editPost(c.w, p, body)
		if err != nil {
			return err
		}
		a = ok(c.w.State.MessageFor(edited, c.w.State.Speaker(c.PathValue("app"))))
		if g := c.w.State.Grants[world.TokenInteraction(c.PathValue("token"))]; g != nil {
			c.w.Interactions.SettleFollowed(g, edited)
		}
		return nil
	})
	return a, err
}

func webhookDelete(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		p, err := ownMessage(c)
		if err == nil {
			c.w.Messages.Remove(p)
		}
		return err
	})
}

// mayAttach returns an error if the request has files and the token's application
// may not attach files.
func mayAttach(c *call, g *world.Grant) error {
	if len(c.Files) > 0 && !c.w.State.AppPermissions(g.Application, g.User, c.w.State.Channels[g.Channel]).Has(world.AttachFiles) {
		return check.ErrMissingPermissions
	}
	return nil
}

// mayUse returns the error for an unusable token, before the body is read.
func mayUse(c *call) error {
	return c.w.Locked(func() error {
		_, err := grantFor(c.w, c.PathValue("app"), c.PathValue("token"))
		return err
	})
}

// ownMessage finds the message named in the path of a request with a token.
func ownMessage(c *call) (*world.Post, error) {
	if c.w.State.Webhooks[c.PathValue("app")] != nil {
		return webhookMessage(c)
	}
	g, err := grantFor(c.w, c.PathValue("app"), c.PathValue("token"))
	if err != nil {
		return nil, err
	}
	return grantedPost(c.w, g, c.PathValue("message"))
}

// noteRefused settles an interaction as failed because the bot's answer was refused.
func noteRefused(w *world.World, id string, err error) {
	refused, _ := refusalAnswer(err).body.(*check.Error)
	w.Interactions.Fail(id, refused)
}

// suggest stores the suggestions of a callback. Their values must have the type of the option.
func suggest(in *world.Interaction, data json.RawMessage) error {
	var body struct {
		Choices []world.Choice `json:"choices"`
	}
	if err := json.Unmarshal(data, &body); err != nil {
		return check.ErrInvalidJSON
	}
	for i, c := range body.Choices {
		at := fmt.Sprintf("data.choices.%d.value", i)
		number, isNumber := c.Value.(float64)
		switch _, isText := c.Value.(string); {
		case in.Focused.Type == world.OptionString && !isText:
			return check.InvalidField(at, "STRING_TYPE_CONVERT", fmt.Sprintf("Could not interpret %q as string.", fmt.Sprint(c.Value)))
		case in.Focused.Type == world.OptionInteger && (!isNumber || number != math.Trunc(number)),
			in.Focused.Type == world.OptionNumber && !isNumber:
			return check.InvalidField(at, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not a number of this kind.", fmt.Sprint(c.Value)))
		}
	}
	in.Choices = body.Choices
	return nil
}

var activityRoutes = []route{
	{pattern: "GET /applications/{app}/activity-instances/{instance}", serve: activityGet, limit: lookUpBudget},
}

func activityGet(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		if c.PathValue("app") != c.App {
			return check.ErrForeign
		}
		found := c.w.Interactions.Activity(c.App, c.PathValue("instance"))
		if found == nil {
			return check.ErrNoRoute
		}
		a = ok(found)
		return nil
	})
	return a, err
}
