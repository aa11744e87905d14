package rest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/gif"
	"net/http"
	"slices"
	"strings"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

const (
	// maxEmojiImage is the largest image of an emoji, in bytes.
	maxEmojiImage = 256 << 10
	// maxEmojiPixels is the largest image, in pixels, that is decoded to validate it.
	maxEmojiPixels = 4096 * 4096
)

var emojiRoutes = []route{
	{pattern: "GET /applications/{app}/emojis", serve: emojiList, limit: commandBudget},
	{pattern: "POST /applications/{app}/emojis", serve: emojiCreate, limit: commandBudget},
	{pattern: "GET /applications/{app}/emojis/{emoji}", serve: emojiGet, limit: commandBudget},
	{pattern: "PATCH /applications/{app}/emojis/{emoji}", serve: emojiRename, limit: commandBudget},
	{pattern: "DELETE /applications/{app}/emojis/{emoji}", serve: emojiDelete, limit: commandBudget},
}

// emojiObject is an emoji as Discord's API shows it.
type emojiObject struct {
	ID            string        `json:"id"`
	Name          string        `json:"name"`
	Roles         []string      `json:"roles"`
	User          world.Profile `json:"user"`
	RequireColons bool          `json:"require_colons"`
	Managed       bool          `json:"managed"`
	Animated      bool          `json:"animated"`
	Available     bool          `json:"available"`
}

func showEmoji(w *world.World, e *world.ApplicationEmoji) emojiObject {
	return emojiObject{
		ID: e.ID, Name: e.Name, Roles: []string{}, User: w.State.Accounts[e.Application].Profile,
		RequireColons: true, Animated: e.Animated, Available: true,
	}
}

// withEmojis calls f if the application in the path is the caller.
func withEmojis(c *call, status int, f func() (any, error)) (a answer, err error) {
	err = c.w.Locked(func() error {
		if c.PathValue("app") != c.App {
			return check.ErrForeign
		}
		body, err := f()
		a = answer{status, body}
		return err
	})
	return a, err
}

// emojiInPath returns the emoji named by the path.
func emojiInPath(c *call) (*world.ApplicationEmoji, error) {
	if e := c.w.State.EmojiOf(c.App, c.PathValue("emoji")); e != nil {
		return e, nil
	}
	return nil, check.ErrUnknownEmoji
}

func emojiList(c *call) (answer, error) {
	return withEmojis(c, http.StatusOK, func() (any, error) {
		items := []emojiObject{}
		for _, e := range c.w.State.EmojisOf(c.App) {
			items = append(items, showEmoji(c.w, e))
		}
		return map[string]any{"items": items}, nil
	})
}

func emojiGet(c *call) (answer, error) {
	return withEmojis(c, http.StatusOK, func() (any, error) {
		e, err := emojiInPath(c)
		if err != nil {
			return nil, err
		}
		return showEmoji(c.w, e), nil
	})
}

func emojiCreate(c *call) (answer, error) {
	return withEmojis(c, http.StatusCreated, func() (any, error) {
		if err := c.api.emojisClosed(c.App); err != nil {
			return nil, err
		}
		if refused := c.api.checker.EmojiCreate(c.Body); refused != nil {
			return nil, refused
		}
		var body struct {
			Name  string `json:"name"`
			Image string `json:"image"`
		}
		if err := c.decode(&body); err != nil {
			return nil, err
		}
		e := &world.ApplicationEmoji{Application: c.App, Name: body.Name}
		var err error
		if e.Data, e.Type, e.Animated, err = pictureIn("image", body.Image, maxEmojiImage); err != nil {
			return nil, err
		}
		if err := putEmoji(c.w, e); err != nil {
			return nil, err
		}
		c.api.countEmoji(c.App)
		return showEmoji(c.w, e), nil
	})
}

// putEmoji gives an application an emoji. The caller holds the lock.
func putEmoji(w *world.World, e *world.ApplicationEmoji) error {
	own := w.State.EmojisOf(e.Application)
	if err := unusedName(own, e); err != nil {
		return err
	}
	if len(own) >= world.MaxEmojis {
		return check.ErrTooManyEmojis
	}
	e.ID = w.NextID()
	w.Put(world.Change{Emoji: e})
	return nil
}

// AddEmoji gives an application an emoji and returns its id. The limits of the upload route do not apply.
func (api *API) AddEmoji(app, name string, image []byte) (id string, err error) {
	err = api.w.Locked(func() error {
		e := &world.ApplicationEmoji{Application: app, Name: name, Data: image}
		var real bool
		if e.Type, e.Animated, real = picture(image); !real || len(image) > maxEmojiImage {
			return check.ErrInvalidAsset
		}
		err := putEmoji(api.w, e)
		id = e.ID
		return err
	})
	return id, err
}

func emojiRename(c *call) (answer, error) {
	return withEmojis(c, http.StatusOK, func() (any, error) {
		if err := c.api.emojisClosed(c.App); err != nil {
			return nil, err
		}
		e, err := emojiInPath(c)
		if err != nil {
			return nil, err
		}
		if refused := c.api.checker.EmojiEdit(c.Body); refused != nil {
			return nil, refused
		}
		renamed := *e
		var body struct {
			Name *string `json:"name"`
		}
		if err := c.decode(&body); err != nil {
			return nil, err
		}
		if body.Name != nil {
			renamed.Name = *body.Name
		}
		if err := unusedName(c.w.State.EmojisOf(c.App), &renamed); err != nil {
			return nil, err
		}
		c.w.Put(world.Change{Emoji: &renamed})
		return showEmoji(c.w, &renamed), nil
	})
}

func emojiDelete(c *call) (answer, error) {
	return withEmojis(c, http.StatusNoContent, func() (any, error) {
		if err := c.api.emojisClosed(c.App); err != nil {
			return nil, err
		}
		e, err := emojiInPath(c)
		if err != nil {
			return nil, err
		}
		c.w.Put(world.Change{EmojiDeleted: e.ID})
		return nil, nil
	})
}

// unusedName returns an error if another of the emoji has the same name.
func unusedName(own []*world.ApplicationEmoji, e *world.ApplicationEmoji) error {
	if slices.ContainsFunc(own, func(other *world.ApplicationEmoji) bool { return other.Name == e.Name && other.ID != e.ID }) {
		return check.InvalidField("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name already exists!")
	}
	return nil
}

// pictureIn reads the image in a field as a data URI. The bytes decide the
// image's type; the type in the URI is ignored.
func pictureIn(field, uri string, most int) (data []byte, kind string, animated bool, err error) {
	head, text, _ := strings.Cut(uri, ",")
	claimed, isData := strings.CutPrefix(head, "data:")
	data, err = base64.StdEncoding.DecodeString(text)
	if !isData || !strings.HasSuffix(claimed, ";base64") || err != nil {
		return nil, "", false, check.InvalidField(field, "BINARY_TYPE_INVALID_DATA_URI", "Only data uri strings can be used.")
	}
	if len(data) > most {
		return nil, "", false, check.InvalidField(field, "BINARY_TYPE_MAX_SIZE", fmt.Sprintf("File cannot be larger than %d.0 kb.", most>>10))
	}
	kind, animated, real := picture(data)
	if !real {
		return nil, "", false, check.ErrInvalidAsset
	}
	return data, kind, animated, nil
}

// picture detects the image type of data, and whether the image is animated. It
// knows the types allowed for emoji, apart from AVIF.
func picture(data []byte) (kind string, animated, real bool) {
	if moves, is := webp(data); is {
		return "image/webp", moves, true
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil || size.Width*size.Height > maxEmojiPixels {
		return "", false, false
	}
	if format == "gif" {
		frames, err := gif.DecodeAll(bytes.NewReader(data))
		return "image/gif", err == nil && len(frames.Image) > 1, err == nil
	}
	_, _, err = image.Decode(bytes.NewReader(data))
	return "image/" + format, false, err == nil
}

// webp reports whether data is a WebP image, and whether the image is animated. It
// looks only at the container: the stated length and the type of the first chunk.
func webp(data []byte) (animated, is bool) {
	const header, flags, animation = 20, 20, 1 << 1
	if len(data) <= header || string(data[:4]) != "RIFF" || string(data[8:12]) != "WEBP" ||
		int64(binary.LittleEndian.Uint32(data[4:8])) > int64(len(data)-8) {
		return false, false
	}
	switch string(data[12:16]) {
	case "VP8 ", "VP8L":
		return false, true
	case "VP8X":
		return data[flags]&animation != 0, true
	}
	return false, false
}

// emojisClosed returns an error if the fault EmojiUploads has closed the emoji
// routes for an application.
func (api *API) emojisClosed(app string) error {
	if api.faults.Of(app).EmojiUploads == 0 {
		return nil
	}
	if left := api.limiter.empty("emoji " + app); left > 0 {
		return &limitedError{after: left}
	}
	return nil
}

// countEmoji counts an upload towards the fault EmojiUploads.
func (api *API) countEmoji(app string) {
	if f := api.faults.Of(app).Normal(); f.EmojiUploads > 0 {
		closed := time.Duration(f.EmojiRetryAfterMS) * time.Millisecond
		api.limiter.take("emoji "+app, budget{requests: f.EmojiUploads, window: closed})
	}
}

// writeBody applies a body to m, which is a new message or a copy of one. Emoji in components get their current name.
// An emoji that does not belong to the author becomes its plain name in a text, and is refused in a component.
func writeBody(w *world.World, m *world.Message, body messageBody) error {
	writer := emojiWriter{w.State, m.Application()}
	if err := writer.refused(body.Components.value, body.path("components")); err != nil {
		return err
	}
	if body.Poll != nil {
		if err := writer.refusedPoll(body.Poll.Answers, body.path("poll.answers")); err != nil {
			return err
		}
	}
	body.Content.value = writer.text(body.Content.value)
	for i, embed := range body.Embeds.value {
		body.Embeds.value[i] = writer.embed(embed)
	}
	world.WalkComponents(body.Components.value, writer.component)
	body.write(m)
	if body.Poll != nil {
		m.Poll = body.Poll.poll(w.Clock.Now())
	}
	return nil
}

// emojiWriter rewrites the emoji of an application as Discord does.
type emojiWriter struct {
	state *world.State
	app   string
}

// text replaces each emoji that the application does not own with the emoji's name.
func (w emojiWriter) text(text string) string { return world.EmojiText(w.state, w.app, text) }

// embed replaces emoji in the texts of an embed in the same way as the method text.
func (w emojiWriter) embed(embed json.RawMessage) json.RawMessage {
	var value any
	if json.Unmarshal(embed, &value) != nil {
		return embed
	}
	written, err := json.Marshal(w.inside(value))
	if err != nil {
		return embed
	}
	return written
}

func (w emojiWriter) inside(value any) any {
	switch value := value.(type) {
	case string:
		return w.text(value)
	case []any:
		for i := range value {
			value[i] = w.inside(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = w.inside(value[key])
		}
	}
	return value
}

func (w emojiWriter) component(c *world.Component) {
	w.fillIn(c.Emoji)
	for i := range c.Options {
		w.fillIn(c.Options[i].Emoji)
	}
	if c.Type == world.ComponentTextDisplay {
		c.Content = w.text(c.Content)
	}
}

// refused returns the error for an emoji that the components cannot use, or nil.
func (w emojiWriter) refused(components []world.Component, at string) error {
	for i, c := range components {
		if err := w.refusedIn(c, fmt.Sprintf("%s.%d", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w emojiWriter) refusedIn(c world.Component, at string) error {
	if err := w.refusedEmoji(c.Emoji, at); err != nil {
		return err
	}
	for i, option := range c.Options {
		if err := w.refusedEmoji(option.Emoji, fmt.Sprintf("%s.options.%d", at, i)); err != nil {
			return err
		}
	}
	for part, nested := range map[string]*world.Component{"accessory": c.Accessory, "component": c.Component} {
		if nested == nil {
			continue
		}
		if err := w.refusedIn(*nested, at+"."+part); err != nil {
			return err
		}
	}
	return w.refused(c.Components, at+".components")
}

func (w emojiWriter) refusedEmoji(e *world.Emoji, at string) error {
	if e == nil || e.ID == "" || w.state.EmojiOf(w.app, string(e.ID)) != nil {
		return nil
	}
	return check.InvalidField(at+".emoji.id", "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
}

// refusedPoll returns the error for an emoji that the answers of a poll cannot use, or nil. It fills in the
// current names of the other emoji.
func (w emojiWriter) refusedPoll(answers []world.PollAnswer, at string) error {
	for i, answer := range answers {
		e := answer.Media.Emoji
		if e == nil || e.ID == nil {
			continue
		}
		own := w.state.EmojiOf(w.app, string(*e.ID))
		if own == nil {
			return check.InvalidField(fmt.Sprintf("%s.%d.poll_media.emoji.id", at, i), "BASE_TYPE_CHOICES", "Invalid emoji")
		}
		e.Name, e.Animated = &own.Name, own.Animated
	}
	return nil
}

// fillIn sets the current name of a component's emoji, and whether it is animated.
func (w emojiWriter) fillIn(e *world.Emoji) {
	if e == nil {
		return
	}
	if own := w.state.EmojiOf(w.app, string(e.ID)); own != nil {
		e.Name, e.Animated = own.Name, own.Animated
	}
}

// serveEmoji serves the image of an emoji under every extension that Discord
// serves; the response is always the uploaded file.
func (api *API) serveEmoji(w http.ResponseWriter, r *http.Request) {
	id, ending, _ := strings.Cut(r.PathValue("name"), ".")
	api.w.Lock()
	e := api.w.State.Emojis[id]
	api.w.Unlock()
	switch {
	case e == nil || !slices.Contains([]string{"", "png", "webp", "jpg", "jpeg", "gif", "avif"}, ending):
		http.NotFound(w, r)
		return
	case ending == "gif" && !e.Animated:
		http.Error(w, "This emoji is not animated.", http.StatusUnsupportedMediaType)
		return
	}
	servePicture(w, e.Type, e.Data)
}
