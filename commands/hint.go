package commands

import (
	"context"
	"errors"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// hint proposes a move to whoever is to move against the computer, and nobody else sees it. The match is marked before that is said;
// then its board is drawn with a note.
func (c *Commands) hint(ctx context.Context, in *bot.Interaction, a view.Hint) (bot.Reply, error) {
	m, first, err := c.Referee.Help(ctx, c.about(in, a.Match), a.Match, a.Ply)
	if err != nil {
		return bot.Reply{}, err
	}
	if first {
		in.Saved = true
		c.Redraw.Enqueue(m.ID)
	}
	advice, err := c.advise(ctx, m.Position())
	if err != nil {
		return bot.Reply{}, err
	}
	reply := c.privately(ctx, in, view.OfHint(m, advice, first), c.styleOf(m.Position().Rules()))
	reply.Sent = receipt(c.Asides.Replied(c.aside(in, m.ID)))
	return reply, nil
}

// advise is what to play in a position. Where there is no time to find that out, it is what the strongest level plays.
func (c *Commands) advise(ctx context.Context, p game.Position) (ai.Advice, error) {
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
