package discordsim

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
)

const (
	// maxWebhooks is the maximum number of webhooks in a channel.
	maxWebhooks = 15
	// maxAvatar is the largest avatar of a webhook, in bytes.
	maxAvatar = 10 << 20
	// webhookIncoming is the type of webhook that writes into a channel.
	webhookIncoming = 1
)

// webhook lets an application write into a channel with the webhook's own token.
// It is a value that is replaced, never changed.
type webhook struct {
	ID          string `json:"id"`
	Token       string `json:"token"`
	Application string `json:"application"`
	Channel     string `json:"channel"`
	Name        string `json:"name"`
	Avatar      string `json:"avatar,omitempty"` // the hash of its avatar
}

// avatar is the picture of a webhook: its bytes, or the URL of an external
// picture, which is never fetched here. It is never changed.
type avatar struct {
	Hash string `json:"hash"`
	Type string `json:"type,omitempty"` // such as image/png
	Data []byte `json:"data,omitempty"`
	URL  string `json:"url,omitempty"`
}

var webhookRoutes = []route{
	{pattern: "POST /channels/{channel}/webhooks", serve: (*Sim).webhookCreate, limit: someMessages},
	{pattern: "GET /channels/{channel}/webhooks", serve: (*Sim).webhooksOfChannel, limit: someReads},
	{pattern: "GET /guilds/{guild}/webhooks", serve: (*Sim).webhooksOfGuild, limit: someLookUps},
	{pattern: "GET /webhooks/{webhook}", serve: (*Sim).webhookShow, limit: someLookUps},
	{pattern: "PATCH /webhooks/{webhook}", serve: (*Sim).webhookChange, limit: someLookUps},
	{pattern: "DELETE /webhooks/{webhook}", serve: (*Sim).webhookRemove, limit: someLookUps},
	{pattern: "GET /webhooks/{app}/{token}", serve: (*Sim).webhookShow, open: true, limit: someWebhooks},
	{pattern: "PATCH /webhooks/{app}/{token}", serve: (*Sim).webhookChange, open: true, limit: someWebhooks},
	{pattern: "DELETE /webhooks/{app}/{token}", serve: (*Sim).webhookRemove, open: true, limit: someWebhooks},
}

// webhookObject is a webhook as Discord's API shows it.
type webhookObject struct {
	ID            string   `json:"id"`
	Type          int      `json:"type"`
	GuildID       string   `json:"guild_id"`
	ChannelID     string   `json:"channel_id"`
	User          *Profile `json:"user,omitempty"` // omitted for callers that only have the token
	Name          string   `json:"name"`
	Avatar        *string  `json:"avatar"`
	ApplicationID string   `json:"application_id"`
	// Token and URL are shown to the webhook's application and to callers that have the token.
	Token string `json:"token,omitempty"`
	URL   string `json:"url,omitempty"`
}

// webhookObject shows a webhook to an application or, if to is empty, to a caller
// that has the webhook's token.
func (s *Sim) webhookObject(w *webhook, to string) webhookObject {
	object := webhookObject{
		ID: w.ID, Type: webhookIncoming, GuildID: s.state.channels[w.Channel].GuildID, ChannelID: w.Channel,
		Name: w.Name, Avatar: nonEmpty(w.Avatar), ApplicationID: w.Application,
	}
	if to != "" {
		object.User = &s.state.accounts[w.Application].Profile
	}
	if to == "" || to == w.Application {
		object.Token, object.URL = w.Token, s.origin()+"/api/webhooks/"+w.ID+"/"+w.Token
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

// speaker returns the id of the application that writes under an id, which is the
// id of a webhook or of the application itself.
func (st *state) speaker(id string) string {
	if w := st.webhooks[id]; w != nil {
		return w.Application
	}
	return id
}

// webhooksIn lists the webhooks of the channels that satisfy is, oldest first.
func (s *Sim) webhooksIn(is func(*Channel) bool) []*webhook {
	found := []*webhook{}
	for _, w := range s.state.webhooks {
		if is(s.state.channels[w.Channel]) {
			found = append(found, w)
		}
	}
	slices.SortFunc(found, func(a, b *webhook) int { return compareIDs(a.ID, b.ID) })
	return found
}

// roomFor returns an error if a channel cannot have one more webhook.
func (s *Sim) roomFor(ch *Channel) error {
	switch {
	case ch.GuildID == "":
		return errDirectChannel
	case ch.isThread():
		return errWrongChannel
	case len(s.webhooksIn(func(other *Channel) bool { return other.ID == ch.ID })) >= maxWebhooks:
		return errTooManyWebhooks
	}
	return nil
}

// webhookBody is a bot's request to create or change a webhook.
type webhookBody struct {
	Name    *string       `json:"name"`
	Avatar  named[string] `json:"avatar"`
	Channel snowflake     `json:"channel_id"`
}

// write applies the body to a webhook that is not shared yet, and returns the
// picture to store, if there is a new one.
func (b webhookBody) write(w *webhook) (*avatar, error) {
	if b.Name != nil {
		w.Name = *b.Name
	}
	if !b.Avatar.there {
		return nil, nil
	}
	if w.Avatar = ""; b.Avatar.value == "" {
		return nil, nil
	}
	data, kind, animated, err := pictureIn("avatar", b.Avatar.value, maxAvatar)
	if err != nil {
		return nil, err
	}
	w.Avatar = hashOf(data, animated)
	return &avatar{Hash: w.Avatar, Type: kind, Data: data}, nil
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

// keep stores a picture unless it is already stored.
func (s *Sim) keep(a *avatar) {
	if a != nil && s.state.avatars[a.Hash] == nil {
		s.put(change{Avatar: a})
	}
}

func (s *Sim) webhookCreate(c *call) (a answer, err error) {
	if refused := s.checker.ChannelWebhookCreate(c.Body); refused != nil {
		return a, refused
	}
	var body webhookBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = s.locked(func() error {
		if ch := s.state.channels[c.PathValue("channel")]; ch != nil && ch.GuildID == "" {
			return errDirectChannel
		}
		ch, err := s.access(c, ManageWebhooks)
		if err != nil {
			return err
		}
		if err := s.roomFor(ch); err != nil {
			return err
		}
		made := &webhook{ID: s.nextID(), Token: newWebhookToken(), Application: c.App, Channel: ch.ID}
		picture, err := body.write(made)
		if err != nil {
			return err
		}
		s.keep(picture)
		s.put(change{Webhook: made})
		s.dispatchWebhooks(ch)
		a = ok(s.webhookObject(made, c.App))
		return nil
	})
	return a, err
}

func (s *Sim) webhooksOfChannel(c *call) (a answer, err error) {
	err = s.locked(func() error {
		ch, err := s.access(c, ManageWebhooks)
		if err != nil {
			return err
		}
		list := []webhookObject{}
		for _, w := range s.webhooksIn(func(other *Channel) bool { return other.ID == ch.ID }) {
			list = append(list, s.webhookObject(w, c.App))
		}
		a = ok(list)
		return nil
	})
	return a, err
}

func (s *Sim) webhooksOfGuild(c *call) (answer, error) {
	return s.inGuild(c, func(g *Guild) (any, error) {
		if !g.permissions(g.member(c.App)).Has(ManageWebhooks) {
			return nil, errMissingPermissions
		}
		list := []webhookObject{}
		for _, w := range s.webhooksIn(func(ch *Channel) bool { return ch.GuildID == g.ID }) {
			list = append(list, s.webhookObject(w, c.App))
		}
		return list, nil
	})
}

// webhook returns the webhook of a request: by its token, or by id if the
// application owns the webhook or may manage it.
func (s *Sim) webhook(c *call) (*webhook, error) {
	if c.PathValue("token") != "" {
		return s.webhookByToken(c)
	}
	w := s.state.webhooks[c.PathValue("webhook")]
	if w == nil {
		return nil, errUnknownWebhook
	}
	if w.Application != c.App && !s.state.permissions(c.App, s.state.channels[w.Channel]).Has(ManageWebhooks) {
		return nil, errMissingPermissions
	}
	return w, nil
}

func (s *Sim) webhookByToken(c *call) (*webhook, error) {
	id := c.PathValue("app")
	w := s.state.webhooks[id]
	switch {
	case s.state.applications[id] != nil:
		return nil, &absentError{c.Method + " /webhooks/{webhook_id}/{webhook_token} of an interaction"}
	case w == nil:
		return nil, errUnknownWebhook
	case w.Token != c.PathValue("token"):
		return nil, errWebhookToken
	}
	return w, nil
}

func (s *Sim) webhookShow(c *call) (a answer, err error) {
	err = s.locked(func() error {
		w, err := s.webhook(c)
		if err == nil {
			a = ok(s.webhookObject(w, c.App))
		}
		return err
	})
	return a, err
}

// webhookChange renames a webhook, changes its avatar or, by id, moves it to another channel.
func (s *Sim) webhookChange(c *call) (a answer, err error) {
	if refused := s.checker.ChannelWebhookEdit(c.Body); refused != nil {
		return a, refused
	}
	var body webhookBody
	if err := c.decode(&body); err != nil {
		return a, err
	}
	err = s.locked(func() error {
		old, err := s.webhook(c)
		if err != nil {
			return err
		}
		changed := *old
		picture, err := body.write(&changed)
		if err != nil {
			return err
		}
		if to := string(body.Channel); c.App != "" {
			if changed.Channel, err = s.movedTo(old, c.App, cmp.Or(to, old.Channel)); err != nil {
				return err
			}
		}
		s.keep(picture)
		s.put(change{Webhook: &changed})
		s.dispatchWebhooks(s.state.channels[old.Channel])
		if changed.Channel != old.Channel {
			s.dispatchWebhooks(s.state.channels[changed.Channel])
		}
		a = ok(s.webhookObject(&changed, c.App))
		return nil
	})
	return a, err
}

// movedTo returns the new channel of a webhook. It returns an error if the
// application may not manage webhooks in the old or the new channel.
func (s *Sim) movedTo(w *webhook, app, channel string) (string, error) {
	from, to := s.state.channels[w.Channel], s.state.channels[channel]
	if to == nil || to.GuildID != from.GuildID {
		return "", errUnknownChannel
	}
	for _, ch := range [...]*Channel{from, to} {
		if !s.state.permissions(app, ch).Has(ManageWebhooks) {
			return "", errMissingPermissions
		}
	}
	if from == to {
		return channel, nil
	}
	return channel, s.roomFor(to)
}

func (s *Sim) webhookRemove(c *call) (answer, error) {
	return noContent, s.locked(func() error {
		w, err := s.webhook(c)
		if err != nil {
			return err
		}
		s.put(change{WebhookDeleted: w.ID})
		s.dispatchWebhooks(s.state.channels[w.Channel])
		return nil
	})
}

// dispatchWebhooks tells bots that a channel's webhooks have changed.
func (s *Sim) dispatchWebhooks(ch *Channel) {
	event := map[string]string{"guild_id": ch.GuildID, "channel_id": ch.ID}
	s.hearing(ch, intentGuildWebhooks, 0, func(se *session) { se.dispatch("WEBHOOKS_UPDATE", event, nil) })
}

// webhookPost handles a message sent with a token: by a webhook, or as a
// follow-up to an interaction.
func (s *Sim) webhookPost(c *call) (answer, error) {
	s.mu.Lock()
	isWebhook := s.state.webhooks[c.PathValue("app")] != nil
	s.mu.Unlock()
	if isWebhook {
		return s.execute(c)
	}
	return s.followUp(c)
}

// execute sends a message by a webhook. If the caller does not wait for the
// message, the response has no body.
func (s *Sim) execute(c *call) (answer, error) {
	err := s.locked(func() error {
		_, _, err := s.spoken(c)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if err := c.passes(s.checker.WebhookExecute(c.Body)); err != nil {
		return answer{}, err
	}
	body, err := c.message()
	if err != nil {
		return answer{}, err
	}
	var as struct {
		Username  string `json:"username"`
		AvatarURL string `json:"avatar_url"`
		Thread    string `json:"thread_name"`
	}
	if err := c.decode(&as); err != nil {
		return answer{}, err
	}
	if as.Thread != "" {
		return answer{}, errNoForum
	}
	a := noContent
	err = s.locked(func() error {
		w, ch, err := s.spoken(c)
		if err != nil {
			return err
		}
		picture := &avatar{Hash: w.Avatar}
		if as.AvatarURL != "" {
			picture = &avatar{Hash: hashOf([]byte(as.AvatarURL), false), URL: as.AvatarURL}
		}
		author := Profile{ID: w.ID, Username: cmp.Or(as.Username, w.Name), Discriminator: "0000", Avatar: nonEmpty(picture.Hash), Bot: true}
		m := s.draft(author, ch, messagePlain)
		m.ApplicationID, m.WebhookID = w.Application, w.ID
		m.TTS, m.Flags = body.TTS, body.flags(flagSuppressEmbeds|flagSuppressNotifications|flagComponentsV2)
		if err := s.write(m, body); err != nil {
			return err
		}
		files, err := s.attach(m, body)
		if err != nil {
			return err
		}
		s.file(files)
		s.fillMentions(m, body.AllowedMentions, "")
		if picture.URL != "" {
			s.keep(picture)
		}
		p := &post{Message: m}
		s.post(p)
		if wait, _ := strconv.ParseBool(c.URL.Query().Get("wait")); wait {
			a = ok(s.state.messageFor(p, w.Application))
		}
		return nil
	})
	return a, err
}

// spoken finds the webhook of a request by token, and the channel or thread to
// which the request refers.
func (s *Sim) spoken(c *call) (w *webhook, ch *Channel, err error) {
	if w, err = s.webhookByToken(c); err != nil {
		return nil, nil, err
	}
	query := c.URL.Query()
	if !query.Has("thread_id") {
		return w, s.state.channels[w.Channel], nil
	}
	id := query.Get("thread_id")
	if !isSnowflake(id) {
		return nil, nil, notSnowflake("thread_id", id)
	}
	if ch = s.state.channels[id]; ch == nil || ch.ParentID != w.Channel {
		return nil, nil, errUnknownChannel
	}
	if ch.Locked && c.Method == http.MethodPost {
		return nil, nil, errLocked
	}
	return w, ch, nil
}

// webhookMessage returns a message sent by a webhook.
func (s *Sim) webhookMessage(c *call) (*post, error) {
	w, ch, err := s.spoken(c)
	if err != nil {
		return nil, err
	}
	p := s.state.postByID[c.PathValue("message")]
	if p == nil || p.Message.WebhookID != w.ID || p.Message.ChannelID != ch.ID {
		return nil, errUnknownMessage
	}
	return p, nil
}

// serveOwnAvatar serves the avatar of a webhook under every extension that
// Discord serves; the response is always the uploaded file. An external picture
// is replaced by a colour derived from its URL.
func (s *Sim) serveOwnAvatar(w http.ResponseWriter, r *http.Request) {
	hash, ending, _ := strings.Cut(r.PathValue("name"), ".")
	s.mu.Lock()
	a := s.state.avatars[hash]
	s.mu.Unlock()
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
	w.Write(data) // a client that has hung up needs no answer
}
