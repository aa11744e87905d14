package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// review shows whoever asks, and nobody else, what the moves of a finished match were worth: all of them, or the one that
// the action names. A private message that shows a review already turns to the new page.
func (c *Commands) review(ctx context.Context, in *bot.Interaction, a view.Review) (bot.Reply, error) {
	m, err := c.matchOf(ctx, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	if !view.Reviewable(m) {
		return c.notice(in, view.T("refusal.review", nil)), nil
	}
	names, err := c.Matches.Names(ctx, m.Seats.Players()...)
	if err != nil {
		return bot.Reply{}, err
	}
	review, err := c.Review(ctx, m.Record)
	if err != nil {
		return bot.Reply{}, err
	}
	viewer := match.User(in.User().ID)
	s := view.OfReview(m, review, names, viewer)
	if a.Move > 0 {
		s = view.OfReviewedMove(m, review, min(a.Move, len(review)), names, viewer)
	}
	return c.privately(in, s, c.styleOf(m)), nil
}
