// Package standalone runs the local Discord as a program: it parses the command line, and serves the simulator and
// its page at one address. The commands discordsim, tictactoe sim and tictactoe playground use it.
package standalone

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tictactoe/discordsim"
	"tictactoe/discordsim/authority"
	"tictactoe/discordsim/page"
)

// Token is the token of the first application's bot, unless a seed gives that
// application another id.
const Token = "MTAwMDAwMDAwMDAwMDAwMDAx.playground.local"

// ErrNotWritable means that the folder of the state file cannot be made.
var ErrNotWritable = errors.New("cannot be written")

// Site serves a simulator and its page at one address.
type Site struct {
	Sim *discordsim.Sim

	server    *http.Server
	authority *authority.Authority // nil with neither TLS nor a proxy
	secured   bool                 // the server speaks TLS
	proxy     *proxy               // nil without --proxy
	state     string               // the state file; empty if nothing is saved
	host      string               // the host and port by which programs on this machine reach the server
	remove    []string             // files and folders to remove at the end
	failed    chan error           // capacity 3, one for each server
}

// Open opens a simulator and serves it and its page at an address. If secure is
// set, it serves them over TLS. Errors name the flag of the command line that would
// help.
func Open(listen string, secure bool, config discordsim.Config) (*Site, error) {
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
		config.Logger.Warn("other machines can reach the local Discord, and act as anybody in it; listen on 127.0.0.1 to keep them out", "address", bound.String())
	}
	named, reachable := addresses(listen, listener.Addr())
	s := &Site{
		Sim: sim, host: reachable, state: config.State, failed: make(chan error, 3),
		server: &http.Server{
			Handler:           page.Handler(sim.Handler(), page.Options{Listen: named}),
			ReadHeaderTimeout: 10 * time.Second,
			ErrorLog:          slog.NewLogLogger(config.Logger.Handler(), slog.LevelDebug),
		},
	}
	serve := s.server.Serve
	if secure {
		if err := s.secure(named); err != nil {
			return nil, errors.Join(err, listener.Close(), s.Close())
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

// openSim opens the simulator. It makes the folder of the state file readable only by its owner, since the file has
// names and interaction tokens.
func openSim(config discordsim.Config) (*discordsim.Sim, error) {
	if config.State != "" {
		if err := os.MkdirAll(filepath.Dir(config.State), 0o700); err != nil {
			return nil, fmt.Errorf("the local Discord's file %s: %w: %w", config.State, ErrNotWritable, err)
		}
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

// addresses returns the host and port that the flag names, and the host and port by which a program on this
// machine reaches the listener. They differ if the flag names no host or an unspecified address. The port is
// the listener's, since the flag may let the system choose the port.
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

// URL returns the address of the page, to which bots connect too.
func (s *Site) URL() string {
	if s.secured {
		return "https://" + s.host
	}
	return "http://" + s.host
}

// firstBot returns the bot of the first application.
func (s *Site) firstBot() *discordsim.Bot { return s.Sim.Bot(s.Sim.Application()) }

// token returns the token of the first application's bot.
func (s *Site) token() string { return discordsim.TokenOf(s.Sim.Application()) }

// describe prints the address of the local Discord and how bots connect to it.
func (s *Site) describe(to io.Writer) error {
	text := fmt.Sprintf("The local Discord is open: %s\n", s.URL())
	if s.state == "" {
		text += "It keeps nothing once it ends; --state FILE keeps everything.\n"
	} else {
		text += fmt.Sprintf("It keeps everything in %s.\n", s.state)
	}
	text += fmt.Sprintf("\nBots connect to it by:\n\n  DISCORD_URL=%s\n  DISCORD_TOKEN=%s\n  DISCORD_PUBLIC_KEY=%s\n\n",
		s.URL(), s.token(), s.firstBot().VerifyKey())
	if s.proxy != nil {
		text += "Programs that know Discord's own addresses only reach it by HTTPS_PROXY=http://" + s.proxy.address + "\n\n"
	}
	if s.authority != nil {
		text += howToTrust(s.authority.File())
	}
	_, err := io.WriteString(to, text+"Stop it with Ctrl+C.\n")
	return err
}

// While calls work with a context that ends when ctx ends or the server fails. It returns the error of work or, if
// work returns none, the error of the server.
func (s *Site) While(ctx context.Context, work func(context.Context) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case err := <-s.failed:
			cancel(fmt.Errorf("serving %s: %w", s.URL(), err))
		case <-ctx.Done():
		}
	}()
	err := work(ctx)
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return err
}

// Close ends all connections, including event streams and gateways, and saves
// the simulator's last changes.
func (s *Site) Close() error {
	err := errors.Join(s.Sim.Close(), s.server.Close())
	if s.proxy != nil {
		err = errors.Join(err, s.proxy.close())
	}
	for _, path := range s.remove {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}
