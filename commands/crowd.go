package commands

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// teams stands in place of a level for a match in which two teams of the channel play each other.
const teams = "teams"

// crowdLevels returns the levels against which a crowd can play. The first one that the server offers is the default: an opponent that can
// be beaten, but not by anybody.
func crowdLevels() []string {
	return []string{ai.Medium.String(), ai.Easy.String(), ai.Hard.String(), ai.Unbeatable.String()}
}

// crowd starts a match of everybody in the channel.
func (c *Play) crowd(ctx context.Context, in *interaction) (bot.Reply, error) {
	rules := in.rules(choice(in, "board"))
	switch {
	case in.Context == discordgo.InteractionContextBotDM:
		return bot.Reply{}, refused("refusal.crowd.alone", nil, offerComputer(rules))
	case onlyPrivate(in):
		return bot.Reply{}, refused("refusal.crowd.external", nil, offerComputer(rules))
	}
	level := cmp.Or(choice(in, "level"), in.policy.Offered(crowdLevels())[0])
	switch {
	case level == teams:
		level = ""
	case !slices.Contains(crowdLevels(), level):
		return bot.Reply{}, &match.Refusal{Reason: match.UnknownLevel}
	}
	terms := match.Terms{Rules: rules, First: match.Me, TurnTime: match.DefaultVoteTime}
	if rules.Keep() > 0 { // the first player wins by force
		terms.First = match.Them
	}
	if seconds, is := optionOf[float64](in, "seconds", discordgo.ApplicationCommandOptionInteger); is {
		terms.TurnTime = min(max(time.Duration(seconds)*time.Second, match.MinVoteTime), match.MaxVoteTime)
	}
	m, err := c.Referee.PlayCrowd(ctx, creating(in, c.request(in), c.publicLanguage(ctx, in)), level, terms)
	return c.showSaved(ctx, in, bot.Post, m, err)
}

// mayLeave returns a refusal if the user cannot end the match: only its players can, and for a crowd the user who started the match and the
// server's moderators.
func (c *Play) mayLeave(ctx context.Context, in *interaction, m match.Match) error {
	switch {
	case m.Seats.HasCrowd() && (m.Host == in.by || notModerating(in) == nil):
		return nil
	case m.Seats.HasCrowd():
		names, err := c.Matches.Names(ctx, m.Host)
		return cmp.Or(err, refused("refusal.crowd.stop", view.Args{"Name": view.Names(names).Of(m.Host)}))
	case m.Seats.Mark(in.by) == game.None:
		return &match.Refusal{Reason: match.Stranger, Match: &m}
	}
	return nil
}
