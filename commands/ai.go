package commands

import (
	"cmp"
	"context"
	"slices"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// climb replaces a level in the custom_ids of buttons. It means the weakest level above random that the player has not beaten.
const climb = "climb"

// strongestLevel returns the strongest level. Matches have it unless the player asks for another one or the server does not offer it.
func strongestLevel() string { return ai.Unbeatable.String() }

func (c *Play) ai(ctx context.Context, in *interaction) (bot.Reply, error) {
	rules := in.rules(choice(in, "board"))
	return c.startComputer(ctx, in, choice(in, "level"), match.Terms{
		Rules: rules, First: firstOf(cmp.Or(choice(in, "first"), firstAgainst(rules))),
	})
}

// playComputer starts a match for the user who pressed the button, and leaves the message with the button as it is.
func (c *Play) playComputer(ctx context.Context, in *interaction, a view.PlayComputer) (bot.Reply, error) {
	rules := in.rules(a.Rules)
	return c.startComputer(ctx, in, a.Level, match.Terms{Rules: rules, First: firstOf(firstAgainst(rules))})
}

// startComputer starts a match against a level or, if level is empty, against the strongest level that the server offers. A refusal does
// not redraw the message of the button, because that message is not about this match.
func (c *Play) startComputer(ctx context.Context, in *interaction, level string, terms match.Terms) (bot.Reply, error) {
	if level == "" || level == climb {
		offered := in.policy.Offered(view.Levels())
		if level == climb {
			var err error
			if offered, err = c.upTo(ctx, in.by, offered); err != nil {
				return bot.Reply{}, err
			}
		}
		level = offered[len(offered)-1]
	}
	m, err := c.Referee.PlayComputer(ctx, creating(in, c.request(in), c.publicLanguage(ctx, in)), level, terms)
	return c.showSaved(ctx, in, bot.Post, m, err)
}

// upTo returns the offered levels up to the weakest level above random that the player has never beaten, with any rules in any server. If
// the player has beaten all levels, it returns all.
func (c *Play) upTo(ctx context.Context, p match.User, offered []string) ([]string, error) {
	entries, err := c.Scores.Own(ctx, p)
	if err != nil {
		return nil, err
	}
	beaten := map[string]bool{}
	for _, e := range entries {
		beaten[e.Level] = beaten[e.Level] || e.Wins > 0
	}
	next := slices.IndexFunc(offered, func(level string) bool {
		return level != ai.FairName && level != ai.Random.String() && view.Rung(level) < view.Rung(strongestLevel()) && !beaten[level]
	})
	if next < 0 {
		return offered, nil
	}
	return offered[:next+1], nil
}

// ease replaces the level of the computer by the next easier one, before the player's first move.
func (c *Play) ease(ctx context.Context, in *interaction, a view.Ease, m match.Match) (bot.Reply, error) {
	allowed, err := c.policyIn(ctx, m.Venue)
	if err != nil {
		return bot.Reply{}, err
	}
	// If the server offers no easier level, the level stays, and the button disappears from the board.
	easier := cmp.Or(view.LevelsNextTo(allowed.Offered(view.Levels()), m.Position().Rules(), m.Seats.Level()).Easier, m.Seats.Level())
	m, err = c.Referee.Ease(ctx, c.about(in, a.Match), a.Match, a.Version, easier)
	return c.showSaved(ctx, in, bot.Update, m, err)
}
