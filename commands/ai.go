package commands

import (
	"cmp"
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
)

func (c *Commands) ai(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	rules := rulesOf(choice(in, "board", defaultBoard))
	return c.startComputer(ctx, in, choice(in, "level", c.defaultLevel()), match.Terms{
		Rules: rules, First: firstOf(choice(in, "first", firstAgainst(rules))),
	})
}

// playComputer starts a match for whoever pressed the button: it never touches the message it stands under.
func (c *Commands) playComputer(ctx context.Context, in *bot.Interaction, id customID) (bot.Reply, error) {
	rules := rulesOf(cmp.Or(id.board, defaultBoard))
	return c.startComputer(ctx, in, id.word, match.Terms{Rules: rules, First: firstOf(firstAgainst(rules))})
}

func (c *Commands) startComputer(ctx context.Context, in *bot.Interaction, level string, terms match.Terms) (bot.Reply, error) {
	req, err := c.request(in)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.PlayComputer(ctx, req, level, terms)
	if err != nil {
		// The button's own message is not about this match: nothing there is to be redrawn.
		return c.refuse(ctx, in, err, nil)
	}
	return c.showMatch(ctx, in, bot.Post, m)
}
