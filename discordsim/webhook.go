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
	// maxWebhooks is how many webhooks a channel may have.
	maxWebhooks = 15
	// maxAvatar is the largest picture of a webhook, in bytes.
	maxAvatar = 10 << 20
	// webhookIncoming is the type of webhook that writes into a channel.
	webhookIncoming = 1
)

// webhook writes into a channel by a token of its own. It is a value that is
// replaced, never changed.
type webhook struct {
	ID          string `json:"id"`
	Token       string `json:"token"`
	Application string `json:"application"`
	Channel     string `json:"channel"`
	Name        string `json:"name"`
	Avatar      string `json:"avatar,omitempty"` // the hash of its picture
}

// avatar is the picture of a webhook: its bytes, or the address of one that is
// elsewhere, which nobody here fetches. It is never changed.
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
	User          *Profile `json:"user,omitempty"` // not to who has the token alone
	Name          string   `json:"name"`
	Avatar        *string  `json:"avatar"`
	ApplicationID string   `json:"application_id"`
	// Token and URL are told to the application whose webhook it is, and to who
	// has the token already.
	Token string `json:"token,omitempty"`
	URL   string `json:"url,omitempty"`
}

// webhookObject shows a webhook to an application, or to who has its token if
// that is empty.
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

// newWebhookToken makes a token of the length of Discord's, which the transcript
// knows by its beginning.
func newWebhookToken() string {
	const secret = 43
	return base64.RawURLEncoding.EncodeToString([]byte("webhook:" + (rand.Text() + rand.Text())[:secret]))
}

// speaker returns the application that writes under an id: that of a webhook, or
// that of an application itself.
func (st *state) speaker(id string) string {
	if w := st.webhooks[id]; w != nil {
		return w.Application
	}
	return id
}

// webhooksIn lists the webhooks of some channels, the oldest first.
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

// roomFor refuses one more webhook where no more can be.
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

// webhookBody is what a bot says of a webhook.
type webhookBody struct {
	Name    *string       `json:"name"`
	Avatar  named[string] `json:"avatar"`
	Channel snowflake     `json:"channel_id"`
}

// write puts what the body says into a webhook that nobody else holds yet, and
// returns the picture that has to be kept, if there is a new one.
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

// hashOf returns the name of a picture, which begins with "a_" if the picture moves.
func hashOf(data []byte, animated bool) string {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:16])
	if animated {
		return "a_" + hash
	}
	return hash
}

// keep stores a picture unless it is there already.
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

// webhook finds the webhook of a request: by its token, or by id for an
// application whose own it is or that may manage it.
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

// webhookChange renames a webhook, gives it another picture or, by id, moves it
// to another channel.
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

// movedTo refuses to change a webhook, and to move it to a channel in which the
// application may not manage webhooks.
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

// dispatchWebhooks tells bots that a channel's webhooks are others now.
func (s *Sim) dispatchWebhooks(ch *Channel) {
	event := map[string]string{"guild_id": ch.GuildID, "channel_id": ch.ID}
	s.hearing(ch, intentGuildWebhooks, 0, func(se *session) { se.dispatch("WEBHOOKS_UPDATE", event, nil) })
}

// webhookPost returns a message by token: of a webhook, or one that follows the
// answer to an interaction.
func (s *Sim) webhookPost(c *call) (answer, error) {
	s.mu.Lock()
	isWebhook := s.state.webhooks[c.PathValue("app")] != nil
	s.mu.Unlock()
	if isWebhook {
		return s.execute(c)
	}
	return s.followUp(c)
}

// execute writes a message by a webhook. If the caller does not wait for the message,
// the answer has no body.
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

// spoken finds the webhook of a request by token, and the channel or thread in which
// it writes or has written.
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

// webhookMessage finds a message that a webhook wrote.
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

// serveOwnAvatar is the picture of a webhook, under each ending by which Discord
// serves it; what comes is what was uploaded. In the place of one that is
// elsewhere stands a colour that its address chooses.
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

// servePicture serves a picture that never changes and in which nothing runs.
func servePicture(w http.ResponseWriter, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	w.Write(data) // whoever hung up needs no answer
}
