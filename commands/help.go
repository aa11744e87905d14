package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/show/view"
)

func (c *Commands) help(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	return c.privately(ctx, in, view.Help(climb), c.style(nil)), nil
}
