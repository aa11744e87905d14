package commands

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// clocks returns the times for each move that users can choose, with the word for each in options.
func clocks() []clock {
	return []clock{{"1m", time.Minute}, {"5m", 5 * time.Minute}, {"1h", time.Hour}, {"24h", 24 * time.Hour}}
}

type clock struct {
	word string
	time time.Duration
}

// clockOf returns the time for each move that a word in options means, or zero for a word that was never offered.
func clockOf(word string) time.Duration {
	for _, c := range clocks() {
		if c.word == word {
			return c.time
		}
	}
	return 0
}

// gamesOf returns the number of games of a series that a word in options means, or zero for a word that was never offered.
func gamesOf(word string) int {
	n, err := strconv.Atoi(word)
	if err != nil || !slices.Contains(match.SeriesLengths(), n) {
		return 0
	}
	return n
}

func (c *Play) challenge(ctx context.Context, in *interaction) (bot.Reply, error) {
	opponent := string(person(in, "opponent"))
	rules := in.rules(choice(in, "board"))
	first := choice(in, "first")
	if c.IsSelf(opponent) {
		first = cmp.Or(first, firstAgainst(rules))
	}
	terms := match.Terms{
		Rules: rules, First: firstOf(first), TurnTime: clockOf(choice(in, "clock")), Casual: isOff(in, "rated"), BestOf: gamesOf(choice(in, "games")),
	}
	if in.Options()["opponent"] == nil {
		return c.openChallenge(ctx, in, terms)
	}
	return c.invite(ctx, in, opponent, terms)
}

func (c *Play) challengeFromMenu(ctx context.Context, in *interaction) (bot.Reply, error) {
	data, _ := in.Data.(discordgo.ApplicationCommandInteractionData)
	return c.invite(ctx, in, data.TargetID, match.Terms{Rules: in.rules(""), First: match.Random})
}

// invite challenges a user. If the user is this bot, a match against the computer begins at once; other bots are refused, because they
// cannot press buttons. If the terms have no clock, the server's default applies.
func (c *Play) invite(ctx context.Context, in *interaction, userID string, terms match.Terms) (bot.Reply, error) {
	to, named := match.User(userID), resolved(in)
	switch user := named.Users[userID]; {
	case userID == "":
		return c.unknown(ctx, in)
	case c.IsSelf(userID) && terms.BestOf > 0:
		return bot.Reply{}, refused("refusal.series", nil, offerComputer(terms.Rules))
	case c.IsSelf(userID):
		return c.startComputer(ctx, in, "", terms)
	case user != nil && user.Bot:
		return bot.Reply{}, refused("refusal.bot", view.Args{"Name": resolvedNames(in).Of(to)}, offerComputer(terms.Rules))
	case in.Context == discordgo.InteractionContextBotDM:
		return bot.Reply{}, refused("refusal.server", nil, offerComputer(terms.Rules))
	case onlyPrivate(in):
		return bot.Reply{}, refused("refusal.external", nil, offerComputer(terms.Rules))
	}
	if err := absent(in, userID, terms.Rules); err != nil {
		return bot.Reply{}, err
	}
	terms.TurnTime = cmp.Or(terms.TurnTime, in.policy.TurnTime, policy.TurnTime)
	req := creating(in, c.request(in), c.publicLanguage(ctx, in))
	if name := resolvedNames(in)[to]; name != "" {
		req.Names = append(req.Names, match.Name{Player: to, Name: name})
	}
	ch, err := c.Referee.Challenge(ctx, req, to, terms)
	return c.showSavedChallenge(ctx, in, bot.Post, ch, err)
}

// open posts an open challenge of the user who pressed the button, on the terms of an earlier challenge if that is still stored.
func (c *Play) open(ctx context.Context, in *interaction, a view.Open) (bot.Reply, error) {
	earlier, err := c.Matches.Challenge(ctx, a.Challenge)
	if errors.Is(err, match.ErrNotFound) {
		earlier.Terms, err = match.Terms{Rules: in.rules("")}, nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	return c.openChallenge(ctx, in, earlier.Terms)
}

// openChallenge posts a challenge that anybody may accept. If the terms have no clock, the server's default applies.
func (c *Play) openChallenge(ctx context.Context, in *interaction, terms match.Terms) (bot.Reply, error) {
	switch {
	case in.Context == discordgo.InteractionContextBotDM:
		return bot.Reply{}, refused("refusal.open.alone", nil, offerComputer(terms.Rules))
	case onlyPrivate(in):
		return bot.Reply{}, refused("refusal.external", nil, offerComputer(terms.Rules))
	case !in.policy.Has(policy.Open):
		return bot.Reply{}, refusal{view.OffHere(policy.Open), []view.Button{offerComputer(terms.Rules)}}
	}
	terms.TurnTime = cmp.Or(terms.TurnTime, in.policy.TurnTime, policy.TurnTime)
	ch, err := c.Referee.Challenge(ctx, creating(in, c.request(in), c.publicLanguage(ctx, in)), "", terms)
	reply, err := c.showSavedChallenge(ctx, in, bot.Post, ch, err)
	if role := in.policy.Tells(); err == nil && role != "" && c.mayTell(ctx, in) {
		mention := discordgo.TextDisplay{Content: discordStyle{}.Role(role)}
		reply.Components, reply.PingRole = append([]discordgo.MessageComponent{mention}, reply.Components...), role
	}
	return reply, err
}

// mayTell reports whether this open challenge may mention the role of the server, and claims that for it, so that no process mentions the
// role again before [policy.ToldAgain] is over. If the claim cannot be saved, nobody is told: the post is worth more.
func (c *Play) mayTell(ctx context.Context, in *interaction) bool {
	told := claim.Claim{Interaction: "told " + in.GuildID, By: rand.Text(), Until: in.Received.Add(policy.ToldAgain)}
	return c.Claims.Claim(ctx, told) == nil
}

// absent returns the refusal of a challenge that the challenged user could not see or answer, because the user is not a member of the
// server, cannot read the channel, or is timed out, which others are not told. It returns nil if the user can. Where the bot is not in the
// server, Discord may not send the member along, so absent refuses nothing there.
func absent(in *interaction, userID string, rules game.Rules) error {
	if in.GuildID == "" {
		return nil
	}
	key := "refusal.unseen"
	switch member := resolved(in).Members[userID]; {
	case member == nil && in.BotMember():
		key = "refusal.absent"
	case member != nil && member.CommunicationDisabledUntil != nil && in.Received.Before(*member.CommunicationDisabledUntil):
		return &match.Refusal{Reason: match.NotTaking, Player: match.User(userID)}
	case member == nil, member.Permissions&(discordgo.PermissionViewChannel|discordgo.PermissionAdministrator) != 0:
		return nil
	}
	return refused(key, view.Args{"Name": resolvedNames(in).Of(match.User(userID))}, offerComputer(rules))
}

// onlyPrivate reports whether Discord shows the bot's answers only to the user who asked. Discord does so if the bot is not in the
// server and the user, who has installed the bot, may not use external apps in public. onlyPrivate returns false if the user's
// permissions are not known. https://docs.discord.com/developers/resources/application#user-context
func onlyPrivate(in *interaction) bool {
	return !in.BotMember() && in.Interaction.Member != nil && !in.PermissionsUnknown && // in a server
		in.Interaction.Member.Permissions&permissionUseExternalApps == 0
}

// permissionUseExternalApps is Discord's permission USE_EXTERNAL_APPS, for which discordgo v0.29 has no name.
const permissionUseExternalApps = 1 << 50

// resolved returns the users and members whom a command names, as Discord sends them with it.
func resolved(in *interaction) discordgo.ApplicationCommandInteractionDataResolved {
	if data, _ := in.Data.(discordgo.ApplicationCommandInteractionData); data.Resolved != nil {
		return *data.Resolved
	}
	return discordgo.ApplicationCommandInteractionDataResolved{}
}

// resolvedNames returns the names of the users whom a command names, as others see them.
func resolvedNames(in *interaction) view.Names {
	names, named := view.Names{}, resolved(in)
	for id, user := range named.Users {
		name := cmp.Or(user.GlobalName, user.Username)
		if member := named.Members[id]; member != nil {
			name = cmp.Or(member.Nick, name)
		}
		if name = cleanName(name); name != "" {
			names[match.User(id)] = name
		}
	}
	return names
}

func (c *Play) accept(ctx context.Context, in *interaction, a view.Accept) (bot.Reply, error) {
	return settleChallenge(ctx, c, in, a.Challenge, c.Referee.Accept, c.showSaved)
}

func (c *Play) decline(ctx context.Context, in *interaction, a view.Decline) (bot.Reply, error) {
	return settleChallenge(ctx, c, in, a.Challenge, c.Referee.Decline, c.showSavedChallenge)
}

func (c *Play) withdraw(ctx context.Context, in *interaction, a view.Withdraw) (bot.Reply, error) {
	return settleChallenge(ctx, c, in, a.Challenge, c.Referee.Withdraw, c.showSavedChallenge)
}

// settleChallenge ends a challenge by calling settle, which accepts, declines or withdraws it. If the button was on the challenge's own
// message, show updates that message. Otherwise the button was in a private message, such as the list of matches: then the list
// replaces the private message, even if the challenge had already ended, and a redraw updates the challenge's own message.
func settleChallenge[T any](
	ctx context.Context, c *Play, in *interaction, id match.ID, settle func(context.Context, match.Request, match.ID) (T, error),
	show func(context.Context, *interaction, bot.Kind, T, error) (bot.Reply, error),
) (bot.Reply, error) {
	if !onPrivate(in) {
		ended, err := settle(ctx, c.about(in, id), id)
		return show(ctx, in, bot.Update, ended, err)
	}
	_, err := settle(ctx, c.request(in), id)
	refusal, is := errors.AsType[*match.Refusal](err)
	switch {
	case is && (refusal.Reason == match.ChallengeOver || refusal.Reason == match.Unknown):
	case err != nil:
		return bot.Reply{}, err
	default:
		in.Saved = true
		c.Redraw.Enqueue(id)
	}
	return c.games(ctx, in)
}
