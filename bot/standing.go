package bot

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// needs are the permissions that it takes to redraw messages and to post new ones, by Discord's names. The answers to
// interactions take none.
var needs = []struct {
	bit  int64
	name string
}{
	{discordgo.PermissionViewChannel, "View Channels"},
	{discordgo.PermissionSendMessages, "Send Messages"},
	{discordgo.PermissionReadMessageHistory, "Read Message History"},
}

// Standing is how Discord sees the bot, without a session of its own.
type Standing struct {
	// Application is the application's id, Name its user's name.
	Application, Name string
	// Endpoint is the URL to which Discord sends interactions; if it is empty they go to the gateway. Key is the public key of
	// who signs them, in hexadecimal digits.
	Endpoint, Key string
	// Privileged tells that privileged intents are switched on, which the bot has no use for.
	Privileged bool
	// Sessions is how many may still be started before Reset has passed.
	Sessions int
	Reset    time.Duration
	// Registered tells that Discord's commands are those that were asked for.
	Registered bool
	// Servers are those that the bot is in, at most 200.
	Servers []Server
	// Unknown are the subjects of which Discord did not say how they stand, or not in its own form, and what came instead.
	Unknown map[Subject]error
	// Ahead is by how much this machine's clock is before Discord's, to a second.
	Ahead time.Duration
}

// Subject is something that a Standing tells of, in one word for people.
type Subject string

// The subjects that may be unknown while the rest is known.
const (
	TheApplication Subject = "application" // its id, the endpoint and the intents
	TheSessions    Subject = "sessions"
	TheCommands    Subject = "commands"
	TheServers     Subject = "servers"
)

// Server is a server that the bot is in.
type Server struct {
	ID, Name string
	// Lacks are the permissions that the bot needs and does not have in the server as a whole, by name; a channel may
	// differ.
	Lacks []string
	// Silent tells that Discord did not say which permissions the bot has there, or nothing that could be understood.
	Silent bool
}

// Standing asks Discord. A token that Discord does not know is a *FatalError; other errors are those of the REST API, and say
// that nothing could be found out.
func (r *REST) Standing(ctx context.Context, commands []*discordgo.ApplicationCommand) (s Standing, err error) {
	var self struct {
		Username string `json:"username"`
	}
	date := func(h http.Header) {
		if told, err := http.ParseTime(h.Get("Date")); err == nil {
			s.Ahead = time.Since(told).Truncate(time.Second)
		}
	}
	err = r.do(ctx, request{name: "own user", method: http.MethodGet, url: discordgo.EndpointUser("@me"), header: date}, &self)
	if unauthorized(err) {
		return s, &FatalError{Code: http.StatusUnauthorized}
	}
	if err != nil {
		return s, err
	}
	s.Name = self.Username
	s.Unknown = make(map[Subject]error)
	for subject, ask := range map[Subject]func(context.Context, *Standing) error{
		TheApplication: func(ctx context.Context, s *Standing) error { return r.askApplication(ctx, commands, s) },
		TheSessions:    r.askSessions, TheServers: r.askServers,
	} {
		if err := ask(ctx, &s); err != nil {
			s.Unknown[subject] = err
		}
	}
	return s, nil
}

// askApplication asks for the application, and for its commands.
func (r *REST) askApplication(ctx context.Context, commands []*discordgo.ApplicationCommand, s *Standing) error {
	application, err := r.ownApplication(ctx)
	if err != nil {
		s.Unknown[TheCommands] = err
		return err
	}
	const privileged = 1<<12 | 1<<13 | 1<<14 | 1<<15 | 1<<18 | 1<<19 // Discord's "Application Flags"
	s.Application, s.Endpoint, s.Key = application.ID, application.Endpoint, application.Key
	s.Privileged = application.Flags&privileged != 0
	present, err := r.commands(ctx, application.ID)
	if err != nil {
		s.Unknown[TheCommands] = err
	}
	s.Registered = err == nil && Same(present, commands)
	return nil
}

func (r *REST) askSessions(ctx context.Context, s *Standing) error {
	gateway, err := r.gateway(ctx)
	s.Sessions, s.Reset = gateway.Limit.Remaining, time.Duration(gateway.Limit.ResetAfter)*time.Millisecond
	return err
}

func (r *REST) askServers(ctx context.Context, s *Standing) error {
	guilds, err := r.ownGuilds(ctx, "")
	for _, g := range guilds {
		server := Server{ID: g.ID, Name: g.Name}
		has, err := strconv.ParseInt(g.Permissions, 10, 64)
		server.Silent = err != nil
		for _, need := range needs {
			if err == nil && has&(need.bit|discordgo.PermissionAdministrator) == 0 {
				server.Lacks = append(server.Lacks, need.name)
			}
		}
		s.Servers = append(s.Servers, server)
	}
	return err
}

// Greet connects to the gateway, waits for its greeting and hangs up. No session is started by it.
func (r *REST) Greet(ctx context.Context) error {
	var gateway struct {
		URL string `json:"url"`
	}
	err := r.do(ctx, request{name: "gateway address", method: http.MethodGet, url: discordgo.EndpointGateway, anonymous: true}, &gateway)
	if err != nil {
		return err
	}
	address, err := url.Parse(gateway.URL)
	if err != nil || address.Host == "" {
		return fmt.Errorf("the gateway's address %q is none", gateway.URL)
	}
	address.Path = strings.TrimSuffix(address.Path, "/") + "/"
	address.RawQuery = "v=" + discordgo.APIVersion + "&encoding=json"
	dialer := websocket.Dialer{NetDialContext: r.dial, HandshakeTimeout: 10 * time.Second}
	conn, resp, err := dialer.DialContext(ctx, address.String(), nil)
	if err != nil {
		if resp != nil {
			err = fmt.Errorf("%w: HTTP %d", err, resp.StatusCode)
		}
		return fmt.Errorf("gateway %s: %w", address.Host, err)
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(helloTimeout))
	var hello struct {
		Op int `json:"op"`
	}
	if err := conn.ReadJSON(&hello); err != nil {
		return fmt.Errorf("gateway %s: %w", address.Host, err)
	}
	if hello.Op != opHello {
		return fmt.Errorf("gateway %s: greets with op %d", address.Host, hello.Op)
	}
	return nil
}
