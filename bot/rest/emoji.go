package rest

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/show/emoji"
)

// refusesEmoji reports whether Discord refused a message because of an emoji in a component.
func refusesEmoji(err error) bool {
	api, is := errors.AsType[*APIError](err)
	return is && api.Status == http.StatusBadRequest && strings.Contains(api.Detail, "INVALID_EMOJI")
}

// ownEmoji matches an emoji of the application in a component that is encoded as JSON, and what precedes it in a button without a label.
// Quotes inside a string would have a backslash.
var ownEmoji = regexp.MustCompile(`("label":"",("style":\d+,"disabled":\w+,))?"emoji":\{"name":"(\w+)","id":"\d+"\}`)

// withoutOwnEmoji replaces the application's emoji with Unicode emoji. Those do not name the square, so the button's label does.
func withoutOwnEmoji(body []byte) []byte {
	return ownEmoji.ReplaceAllFunc(body, func(found []byte) []byte {
		parts := ownEmoji.FindSubmatch(found)
		name, label := string(parts[3]), ""
		if square, _, is := strings.Cut(name, "_"); is && len(parts[1]) > 0 {
			label = fmt.Sprintf(`"label":"%s",%s`, square, parts[2])
		}
		return fmt.Appendf(nil, `%s"emoji":{"name":"%s"}`, label, emoji.Unicode(name))
	})
}

// emojiRequest makes a request to a route of an application's emoji. It waits for rate limits, which may take an hour. Discord says that
// these routes do not follow the usual conventions, so only a 429 indicates a limit.
func (r *Client) emojiRequest(ctx context.Context, name, method, id string, body, into any) error {
	application, err := r.ApplicationID(ctx)
	if err != nil {
		return err
	}
	q := request{name: name, method: method, url: discordgo.EndpointApplicationEmojis(application), body: body, bucket: "emoji"}
	if id != "" {
		q.url = discordgo.EndpointApplicationEmoji(application, id)
	}
	return r.do(ctx, q, into)
}

// OwnEmoji returns the emoji of the application.
func (r *Client) OwnEmoji(ctx context.Context) ([]emoji.Own, error) {
	var list struct {
		Items []emoji.Own `json:"items"`
	}
	err := r.emojiRequest(ctx, "list emoji", http.MethodGet, "", nil, &list)
	return list.Items, err
}

// maximumReached is the thousands of Discord's codes for "Maximum number of ... reached", such as 30008 for emoji (JSON error codes).
const maximumReached = 30

// CreateEmoji gives the application an emoji and returns its id. The picture is a PNG of at most 256 KiB.
func (r *Client) CreateEmoji(ctx context.Context, name string, png []byte) (id string, err error) {
	body := map[string]string{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)}
	var created emoji.Own
	err = r.emojiRequest(ctx, "create emoji", http.MethodPost, "", body, &created)
	if api, is := errors.AsType[*APIError](err); is && api.Code/1000 == maximumReached {
		err = fmt.Errorf("%w: %w", emoji.ErrNoRoom, err)
	}
	return created.ID, err
}

// RenameEmoji renames an emoji in all messages.
func (r *Client) RenameEmoji(ctx context.Context, id, name string) error {
	return r.emojiRequest(ctx, "rename emoji", http.MethodPatch, id, map[string]string{"name": name}, nil)
}

// DeleteEmoji deletes an emoji of the application. If it does not exist, that is no error.
func (r *Client) DeleteEmoji(ctx context.Context, id string) error {
	err := r.emojiRequest(ctx, "delete emoji", http.MethodDelete, id, nil, nil)
	if statusOf(err) == http.StatusNotFound {
		return nil
	}
	return err
}
