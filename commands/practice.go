package commands

import (
	"context"
	"errors"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// practice plays on from a position of a finished match against the strongest computer, for whoever pressed and nobody else. The
// whole game is in the buttons of the private message, so nothing is stored, and a custom_id that was made by hand shows its maker
// some other game that counts nowhere.
func (c *Commands) practice(ctx context.Context, in *bot.Interaction, a view.Practice, m match.Match) (bot.Reply, error) {
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
	return c.privately(ctx, in, view.OfPractice(m, a, record), c.styleOf(m.Position().Rules())), nil
}
