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

// ownEmoji matches an emoji of the application in JSON of components. In a button without a label it also matches the label before the
// emoji. It never matches inside a string, where quotes have a backslash.
var ownEmoji = regexp.MustCompile(`("label":"",("style":\d+,"disabled":\w+,))?"emoji":\{"name":"(\w+)","id":"\d+"\}`)

// withoutOwnEmoji replaces the application's emoji in a message with Unicode emoji. Unicode emoji do not show the name of the square,
// as the application's emoji do, so the button's label shows it.
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

// emojiRequest makes a request to a route of the application's emoji. It waits for rate limits, for up to an hour. Discord warns that the
// headers of these routes may state the limits wrongly, so a 429 can come without notice.
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

// OwnEmoji asks Discord for the emoji of the application.
func (r *Client) OwnEmoji(ctx context.Context) ([]emoji.Own, error) {
	var list struct {
		Items []emoji.Own `json:"items"`
	}
	err := r.emojiRequest(ctx, "list emoji", http.MethodGet, "", nil, &list)
	return list.Items, err
}

// maximumReached is what Discord's error codes 30001 to 30999, which all mean "Maximum number of ... reached", give when divided by 1000.
// The code for emoji is 30008.
const maximumReached = 30

// CreateEmoji uploads an emoji of the application and returns its id. The picture is a PNG of at most 256 KiB.
func (r *Client) CreateEmoji(ctx context.Context, name string, png []byte) (id string, err error) {
	body := map[string]string{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)}
	var created emoji.Own
	err = r.emojiRequest(ctx, "create emoji", http.MethodPost, "", body, &created)
	if api, is := errors.AsType[*APIError](err); is && api.Code/1000 == maximumReached {
		err = fmt.Errorf("%w: %w", emoji.ErrNoRoom, err)
	}
	return created.ID, err
}

// RenameEmoji renames an emoji of the application. Messages that show the emoji then have the new name too.
func (r *Client) RenameEmoji(ctx context.Context, id, name string) error {
	return r.emojiRequest(ctx, "rename emoji", http.MethodPatch, id, map[string]string{"name": name}, nil)
}

// DeleteEmoji deletes an emoji of the application. It returns nil if there is no such emoji.
func (r *Client) DeleteEmoji(ctx context.Context, id string) error {
	err := r.emojiRequest(ctx, "delete emoji", http.MethodDelete, id, nil, nil)
	if statusOf(err) == http.StatusNotFound {
		return nil
	}
	return err
}
