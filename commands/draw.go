package commands

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// subject is what there is to show: the match, or while there is none the challenge.
type subject struct {
	match     *match.Match
	challenge match.Challenge
	version   int
}

// call is who is notified of a message that is posted anew: a challenge that nobody has seen yet calls its opponent. One
// that has been seen was answered for with an interaction's token at hand.
func (s subject) call(b board.Board) []string {
	if s.match == nil && s.challenge.Status == match.Pending && b.Token != "" {
		return []string{string(s.challenge.To)}
	}
	return nil
}

// matters tells whether there is still something to do or to learn, so that a board which was deleted is worth another
// message. How a rematch came to nothing is not.
func (s subject) matters() bool {
	if s.match == nil {
		return s.challenge.Status == match.Pending
	}
	return !s.match.Result.Over() || s.match.Rematch.State == match.NoRematch
}

func (r *Redrawer) load(ctx context.Context, id match.ID) (subject, error) {
	m, err := r.Matches.Match(ctx, id)
	if err == nil {
		return subject{match: &m, version: m.Version}, nil
	}
	if !errors.Is(err, match.ErrNotFound) {
		return subject{}, err
	}
	c, err := r.Matches.Challenge(ctx, id)
	return subject{challenge: c, version: c.Version}, err
}

// draw brings the message of an id up to date, and the mention beside it. A click may have redrawn the message while it
// was drawn here, so it looks again until nothing has changed meanwhile. An edit that the row still names, be it of another
// process or of one that was killed, may have put an older board there.
func (r *Redrawer) draw(ctx context.Context, l *look, receipt int) error {
	id, drawn := l.id, 0 // the version that was drawn here last
	for {
		b, err := r.Boards.Board(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // shown nowhere
		}
		if err != nil {
			return err
		}
		s, err := r.load(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil // the request that would have created it was refused
		}
		if err != nil {
			return err
		}
		if b.Quiet() {
			if b.Shown < s.version {
				r.leave(id, r.beyond(b))
			}
			return nil
		}
		if b.Past.Message != "" && b.Message != "" {
			if err := r.depart(ctx, b); err != nil {
				return err
			}
			continue
		}
		overdrawn := 0 < receipt && receipt < b.Shown // by a reply that was slower than we
		if b.Shown >= s.version && !overdrawn && (drawn == s.version || drawn == 0 && b.Edit == "") {
			err := r.mention(ctx, b, s.match)
			if err == nil && b.Edit != "" {
				err = errUnsure
			}
			return err
		}
		shown, err := r.alone(id, s.version, func() (board.Shown, error) { return r.write(ctx, l, b, s) })
		if errors.Is(err, errArrived) {
			if err := r.Record(ctx); err != nil {
				return err
			}
			continue
		}
		receipt, drawn = 0, shown.Version
		switch {
		case errors.Is(err, board.ErrMoved):
			return nil // whoever moved it asks for a look when the new message has an id
		case errors.Is(err, errRefused):
			r.leave(id, err)
			return errors.Join(r.Boards.Save(ctx, board.Refused{ID: id}), r.mention(ctx, b, s.match))
		case errors.Is(err, errLeft):
			r.leave(id, err)
			return r.mention(ctx, b, s.match)
		case errors.Is(err, bot.ErrMessageGone) && b.Token != "" && s.matters():
			// Posted anew, once: what nobody has used since it was posted here is not wanted where it is.
			if err := r.Boards.Save(ctx, board.Lost{ID: id, Message: b.Message}); err != nil {
				return err
			}
			continue
		case errors.Is(err, bot.ErrMessageGone):
			shown.Version = board.Gone
		case err != nil:
			return err
		}
		if err := r.Boards.Save(ctx, shown); err != nil {
			return err
		}
		if drawn < s.version {
			r.askAfter(s.match.Rematch.Next, id)
			return r.mention(ctx, b, s.match)
		}
	}
}

// components are those that show a subject, and the version that is shown by them.
func (r *Redrawer) components(ctx context.Context, b board.Board, s subject) ([]discordgo.MessageComponent, int, error) {
	words := r.Book.In(b.Locale)
	if s.match == nil {
		names, err := r.Matches.Names(ctx, s.challenge.From, s.challenge.To)
		if err != nil {
			return nil, 0, err
		}
		return encode(view.OfChallenge(s.challenge, names, r.Level), words, discordStyle{}), s.version, nil
	}
	screen, style, err := matchScreen(ctx, r.Matches, r.Boards, r.style(nil), *s.match)
	if err != nil {
		return nil, 0, err
	}
	return encode(screen, words, style), shownVersion(*s.match, style), nil
}

// write draws where the board is, by the bot's own token if it may, else by the newest interaction's, and returns what the
// message shows then. A board that no message is known to show is posted anew where the bot may write, and only that message
// calls anybody. Errors: errLeft, which may be errRefused, bot.ErrMessageGone if the message was deleted, board.ErrMoved if
// another one shows the board by now, or why it should be tried again.
func (r *Redrawer) write(ctx context.Context, l *look, b board.Board, s subject) (shown board.Shown, err error) {
	shown = board.Shown{ID: b.ID, Version: s.version, Channel: b.Channel, Message: b.Message}
	if shown.Message == "" {
		if shown.Message, err = r.find(ctx, b); err != nil {
			return shown, err
		}
	}
	if shown.Message == "" {
		if !b.Member {
			return shown, errLost
		}
		post := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
			components, version, err := r.components(ctx, b, s)
			shown.Version = version
			return components, err
		}
		shown.Message, err = r.REST.Post(ctx, b.Channel, "", post, s.call(b))
		if errors.Is(err, bot.ErrForbidden) {
			err = fmt.Errorf("%w: %w", errRefused, err)
		}
		return shown, err
	}
	draw := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		edit := board.Edit{ID: b.ID, Message: shown.Message, Name: rand.Text()}
		if err := r.Boards.Save(ctx, edit); err != nil {
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
	left := errAway
	if r.lives(b) {
		left = errSpent
	}
	if b.Member {
		err := r.REST.EditMessage(ctx, b.Channel, shown.Message, draw)
		switch {
		case errors.Is(err, bot.ErrForbidden):
			left = fmt.Errorf("%w: %w", errRefused, err)
		case errors.Is(err, bot.ErrRateLimited):
			left = err // by all boards of the channel; the token has a limit of its own
		default:
			return shown, err
		}
	}
	if !r.lives(b) || b.Token == l.spent {
		return shown, left
	}
	err = r.REST.EditByToken(ctx, b.Token, shown.Message, draw)
	if errors.Is(err, bot.ErrForbidden) || errors.Is(err, bot.ErrMessageGone) {
		l.spent = b.Token // gone may be the token alone
		if errors.Is(left, errLeft) {
			left = fmt.Errorf("%w: %w", left, err)
		}
		return shown, left
	}
	return shown, err
}

// lives tells whether the token of the board still works, as far as we know.
func (r *Redrawer) lives(b board.Board) bool { return r.Now().Before(b.Expires) }

// beyond is why nothing that we hold lets us write to a board, nil if something does.
func (r *Redrawer) beyond(b board.Board) error {
	switch {
	case b.Refused >= board.Left:
		return errGoneBy
	case b.Quiet():
		return errQuiet
	case !b.Member && !r.lives(b):
		return errAway
	}
	return nil
}

// stale is a board that is left as it is, and why.
type stale struct {
	id  match.ID
	why string
}

// leave tells the log that a board is left as it is, once for each reason.
func (r *Redrawer) leave(id match.ID, why error) {
	this := stale{id, why.Error()}
	r.mu.Lock()
	_, told := r.told[this]
	if len(r.told) >= maxTold {
		clear(r.told)
	}
	r.told[this] = struct{}{}
	r.mu.Unlock()
	if !told {
		r.Log.Info("board left as it is", "match", id, "reason", why)
	}
}
