package boards

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
)

// bringUpToDate brings the message of a board, and the mention beside it, up to date, step by step. Each step holds the lane of the
// message, so that no reply to a click is sent to the same message meanwhile.
func (r *Redrawer) bringUpToDate(ctx context.Context, j *job, receipt int) error {
	k := known{receipt: receipt}
	for {
		b, err := r.Boards.Board(ctx, j.id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // the board has no message
		}
		if err != nil {
			return err
		}
		entered, done := false, false
		step := func() (err error) {
			entered = true
			done, err = r.takeStep(ctx, j, b.Message, &k)
			return err
		}
		if b.Message == "" {
			err = step()
		} else if err = r.Lanes.Edit(ctx, b.Message, step); !entered {
			return errOccupied
		}
		if err != nil || done {
			return err
		}
	}
}

// Again requests that the message of a board be drawn again although it shows the newest version, because something else that it shows has
// changed. Until it is drawn, the board's row names an edit, so that the request survives a restart.
func (r *Redrawer) Again(ctx context.Context, id match.ID) error {
	b, err := r.Boards.Board(ctx, id)
	if err == nil && b.Message != "" {
		err = r.Boards.BeginEdit(ctx, board.Edit{ID: id, Message: b.Message, Name: rand.Text()})
	}
	if errors.Is(err, match.ErrNotFound) || errors.Is(err, board.ErrMoved) {
		return nil // the first drawing of the message will show the new look
	}
	if err == nil {
		r.Enqueue(id)
	}
	return err
}

// takeStep takes the next step with a board, unless another message shows the board by now. done reports whether that was the last step.
func (r *Redrawer) takeStep(ctx context.Context, j *job, message string, k *known) (done bool, err error) {
	if err := r.SaveReceipts(ctx); err != nil {
		return false, err
	}
	b, err := r.Boards.Board(ctx, j.id)
	if err != nil || b.Message != message {
		return false, err
	}
	s, err := r.load(ctx, j.id)
	if errors.Is(err, match.ErrNotFound) {
		return true, nil // the request that would have created the challenge or match was refused
	}
	if err != nil {
		return false, err
	}
	if err := r.announceEnd(ctx, b, s.arena); err != nil {
		return false, err
	}
	k.pending = !r.pendingUntil(j.id).IsZero()
	switch next(b, s.version, *k) {
	case rest:
		if b.Shown < s.version {
			r.logUndrawn(b.ID, r.whyUnreachable(b))
		}
		return true, nil
	case await:
		return false, errPending
	case depart:
		return false, r.depart(ctx, b)
	case finish:
		if recorded, err := r.placeArena(ctx, b, s.arena); recorded || err != nil {
			return false, err
		}
		err := r.updateMention(ctx, j, b, s.match)
		if m := s.match; err == nil && m != nil && m.Arena != "" && m.Result.Over() {
			r.Enqueue(m.Arena) // the save of the result has requested a drawing of the standings
		}
		if err == nil && b.Edit != "" {
			err = errUnsure
		}
		return true, err
	default:
		if err := r.early(b, s.arena); err != nil {
			return false, err
		}
		return r.redraw(ctx, j, b, s, k)
	}
}

// redraw draws the board and saves the outcome. done reports whether that was the last step.
func (r *Redrawer) redraw(ctx context.Context, j *job, b board.Board, s subject, k *known) (done bool, err error) {
	if s.match != nil && s.match.NextGame() != "" {
		r.postNext(ctx, s.match.NextGame())
	}
	if j.unfinished == s.version && k.receipt == 0 && r.whyUnreachable(b) == nil {
		if _, version, err := r.components(ctx, b, s); err != nil || version < s.version {
			return true, cmp.Or(err, errUnfinished)
		}
	}
	shown, err := r.write(ctx, j, b, s)
	k.receipt, k.drawn = 0, shown.Version
	switch {
	case errors.Is(err, board.ErrMoved):
		return true, nil // the interaction that moved the board enqueues it when the new message has an id
	case errors.Is(err, errRefused):
		if moved, err := r.leaveThread(ctx, b, s.match); moved || err != nil {
			return false, err
		}
		r.logUndrawn(b.ID, err)
		return true, errors.Join(r.Boards.SaveRefused(ctx, b.ID), r.updateMention(ctx, j, b, s.match))
	case errors.Is(err, errUnreachable):
		r.logUndrawn(b.ID, err)
		return true, r.updateMention(ctx, j, b, s.match)
	case errors.Is(err, messages.ErrGone) && b.Token != "" && !b.Small && s.matters():
		// The board is posted again, but only once: the new message has no token until a user clicks it. If a message without a token is
		// deleted, a user did not want the board there.
		return false, r.Boards.SaveDeleted(ctx, b.ID, b.Message)
	case errors.Is(err, messages.ErrGone):
		shown.Version = board.Gone
	case err != nil:
		return false, err
	}
	if err := r.Boards.SaveShown(ctx, shown); err != nil {
		return false, err
	}
	if k.drawn < s.version {
		if err := r.updateMention(ctx, j, b, s.match); err != nil {
			return true, err
		}
		j.unfinished = s.version
		return true, errUnfinished
	}
	return false, nil
}

// postNext posts the board of the game that follows a game of a series, so that the board of that game can link to it.
func (r *Redrawer) postNext(ctx context.Context, id match.ID) {
	b, err := r.Boards.Board(ctx, id)
	if err == nil && b.Message == "" && b.Token == "" && b.Member {
		err = r.bringUpToDate(ctx, &job{id: id}, 0)
	}
	if err != nil {
		r.Enqueue(id)
	}
}

// components draws the message of a challenge, match or arena, and returns the version that the drawing shows.
func (r *Redrawer) components(ctx context.Context, b board.Board, s subject, called ...string) ([]discordgo.MessageComponent, int, error) {
	if s.match != nil {
		d, err := r.Painter.Match(ctx, b, *s.match, called...)
		return d.Components, d.Version, err
	}
	if s.arena != nil {
		components, err := r.Painter.Arena(ctx, b, *s.arena)
		return components, s.version, err
	}
	components, err := r.Painter.Challenge(ctx, b, s.challenge)
	return components, s.version, err
}

// write draws the board in its message, and returns the message and the version shown. If the store has no message id, write searches for
// the message; if it finds none, it posts a new one where the bot may write. Only a new message notifies users.
//
// Errors: errUnreachable, of which errRefused is a kind; messages.ErrGone if the message was deleted; board.ErrMoved if another message shows the
// board by now. After any other error the board should be tried again.
func (r *Redrawer) write(ctx context.Context, j *job, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel, Message: b.Message}
	if shown.Message == "" {
		absent := false
		shown.Message, absent, err = r.find(ctx, b, s)
		switch {
		case err != nil:
			return shown, err
		case shown.Message == "" && b.Edit != "" && !absent:
			return shown, errUnclear
		case shown.Message == "":
			return r.post(ctx, b, s)
		}
	}
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		edit := board.Edit{ID: b.ID, Message: shown.Message, Name: rand.Text()}
		if err := r.Boards.BeginEdit(ctx, edit); err != nil {
			return nil, err
		}
		b, err := r.Boards.Board(ctx, b.ID) // read after the edit is named: what changes the row later names another edit
		if err != nil {
			return nil, err
		}
		s, err := r.load(ctx, b.ID)
		if err != nil {
			return nil, err
		}
		components, version, err := r.components(ctx, b, s)
		shown.Version, shown.Edit = version, edit.Name
		if b.Shown < s.version-1 && r.Now().Before(b.Expires.Add(replyTime-messages.TokenLife)) {
			shown.Edit = "" // the reply to the newest click is not known to have arrived, so it may still arrive after this edit
		}
		return components, err
	}
	err = r.edit(ctx, j, b, shown.Message, draw)
	return shown, err
}

// post shows a board in a new message, and returns that message.
//
// The board's row names the post before it is sent, and the name is the nonce of the post. So two processes that post the same board make
// one message, and a later process knows that the message may exist although its id was never recorded.
func (r *Redrawer) post(ctx context.Context, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel}
	if !b.Member {
		return shown, errLost
	}
	called, err := r.called(ctx, b, s)
	if err != nil {
		return shown, err
	}
	post, named, sent := board.Edit{ID: b.ID, Name: cmp.Or(b.Edit, rand.Text())}, b.Edit != "", 0
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		components, version, err := r.components(ctx, b, s, called...)
		if err == nil && !named {
			err = r.Boards.BeginEdit(ctx, post)
		}
		if err != nil {
			return nil, err
		}
		shown.Version, shown.Edit, named = version, post.Name, true
		sent++
		return components, nil
	}
	shown.Message, err = r.Messenger.PostOnce(ctx, b.Channel, nonceOf(post.Name), draw, called)
	switch {
	case errors.Is(err, board.ErrMoved): // another process has begun to post the board
		return shown, errOccupied
	case err == nil && s.match != nil && len(called) > 0:
		return shown, unlessConflict(r.Boards.SaveMention(ctx, b.ID, b.Mention, board.Mention{Ply: 1}))
	case b.Edit == "" && sent == 1 && (errors.Is(err, messages.ErrForbidden) || errors.Is(err, messages.ErrRateLimited)): // the message has not arrived
		post.Was, post.Name = post.Name, ""
		if err := r.Boards.BeginEdit(ctx, post); err != nil {
			return shown, err
		}
	}
	if errors.Is(err, messages.ErrForbidden) {
		err = fmt.Errorf("%w: %w", errRefused, err)
	}
	return shown, err
}

// called returns the users whom a new message notifies. If the bot has begun a match, players who want no mentions are left out.
func (r *Redrawer) called(ctx context.Context, b board.Board, s subject) (called []string, err error) {
	for _, player := range s.notified(b) {
		off := false
		if s.match != nil {
			off, err = r.mentionsOff(ctx, *s.match, player)
		}
		if err != nil {
			return nil, err
		}
		if !off {
			called = append(called, string(player))
		}
	}
	return called, nil
}

// edit edits a message with the bot's own token where possible, otherwise with the token of the newest interaction.
func (r *Redrawer) edit(ctx context.Context, j *job, b board.Board, message string, draw messages.Draw) error {
	why := errExpired
	if r.tokenUnexpired(b) {
		why = errSpent
	}
	if b.Member {
		err := r.Messenger.EditMessage(ctx, b.Channel, message, draw)
		switch {
		case errors.Is(err, messages.ErrForbidden):
			why = fmt.Errorf("%w: %w", errRefused, err)
		case errors.Is(err, messages.ErrRateLimited):
			why = err // the rate limit of the channel forbids the edit; edits by token have a separate limit
		default:
			return err
		}
	}
	if !r.tokenUnexpired(b) || b.Token == j.spent {
		return why
	}
	err := r.Messenger.EditByToken(ctx, b.Token, message, draw)
	if !errors.Is(err, messages.ErrForbidden) && !errors.Is(err, messages.ErrGone) {
		return err
	}
	j.spent = b.Token // Discord also answers 'gone' for an expired token, so try this token no more
	if errors.Is(why, errUnreachable) {
		return fmt.Errorf("%w: %w", why, err)
	}
	return why
}
