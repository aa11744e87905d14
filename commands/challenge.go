package commands

import (
	"cmp"
	"context"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

func (c *Commands) challenge(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	data, ok := in.Data.(discordgo.ApplicationCommandInteractionData)
	opponent := in.Options()["opponent"]
	if !ok || opponent == nil || opponent.Type != discordgo.ApplicationCommandOptionUser {
		return c.unknown(ctx, in)
	}
	id, _ := opponent.Value.(string)
	if id == "" {
		return c.unknown(ctx, in)
	}
	rules, first := rulesOf(choice(in, "board", defaultBoard)), "random"
	if c.IsSelf(id) {
		first = firstAgainst(rules)
	}
	terms := match.Terms{
		Rules: rules, First: firstOf(choice(in, "first", first)),
		TurnTime: chosenClock(in),
	}
	return c.invite(ctx, in, data.Resolved, id, terms)
}

func (c *Commands) challengeFromMenu(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	data, ok := in.Data.(discordgo.ApplicationCommandInteractionData)
	if !ok || data.TargetID == "" {
		return c.unknown(ctx, in)
	}
	return c.invite(ctx, in, data.Resolved, data.TargetID,
		match.Terms{Rules: rulesOf(defaultBoard), First: match.Random})
}

// chosenClock is the time for each move that was asked for, zero if none was.
func chosenClock(in *bot.Interaction) time.Duration {
	if word := choice(in, "clock", ""); word != "" {
		return clockOf(word)
	}
	return 0
}

// invite challenges a user. This bot itself plays at once; other bots cannot press buttons. Without a clock among the
// terms it is the server's.
func (c *Commands) invite(ctx context.Context, in *bot.Interaction, resolved *discordgo.ApplicationCommandInteractionDataResolved,
	userID string, terms match.Terms) (bot.Reply, error) {
	if c.IsSelf(userID) {
		return c.startComputer(ctx, in, "", terms)
	}
	to, name := match.User(userID), resolvedName(resolved, userID)
	if resolved != nil && resolved.Users[userID] != nil && resolved.Users[userID].Bot {
		named := view.Args{"Name": view.Names{to: name}.Of(to)}
		return c.notice(in, view.T("refusal.bot", named), c.offerComputer(terms.Rules)), nil
	}
	if in.Context == discordgo.InteractionContextBotDM {
		return c.notice(in, view.T("refusal.server", nil), c.offerComputer(terms.Rules)), nil
	}
	if onlyPrivate(in) {
		return c.notice(in, view.T("refusal.external", nil), c.offerComputer(terms.Rules)), nil
	}
	req, err := c.request(in)
	if err != nil {
		return bot.Reply{}, err
	}
	p, err := c.policyOf(ctx, in)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	terms.TurnTime = cmp.Or(terms.TurnTime, p.TurnTime, clockOf(defaultClock))
	met := view.Names{}
	if name != "" {
		req.Names = append(req.Names, match.Name{Player: to, Name: name})
		met[to] = name
	}
	ch, err := c.Referee.Challenge(ctx, req, to, terms)
	if err != nil {
		return c.refuse(ctx, in, err, met)
	}
	in.Saved = true
	return c.showChallenge(ctx, in, bot.Post, ch)
}

// onlyPrivate tells whether Discord would show our answers to nobody but the one who asked: the bot is not in the
// server, only brought along, and the member may not use such apps in public. Where nobody
// said what the member may, it is not known, and nobody is refused for it.
// https://docs.discord.com/developers/resources/application#user-context
func onlyPrivate(in *bot.Interaction) bool {
	return !in.Member() && in.Interaction.Member != nil && !in.PermissionsUnknown && // who is one of a server
		in.Interaction.Member.Permissions&permissionUseExternalApps == 0
}

// permissionUseExternalApps is USE_EXTERNAL_APPS, which discordgo v0.29 has no name for.
const permissionUseExternalApps = 1 << 50

func resolvedName(resolved *discordgo.ApplicationCommandInteractionDataResolved, userID string) string {
	if resolved == nil {
		return ""
	}
	name := ""
	if user := resolved.Users[userID]; user != nil {
		name = user.Username
		if user.GlobalName != "" {
			name = user.GlobalName
		}
	}
	if member := resolved.Members[userID]; member != nil && member.Nick != "" {
		name = member.Nick
	}
	return cleanName(name)
}

func (c *Commands) accept(ctx context.Context, in *bot.Interaction, a view.Accept) (bot.Reply, error) {
	req, err := c.about(in, a.Challenge)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.Accept(ctx, req, a.Challenge)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Update, m)
}

func (c *Commands) decline(ctx context.Context, in *bot.Interaction, a view.Decline) (bot.Reply, error) {
	return c.close(ctx, in, a.Challenge, c.Referee.Decline)
}

func (c *Commands) withdraw(ctx context.Context, in *bot.Interaction, a view.Withdraw) (bot.Reply, error) {
	return c.close(ctx, in, a.Challenge, c.Referee.Withdraw)
}

func (c *Commands) close(ctx context.Context, in *bot.Interaction, id match.ID,
	how func(context.Context, match.Request, match.ID) (match.Challenge, error)) (bot.Reply, error) {
	req, err := c.about(in, id)
	if err != nil {
		return bot.Reply{}, err
	}
	ch, err := how(ctx, req, id)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showChallenge(ctx, in, bot.Update, ch)
}
