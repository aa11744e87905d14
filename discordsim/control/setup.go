package control

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/world"
)

func (c *setupCalls) driveState(r *http.Request) (body any, err error) {
	err = c.w.Locked(func() error {
		as := r.URL.Query().Get("as")
		if !r.URL.Query().Has("as") {
			body = c.overview(nil)
			return nil
		}
		viewer := c.firstPerson()
		if as != "" {
			if viewer, err = c.w.State.Person(as); err != nil {
				return err
			}
		}
		body = c.overview(viewer)
		return nil
	})
	return body, err
}

// driveReset handles POST /sim/reset. It ends the event streams, since their clients' data is out of date.
func (c *setupCalls) driveReset(r *http.Request) (any, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the seed: %w", err)
	}
	if err := c.reset(bytes.TrimSpace(text)); err != nil {
		return nil, err
	}
	c.w.Lock()
	defer c.w.Unlock()
	c.streams.endAll()
	return c.overview(nil), nil
}

func (c *setupCalls) driveClock(r *http.Request, in *struct{ Advance string }) (any, error) {
	d, err := time.ParseDuration(in.Advance)
	if err != nil {
		return nil, fmt.Errorf("advance is a duration such as 90s or 24h: %w", err)
	}
	if err := c.w.Advance(r.Context(), d); err != nil {
		return nil, err
	}
	return c.w.ClockReading(), nil
}

func (c *setupCalls) driveUsers(_ *http.Request, in *world.Person) (any, error) {
	if err := c.w.Accounts.Add(*in); err != nil {
		return nil, err
	}
	c.w.Lock()
	defer c.w.Unlock()
	return c.w.State.Account(in.Username), nil
}

func (c *setupCalls) driveGuilds(_ *http.Request, in *world.Server) (any, error) {
	id, err := c.w.Guilds.Add(*in)
	return map[string]string{"id": id}, err
}

func (c *setupCalls) driveUserChange(r *http.Request, to *world.PersonChange) (any, error) {
	if err := c.w.Accounts.Change(r.PathValue("user"), *to); err != nil {
		return nil, err
	}
	c.w.Lock()
	defer c.w.Unlock()
	return c.w.State.Account(r.PathValue("user")), nil
}

func (c *setupCalls) driveMember(r *http.Request, in *struct {
	Permissions []string
	Nick        string
	Roles       []string
}) (any, error) {
	may, err := world.ParsePermissions(in.Permissions...)
	if err != nil {
		return nil, err
	}
	return struct{}{}, c.w.Guilds.SetMember(r.PathValue("guild"), r.PathValue("user"), world.Membership{Nick: in.Nick, Permissions: may, Roles: in.Roles})
}

func (c *setupCalls) driveMemberRemove(r *http.Request) (any, error) {
	return struct{}{}, c.w.Guilds.RemoveMember(r.PathValue("guild"), r.PathValue("user"))
}

func (c *setupCalls) driveCommandPermissions(r *http.Request, in *struct {
	Application string
	Permissions []world.CommandRule
}) (any, error) {
	return struct{}{}, c.w.Guilds.SetCommandPermissions(r.PathValue("guild"), in.Application, r.PathValue("command"), in.Permissions...)
}

func (c *setupCalls) driveTimeout(r *http.Request, in *struct{ For string }) (any, error) {
	d, err := time.ParseDuration(in.For)
	if err != nil {
		return nil, fmt.Errorf("for is a duration such as 10m, or 0s to end a timeout: %w", err)
	}
	return struct{}{}, c.w.Guilds.TimeOut(r.PathValue("guild"), r.PathValue("user"), d)
}

func (c *setupCalls) driveBan(r *http.Request, in *struct{ Reason string }) (any, error) {
	return struct{}{}, c.w.Guilds.SetBan(r.PathValue("guild"), r.PathValue("user"), in.Reason)
}

func (c *setupCalls) driveBanLift(r *http.Request) (any, error) {
	return struct{}{}, c.w.Guilds.LiftBan(r.PathValue("guild"), r.PathValue("user"))
}

func (c *setupCalls) driveRoles(r *http.Request, in *world.RoleSpec) (any, error) {
	id, err := c.w.Guilds.NewRole(r.PathValue("guild"), *in)
	return map[string]string{"id": id}, err
}

func (c *setupCalls) driveRoleChange(r *http.Request, to *world.RoleChange) (any, error) {
	return struct{}{}, c.w.Guilds.ChangeRole(r.PathValue("guild"), r.PathValue("role"), *to)
}

func (c *setupCalls) driveRoleDelete(r *http.Request) (any, error) {
	return struct{}{}, c.w.Guilds.DeleteRole(r.PathValue("guild"), r.PathValue("role"))
}

func (c *setupCalls) driveGroups(_ *http.Request, in *world.GroupSpec) (any, error) {
	id, err := c.w.Guilds.AddGroup(*in)
	return map[string]string{"id": id}, err
}

func (c *setupCalls) driveChannels(_ *http.Request, room *world.Room) (any, error) {
	id, err := c.w.Guilds.AddChannel(*room)
	if err != nil {
		return nil, err
	}
	return c.channelShown(id)
}

func (c *setupCalls) driveChannelChange(r *http.Request, to *world.RoomChange) (any, error) {
	// The channel is found again by id, since its name may have changed.
	ref := r.PathValue("channel")
	err := c.w.Locked(func() error {
		ch, err := c.w.State.ChannelOf(ref)
		if err == nil {
			ref = ch.ID
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := c.w.Guilds.ChangeChannel(ref, *to); err != nil {
		return nil, err
	}
	return c.channelShown(ref)
}

// channelShown returns the object of a server's channel, which is the response of the calls that change a channel.
func (c *setupCalls) channelShown(id string) (object world.ChannelObject, err error) {
	err = c.w.Locked(func() error {
		ch, err := c.w.State.ChannelOf(id)
		if err == nil {
			object = c.w.State.ChannelObject(ch, "")
		}
		return err
	})
	return object, err
}

func (c *setupCalls) driveChannelDelete(r *http.Request) (any, error) {
	return struct{}{}, c.w.Guilds.DeleteChannel(r.PathValue("channel"))
}

func (c *setupCalls) driveOverwrites(r *http.Request, in *struct {
	Of          string
	Allow, Deny []string
}) (any, error) {
	allow, err := world.ParsePermissions(in.Allow...)
	if err != nil {
		return nil, err
	}
	deny, err := world.ParsePermissions(in.Deny...)
	if err != nil {
		return nil, err
	}
	switch in.Of {
	case "":
		return nil, errors.New("an overwrite is for everyone, for a user or for a role")
	case "everyone", "@everyone":
		in.Of = ""
	}
	return struct{}{}, c.w.Guilds.SetOverwrite(r.PathValue("channel"), in.Of, allow, deny)
}

// driveEndpoint handles PUT /sim/applications/{app}/endpoint.
func (c *setupCalls) driveEndpoint(r *http.Request, in *struct{ URL *string }) (any, error) {
	app, err := c.w.Accounts.Bot(r.PathValue("app"))
	if err != nil {
		return nil, err
	}
	if in.URL == nil {
		return nil, errors.New(`an endpoint has a url, "" to remove it`)
	}
	if err := c.rest.SetEndpoint(r.Context(), app, *in.URL); err != nil {
		return nil, err
	}
	return map[string]string{"url": *in.URL, "verify_key": rest.VerifyKey(app)}, nil
}
