package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/internal/view"
)

func (c *Commands) help(_ context.Context, in *bot.Interaction) (bot.Reply, error) {
	return c.privately(in, view.Help(climb), c.style(nil)), nil
}
