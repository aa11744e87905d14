package commands_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/commands"
	"tictactoe/internal/boards/messages"
)

// discord is a fake messenger: it records the requests, and fails on demand.
type discord struct {
	mu       sync.Mutex
	next     int
	asked    []string
	messages map[string]string          // the text of each message, with its board
	fail     func(request string) error // returns the error of a recorded request; nil, or a nil error, means success
	limit    func(request string) error // like fail, but called before anything is drawn or recorded
	limits   int                        // the number of requests that limit has failed
	waiting  func()                     // called before an edit is drawn, like a wait for a rate limit
	during   func(request string)       // called while a request is under way
	original func(*messages.Sent)       // changes the message "@original", which is otherwise the reply to the interaction
	recent   []messages.Sent            // the latest messages of every channel
	alone    bool                       // messages posted by a token are visible only to the user of the interaction
	bodies   [][]discordgo.MessageComponent
	log      locked
}

// locked is a log that may be read while it is written.
type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// only returns a function that fails the requests with the given prefix.
func only(prefix string, err error) func(request string) error {
	return func(request string) error {
		if strings.HasPrefix(request, prefix) {
			return err
		}
		return nil
	}
}

func (d *discord) request(ctx context.Context, request string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	d.asked = append(d.asked, request)
	fail, during := d.fail, d.during
	d.mu.Unlock()
	if during != nil {
		during(request)
	}
	if fail != nil {
		return fail(request)
	}
	return nil
}

func (d *discord) limited(request string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.limit == nil {
		return nil
	}
	err := d.limit(request)
	if err != nil {
		d.limits++
	}
	return err
}

func (d *discord) limiting(limit func(request string) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.limit, d.limits = limit, 0
}

func (d *discord) show(message string, components []discordgo.MessageComponent) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.messages[message] = text(components) + "\n" + marks(components) + "\n" + labels(components)
	d.bodies = append(d.bodies, components)
}

// Original returns the message that the desk delivers as the reply to the interaction that began a match.
func (d *discord) Original(ctx context.Context, token string) (messages.Sent, error) {
	if err := d.request(ctx, "original of "+token); err != nil {
		return messages.Sent{}, err
	}
	interaction := strings.TrimPrefix(token, "token-of-")
	id, err := commands.IDOf(interaction)
	if err != nil {
		return messages.Sent{}, err
	}
	found := messages.Sent{
		ID: "8" + interaction, Flags: discordgo.MessageFlagsIsComponentsV2, Carried: []string{"resign:" + string(id) + ":0"},
	}
	if d.original != nil {
		d.original(&found)
	}
	return found, nil
}

// Latest returns the messages that the test has put in the channel.
func (d *discord) Latest(ctx context.Context, channel string) (messages.History, error) {
	if err := d.request(ctx, "latest in "+channel); err != nil {
		return messages.History{}, err
	}
	return messages.History{Own: d.recent, All: true, Since: time.Unix(1, 0)}, nil
}

func (d *discord) EditMessage(ctx context.Context, channel, message string, draw messages.Draw) error {
	return d.edit(ctx, fmt.Sprintf("edit %s/%s", channel, message), message, draw)
}

func (d *discord) EditByToken(ctx context.Context, token, message string, draw messages.Draw) error {
	return d.edit(ctx, fmt.Sprintf("edit %s by %s", message, token), message, draw)
}

func (d *discord) edit(ctx context.Context, request, message string, draw messages.Draw) error {
	if err := d.limited(request); err != nil {
		return err
	}
	if d.waiting != nil {
		d.waiting()
	}
	components, err := draw(ctx)
	if err != nil {
		return err
	}
	if err := d.request(ctx, request); err != nil {
		return err
	}
	d.show(message, components)
	return nil
}

func (d *discord) Post(ctx context.Context, channel, replyTo string, draw messages.Draw, ping []string) (string, error) {
	request := "post to " + channel
	if replyTo != "" {
		request += " in reply to " + replyTo
	}
	if err := d.limited(request); err != nil {
		return "", err
	}
	components, err := draw(ctx)
	if err != nil {
		return "", err
	}
	if err := d.request(ctx, request+pinging(ping)); err != nil {
		return "", err
	}
	d.mu.Lock()
	d.next++
	id := fmt.Sprint(d.next)
	d.mu.Unlock()
	d.show(id, components)
	return id, nil
}

func (d *discord) PostOnce(ctx context.Context, channel, _ string, draw messages.Draw, ping []string) (string, error) {
	return d.Post(ctx, channel, "", draw, ping)
}

// PostByToken posts a message, which only the user of the interaction sees if alone is set.
func (d *discord) PostByToken(ctx context.Context, token string, draw messages.Draw, ping []string) (messages.Sent, error) {
	components, err := draw(ctx)
	if err != nil {
		return messages.Sent{}, err
	}
	if err := d.request(ctx, "post by "+token+pinging(ping)); err != nil {
		return messages.Sent{}, err
	}
	d.mu.Lock()
	d.next++
	sent := messages.Sent{ID: fmt.Sprint(d.next)}
	if d.alone {
		sent.Flags = discordgo.MessageFlagsEphemeral
	}
	d.mu.Unlock()
	d.show(sent.ID, components)
	return sent, nil
}

// StartThread makes a thread that has the id of the message.
func (d *discord) StartThread(ctx context.Context, channel, message, name string) (string, error) {
	return message, d.request(ctx, fmt.Sprintf("thread %q from %s/%s", name, channel, message))
}

func (d *discord) Delete(ctx context.Context, channel, message string) error {
	return d.remove(ctx, message, fmt.Sprintf("delete %s/%s", channel, message))
}

func (d *discord) DeleteByToken(ctx context.Context, token, message string) error {
	return d.remove(ctx, message, fmt.Sprintf("delete %s by %s", message, token))
}

func (d *discord) remove(ctx context.Context, message, request string) error {
	err := d.request(ctx, request)
	if err == nil {
		d.mu.Lock()
		delete(d.messages, message)
		d.mu.Unlock()
	}
	return err
}

func (d *discord) FollowUpPrivately(ctx context.Context, token string, draw messages.Draw) (string, error) {
	return d.Post(ctx, "follow "+token, "", draw, nil)
}

func pinging(ping []string) string {
	if len(ping) == 0 {
		return ""
	}
	return " pinging " + strings.Join(ping, " ")
}

// take returns the requests since it was last called.
func (d *discord) take() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	asked := d.asked
	d.asked = nil
	return asked
}

func (d *discord) says(message string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.messages[message]
}

func (d *discord) failing(fail func(request string) error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fail = fail
}

// rateLimited returns the error of a request that has to wait.
func rateLimited(after time.Duration) error {
	return &messages.LimitError{After: after}
}
