package commands

import (
	"context"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// review shows whoever asks, and nobody else, what the moves of a finished match were worth: all of them, or the one that
// the action names. A private message that shows a review already turns to the new page.
func (c *Commands) review(ctx context.Context, in *bot.Interaction, a view.Review, m match.Match) (bot.Reply, error) {
	if !view.Reviewable(m) {
		return c.notice(ctx, in, view.T("refusal.review", nil)), nil
	}
	review, err := c.Review(ctx, m.Record)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.showReview(ctx, in, m, review, a.Move)
}

// wrong shows whoever asks with which move a match was lost, and the whole review if it was lost without a mistake.
func (c *Commands) wrong(ctx context.Context, in *bot.Interaction, _ view.WentWrong, m match.Match) (bot.Reply, error) {
	if !view.Reviewable(m) {
		return c.notice(ctx, in, view.T("refusal.review", nil)), nil
	}
	review, err := c.Review(ctx, m.Record)
	if err != nil {
		return bot.Reply{}, err
	}
	move, _ := view.LosingMove(m, review)
	return c.showReview(ctx, in, m, review, move)
}

// showReview shows the review of a match to whoever asks, at a move of it or, for 0, as a whole.
func (c *Commands) showReview(ctx context.Context, in *bot.Interaction, m match.Match, review ai.Review, move int) (bot.Reply, error) {
	if move > 0 {
		return c.showReviewed(ctx, in, m, review, move)
	}
	return c.privately(ctx, in, view.OfReview(m, review, namesIn(m), match.User(in.User().ID)), c.styleOf(m.Position().Rules())), nil
}

// walk turns a private message to another position of a match.
func (c *Commands) walk(ctx context.Context, in *bot.Interaction, a view.Walk, m match.Match) (bot.Reply, error) {
	return c.showPosition(ctx, in, m, a.Move)
}

// showPosition shows a position of a match to whoever asks, with the marks of its review if it may be reviewed.
func (c *Commands) showPosition(ctx context.Context, in *bot.Interaction, m match.Match, move int) (bot.Reply, error) {
	var review ai.Review
	if view.Reviewable(m) {
		var err error
		if review, err = c.Review(ctx, m.Record); err != nil {
			return bot.Reply{}, err
		}
	}
	return c.showReviewed(ctx, in, m, review, move)
}

// showReviewed shows a position of a match with the marks of a review, which is empty if there is none.
func (c *Commands) showReviewed(ctx context.Context, in *bot.Interaction, m match.Match, review ai.Review, move int) (bot.Reply, error) {
	style := c.styleOf(m.Position().Rules())
	boards, err := c.Boards.Boards(ctx, m.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	style.boards = boards
	return c.privately(ctx, in, view.OfPosition(m, review, move, namesIn(m), match.User(in.User().ID)), style), nil
}
