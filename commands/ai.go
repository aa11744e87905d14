package commands

import (
	"cmp"
	"context"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// defaultLevel is the level unless the player or the server says otherwise.
func defaultLevel() string { return ai.Unbeatable.String() }

func (c *Commands) ai(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	rules := rulesOf(choice(in, "board"))
	return c.startComputer(ctx, in, choice(in, "level"), match.Terms{
		Rules: rules, First: firstOf(cmp.Or(choice(in, "first"), firstAgainst(rules))),
	})
}

// playComputer starts a match for whoever pressed the button: it never touches the message it stands under. The button
// does not name its level, so where the server has withdrawn that the default there takes its place.
func (c *Commands) playComputer(ctx context.Context, in *bot.Interaction, a view.PlayComputer) (bot.Reply, error) {
	level := a.Level
	if level == defaultLevel() {
		level = ""
	}
	rules := rulesOf(a.Rules)
	return c.startComputer(ctx, in, level, match.Terms{Rules: rules, First: firstOf(firstAgainst(rules))})
}

// startComputer starts a match against that level, or against the strongest on offer if it is empty. A refusal redraws nothing:
// a button's own message is not about this match.
func (c *Commands) startComputer(ctx context.Context, in *bot.Interaction, level string, terms match.Terms) (bot.Reply, error) {
	if level == "" {
		p, err := c.policyOf(ctx, in)
		if err != nil {
			return bot.Reply{}, err
		}
		offered := p.Offered(ai.LevelNames())
		level = offered[len(offered)-1]
	}
	m, err := c.Referee.PlayComputer(ctx, c.request(in), level, terms)
	return c.showSaved(ctx, in, bot.Post, m, err)
}
