package boards

import (
	"context"
	"errors"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
)

// find searches Discord for the message that shows the board, and returns its id, or nothing if it finds none. The bot searches when it
// does not know the id: because it has not posted the board yet, or because the receipt was lost. absent reports whether there is certainly
// no message that was posted since the subject was created.
//
// The message is either the response to the interaction or among the latest messages of the channel. The response that Discord returns for
// the token may also be the clicked message, a line saying that the answer is late, or an apology. So find accepts only a public message
// with buttons of the board.
func (r *Redrawer) find(ctx context.Context, b board.Board, s subject) (message string, absent bool, err error) {
	if r.tokenUnexpired(b) {
		original, err := r.Messenger.Original(ctx, b.Token)
		if err != nil && !errors.Is(err, messages.ErrGone) {
			return "", false, err
		}
		if err == nil && r.shows(original, b, s) {
			return original.ID, false, nil
		}
	}
	if !b.Member {
		return "", false, nil
	}
	h, err := r.Messenger.Latest(ctx, b.Channel)
	if err != nil && !errors.Is(err, messages.ErrForbidden) {
		return "", false, err
	}
	for _, sent := range h.Own {
		if r.shows(sent, b, s) {
			return sent.ID, false, nil
		}
	}
	return "", covers(h, s.created), nil
}

// shows reports whether a message shows the board and is not the board's old message. The board of a game of an arena has buttons of the
// arena beside its own, so a message with buttons of anything else is not the arena's.
func (r *Redrawer) shows(sent messages.Sent, b board.Board, s subject) bool {
	if sent.Flags&discordgo.MessageFlagsEphemeral != 0 || sent.ID == b.Past.Message {
		return false
	}
	other := func(carried string) bool { id := r.Painter.About(carried); return id != "" && id != b.ID }
	if s.arena != nil && slices.ContainsFunc(sent.Carried, other) {
		return false
	}
	return slices.ContainsFunc(sent.Carried, func(carried string) bool { return r.Painter.About(carried) == b.ID })
}

// depart makes the old message of a moved board say where the board is now, and deletes the mention beside the old message.
func (r *Redrawer) depart(ctx context.Context, b board.Board) error {
	moved := func(context.Context) ([]discordgo.MessageComponent, error) { return r.Painter.Moved(b), nil }
	err := r.Messenger.EditMessage(ctx, b.Past.Channel, b.Past.Message, moved)
	if err == nil && b.Mention.Message != "" {
		err = r.Messenger.Delete(ctx, b.Past.Channel, b.Mention.Message)
	}
	if err != nil && !errors.Is(err, messages.ErrGone) && !errors.Is(err, messages.ErrForbidden) {
		return err
	}
	return r.Boards.SaveDeparted(ctx, b.ID, b.Past.Message)
}
