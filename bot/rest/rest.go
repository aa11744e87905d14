// Package rest makes requests to Discord's REST API and observes its rate limits.
package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/messages"
)

// Client makes requests to Discord's REST API. Unless their documentation says otherwise, exported methods do not wait for Discord's rate
// limits: they return messages.ErrRateLimited, usually as a *messages.LimitError. Answers to users wait until their context ends. All requests with the bot's
// token wait for the bot's own limit of 45 a second. No error contains a token.
type Client struct {
	token       string
	dialFor     func(scheme string) func(ctx context.Context, network, addr string) (net.Conn, error)
	pool        *http.Transport
	client      *http.Client // uses pool
	host        *url.URL     // the address of the server that plays Discord's part; nil means Discord itself
	application atomic.Value
	limits      *limits
	slowSince   atomic.Int64 // when a callback last became slow, in Unix nanoseconds
	emoji       func()       // see Config.EmojiRefused
}

// Config holds Discord's address and the bot's token.
type Config struct {
	// Token is the bot's secret, with or without "Bot " before it. It is never logged.
	Token string
	// BaseURL is the scheme and host of the server that plays Discord's part, as "http://127.0.0.1:8080"; empty means Discord itself.
	BaseURL string
	// Dial opens every connection, of HTTP and of the gateway, to the proxy if there is one; nil means a net.Dialer.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Proxy returns the URL (http or https) of the proxy for a request, or nil for no proxy, as [http.ProxyFromEnvironment] does. Only
	// scheme, host and port of the request are set; wss counts as https. All traffic goes through CONNECT. If the field is nil, there is no
	// proxy.
	Proxy func(*http.Request) (*url.URL, error)
	// EmojiRefused, if set, is called when Discord refuses an emoji of the application. The message is then sent once more, with Unicode
	// emoji.
	EmojiRefused func()
}

// New returns a client, or an error if the configuration is wrong. It makes no request.
func New(to Config) (*Client, error) {
	words := strings.Fields(to.Token)
	if len(words) > 0 && words[0] == "Bot" {
		words = words[1:]
	}
	if len(words) != 1 {
		return nil, errors.New("rest: the token must be one word")
	}
	host, err := ParseBaseURL(to.BaseURL)
	if err != nil {
		return nil, err
	}
	if to.EmojiRefused == nil {
		to.EmojiRefused = func() {}
	}
	if to.Dial == nil {
		to.Dial = (&net.Dialer{Timeout: dialTimeout}).DialContext
	}
	if to.Proxy == nil {
		to.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	}
	scheme := "https"
	if host != nil {
		scheme = host.Scheme
	}
	r := &Client{token: words[0], dialFor: to.dialFor, host: host, limits: newLimits(), emoji: to.EmojiRefused}
	r.pool = newPool(to.dialFor(scheme))
	r.client = &http.Client{Transport: r.pool, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse // Discord's API does not redirect, and another server must not get the token
	}}
	r.application.Store("")
	return r, nil
}

// Know records the application's id, unless it is empty.
func (r *Client) Know(application string) {
	if application != "" && application != r.application.Load().(string) {
		r.application.Store(application)
	}
}

// Token returns the bot's token, as the gateway and the REST API expect it.
func (r *Client) Token() string { return "Bot " + r.token }

// DialFor returns the function that opens connections, through a proxy if one is set, for URLs of the scheme https or http.
func (r *Client) DialFor(scheme string) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return r.dialFor(scheme)
}

// InvalidRequests returns the number of requests of the last ten minutes that Discord answered with 401, 403 or 429.
func (r *Client) InvalidRequests() int { return r.limits.invalidRequests() }

// Close closes idle connections.
func (r *Client) Close() { r.pool.CloseIdleConnections() }

// Redact removes the bot's token and other secrets from a text that is not our own, such as a handler's error or panic.
func (r *Client) Redact(text string, secrets ...string) string {
	for _, secret := range append(secrets, r.token) {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "[redacted]")
		}
	}
	return text
}

// ApplicationID returns the id of the bot's application. If [Client.Know] has not recorded it, ApplicationID asks Discord. An error wraps
// errNotReady.
func (r *Client) ApplicationID(ctx context.Context) (string, error) {
	if known := r.application.Load().(string); known != "" {
		return known, nil
	}
	own, err := r.OwnApplication(ctx)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errNotReady, err)
	}
	if own.ID == "" {
		return "", errNotReady
	}
	return own.ID, nil
}

// Attached is a picture in a drawn message. If Discord refuses its file, for example because the bot may not attach files in the channel, the
// message is sent with the words instead.
type Attached struct {
	discordgo.MediaGallery
	File  File
	Words discordgo.TextDisplay
}

// drawn returns a function that draws the components and returns a copy of template with these components, and the files that they show. If
// wordy is set, there are no files.
func drawn(draw messages.Draw, template Message) func(ctx context.Context, wordy bool) (Message, []File, error) {
	return func(ctx context.Context, wordy bool) (body Message, files []File, err error) {
		components, err := draw(ctx)
		body = template
		for _, c := range components {
			shown, is := c.(Attached)
			if is && wordy {
				c = shown.Words
			} else if is {
				files = append(files, shown.File)
				attachments := []Attachment{{Name: shown.File.Name, Description: shown.File.Description}}
				body.Attachments = &attachments
			}
			body.Components = append(body.Components, c)
		}
		return body, files, err
	}
}

// EditMessage redraws one of the bot's messages in a channel to which the bot has access. Errors: messages.ErrGone,
// messages.ErrForbidden, messages.ErrRateLimited, another *APIError, an error of draw, or the reason why Discord gave no answer.
func (r *Client) EditMessage(ctx context.Context, channel, message string, draw messages.Draw) error {
	return r.do(ctx, request{
		name: "edit message", method: http.MethodPatch, url: discordgo.EndpointChannelMessage(channel, message),
		draw: drawn(draw, NewMessage(nil, nil)), bucket: "edit/" + channel, message: "message/" + message, hurried: true,
	}, nil)
}

// EditByToken redraws a message with the token of an interaction. Tokens work for fifteen minutes after the interaction, even where the bot
// is not a member. message is [Original] or an id. It returns the same errors as EditMessage.
func (r *Client) EditByToken(ctx context.Context, token, message string, draw messages.Draw) error {
	q := request{name: "edit by token", method: http.MethodPatch, draw: drawn(draw, NewMessage(nil, nil)), hurried: true}
	return r.byToken(ctx, token, message, q, nil)
}

// received is a message as the API returns it.
type received struct {
	ID         string                 `json:"id"`
	Flags      discordgo.MessageFlags `json:"flags"`
	Components json.RawMessage        `json:"components"`
}

func (m received) sent() messages.Sent {
	return messages.Sent{ID: m.ID, Flags: m.Flags, Carried: CustomIDs(m.Components)}
}

// Original reads the message that answered an interaction. If the answer was an update, or the acknowledgement of a click, that is the
// clicked message. It returns the same errors as EditMessage.
func (r *Client) Original(ctx context.Context, token string) (messages.Sent, error) {
	var found received
	err := r.byToken(ctx, token, Original, request{name: "read original", method: http.MethodGet, hurried: true}, &found)
	return found.sent(), err
}

// Latest reads the latest 100 messages of a channel, the most that Discord returns at once. If the bot may not read the history, it returns
// no messages and no error. Other errors are those of EditMessage.
func (r *Client) Latest(ctx context.Context, channel string) (h messages.History, err error) {
	const limit = 100
	application, err := r.ApplicationID(ctx)
	if err != nil {
		return h, fmt.Errorf("read messages: %w", err)
	}
	var found []struct {
		received
		Author struct {
			ID string `json:"id"`
		} `json:"author"`
		Application string `json:"application_id"`
	}
	err = r.do(ctx, request{
		name: "read messages", method: http.MethodGet, url: discordgo.EndpointChannelMessages(channel) + "?limit=" + strconv.Itoa(limit),
		bucket: "read/" + channel, hurried: true,
	}, &found)
	for _, m := range found {
		if m.Author.ID == application || m.Application == application {
			h.Own = append(h.Own, m.sent())
		}
	}
	if n := len(found); n > 0 {
		h.All = n < limit
		h.Since, _ = discordgo.SnowflakeTimestamp(found[n-1].ID) // zero if the id is invalid
	}
	return h, err
}

// Post writes a new message to a channel, which notifies the users in ping, and returns the message's id. replyTo is the id of the message
// to which it replies, or empty. It returns the same errors as EditMessage.
func (r *Client) Post(ctx context.Context, channel, replyTo string, draw messages.Draw, ping []string) (message string, err error) {
	like := NewMessage(nil, ping)
	if replyTo != "" {
		like.Reference = &referenceBody{MessageID: replyTo}
	}
	return r.post(ctx, channel, request{draw: drawn(draw, like)})
}

// MaxNonce is the maximum length of a nonce, in characters.
const MaxNonce = 25

// PostOnce writes a new message to a channel, which notifies the users in ping, and returns the message's id. For a few minutes Discord answers a repeated
// nonce with the existing message. So a caller that does not know whether a call succeeded can repeat it, and PostOnce itself repeats the
// request after a 5xx. It returns the same errors as EditMessage.
func (r *Client) PostOnce(ctx context.Context, channel, nonce string, draw messages.Draw, ping []string) (message string, err error) {
	like := NewMessage(nil, ping)
	like.Nonce, like.EnforceNonce = nonce, true
	return r.post(ctx, channel, request{repeatable: true, draw: drawn(draw, like)})
}

// post sends a message to a channel.
func (r *Client) post(ctx context.Context, channel string, q request) (message string, err error) {
	var created Posted
	q.name, q.method, q.url = "post message", http.MethodPost, discordgo.EndpointChannelMessages(channel)
	q.bucket, q.hurried = "post/"+channel, true
	err = r.do(ctx, q, &created)
	return created.ID, err
}

// ChannelGuild returns the id of the server that contains the channel. It is empty for direct messages, and if Discord knows no such channel.
// It returns the same errors as EditMessage.
func (r *Client) ChannelGuild(ctx context.Context, channel string) (guild string, err error) {
	var has struct {
		Guild string `json:"guild_id"`
	}
	err = r.do(ctx, request{
		name: "get channel", method: http.MethodGet, url: discordgo.EndpointChannel(channel), bucket: "get/" + channel, hurried: true,
	}, &has)
	if status := statusOf(err); status == http.StatusBadRequest || status == http.StatusNotFound {
		return "", nil
	}
	return has.Guild, err
}

// codeThreadExists is Discord's code for a message that has a thread already.
const codeThreadExists = 160004

// StartThread makes a public thread from a message and returns the thread's id, which is the message's. If the message has a thread
// already, that is no error. Nobody is notified. It returns the same errors as EditMessage.
func (r *Client) StartThread(ctx context.Context, channel, message, name string) (thread string, err error) {
	err = r.do(ctx, request{
		name: "start thread", method: http.MethodPost, url: discordgo.EndpointChannelMessageThread(channel, message),
		body: struct {
			Name        string `json:"name"`
			AutoArchive int    `json:"auto_archive_duration"` // minutes; posting in an archived thread opens it again
		}{name, 24 * 60}, bucket: "thread/" + channel, hurried: true,
	}, nil)
	if api, is := errors.AsType[*APIError](err); is && api.Code == codeThreadExists {
		err = nil
	}
	return message, err
}

// Closed reports whether Discord says that the bot may not write in a channel. Closed shows the bot as typing there for some seconds, which
// needs the same permission. After mostInvalidProbes invalid requests it does not ask.
func (r *Client) Closed(ctx context.Context, channel string) bool {
	return r.InvalidRequests() < mostInvalidProbes && statusOf(r.do(ctx, request{
		name: "type", method: http.MethodPost, url: discordgo.EndpointChannelTyping(channel), bucket: "type/" + channel, hurried: true,
	}, nil)) == http.StatusForbidden
}

// Delete removes a message of the bot. It returns the same errors as EditMessage.
func (r *Client) Delete(ctx context.Context, channel, message string) error {
	return r.do(ctx, request{
		name: "delete message", method: http.MethodDelete, url: discordgo.EndpointChannelMessage(channel, message),
		bucket: "delete/" + channel, message: "delete/" + channel + "/" + message, hurried: true,
	}, nil)
}

// FollowUpPrivately writes one more answer to an interaction, visible only to the user, and returns the message's id. It waits for rate
// limits, because a later call may find the token expired. It returns the same errors as EditMessage.
func (r *Client) FollowUpPrivately(ctx context.Context, token string, draw messages.Draw) (message string, err error) {
	components, err := draw(ctx)
	if err != nil {
		return "", err
	}
	body := NewMessage(components, nil)
	body.Flags |= discordgo.MessageFlagsEphemeral
	created, err := r.FollowUp(ctx, token, body, nil)
	return created.ID, err
}

// PostByToken writes one more answer to an interaction with the interaction's token. Tokens work for fifteen minutes after the interaction,
// even where the bot is not a member. If the user may not use external apps in the channel, Discord shows the message only to the user. It
// returns the same errors as EditMessage.
func (r *Client) PostByToken(ctx context.Context, token string, draw messages.Draw, ping []string) (messages.Sent, error) {
	var created received
	q := request{name: "post by token", method: http.MethodPost, draw: drawn(draw, NewMessage(nil, ping)), hurried: true}
	err := r.byToken(ctx, token, "", q, &created)
	return created.sent(), err
}

// DeleteByToken deletes an answer to an interaction. message is [Original] or an id. It waits for rate limits. It returns the same errors
// as EditMessage.
func (r *Client) DeleteByToken(ctx context.Context, token, message string) error {
	return r.byToken(ctx, token, message, request{name: "delete by token", method: http.MethodDelete}, nil)
}

// Original can be used in place of a message's id, together with the token of an interaction. It stands for the message that answered the
// interaction.
const Original = "@original"

// Posted has the ids of a message that Discord has accepted, and of its channel.
type Posted struct {
	ID        string `json:"id"`
	ChannelID string `json:"channel_id"`
}

// Change edits an answer to an interaction. message is [Original] or an id. It waits for rate limits. It returns the same errors as
// EditMessage.
func (r *Client) Change(ctx context.Context, token, message string, body Message, files []File) (changed Posted, err error) {
	q := request{name: "edit by token", method: http.MethodPatch, body: body, files: files}
	err = r.byToken(ctx, token, message, q, &changed)
	return changed, err
}

// FollowUp writes one more answer to an interaction. It waits for rate limits, because a later call may find the token expired. It returns
// the same errors as EditMessage.
func (r *Client) FollowUp(ctx context.Context, token string, body Message, files []File) (created Posted, err error) {
	err = r.byToken(ctx, token, "", request{name: "follow-up", method: http.MethodPost, body: body, files: files}, &created)
	return created, err
}

// Callback sends the first answer to an interaction, which Discord calls a callback. If wantMessage is set, it returns the ids of the new
// message.
func (r *Client) Callback(ctx context.Context, interaction, token string, body Callback, files []File, wantMessage bool) (Posted, error) {
	var answer struct {
		Resource struct {
			Message Posted `json:"message"`
		} `json:"resource"`
	}
	q := request{
		name: "callback", method: http.MethodPost, url: discordgo.EndpointInteractionResponse(interaction, token), body: body, files: files,
		bucket: "callback/" + interaction, anonymous: true, callback: true, tries: callbackTries,
	}
	switch body.Type {
	case discordgo.InteractionResponseDeferredChannelMessageWithSource, discordgo.InteractionResponseDeferredMessageUpdate:
		q.tries = acknowledgementTries
	}
	if !wantMessage {
		return Posted{}, r.do(ctx, q, nil)
	}
	q.url += "?with_response=true"
	err := r.do(ctx, q, &answer)
	return answer.Resource.Message, err
}

// byToken makes a request about an answer to an interaction, or a request for a new answer if message is empty. The request uses the
// interaction's token in place of the bot's token. The interaction's token has its own rate limits.
func (r *Client) byToken(ctx context.Context, token, message string, q request, into any) error {
	application, err := r.ApplicationID(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	q.url = discordgo.EndpointWebhookToken(application, token)
	if message != "" {
		q.url = discordgo.EndpointWebhookMessage(application, token, message)
	}
	q.bucket, q.anonymous = "token/"+token, true
	return r.do(ctx, q, into)
}

// Application is the bot's application, as Discord returns it.
type Application struct {
	ID       string `json:"id"`
	Flags    int    `json:"flags"`
	Endpoint string `json:"interactions_endpoint_url"`
	Key      string `json:"verify_key"`
}

// OwnApplication asks Discord for the bot's application.
func (r *Client) OwnApplication(ctx context.Context) (own Application, err error) {
	err = r.do(ctx, request{name: "own application", method: http.MethodGet, url: discordgo.EndpointAPI + "applications/@me"}, &own)
	r.Know(own.ID)
	return own, err
}

// guildsAtOnce is the maximum number of servers that Discord lists in one answer.
const guildsAtOnce = 200

// guild is a server that the bot is in.
type guild struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Permissions string `json:"permissions"`
}

// ownGuilds asks Discord for at most guildsAtOnce servers that the bot is in, in the order of their ids, from the first id that is higher
// than after.
func (r *Client) ownGuilds(ctx context.Context, after string) (some []guild, err error) {
	query := url.Values{"limit": {strconv.Itoa(guildsAtOnce)}}
	if after != "" {
		query.Set("after", after)
	}
	err = r.do(ctx, request{
		name: "own servers", method: http.MethodGet, url: discordgo.EndpointUserGuilds("@me") + "?" + query.Encode(),
		bucket: "own servers",
	}, &some)
	return some, err
}

// Guilds asks Discord for the ids of all servers that the bot is in.
func (r *Client) Guilds(ctx context.Context) (ids []string, err error) {
	for after := ""; ; {
		some, err := r.ownGuilds(ctx, after)
		if err != nil {
			return nil, err
		}
		for _, g := range some {
			ids = append(ids, g.ID)
		}
		if len(some) < guildsAtOnce {
			return ids, nil
		}
		after = ids[len(ids)-1]
	}
}

// StartLimit says how many more gateway sessions the bot may start.
type StartLimit struct {
	Remaining      int   `json:"remaining"`
	ResetAfter     int64 `json:"reset_after"`     // milliseconds
	MaxConcurrency int   `json:"max_concurrency"` // how many shards may identify within 5 s
}

// GatewayInfo is Discord's answer to a bot that asks about the gateway.
type GatewayInfo struct {
	Shards int        `json:"shards"` // the recommended number
	Limit  StartLimit `json:"session_start_limit"`
}

// GatewayAddress asks Discord for the URL of the gateway.
func (r *Client) GatewayAddress(ctx context.Context) (string, error) {
	var found struct {
		URL string `json:"url"`
	}
	err := r.do(ctx, request{name: "gateway address", method: http.MethodGet, url: discordgo.EndpointGateway, anonymous: true}, &found)
	return found.URL, err
}

// Gateway asks Discord for the recommended number of shards and for the limits on starting sessions.
func (r *Client) Gateway(ctx context.Context) (GatewayInfo, error) {
	info := GatewayInfo{Limit: StartLimit{Remaining: 1}} // in case the server does not say how many sessions remain
	err := r.do(ctx, request{name: "session limits", method: http.MethodGet, url: discordgo.EndpointGatewayBot}, &info)
	return info, err
}
