package redraw

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// draw brings the message of a board up to date, and what is beside it. It holds the lane of the message for each step.
func (r *Redrawer) draw(ctx context.Context, l *look, receipt int) error {
	k := known{receipt: receipt}
	for {
		b, err := r.Boards.Board(ctx, l.id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // shown nowhere
		}
		if err != nil {
			return err
		}
		entered, done := false, false
		one := func() (err error) {
			entered = true
			done, err = r.once(ctx, l, b.Message, &k)
			return err
		}
		if b.Message == "" {
			err = one()
		} else if err = r.Lanes.Edit(ctx, b.Message, one); !entered {
			return errOccupied
		}
		if err != nil || done {
			return err
		}
	}
}

// once takes one step with a board, whose message is the given one if it still is. It reports whether that was the last.
func (r *Redrawer) once(ctx context.Context, l *look, message string, k *known) (done bool, err error) {
	if r.hasReceipt(l.id) {
		if err := r.Record(ctx); err != nil {
			return false, err
		}
	}
	b, err := r.Boards.Board(ctx, l.id)
	if err != nil || b.Message != message {
		return false, err
	}
	s, err := r.load(ctx, l.id)
	if errors.Is(err, match.ErrNotFound) {
		return true, nil // the request that would have created it was refused
	}
	if err != nil {
		return false, err
	}
	k.pending = !r.pendingUntil(l.id).IsZero()
	switch next(b, s.version, *k) {
	case rest:
		if b.Shown < s.version {
			r.leave(b.ID, r.beyond(b))
		}
		return true, nil
	case await:
		return false, errPending
	case depart:
		return false, r.depart(ctx, b)
	case finish:
		err := r.mention(ctx, b, s.match)
		if err == nil && b.Edit != "" {
			err = errUnsure
		}
		return true, err
	default:
		return r.redraw(ctx, l, b, s, k)
	}
}

// redraw writes the board and saves what came of that. It reports whether nothing is left to do.
func (r *Redrawer) redraw(ctx context.Context, l *look, b board.Board, s subject, k *known) (done bool, err error) {
	shown, err := r.write(ctx, l, b, s)
	k.receipt, k.drawn = 0, shown.Version
	switch {
	case errors.Is(err, board.ErrMoved):
		return true, nil // whoever moved it asks for a look when the new message has an id
	case errors.Is(err, errRefused):
		r.leave(b.ID, err)
		return true, errors.Join(r.Boards.SaveRefused(ctx, b.ID), r.mention(ctx, b, s.match))
	case errors.Is(err, errUnreachable):
		r.leave(b.ID, err)
		return true, r.mention(ctx, b, s.match)
	case errors.Is(err, bot.ErrMessageGone) && b.Token != "" && s.matters():
		// Posted anew, once: what nobody has used since it was posted here is not wanted where it is.
		return false, r.Boards.SaveDeleted(ctx, b.ID, b.Message)
	case errors.Is(err, bot.ErrMessageGone):
		shown.Version = board.Gone
	case err != nil:
		return false, err
	}
	if err := r.Boards.SaveShown(ctx, shown); err != nil {
		return false, err
	}
	if k.drawn < s.version {
		r.askAfter(s.match.Rematch.Next, b.ID)
		return true, r.mention(ctx, b, s.match)
	}
	return false, nil
}

// components are those that show a subject, and the version that is shown by them.
func (r *Redrawer) components(ctx context.Context, b board.Board, s subject) ([]discordgo.MessageComponent, int, error) {
	if s.match != nil {
		return r.Painter.Match(ctx, b, *s.match)
	}
	components, err := r.Painter.Challenge(ctx, b, s.challenge)
	return components, s.version, err
}

// write draws where the board is, and returns what the message shows then. A board that no message is known to show is posted
// anew where the bot may write, and only that message calls anybody. Errors: errUnreachable, which may be errRefused,
// bot.ErrMessageGone if the message was deleted, board.ErrMoved if another one shows the board by now, or why it should be
// tried again.
func (r *Redrawer) write(ctx context.Context, l *look, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel, Message: b.Message}
	if shown.Message == "" {
		if shown.Message, err = r.find(ctx, b); err != nil {
			return shown, err
		}
	}
	if shown.Message == "" {
		return r.post(ctx, b, s)
	}
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		edit := board.Edit{ID: b.ID, Message: shown.Message, Name: rand.Text()}
		if err := r.Boards.BeginEdit(ctx, edit); err != nil {
			return nil, err
		}
		s, err := r.load(ctx, b.ID)
		if err != nil {
			return nil, err
		}
		components, version, err := r.components(ctx, b, s)
		shown.Version, shown.Edit = version, edit.Name
		if b.Shown < s.version-1 && r.Now().Before(b.Expires.Add(replyTime-bot.TokenLife)) {
			shown.Edit = "" // the newest click made a version that is not known to be shown: its reply may be under way
		}
		return components, err
	}
	err = r.edit(ctx, l, b, shown.Message, draw)
	return shown, err
}

// post shows a board in a new message.
func (r *Redrawer) post(ctx context.Context, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel}
	if !b.Member {
		return shown, errLost
	}
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, version, err := r.components(ctx, b, s)
		shown.Version = version
		return components, err
	}
	shown.Message, err = r.Messenger.Post(ctx, b.Channel, "", draw, s.call(b))
	if errors.Is(err, bot.ErrForbidden) {
		err = fmt.Errorf("%w: %w", errRefused, err)
	}
	return shown, err
}

// edit draws a message by the bot's own token if it may, else by the newest interaction's.
func (r *Redrawer) edit(ctx context.Context, l *look, b board.Board, message string, draw bot.Draw) error {
	unreachable := errExpired
	if r.lives(b) {
		unreachable = errSpent
	}
	if b.Member {
		err := r.Messenger.EditMessage(ctx, b.Channel, message, draw)
		switch {
		case errors.Is(err, bot.ErrForbidden):
			unreachable = fmt.Errorf("%w: %w", errRefused, err)
		case errors.Is(err, bot.ErrRateLimited):
			unreachable = err // by all boards of the channel; the token has a limit of its own
		default:
			return err
		}
	}
	if !r.lives(b) || b.Token == l.spent {
		return unreachable
	}
	err := r.Messenger.EditByToken(ctx, b.Token, message, draw)
	if !errors.Is(err, bot.ErrForbidden) && !errors.Is(err, bot.ErrMessageGone) {
		return err
	}
	l.spent = b.Token // gone may be the token alone
	if errors.Is(unreachable, errUnreachable) {
		return fmt.Errorf("%w: %w", unreachable, err)
	}
	return unreachable
}
