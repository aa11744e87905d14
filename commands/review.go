package commands

import (
	"context"
	"errors"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// review shows privately how good the moves of a finished match were: all moves, or the move that the action names. If the clicked message
// already shows a review, it turns to the new page.
func (c *Learn) review(ctx context.Context, in *interaction, a view.Review, m match.Match) (bot.Reply, error) {
	return c.showReview(ctx, in, m, func(ai.Review) int { return a.Move })
}

// wrong shows privately the move that decided a match, and the whole review if no move did.
func (c *Learn) wrong(ctx context.Context, in *interaction, _ view.WentWrong, m match.Match) (bot.Reply, error) {
	return c.showReview(ctx, in, m, func(r ai.Review) int { return view.DecidingMove(m, r) })
}

// showReview shows the review of a match privately. It shows the move whose number the function at returns, or the whole match if
// that is 0.
func (c *Learn) showReview(ctx context.Context, in *interaction, m match.Match, at func(ai.Review) int) (bot.Reply, error) {
	if !view.Reviewable(m) {
		return bot.Reply{}, refused("refusal.review", nil)
	}
	review, err := c.Review(ctx, m.Record)
	if err != nil {
		return bot.Reply{}, err
	}
	if move := at(review); move > 0 {
		return c.showReviewed(ctx, in, m, review, move)
	}
	s := view.WithID(view.OfReview(m, review, namesIn(m), in.by), m, in.policy.Has(policy.Replays))
	return c.privatelyPictured(ctx, in, m, s)
}

// walk turns a private message to another position of a match.
func (c *Look) walk(ctx context.Context, in *interaction, a view.Walk, m match.Match) (bot.Reply, error) {
	return c.showPosition(ctx, in, m, a.Move)
}

// showPosition shows a position of a match privately, with the marks of its review if it may be reviewed.
func (c *Look) showPosition(ctx context.Context, in *interaction, m match.Match, move int) (bot.Reply, error) {
	var review ai.Review
	if view.Reviewable(m) {
		var err error
		if review, err = c.Review(ctx, m.Record); err != nil {
			return bot.Reply{}, err
		}
	}
	return c.showReviewed(ctx, in, m, review, move)
}

// hint proposes a move against the computer, privately to the side to move. Before a hint is shown, the match is marked as helped, and the
// board gets a note that says so. A hint without advice does not mark the match.
func (c *Learn) hint(ctx context.Context, in *interaction, a view.Hint) (bot.Reply, error) {
	req := c.about(in, a.Match)
	m, err := c.Referee.MayHelp(ctx, req, a.Match, a.Ply)
	if err != nil {
		return bot.Reply{}, err
	}
	advice, err := c.advise(ctx, m.Position())
	if err != nil {
		return bot.Reply{}, err
	}
	screen, helps := view.OfHint(m, advice, !m.Helped)
	if helps {
		next, first, err := c.Referee.Help(ctx, req, a.Match, a.Ply)
		if err != nil {
			return bot.Reply{}, err
		}
		if first {
			in.Saved = true
			c.Redraw.Enqueue(next.ID)
		}
	}
	reply, err := c.privatelyOn(ctx, in, m.Position().Rules(), screen, nil)
	reply.Sent = c.Asides.Replied(c.aside(in, m.ID))
	return reply, err
}

// advise returns the best moves in a position. If there is no time to find them, it returns the move of the strongest level.
func (c *Learn) advise(ctx context.Context, p game.Position) (ai.Advice, error) {
	advice, known, err := c.Advise(ctx, p)
	if known || err != nil && !errors.Is(err, match.ErrBusy) {
		return advice, err
	}
	engine, err := c.Referee.Engines.Engine(p.Rules(), strongestLevel())
	if err != nil {
		return ai.Advice{}, err
	}
	square, err := engine.Choose(ctx, p)
	return ai.Advice{Squares: game.SetOf(square)}, err
}

// practice lets a player continue privately from a position of a finished match, against the strongest computer. The whole game is in the
// buttons of the private message, so nothing is stored. A forged custom_id only shows another game, which counts nowhere.
func (c *Learn) practice(ctx context.Context, in *interaction, a view.Practice, m match.Match) (bot.Reply, error) {
	a, record, err := a.Replay(m)
	if illegal, is := errors.AsType[*game.IllegalMoveError](err); is && illegal.Reason == game.Taken {
		return bot.Reply{}, &match.Refusal{Reason: match.SquareTaken}
	}
	if err != nil {
		return c.unknown(ctx, in)
	}
	if len(a.Moves)%2 == 1 && !a.Over(record) {
		engine, err := c.Referee.Engines.Engine(record.Position().Rules(), strongestLevel())
		if err != nil {
			return bot.Reply{}, err
		}
		square, err := engine.Choose(ctx, record.Position())
		if err != nil {
			return bot.Reply{}, err
		}
		if a, record, err = a.After(square).Replay(m); err != nil {
			return bot.Reply{}, err
		}
	}
	return c.privatelyOn(ctx, in, m.Position().Rules(), view.OfPractice(m, a, record), nil)
}
