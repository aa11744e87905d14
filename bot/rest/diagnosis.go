package rest

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/internal/boards/messages"
)

// needs lists, by Discord's names, the permissions that the bot needs to redraw messages, post new ones and send pictures. Answers to
// interactions need only the permission for pictures.
var needs = []struct {
	bit  int64
	name string
}{
	{discordgo.PermissionViewChannel, "View Channels"},
	{discordgo.PermissionSendMessages, "Send Messages"},
	{discordgo.PermissionReadMessageHistory, "Read Message History"},
	{discordgo.PermissionAttachFiles, "Attach Files"},
}

// Diagnosis is what Discord's REST API says about the bot and where it is installed.
type Diagnosis struct {
	// Application is the application's id, and Name the name of the bot's user.
	Application, Name string
	// Endpoint is the URL to which Discord sends interactions, or empty if Discord sends them over the gateway. Key is the public key of
	// the application, in hexadecimal digits.
	Endpoint, Key string
	// Privileged reports that privileged intents are switched on, although the bot does not use them.
	Privileged bool
	// Sessions is how many more sessions may be started. After the duration Reset, Discord sets the number back to its maximum.
	Sessions int
	Reset    time.Duration
	// Registered reports that the commands at Discord are the same as those of this program.
	Registered bool
	// Servers lists the servers that the bot is in, at most 200.
	Servers []Server
	// Unknown has the error for each subject about which Discord gave no readable answer.
	Unknown map[Subject]error
	// Ahead is how far this machine's clock is ahead of Discord's, to the second; it is negative if the clock is behind.
	Ahead time.Duration
}

// Subject names a part of a Diagnosis in one word, to be shown to people.
type Subject string

// The subjects that may be unknown while the others are known.
const (
	TheApplication Subject = "application" // the application's id, the endpoint and the intents
	TheSessions    Subject = "sessions"
	TheCommands    Subject = "commands"
	TheServers     Subject = "servers"
)

// Server is a server that the bot is in.
type Server struct {
	ID, Name string
	// Lacks lists, by name, the permissions that the bot needs and does not have in the server. Settings of channels are not considered.
	Lacks []string
	// NoRoles reports that the bot may not manage roles there, which it needs only to give roles for ranks.
	NoRoles bool
	// Twice lists the names of the server's own commands that are also names of global commands. It is known only for the first
	// serversAsked servers.
	Twice []string
	// Silent reports that Discord sent no readable permissions of the bot in the server.
	Silent bool
}

// serversAsked is the number of servers whose own commands Diagnose asks for.
const serversAsked = 50

// Diagnose asks Discord's REST API for a Diagnosis, without a gateway session, and compares the registered commands with the given ones. If
// it returns an error, the Diagnosis is empty.
func (r *Client) Diagnose(ctx context.Context, commands []*discordgo.ApplicationCommand) (Diagnosis, error) {
	d := Diagnosis{Unknown: make(map[Subject]error)}
	var self struct {
		Username string `json:"username"`
	}
	date := func(h http.Header) {
		if told, err := http.ParseTime(h.Get("Date")); err == nil {
			d.Ahead = time.Since(told).Truncate(time.Second)
		}
	}
	err := r.do(ctx, request{name: "own user", method: http.MethodGet, url: discordgo.EndpointUser("@me"), header: date}, &self)
	if err != nil {
		return d, err
	}
	d.Name = self.Username
	global := r.askApplication(ctx, commands, &d)
	gateway, err := r.Gateway(ctx)
	d.note(TheSessions, err)
	d.Sessions, d.Reset = gateway.Limit.Remaining, time.Duration(gateway.Limit.ResetAfter)*time.Millisecond
	servers, err := r.ownGuilds(ctx, "")
	d.note(TheServers, err)
	for _, g := range servers {
		d.Servers = append(d.Servers, g.permissions())
	}
	for i := range min(len(d.Servers), serversAsked) {
		if len(global) == 0 {
			break
		}
		left, err := r.leftovers(ctx, d.Application, d.Servers[i].ID, global)
		if err != nil && !errors.Is(err, messages.ErrForbidden) { // the bot may be in a server without its commands
			d.note(TheCommands, err)
			break
		}
		for _, command := range left {
			d.Servers[i].Twice = append(d.Servers[i].Twice, command.Name)
		}
	}
	return d, nil
}

// note records that a subject is unknown because of err, unless err is nil.
func (d *Diagnosis) note(subject Subject, err error) {
	if err != nil {
		d.Unknown[subject] = err
	}
}

// askApplication asks for the application, which it adds to the Diagnosis, and for the application's global commands, which it returns.
func (r *Client) askApplication(
	ctx context.Context, commands []*discordgo.ApplicationCommand, d *Diagnosis,
) (present []*discordgo.ApplicationCommand) {
	application, err := r.OwnApplication(ctx)
	d.note(TheApplication, err)
	if err == nil {
		const privileged = 1<<12 | 1<<13 | 1<<14 | 1<<15 | 1<<18 | 1<<19 // Discord's "Application Flags"
		d.Application, d.Endpoint, d.Key = application.ID, application.Endpoint, application.Key
		d.Privileged = application.Flags&privileged != 0
		present, _, err = r.commands(ctx, application.ID)
	}
	d.note(TheCommands, err)
	d.Registered = err == nil && Same(present, commands)
	return present
}

// permissions returns the server with the permissions that the bot lacks there.
func (g guild) permissions() Server {
	server := Server{ID: g.ID, Name: g.Name}
	has, err := strconv.ParseInt(g.Permissions, 10, 64)
	server.Silent = err != nil
	server.NoRoles = err == nil && has&(discordgo.PermissionManageRoles|discordgo.PermissionAdministrator) == 0
	for _, need := range needs {
		if err == nil && has&(need.bit|discordgo.PermissionAdministrator) == 0 {
			server.Lacks = append(server.Lacks, need.name)
		}
	}
	return server
}
