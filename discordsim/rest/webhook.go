package rest

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

const (
	// maxWebhooks is the maximum number of webhooks in a channel.
	maxWebhooks = 15
	// maxAvatar is the largest avatar of a webhook, in bytes.
	maxAvatar = 10 << 20
	// webhookIncoming is the type of webhook that writes into a channel.
	webhookIncoming = 1
)

var webhookRoutes = []route{
	{pattern: "POST /channels/{channel}/webhooks", serve: webhookCreate, limit: messageBudget},
	{pattern: "GET /channels/{channel}/webhooks", serve: webhooksOfChannel, limit: readBudget},
	{pattern: "GET /guilds/{guild}/webhooks", serve: webhooksOfGuild, limit: lookUpBudget},
	{pattern: "GET /webhooks/{webhook}", serve: webhookShow, limit: lookUpBudget},
	{pattern: "PATCH /webhooks/{webhook}", serve: webhookChange, limit: lookUpBudget},
	{pattern: "DELETE /webhooks/{webhook}", serve: webhookRemove, limit: lookUpBudget},
	{pattern: "GET /webhooks/{app}/{token}", serve: webhookShow, open: true, limit: webhookBudget},
	{pattern: "PATCH /webhooks/{app}/{token}", serve: webhookChange, open: true, limit: webhookBudget},
	{pattern: "DELETE /webhooks/{app}/{token}", serve: webhookRemove, open: true, limit: webhookBudget},
}

// webhookObject is a webhook as Discord's API shows it.
type webhookObject struct {
	ID            string         `json:"id"`
	Type          int            `json:"type"`
	GuildID       string         `json:"guild_id"`
	ChannelID     string         `json:"channel_id"`
	User          *world.Profile `json:"user,omitempty"` // omitted for callers that only have the token
	Name          string         `json:"name"`
	Avatar        *string        `json:"avatar"`
	ApplicationID string         `json:"application_id"`
	// Token and URL are shown to the webhook's application and to callers that have the token.
	Token string `json:"token,omitempty"`
	URL   string `json:"url,omitempty"`
}

// showWebhook shows a webhook to an application or, if to is empty, to a caller
// that has the webhook's token.
func showWebhook(w *world.World, hook *world.Webhook, to string) webhookObject {
	object := webhookObject{
		ID: hook.ID, Type: webhookIncoming, GuildID: w.State.Channels[hook.Channel].GuildID, ChannelID: hook.Channel,
		Name: hook.Name, Avatar: nonEmpty(hook.Avatar), ApplicationID: hook.Application,
	}
	if to != "" {
		object.User = &w.State.Accounts[hook.Application].Profile
	}
	if to == "" || to == hook.Application {
		object.Token, object.URL = hook.Token, w.Origin()+"/api/webhooks/"+hook.ID+"/"+hook.Token
	}
	return object
}

// nonEmpty returns a text, or nil for an empty one.
func nonEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// newWebhookToken returns a token with the length of Discord's, whose prefix the
// transcript recognises.
func newWebhookToken() string {
	const secret = 43
	return base64.RawURLEncoding.EncodeToString([]byte("webhook:" + (rand.Text() + rand.Text())[:secret]))
}

// webhooksIn lists the webhooks of the channels for which matches returns true, oldest first.
func webhooksIn(w *world.World, matches func(*world.Channel) bool) []*world.Webhook {
	found := []*world.Webhook{}
	for _, hook := range w.State.Webhooks {
		if matches(w.State.Channels[hook.Channel]) {
			found = append(found, hook)
		}
	}
	slices.SortFunc(found, func(a, b *world.Webhook) int { return world.CompareIDs(a.ID, b.ID) })
	return found
}

// roomFor returns an error if a channel cannot have one more webhook.
func roomFor(w *world.World, ch *world.Channel) error {
	switch {
	case ch.GuildID == "":
		return check.ErrDirectChannel
	case ch.IsThread():
		return check.ErrWrongChannel
	case len(webhooksIn(w, func(other *world.Channel) bool { return other.ID == ch.ID })) >= maxWebhooks:
		return check.ErrTooManyWebhooks
	}
	return nil
}

// webhookBody is a bot's request to create or change a webhook.
type webhookBody struct {
	Name    *string          `json:"name"`
	Avatar  optional[string] `json:"avatar"`
	Channel world.Snowflake  `json:"channel_id"`
}

// write applies the body to hook, which is a new webhook or a copy of one, and returns the picture to store, if there
// is a new one.
func (b webhookBody) write(hook *world.Webhook) (*world.Avatar, error) {
	if b.Name != nil {
		hook.Name = *b.Name
	}
	if !b.Avatar.set {
		return nil, nil
	}
	if hook.Avatar = ""; b.Avatar.value == "" {
		return nil, nil
	}
	data, kind, animated, err := pictureIn("avatar", b.Avatar.value, maxAvatar)
	if err != nil {
		return nil, err
	}
	hook.Avatar = hashOf(data, animated)
	return &world.Avatar{Hash: hook.Avatar, Type: kind, Data: data}, nil
}

// hashOf returns the name of a picture, which begins with "a_" if the picture is animated.
func hashOf(data []byte, animated bool) string {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:16])
	if animated {
		return "a_" + hash
	}
	return hash
}

// keepAvatar stores a picture unless it is already stored.
func keepAvatar(w *world.World, a *world.Avatar) {
	if a != nil && w.State.Avatars[a.Hash] == nil {
		w.Put(world.Change{Avatar: a})
	}
}

func webhookCreate(c *call) (a answer, err error) {
	if refused := c.api.checker.ChannelWebhookCreate(c.Body); refused != nil {
		return a, refused
	}
	var body webhookBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		if ch := c.w.State.Channels[c.PathValue("channel")]; ch != nil && ch.GuildID == "" {
			return check.ErrDirectChannel
		}
		ch, err := access(c, world.ManageWebhooks)
		if err != nil {
			return err
		}
		if err := roomFor(c.w, ch); err != nil {
			return err
		}
		made := &world.Webhook{ID: c.w.NextID(), Token: newWebhookToken(), Application: c.App, Channel: ch.ID}
		picture, err := body.write(made)
		if err != nil {
			return err
		}
		keepAvatar(c.w, picture)
		c.w.Put(world.Change{Webhook: made})
		c.w.Events.Webhooks(ch)
		a = ok(showWebhook(c.w, made, c.App))
		return nil
	})
	return a, err
}

func webhooksOfChannel(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		ch, err := access(c, world.ManageWebhooks)
		if err != nil {
			return err
		}
		list := []webhookObject{}
		for _, hook := range webhooksIn(c.w, func(other *world.Channel) bool { return other.ID == ch.ID }) {
			list = append(list, showWebhook(c.w, hook, c.App))
		}
		a = ok(list)
		return nil
	})
	return a, err
}

func webhooksOfGuild(c *call) (answer, error) {
	return inGuild(c, func(g *world.Guild) (any, error) {
		if !g.Permissions(g.Member(c.App)).Has(world.ManageWebhooks) {
			return nil, check.ErrMissingPermissions
		}
		list := []webhookObject{}
		for _, hook := range webhooksIn(c.w, func(ch *world.Channel) bool { return ch.GuildID == g.ID }) {
			list = append(list, showWebhook(c.w, hook, c.App))
		}
		return list, nil
	})
}

// webhookOf returns the webhook of a request: by its token, or by id if the
// application owns the webhook or may manage it.
func webhookOf(c *call) (*world.Webhook, error) {
	if c.PathValue("token") != "" {
		return webhookByToken(c)
	}
	hook := c.w.State.Webhooks[c.PathValue("webhook")]
	if hook == nil {
		return nil, check.ErrUnknownWebhook
	}
	if hook.Application != c.App && !c.w.State.Permissions(c.App, c.w.State.Channels[hook.Channel]).Has(world.ManageWebhooks) {
		return nil, check.ErrMissingPermissions
	}
	return hook, nil
}

func webhookByToken(c *call) (*world.Webhook, error) {
	id := c.PathValue("app")
	hook := c.w.State.Webhooks[id]
	switch {
	case c.w.State.Applications[id] != nil:
		return nil, &absentError{c.Method + " /webhooks/{webhook_id}/{webhook_token} of an interaction"}
	case hook == nil:
		return nil, check.ErrUnknownWebhook
	case hook.Token != c.PathValue("token"):
		return nil, check.ErrWebhookToken
	}
	return hook, nil
}

func webhookShow(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		hook, err := webhookOf(c)
		if err == nil {
			a = ok(showWebhook(c.w, hook, c.App))
		}
		return err
	})
	return a, err
}

// webhookChange renames a webhook or changes its avatar. A request with a bot's token can also move the webhook to
// another channel.
func webhookChange(c *call) (a answer, err error) {
	if refused := c.api.checker.ChannelWebhookEdit(c.Body); refused != nil {
		return a, refused
	}
	var body webhookBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		old, err := webhookOf(c)
		if err != nil {
			return err
		}
		changed := *old
		picture, err := body.write(&changed)
		if err != nil {
			return err
		}
		if to := string(body.Channel); c.App != "" {
			if changed.Channel, err = movedTo(c.w, old, c.App, cmp.Or(to, old.Channel)); err != nil {
				return err
			}
		}
		keepAvatar(c.w, picture)
		c.w.Put(world.Change{Webhook: &changed})
		c.w.Events.Webhooks(c.w.State.Channels[old.Channel])
		if changed.Channel != old.Channel {
			c.w.Events.Webhooks(c.w.State.Channels[changed.Channel])
		}
		a = ok(showWebhook(c.w, &changed, c.App))
		return nil
	})
	return a, err
}

// movedTo returns the new channel of a webhook. It returns an error if the
// application may not manage webhooks in the old or the new channel.
func movedTo(w *world.World, hook *world.Webhook, app, channel string) (string, error) {
	from, to := w.State.Channels[hook.Channel], w.State.Channels[channel]
	if to == nil || to.GuildID != from.GuildID {
		return "", check.ErrUnknownChannel
	}
	for _, ch := range [...]*world.Channel{from, to} {
		if !w.State.Permissions(app, ch).Has(world.ManageWebhooks) {
			return "", check.ErrMissingPermissions
		}
	}
	if from == to {
		return channel, nil
	}
	return channel, roomFor(w, to)
}

func webhookRemove(c *call) (answer, error) {
	return noContent, c.w.Locked(func() error {
		hook, err := webhookOf(c)
		if err != nil {
			return err
		}
		c.w.Put(world.Change{WebhookDeleted: hook.ID})
		c.w.Events.Webhooks(c.w.State.Channels[hook.Channel])
		return nil
	})
}

// webhookPost handles a message sent with a token: by a webhook, or as a
// follow-up to an interaction.
func webhookPost(c *call) (answer, error) {
	c.w.Lock()
	isWebhook := c.w.State.Webhooks[c.PathValue("app")] != nil
	c.w.Unlock()
	if isWebhook {
		return execute(c)
	}
	return followUp(c)
}

// execute sends a message by a webhook. If the caller does not wait for the
// message, the response has no body.
func execute(c *call) (answer, error) {
	err := c.w.Locked(func() error {
		_, _, err := webhookAndChannel(c)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(c.api.checker.WebhookExecute(c.Body)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var as webhookSender
	if err := c.decode(&as); err != nil {
		return answer{}, err
	}
	a := noContent
	err = c.w.Locked(func() error {
		hook, ch, err := webhookAndChannel(c)
		if err != nil {
			return err
		}
		if ch, err = as.place(c, hook, ch); err != nil {
			return err
		}
		author, picture := as.author(hook)
		m := c.w.Messages.Draft(author, ch, world.MessagePlain)
		m.ApplicationID, m.WebhookID = hook.Application, hook.ID
		m.TTS, m.Flags = body.TTS, body.flags(world.FlagSuppressEmbeds|world.FlagSuppressNotifications|world.FlagComponentsV2)
		if err := send(c.w, ch, m, body); err != nil {
			return err
		}
		if picture.URL != "" {
			keepAvatar(c.w, picture)
		}
		if wait, _ := strconv.ParseBool(c.URL.Query().Get("wait")); wait {
			a = ok(c.w.State.MessageFor(c.w.State.PostByID[m.ID], hook.Application))
		}
		return nil
	})
	return a, err
}

// webhookSender is the sender's name and picture in a request to a webhook, and the title and tags of the forum post
// that the message begins.
type webhookSender struct {
	Username  string            `json:"username"`
	AvatarURL string            `json:"avatar_url"`
	Thread    string            `json:"thread_name"`
	Tags      []world.Snowflake `json:"applied_tags"`
}

// author returns the author of the message, and the author's picture.
func (s webhookSender) author(hook *world.Webhook) (world.Profile, *world.Avatar) {
	picture := &world.Avatar{Hash: hook.Avatar}
	if s.AvatarURL != "" {
		picture = &world.Avatar{Hash: hashOf([]byte(s.AvatarURL), false), URL: s.AvatarURL}
	}
	return world.Profile{
		ID: hook.ID, Username: cmp.Or(s.Username, hook.Name), Discriminator: "0000", Avatar: nonEmpty(picture.Hash), Bot: true,
	}, picture
}

// place returns the channel of the message: the webhook's channel or, in a forum, a new post.
func (s webhookSender) place(c *call, hook *world.Webhook, ch *world.Channel) (*world.Channel, error) {
	isForum, inThread := c.w.State.Channels[hook.Channel].IsForum(), ch.ID != hook.Channel
	switch {
	case s.Thread != "" && !isForum:
		return nil, check.ErrNoForum
	case s.Thread != "" && inThread:
		return nil, check.ErrTwoPosts
	case s.Thread == "" && isForum && !inThread:
		return nil, check.ErrNoPost
	case s.Thread == "":
		return ch, nil
	}
	post := newPost(c.w, ch, hook.ID, threadBody{Name: &s.Thread, Tags: &s.Tags})
	return post, ch.Forum.Taggable(post.Tags, true)
}

// send completes a new message and posts it. If the message is the first of a forum post, send adds the post first.
func send(w *world.World, ch *world.Channel, m *world.Message, body messageBody) error {
	if err := writeBody(w, m, body); err != nil {
		return err
	}
	files, err := attach(w, m, body)
	if err != nil {
		return err
	}
	if w.State.Channels[ch.ID] == nil {
		w.Guilds.PutChannel(ch)
	}
	storeFiles(w, files)
	w.Messages.FillMentions(m, body.AllowedMentions, "")
	w.Messages.Post(&world.Post{Message: m})
	return nil
}

// webhookAndChannel finds the webhook of a request by its token, and the channel or thread to which the request
// refers.
func webhookAndChannel(c *call) (hook *world.Webhook, ch *world.Channel, err error) {
	if hook, err = webhookByToken(c); err != nil {
		return nil, nil, err
	}
	query := c.URL.Query()
	if !query.Has("thread_id") {
		return hook, c.w.State.Channels[hook.Channel], nil
	}
	id := query.Get("thread_id")
	if !world.IsSnowflake(id) {
		return nil, nil, check.NotSnowflake("thread_id", id)
	}
	if ch = c.w.State.Channels[id]; ch == nil || ch.ParentID != hook.Channel {
		return nil, nil, check.ErrUnknownChannel
	}
	if ch.Locked && c.Method == http.MethodPost {
		return nil, nil, check.ErrLocked
	}
	return hook, ch, nil
}

// webhookMessage returns a message sent by a webhook.
func webhookMessage(c *call) (*world.Post, error) {
	hook, ch, err := webhookAndChannel(c)
	if err != nil {
		return nil, err
	}
	p := c.w.State.PostByID[c.PathValue("message")]
	if p == nil || p.Message.WebhookID != hook.ID || p.Message.ChannelID != ch.ID {
		return nil, check.ErrUnknownMessage
	}
	return p, nil
}

// serveOwnAvatar serves the avatar of a webhook under every extension that Discord serves; the response is always the
// uploaded file. In place of an external picture it serves one colour, derived from the picture's URL.
func (api *API) serveOwnAvatar(w http.ResponseWriter, r *http.Request) {
	hash, ending, _ := strings.Cut(r.PathValue("name"), ".")
	api.w.Lock()
	a := api.w.State.Avatars[hash]
	api.w.Unlock()
	switch {
	case a == nil || !slices.Contains([]string{"png", "webp", "jpg", "jpeg", "gif"}, ending):
		http.NotFound(w, r)
	case a.URL != "":
		plainAvatar(w, len(a.URL)+int(a.Hash[0]))
	default:
		servePicture(w, a.Type, a.Data)
	}
}

// servePicture serves an immutable picture, in which no script can run.
func servePicture(w http.ResponseWriter, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.Write(data) // fails only if the client has disconnected
}
