package commands

import (
	"context"
	"errors"
	"net/http"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/internal/boards"
)

// Messenger implements the messengers of package boards with Discord's REST API.
type Messenger struct{ REST *rest.Client }

// receipt returns a function for Reply.Sent that passes the receipt on to package boards.
func receipt(take func(boards.Receipt)) func(bot.Receipt) {
	return func(r bot.Receipt) { take(boards.Receipt(r)) }
}

// failure translates an error of package rest into an error of package boards.
func failure(err error) error {
	var means error
	for _, e := range []struct{ of, to error }{
		{rest.ErrMessageGone, boards.ErrGone}, {rest.ErrForbidden, boards.ErrForbidden}, {rest.ErrRateLimited, boards.ErrRateLimited},
	} {
		if errors.Is(err, e.of) {
			means = errors.Join(means, e.to)
		}
	}
	if api, is := errors.AsType[*rest.APIError](err); is && api.Status < http.StatusInternalServerError {
		means = errors.Join(means, boards.ErrRefused)
	}
	if means == nil {
		return err
	}
	f := &boards.Failure{Means: means, Err: err}
	if limit, is := errors.AsType[*rest.LimitError](err); is {
		f.After = limit.After
	}
	return f
}

// Original reads the message that answered an interaction.
func (m Messenger) Original(ctx context.Context, token string) (boards.Sent, error) {
	sent, err := m.REST.Original(ctx, token)
	return boards.Sent(sent), failure(err)
}

// Latest reads as many messages of a channel as Discord returns at once.
func (m Messenger) Latest(ctx context.Context, channel string) (boards.History, error) {
	h, err := m.REST.Latest(ctx, channel)
	own := each(h.Own, func(s rest.Sent) boards.Sent { return boards.Sent(s) })
	return boards.History{Own: own, All: h.All, Since: h.Since}, failure(err)
}

// ChannelGuild returns the server of a channel, or nothing if Discord says that there is no such channel.
func (m Messenger) ChannelGuild(ctx context.Context, channel string) (string, error) {
	guild, err := m.REST.ChannelGuild(ctx, channel)
	if api, is := errors.AsType[*rest.APIError](err); is && (api.Status == http.StatusBadRequest || api.Status == http.StatusNotFound) {
		return "", nil
	}
	return guild, failure(err)
}

// EditMessage redraws a message with the bot's own token.
func (m Messenger) EditMessage(ctx context.Context, channel, message string, draw boards.Draw) error {
	return failure(m.REST.EditMessage(ctx, channel, message, draw))
}

// EditByToken redraws a message with the token of an interaction.
func (m Messenger) EditByToken(ctx context.Context, token, message string, draw boards.Draw) error {
	return failure(m.REST.EditByToken(ctx, token, message, draw))
}

// Post writes a new message with the bot's own token.
func (m Messenger) Post(ctx context.Context, channel, replyTo string, draw boards.Draw, notify []string) (string, error) {
	message, err := m.REST.Post(ctx, channel, replyTo, draw, notify)
	return message, failure(err)
}

// PostByToken writes a new message with the token of an interaction.
func (m Messenger) PostByToken(ctx context.Context, token string, draw boards.Draw, notify []string) (boards.Sent, error) {
	sent, err := m.REST.PostByToken(ctx, token, draw, notify)
	return boards.Sent(sent), failure(err)
}

// FollowUpPrivately writes a private message with the token of an interaction.
func (m Messenger) FollowUpPrivately(ctx context.Context, token string, draw boards.Draw) (string, error) {
	message, err := m.REST.FollowUpPrivately(ctx, token, draw)
	return message, failure(err)
}

// PostOnce writes a new message, unless Discord has one with the same nonce.
func (m Messenger) PostOnce(ctx context.Context, channel, nonce string, draw boards.Draw, notify []string) (string, error) {
	message, err := m.REST.PostOnce(ctx, channel, nonce, draw, notify)
	return message, failure(err)
}

// StartThread makes a public thread from a message, or finds the one that was made, and returns its id.
func (m Messenger) StartThread(ctx context.Context, channel, message, name string) (string, error) {
	thread, err := m.REST.StartThread(ctx, channel, message, name)
	return thread, failure(err)
}

// Delete deletes a message with the bot's own token.
func (m Messenger) Delete(ctx context.Context, channel, message string) error {
	return failure(m.REST.Delete(ctx, channel, message))
}

// DeleteByToken deletes a message with the token of an interaction.
func (m Messenger) DeleteByToken(ctx context.Context, token, message string) error {
	return failure(m.REST.DeleteByToken(ctx, token, message))
}
