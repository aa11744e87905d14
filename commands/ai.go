package commands

import (
	"cmp"
	"context"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

func (c *Commands) ai(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	rules := rulesOf(choice(in, "board", defaultBoard))
	return c.startComputer(ctx, in, choice(in, "level", ""), match.Terms{
		Rules: rules, First: firstOf(choice(in, "first", firstAgainst(rules))),
	})
}

// playComputer starts a match for whoever pressed the button: it never touches the message it stands under. The button
// does not name its level, so where the server has withdrawn that the default there takes its place.
func (c *Commands) playComputer(ctx context.Context, in *bot.Interaction, a view.PlayComputer) (bot.Reply, error) {
	level := a.Level
	if level == c.defaultLevel() {
		level = ""
	}
	rules := rulesOf(cmp.Or(a.Rules, defaultBoard))
	return c.startComputer(ctx, in, level, match.Terms{Rules: rules, First: firstOf(firstAgainst(rules))})
}

// startComputer starts a match against that level, or against the strongest on offer if it is empty.
func (c *Commands) startComputer(ctx context.Context, in *bot.Interaction, level string, terms match.Terms) (bot.Reply, error) {
	if level == "" {
		p, err := c.policyOf(ctx, in)
		if err != nil {
			return c.refuse(ctx, in, err, nil)
		}
		offered := p.Offered(c.Levels)
		level = offered[len(offered)-1]
	}
	req, err := c.request(in)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.PlayComputer(ctx, req, level, terms)
	if err != nil {
		// The button's own message is not about this match: nothing there is to be redrawn.
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Post, m)
}
