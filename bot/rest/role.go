package rest

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/bwmarrin/discordgo"
)

// ErrNoMember and ErrNoRole mean that the server has no such member, or no such role, for use with errors.Is.
var (
	ErrNoMember = errors.New("the user is no member of the server")
	ErrNoRole   = errors.New("the server has no such role")
)

// Roles returns the roles of a server. It waits for rate limits.
func (r *Client) Roles(ctx context.Context, guild string) (roles []*discordgo.Role, err error) {
	err = r.do(ctx, request{
		name: "list roles", method: http.MethodGet, url: discordgo.EndpointGuildRoles(guild), bucket: "roles/" + guild,
	}, &roles)
	return roles, err
}

// MemberRoles returns the ids of the roles of a member, or an error that wraps ErrNoMember. It waits for rate limits.
func (r *Client) MemberRoles(ctx context.Context, guild, user string) (roles []string, err error) {
	var member struct {
		Roles []string `json:"roles"`
	}
	err = r.do(ctx, request{
		name: "get member", method: http.MethodGet, url: discordgo.EndpointGuildMember(guild, user), bucket: "member/" + guild,
	}, &member)
	return member.Roles, err
}

// SetRole gives a role to a member of a server, or takes it. Discord's audit log shows the reason. An error can wrap ErrNoMember, ErrNoRole
// or ErrForbidden. It waits for rate limits.
func (r *Client) SetRole(ctx context.Context, guild, user, role string, has bool, reason string) error {
	method := http.MethodDelete
	if has {
		method = http.MethodPut
	}
	return r.do(ctx, request{
		name: "set role", method: method, url: discordgo.EndpointGuildMemberRole(guild, user, role), bucket: "set role/" + guild,
		reason: url.PathEscape(reason),
	}, nil)
}
