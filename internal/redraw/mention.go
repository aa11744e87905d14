package redraw

import (
	"context"
	"errors"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
)

// MentionFrom is the turn time from which on the side to move is mentioned.
const MentionFrom = time.Hour

// Mentioned reports whether the turns of a match are called by a mention, where the server and the player want that.
func Mentioned(m match.Match) bool { return m.TurnTime >= MentionFrom && m.Seats.Level() == "" }

// wantedMention is the ply of the turn that is to be called, 0 if none is.
func (r *Redrawer) wantedMention(ctx context.Context, m *match.Match) (ply int, err error) {
	if m.Result.Over() {
		return 0, nil
	}
	off, err := r.Boards.TurnMentionsOff(ctx, m.Turn().Player)
	if err != nil || off {
		return 0, err
	}
	p, err := r.Policies.Policy(ctx, m.Venue)
	if err != nil || p.Quiet {
		return 0, err
	}
	return m.Record.Len() + 1, nil
}

// mention keeps at most one message that calls the side to move, for slow matches in servers where the bot may write.
func (r *Redrawer) mention(ctx context.Context, b board.Board, m *match.Match) error {
	if m == nil || b.Message == "" || !b.Member || b.Guild == "" || !Mentioned(*m) {
		return nil
	}
	want, err := r.wantedMention(ctx, m)
	if err != nil || b.Mention.Ply == want {
		return err
	}
	// replace takes the old mention away, and notes what is to be in its place before that is posted: a player is called once at
	// most, even if we stop in between.
	replace := func(ctx context.Context) error {
		if b.Mention.Message != "" {
			err := r.Messenger.Delete(ctx, b.Channel, b.Mention.Message)
			if err != nil && !errors.Is(err, bot.ErrMessageGone) && !errors.Is(err, bot.ErrForbidden) {
				return err
			}
		}
		return r.Boards.SaveMention(ctx, b.ID, board.Mention{Ply: want})
	}
	if want == 0 {
		return replace(ctx)
	}
	noted := false
	call := func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		if err := replace(ctx); err != nil {
			return nil, err
		}
		noted = true
		return r.Painter.Mention(ctx, b, *m)
	}
	message, err := r.Messenger.Post(ctx, b.Channel, b.Message, call, []string{string(m.Turn().Player)})
	switch {
	case !noted:
		return err
	case errors.Is(err, bot.ErrForbidden), errors.Is(err, bot.ErrMessageGone):
		return nil
	case errors.Is(err, bot.ErrRateLimited): // the one failure after which nobody was called for certain
		return errors.Join(err, r.Boards.SaveMention(ctx, b.ID, board.Mention{}))
	case err != nil:
		return err
	}
	return r.Boards.SaveMention(ctx, b.ID, board.Mention{Ply: want, Message: message})
}
