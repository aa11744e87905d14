package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tictactoe/discordsim"
	"tictactoe/discordsim/authority"
	"tictactoe/discordsim/page"
	"tictactoe/store/sqlite"
)

// playgroundToken is the token of the playground's bot. It is no secret: it opens nothing but a simulator, which accepts
// every token whose first part is a number in base64.
const playgroundToken = "MTAwMDAwMDAwMDAwMDAwMDAx.playground.local"

type playgroundCommand struct {
	Listen   string `env:"TICTACTOE_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDR" help:"Where the page is served (${default})."`
	DB       string `name:"db" env:"TICTACTOE_DB" placeholder:"FILE" help:"The bot's database (default: playground.db in your data folder). The local Discord keeps its own file beside it."`
	OpenAPI  string `name:"openapi" env:"DISCORD_OPENAPI" placeholder:"FILE" help:"Discord's OpenAPI description, to check what the bot sends against."`
	LogLevel string `env:"TICTACTOE_LOG_LEVEL" default:"warn" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error (${default})."`
}

// Run serves the page until it is told to stop.
func (c *playgroundCommand) Run(ctx context.Context, s surroundings) (err error) {
	db, err := dataFile("--db", c.DB, "playground.db", s.env)
	if err != nil {
		return err
	}
	if err := fileOnly(db, "tictactoe sim, and serve --discord-url"); err != nil {
		return err
	}
	log := newLogger(c.LogLevel, s)
	site, err := startSite(c.Listen, false, discordsim.Config{State: db + ".discord", Spec: c.OpenAPI, Logger: log})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	a, err := newApp(ctx, settings{
		db: db, token: playgroundToken, discordURL: site.url(), clock: site.sim.Clock(), log: log, emoji: true,
	})
	if err != nil {
		return err
	}
	site.sim.OnAdvance(a.settle)
	fmt.Fprintf(s.stdout, "The playground is open: %s\nIt keeps everything in %s. Stop it with Ctrl+C.\n", site.url(), db)
	return site.while(ctx, a.run)
}

type simCommand struct {
	Listen   string `env:"TICTACTOE_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDR" help:"Where the local Discord is served (${default})."`
	State    string `placeholder:"FILE" help:"Where it keeps people, channels and messages (default: sim.discord in your data folder)."`
	OpenAPI  string `name:"openapi" env:"DISCORD_OPENAPI" placeholder:"FILE" help:"Discord's OpenAPI description, to check what bots send against."`
	LogLevel string `env:"TICTACTOE_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error (${default})."`

	Heartbeat         time.Duration `default:"41250ms" help:"How often bots are asked to send a heartbeat (${default})."`
	MaxConcurrency    int           `default:"1" help:"How many shards may identify within five seconds (${default})."`
	Endpoint          string        `placeholder:"URL" help:"Deliver over HTTP there instead of by the gateway, as to http://127.0.0.1:8081/interactions."`
	PrivilegedIntents bool          `help:"Let bots have the privileged intents."`
	TLS               bool          `name:"tls" help:"Speak https and wss, by a certificate authority of its own that is kept beside the state."`
	RateLimits        bool          `default:"true" negatable:"" help:"Have rate limits, as Discord has (on unless --no-rate-limits)."`
}

// Validate refuses what no Discord would do.
func (c *simCommand) Validate() error {
	if c.Endpoint != "" && !isWebAddress(c.Endpoint) {
		return fmt.Errorf("--endpoint: %q is no web address such as http://127.0.0.1:8081/interactions", c.Endpoint)
	}
	if c.Heartbeat < time.Second {
		return fmt.Errorf("--heartbeat is a second or more, not %v", c.Heartbeat)
	}
	if c.MaxConcurrency < 1 {
		return fmt.Errorf("--max-concurrency is 1 or more, not %d", c.MaxConcurrency)
	}
	return nil
}

// Run serves the local Discord until it is told to stop.
func (c *simCommand) Run(ctx context.Context, s surroundings) (err error) {
	state, err := dataFile("--state", c.State, "sim.discord", s.env)
	if err != nil {
		return err
	}
	log := newLogger(c.LogLevel, s)
	site, err := startSite(c.Listen, c.TLS, discordsim.Config{
		State: state, Spec: c.OpenAPI, Logger: log,
		Heartbeat: c.Heartbeat, MaxConcurrency: c.MaxConcurrency, PrivilegedIntents: c.PrivilegedIntents,
		NoRateLimits: !c.RateLimits,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.close()) }()
	own := site.sim.Bot(ownID(playgroundToken))
	how := ""
	if to, err := url.Parse(c.Endpoint); err == nil && c.Endpoint != "" {
		how = fmt.Sprintf(" --http %s --public-key %s", to.Host, own.VerifyKey())
	}
	trusting := ""
	if c.TLS {
		trusting = "SSL_CERT_FILE=" + shellQuoted(site.authority.File()) + " "
	}
	fmt.Fprintf(s.stdout, "The local Discord is open: %s\nIt keeps everything in %s. Connect a bot with:\n\n"+
		"  %sDISCORD_TOKEN=%s tictactoe serve --discord-url %s%s\n\n",
		site.url(), state, trusting, playgroundToken, site.url(), how)
	if c.TLS {
		fmt.Fprint(s.stdout, howToTrust(site.authority.File()))
	}
	fmt.Fprint(s.stdout, "Stop it with Ctrl+C.\n")
	return site.while(ctx, func(ctx context.Context) error {
		if c.Endpoint != "" {
			if err := deliver(ctx, own, c.Endpoint, log); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return nil
	})
}

// deliver has a bot's interactions sent to a URL, once there is somebody who takes them.
func deliver(ctx context.Context, to *discordsim.Bot, url string, log *slog.Logger) error {
	for said := false; ; said = true {
		err := to.SetEndpoint(ctx, url)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if !errors.Is(err, discordsim.ErrEndpoint) {
			return err
		}
		if !said {
			log.Info("waiting for the interactions endpoint", "url", url, "err", err)
		}
		select {
		case <-time.After(endpointPause):
		case <-ctx.Done():
			return nil
		}
	}
}

// endpointPause is the interval between attempts to reach the interactions endpoint.
const endpointPause = 500 * time.Millisecond

// site is the simulator and its page on one address.
type site struct {
	sim       *discordsim.Sim
	server    *http.Server
	authority *authority.Authority // nil without TLS
	host      string               // with the port, as a program of this machine finds it
	failed    chan error           // capacity 1
}

func startSite(listen string, secure bool, config discordsim.Config) (*site, error) {
	listener, err := net.Listen("tcp", listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use, perhaps by another playground: stop it, or start this one elsewhere, as with --listen 127.0.0.1:8081 and another file for --db or --state", listen)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %q: %w; choose an address such as --listen 127.0.0.1:8081", listen, err)
	}
	sim, err := openSim(config)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if bound, tcp := listener.Addr().(*net.TCPAddr); tcp && !bound.IP.IsLoopback() {
		config.Logger.Warn("other machines can reach the local Discord, and be anybody in it; listen on 127.0.0.1 to keep them out", "address", bound.String())
	}
	named, reachable := addresses(listen, listener.Addr())
	s := &site{
		sim: sim, host: reachable, failed: make(chan error, 1),
		server: &http.Server{
			Handler:           playground.Handler(sim.Handler(), playground.Options{Listen: named}),
			ReadHeaderTimeout: 10 * time.Second,
			ErrorLog:          slog.NewLogLogger(config.Logger.Handler(), slog.LevelDebug),
		},
	}
	serve := s.server.Serve
	if secure {
		if err := s.secure(named, config.State); err != nil {
			return nil, errors.Join(err, listener.Close(), sim.Close())
		}
		serve = func(l net.Listener) error { return s.server.ServeTLS(l, "", "") }
	}
	go func() {
		if err := serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.failed <- err
		}
	}()
	return s, nil
}

// openSim opens the simulator on its file, in a folder for its owner only: names and interaction tokens are in it.
func openSim(config discordsim.Config) (*discordsim.Sim, error) {
	if err := os.MkdirAll(filepath.Dir(config.State), 0o700); err != nil {
		return nil, fmt.Errorf("the local Discord's file %s: %w: %w", config.State, sqlite.ErrNotWritable, err)
	}
	sim, err := discordsim.New(config)
	if errors.Is(err, discordsim.ErrDamaged) {
		return nil, fmt.Errorf("the local Discord's file: %w; restore a copy of it, or delete it to start afresh", err)
	}
	if errors.Is(err, discordsim.ErrInUse) {
		return nil, fmt.Errorf("the local Discord's %w: stop that one, or keep this one elsewhere with --db or --state", err)
	}
	return sim, err
}

// addresses are the host and port that the flag names, and those by which a program of this machine finds the listener.
// They differ where the flag names no host or all of them. The port is the listener's: the flag may have left it open.
func addresses(listen string, bound net.Addr) (named, reachable string) {
	host, _, err := net.SplitHostPort(listen)
	_, port, bad := net.SplitHostPort(bound.String())
	if err != nil || bad != nil {
		return bound.String(), bound.String()
	}
	near := host
	switch ip := net.ParseIP(host); {
	case host == "", ip != nil && ip.IsUnspecified() && ip.To4() != nil:
		near = "127.0.0.1"
	case ip != nil && ip.IsUnspecified():
		near = "::1"
	}
	return net.JoinHostPort(host, port), net.JoinHostPort(near, port)
}

// url is where the page is opened and a bot connects.
func (s *site) url() string {
	if s.authority != nil {
		return "https://" + s.host
	}
	return "http://" + s.host
}

// while does the work until it ends, the context ends, or the site breaks down.
func (s *site) while(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-s.failed:
			cancel(fmt.Errorf("serving %s: %w", s.url(), err))
		case <-ctx.Done():
		}
	}()
	err := work(ctx)
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// close ends all connections, event streams and gateways included, and writes what the simulator still has to write.
func (s *site) close() error { return errors.Join(s.sim.Close(), s.server.Close()) }
