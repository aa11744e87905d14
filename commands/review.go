package commands

import (
	"context"
	"errors"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// review shows whoever asks, and nobody else, what the moves of a finished match were worth: all of them, or the one that
// the action names. A private message that shows a review already turns to the new page.
func (c *Commands) review(ctx context.Context, in *bot.Interaction, a view.Review) (bot.Reply, error) {
	m, err := c.Matches.Match(ctx, a.Match)
	if errors.Is(err, match.ErrNotFound) {
		return c.refuse(ctx, in, &match.Refusal{Reason: match.Unknown}, nil)
	}
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	if !view.Reviewable(m) {
		return c.notice(in, view.T("refusal.review", nil)), nil
	}
	names, err := c.Matches.Names(ctx, m.Seats.Players()...)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	review, err := c.Review(ctx, m.Record)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	s := view.OfReview(m, review, names)
	if a.Move > 0 {
		s = view.OfReviewedMove(m, review, min(a.Move, len(review)), names)
	}
	return c.privately(in, s, discordStyle{}), nil
}
