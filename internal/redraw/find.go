package redraw

import (
	"context"
	"errors"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
)

// find is the id of the message that shows the board although nobody could tell us: its receipt was lost. It is what the
// interaction was answered with, or stands among the latest messages of the channel; empty if there is none. The original
// of a token may be something else as well, what was clicked, a line that says that the answer is late, or an apology: a
// message is the board's if everybody sees it and its buttons say so.
func (r *Redrawer) find(ctx context.Context, b board.Board) (string, error) {
	if r.tokenUnexpired(b) {
		original, err := r.Messenger.Original(ctx, b.Token)
		if err != nil && !errors.Is(err, bot.ErrMessageGone) {
			return "", err
		}
		if err == nil && r.shows(original, b) {
			return original.ID, nil
		}
	}
	if !b.Member {
		return "", nil
	}
	recent, err := r.Messenger.Recent(ctx, b.Channel)
	if err != nil && !errors.Is(err, bot.ErrForbidden) {
		return "", err
	}
	for _, sent := range recent {
		if r.shows(sent, b) {
			return sent.ID, nil
		}
	}
	return "", nil
}

// shows tells whether a message is that board, and not the one that it was moved away from.
func (r *Redrawer) shows(sent bot.Sent, b board.Board) bool {
	if sent.Flags&discordgo.MessageFlagsEphemeral != 0 || sent.ID == b.Past.Message {
		return false
	}
	return slices.ContainsFunc(sent.Carried, func(carried string) bool { return r.Painter.About(carried) == b.ID })
}

// depart says in the message that showed the board before where it is now, and takes the mention there away.
func (r *Redrawer) depart(ctx context.Context, b board.Board) error {
	moved := func(context.Context) ([]discordgo.MessageComponent, error) { return r.Painter.Moved(b), nil }
	err := r.Messenger.EditMessage(ctx, b.Past.Channel, b.Past.Message, moved)
	if err == nil && b.Mention.Message != "" {
		err = r.Messenger.Delete(ctx, b.Past.Channel, b.Mention.Message)
	}
	if err != nil && !errors.Is(err, bot.ErrMessageGone) && !errors.Is(err, bot.ErrForbidden) {
		return err
	}
	return r.Boards.SaveDeparted(ctx, b.ID, b.Past.Message)
}
