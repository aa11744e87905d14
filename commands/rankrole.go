package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/show/view"
)

// powerful are the rights of moderators: a role with one of them is not given for a rank. The last ones are of pinning messages, of
// writing without slow mode, and of seeing what the server earns.
const powerful = discordgo.PermissionAdministrator | discordgo.PermissionManageGuild | discordgo.PermissionManageRoles |
	discordgo.PermissionManageChannels | discordgo.PermissionManageMessages | discordgo.PermissionManageThreads |
	discordgo.PermissionManageNicknames | discordgo.PermissionManageWebhooks | discordgo.PermissionManageGuildExpressions |
	discordgo.PermissionManageEvents | discordgo.PermissionKickMembers | discordgo.PermissionBanMembers |
	discordgo.PermissionModerateMembers | discordgo.PermissionVoiceMuteMembers | discordgo.PermissionVoiceDeafenMembers |
	discordgo.PermissionVoiceMoveMembers | discordgo.PermissionViewAuditLogs | discordgo.PermissionViewGuildInsights |
	discordgo.PermissionMentionEveryone | 1<<51 | 1<<52 | 1<<41

// RankRoles implements rankrole.Discord with Discord's REST API.
type RankRoles struct {
	REST    *rest.Client
	Painter Painter
	Self    string // the bot's user id
}

// Server asks for the roles of a server and of the bot.
func (r RankRoles) Server(ctx context.Context, v match.Venue) (s rankrole.Server, err error) {
	roles, err := r.REST.Roles(ctx, string(v))
	if err != nil {
		return s, err
	}
	own, err := r.REST.MemberRoles(ctx, string(v), r.Self)
	if err != nil {
		return s, err
	}
	var top *discordgo.Role
	var may int64
	for _, role := range roles {
		if role.ID != string(v) && !slices.Contains(own, role.ID) {
			continue
		}
		may |= role.Permissions
		if top == nil || above(role, top) {
			top = role
		}
	}
	s = rankrole.Server{Manages: may&(discordgo.PermissionManageRoles|discordgo.PermissionAdministrator) != 0, Roles: map[string]rankrole.Role{}}
	for _, role := range roles {
		s.Roles[role.ID] = rankrole.Role{
			Below: top != nil && above(top, role), Managed: role.Managed, Powerful: role.ID == string(v) || role.Permissions&powerful != 0,
		}
	}
	return s, nil
}

// above reports whether a role is higher than another one. Of two roles with the same position, the older one is.
func above(a, b *discordgo.Role) bool {
	age := func(r *discordgo.Role) uint64 { id, _ := strconv.ParseUint(r.ID, 10, 64); return id }
	return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(age(b), age(a))) > 0
}

// MemberRoles returns the roles of a member.
func (r RankRoles) MemberRoles(ctx context.Context, v match.Venue, p match.User) ([]string, error) {
	roles, err := r.REST.MemberRoles(ctx, string(v), string(p))
	return roles, roleFailure(err)
}

// GiveRole gives the role of a grant.
func (r RankRoles) GiveRole(ctx context.Context, g rankrole.Grant) error { return r.set(ctx, g, true) }

// TakeRole takes the role of a grant.
func (r RankRoles) TakeRole(ctx context.Context, g rankrole.Grant) error { return r.set(ctx, g, false) }

func (r RankRoles) set(ctx context.Context, g rankrole.Grant, has bool) error {
	allowed, err := r.Painter.Policies.Policy(ctx, g.Venue)
	if err != nil {
		return err
	}
	reason := r.Painter.Book.In(allowed.Language).Say(view.T("admin.ranks.reason", nil), labelStyle{})
	return roleFailure(r.REST.SetRole(ctx, string(g.Venue), string(g.Player), g.Role, has, reason))
}

// roleFailure translates an error of package rest into an error of package rankrole.
func roleFailure(err error) error {
	switch {
	case errors.Is(err, rest.ErrNoMember):
		return errors.Join(rankrole.ErrAbsent, err)
	case errors.Is(err, rest.ErrNoRole):
		return errors.Join(rankrole.ErrNoRole, err)
	}
	return err
}

// askDiscordWithin is how long a page waits for Discord to say which roles the bot can give, or whether it can write in a channel.
const askDiscordWithin = 2 * time.Second

// rolesHere returns what Discord says about the roles of the server, or nil if it says nothing.
func (c *Admin) rolesHere(ctx context.Context, in *interaction) *rankrole.Server {
	ctx, cancel := context.WithTimeout(ctx, askDiscordWithin)
	defer cancel()
	s, err := c.Roles.Server(ctx, in.venue)
	if err != nil {
		return nil
	}
	return &s
}

func (c *Admin) showRankRoles(ctx context.Context, in *interaction) (bot.Reply, error) {
	rules, err := c.RankRoles.RankRoles(ctx, in.venue)
	if err != nil {
		return bot.Reply{}, err
	}
	var server *rankrole.Server
	if len(rules) > 0 {
		server = c.rolesHere(ctx, in)
	}
	return c.privately(ctx, in, view.OfRankRoles(rules, server), nil)
}

// mayGiveRoles returns nil if the moderator may give roles at Discord, and so may have the bot give them, or else a refusal.
func mayGiveRoles(in *interaction) error {
	if in.Interaction.Member.Permissions&(discordgo.PermissionManageRoles|discordgo.PermissionAdministrator) == 0 {
		return refused("refusal.rank", nil)
	}
	return nil
}

// setRankRole carries out a step in which a moderator says what earns a role.
func (c *Admin) setRankRole(ctx context.Context, in *interaction, a view.RankRole) (bot.Reply, error) {
	if err := mayGiveRoles(in); err != nil {
		return bot.Reply{}, err
	}
	value := only(chosen(in))
	if a.Do == view.PickRankRole {
		if a.Role = value; value == "" || !picks(in, discordgo.RoleSelectMenuComponent) {
			return bot.Reply{}, refused("refusal.admin.choice", nil)
		}
	}
	rules, err := c.RankRoles.RankRoles(ctx, in.venue)
	if err != nil || !isSnowflake(a.Role) {
		return bot.Reply{}, cmp.Or(err, refused("refusal.admin.choice", nil))
	}
	from, number := rankrole.Rule{Venue: in.venue, Role: a.Role, Board: a.Board}, len(rules)
	if i := slices.IndexFunc(rules, func(r rankrole.Rule) bool { return r.Role == a.Role }); i >= 0 {
		from, number = rules[i], number-1
	}
	to := from
	to.Board = cmp.Or(to.Board, game.OfferedNames()[0])
	switch {
	case a.Do == view.PickRankBoard && slices.Contains(game.OfferedNames(), value):
		to.Board = value
	case a.Do == view.PickMerit && slices.Contains(game.OfferedNames(), a.Board) && slices.Contains(rankrole.Merits(), rankrole.Merit(value)):
		to.Board, to.Merit = a.Board, rankrole.Merit(value)
	case a.Do == view.StopRankRole:
		to.Merit = ""
	case a.Do != view.PickRankRole:
		return bot.Reply{}, refused("refusal.admin.choice", nil)
	}
	server := c.rolesHere(ctx, in)
	if a.Do != view.StopRankRole && server != nil {
		if a.Role == string(in.venue) { // the role of everybody has the id of the server
			return bot.Reply{}, refused("refusal.admin.role", nil)
		}
		switch server.Problem(a.Role) {
		case rankrole.Managed, rankrole.Missing:
			return bot.Reply{}, refused("refusal.admin.role", nil)
		case rankrole.Powerful:
			return bot.Reply{}, refused("refusal.rank.powerful", nil)
		}
	}
	if number >= rankrole.MaxRules {
		return bot.Reply{}, refused("refusal.rank.full", view.Args{"N": rankrole.MaxRules})
	}
	err = rankrole.Set(ctx, c.Moderation, c.RankRoles, c.request(in), from, to)
	in.Saved = err == nil
	if err == nil && server != nil && server.Problem(a.Role) == rankrole.Missing { // stopped
		return c.showRankRoles(ctx, in)
	}
	return c.privately(ctx, in, view.OfRankRole(to, server), err)
}
