// Package discordsim simulates Discord on a single machine: the gateway and the
// REST API, to which an unmodified bot connects, people who use commands and
// press buttons, a clock that can be moved and faults that can be switched on.
//
// A Sim serves everything by its Handler and is driven by its methods, or from
// outside by JSON over HTTP under /sim/, which docs/simulator.md describes.
package discordsim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/control"
	"tictactoe/discordsim/faults"
	"tictactoe/discordsim/gateway"
	"tictactoe/discordsim/people"
	"tictactoe/discordsim/rest"
	"tictactoe/discordsim/seed"
	"tictactoe/discordsim/transcript"
	"tictactoe/discordsim/world"
)

// Config configures a simulator. The zero value is ready for use.
type Config struct {
	// State is the path of the file that keeps people, channels, messages, commands
	// and the clock over a restart. If it is empty, they are kept in memory.
	State string
	// Start is the initial date of a new simulator's clock; now when zero.
	Start time.Time
	// Spec is the path of Discord's OpenAPI description, whose schemas then also check request bodies. If it is
	// empty, only the hand-written rules apply.
	Spec string
	// Seed describes the initial world of a new simulator, which Reset restores, in the format of docs/simulator.md.
	// If it is empty, the world has one server with one channel, and three people.
	Seed []byte
	// BotName is the username of the first application's bot, unless the seed names it; bot when empty.
	BotName string
	// Settle is the time limit for the message after a deferral; 10 s when zero.
	Settle time.Duration
	// Heartbeat is the heartbeat interval of the gateway; 41.25 s when zero.
	Heartbeat time.Duration
	// PrivilegedIntents lets bots identify with the privileged intents, as if
	// they were enabled in Discord's developer portal.
	PrivilegedIntents bool
	// MaxConcurrency is how many shards may identify within 5 s; 1 when zero.
	MaxConcurrency int
	// Client calls the interactions endpoints of applications; a plain client
	// when nil. Redirects are not followed.
	Client *http.Client
	// UserAgents makes the simulator refuse REST requests without a User-Agent,
	// as Discord's proxy does (40333).
	UserAgents bool
	// NoRateLimits switches the rate limits off from the start, like SetRateLimits(false).
	NoRateLimits bool
	// Record is called with every REST exchange, in the order of the responses,
	// before the response is sent. It must not call the simulator.
	Record func(Exchange)
	// Logger logs problems of the simulator itself; nothing is logged when nil.
	Logger *slog.Logger
}

// Sim is a simulated Discord. Its methods are safe for concurrent use.
type Sim struct {
	w          *world.World
	transcript *transcript.Transcript
	faults     *faults.Table
	gateway    *gateway.Gateway
	rest       *rest.API
	handler    *http.ServeMux
	checker    *check.Checker
	config     Config
	app        string // the first application
}

// New starts a simulator, from its state file if the file exists.
func New(config Config) (*Sim, error) {
	if config.BotName == "" {
		config.BotName = "bot"
	}
	if config.Settle == 0 {
		config.Settle = 10 * time.Second
	}
	if config.Heartbeat == 0 {
		config.Heartbeat = 41250 * time.Millisecond
	}
	if config.MaxConcurrency == 0 {
		config.MaxConcurrency = 1
	}
	if config.Logger == nil {
		config.Logger = slog.New(slog.DiscardHandler)
	}
	checker, err := check.New(config.Spec)
	if err != nil {
		return nil, fmt.Errorf("reading Discord's schemas: %w", err)
	}
	if len(config.Seed) == 0 {
		config.Seed = []byte("{}")
	}
	app, name, err := seed.Bot(config.Seed)
	if err != nil {
		return nil, err
	}
	w, err := world.New(world.Config{
		State: config.State, Start: config.Start, BotName: cmp.Or(name, config.BotName), Settle: config.Settle,
		MaxConcurrency: config.MaxConcurrency, PrivilegedIntents: config.PrivilegedIntents, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	s := &Sim{
		w: w, transcript: transcript.New(w.Clock), faults: faults.NewTable(w), handler: http.NewServeMux(),
		checker: checker, config: config, app: app,
	}
	s.gateway = gateway.New(w, s.faults, s.transcript, config.Heartbeat)
	s.rest = rest.New(w, s.faults, s.transcript, checker, rest.Config{
		UserAgents: config.UserAgents, Client: config.Client, Record: config.Record,
	})
	s.gateway.AddRoutes(s.handler)
	s.rest.AddRoutes(s.handler)
	control.New(w, s.faults, s.transcript, s.gateway, s.rest, s.Reset).AddRoutes(s.handler)
	w.SetRateLimits(!config.NoRateLimits)
	if w.Fresh() && string(config.Seed) != "{}" {
		if err := s.Reset(nil); err != nil {
			return nil, errors.Join(err, s.discard())
		}
	}
	w.Messages.ResumePolls()
	return s, nil
}

// discard closes a new simulator whose seed was refused, and removes its state file.
func (s *Sim) discard() error {
	err := s.Close()
	if s.config.State != "" {
		err = errors.Join(err, os.Remove(s.config.State))
	}
	return err
}

// Application returns the id of the first application, which the seed may give.
func (s *Sim) Application() string { return s.app }

// TokenOf returns a token for the bot of an application. The token is no secret: only a simulator accepts it, and it
// accepts every token whose first part is the application's id in base64.
func TokenOf(application string) string { return world.TokenOf(application) }

// Reset replaces the world by the world that a seed describes or, if the seed is empty, by the simulator's initial
// world, and removes faults and transcript. The clock keeps running, and bots stay connected and keep their commands;
// they are told that they leave all servers and join the new ones. If the seed is refused, nothing changes.
func (s *Sim) Reset(text []byte) error {
	if len(text) == 0 {
		text = s.config.Seed
	}
	blank, err := s.w.Blank()
	if err != nil {
		return err
	}
	if err := seed.Fill(blank, s.checker, text); err != nil {
		return err
	}
	if err := s.w.Become(blank); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	s.faults.Reset()
	s.w.SetRateLimits(!s.config.NoRateLimits)
	s.transcript.Clear()
	return nil
}

// Handler serves the gateway under /ws, the REST API under /api/v9, /api/v10
// and /api, and the calls under /sim/.
func (s *Sim) Handler() http.Handler { return s.handler }

// Clock returns the simulator's clock.
func (s *Sim) Clock() *Clock { return s.w.Clock }

// Close ends every gateway connection and event stream and closes the state file.
// The effects of answered requests are kept.
func (s *Sim) Close() error {
	wasOpen, err := s.w.Shut(s.gateway.Stop)
	if !wasOpen {
		return nil
	}
	if closing := s.w.Close(); err == nil {
		err = closing
	}
	return err
}

// User returns the user with a name or an id.
func (s *Sim) User(ref string) *User { return people.NewUser(s.w, ref) }

// Await waits until an interaction is settled.
func (s *Sim) Await(ctx context.Context, interaction string) (Result, error) {
	return s.w.Interactions.Await(ctx, interaction)
}

// Load puts a load on the bots and returns a report at the end. It returns an
// error if it cannot begin, and if a person's action was invalid.
func (s *Sim) Load(ctx context.Context, l Load) (LoadReport, error) {
	return people.RunLoad(ctx, s.w, l)
}

// AddUser adds a person, who joins every server.
func (s *Sim) AddUser(p Person) (*User, error) {
	if err := s.w.Accounts.Add(p); err != nil {
		return nil, err
	}
	return s.User(p.Username), nil
}

// ChangeUser changes a person, given by name or id. Existing messages keep the name under which they were written.
func (s *Sim) ChangeUser(ref string, to PersonChange) error {
	return s.w.Accounts.Change(ref, to)
}

// AddServer adds a server and returns its id. The first person owns it unless Owner names another. Its members are all
// people and, unless BotsAbsent is set, all bots.
func (s *Sim) AddServer(server Server) (id string, err error) { return s.w.Guilds.Add(server) }

// SetMember makes a person or a bot a member of a server, or changes an existing
// membership. Servers and accounts are given by name or id.
func (s *Sim) SetMember(server, who string, as Membership) error {
	return s.w.Guilds.SetMember(server, who, as)
}

// RemoveMember removes a person or a bot from a server.
func (s *Sim) RemoveMember(server, who string) error { return s.w.Guilds.RemoveMember(server, who) }

// SetCommandPermissions sets who may use a command in a server, and where, in place of earlier rules; without rules,
// the command's defaults apply. The command is given by its name or id, or is * for all commands of the application.
// The application must be given only if the commands of several applications match.
func (s *Sim) SetCommandPermissions(server, application, command string, rules ...CommandRule) error {
	return s.w.Guilds.SetCommandPermissions(server, application, command, rules...)
}

// TimeOut times a member out for a duration, or ends the timeout if d is zero. Administrators cannot be timed out.
func (s *Sim) TimeOut(server, who string, d time.Duration) error {
	return s.w.Guilds.TimeOut(server, who, d)
}

// Ban bans a person or a bot from a server.
func (s *Sim) Ban(server, who, reason string) error { return s.w.Guilds.SetBan(server, who, reason) }

// LiftBan lifts the ban of a person or a bot from a server.
func (s *Sim) LiftBan(server, who string) error { return s.w.Guilds.LiftBan(server, who) }

// AddRole adds a role to a server, below all others but @everyone, and returns its id.
func (s *Sim) AddRole(server string, r RoleSpec) (id string, err error) {
	return s.w.Guilds.NewRole(server, r)
}

// ChangeRole changes a role, given by name or id.
func (s *Sim) ChangeRole(server, ref string, to RoleChange) error {
	return s.w.Guilds.ChangeRole(server, ref, to)
}

// DeleteRole deletes a role, given by name or id.
func (s *Sim) DeleteRole(server, ref string) error { return s.w.Guilds.DeleteRole(server, ref) }

// AddChannel adds a channel or a thread and returns its id.
func (s *Sim) AddChannel(room Room) (id string, err error) { return s.w.Guilds.AddChannel(room) }

// AddGroup opens a group direct message of people and returns its id. Bots cannot be members.
func (s *Sim) AddGroup(group GroupSpec) (id string, err error) { return s.w.Guilds.AddGroup(group) }

// ChangeChannel changes a channel or a thread of a server.
func (s *Sim) ChangeChannel(ref string, to RoomChange) error {
	return s.w.Guilds.ChangeChannel(ref, to)
}

// DeleteChannel deletes a channel of a server, its threads and all messages.
func (s *Sim) DeleteChannel(ref string) error { return s.w.Guilds.DeleteChannel(ref) }

// SetOverwrite replaces the permission overwrite of a channel for a member. Both
// are given by name or id; an empty who stands for @everyone. If allow and deny
// are both empty, the overwrite is removed.
func (s *Sim) SetOverwrite(channel, who string, allow, deny Permission) error {
	return s.w.Guilds.SetOverwrite(channel, who, allow, deny)
}

// DeleteMessage deletes a message as a moderator would.
func (s *Sim) DeleteMessage(id string) error { return s.w.Messages.Delete(id) }

// OnAdvance registers a hook that Advance waits for. The hook can, for example,
// make a bot in the same process act on expired deadlines. Hooks run in the order
// of their registration, after the clock has moved.
func (s *Sim) OnAdvance(hook func(context.Context) error) { s.w.OnAdvance(hook) }

// Advance waits for the interactions in flight, moves the clock by d and returns
// when every hook has returned. A negative d is an error: the clock never goes back.
func (s *Sim) Advance(ctx context.Context, d time.Duration) error { return s.w.Advance(ctx, d) }

// SetRateLimits switches Discord's rate limits on or off: the limits of REST, the ban of
// an address and the limit on late edits, and on the gateway the limits on frames and on
// IDENTIFY. Without rate limits, responses have no bucket headers, like the responses of
// Discord's unlimited routes. Limits requested by Faults.RESTLimit still apply.
func (s *Sim) SetRateLimits(on bool) { s.w.SetRateLimits(on) }

// WriteTranscript writes the messages of both sides as JSON lines, oldest first,
// with "[token]" instead of every bot's and interaction's token. The newest
// lines, up to about 32 MiB, are kept.
func (s *Sim) WriteTranscript(w io.Writer, filter TranscriptFilter) error {
	return s.transcript.Write(w, filter)
}

// NormaliseTranscript reads a transcript and returns its lines without data that varies between runs: ids are
// numbered in the order in which they appear, tokens, dates and durations become words, and heartbeats are left out.
func NormaliseTranscript(r io.Reader) ([]string, error) { return transcript.Normalise(r) }

// DiffTranscripts compares two normalised transcripts and returns the part where they differ, marked as by diff -u, or ""
// if they are equal.
func DiffTranscripts(a, b []string) string { return transcript.Diff(a, b) }
