package standalone

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"tictactoe/discordsim"
)

// memory is the value of --state with which nothing is saved.
const memory = ":memory:"

// ErrUsage means that a command line is invalid.
var ErrUsage = errors.New("wrong use")

// Process is the environment in which the program runs.
type Process struct {
	Name           string // the name by which the user calls the program
	Bot            string // the default name of the first bot
	Env            func(string) string
	Stdout, Stderr io.Writer
}

// Main runs the local Discord that a command line describes, until ctx ends.
func Main(ctx context.Context, args []string, p Process) (err error) {
	if len(args) > 0 && args[0] == "diff" {
		return diff(args[1:], p.Stdout)
	}
	f, err := parse(args, p)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w; see %s --help", ErrUsage, err, p.Name)
	}
	if f.healthy != "" {
		return checkHealth(ctx, f.healthy)
	}
	log := slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: f.level}))
	site, err := f.open(log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	if err := site.describe(p.Stdout); err != nil {
		return err
	}
	return f.serve(ctx, site, log)
}

// flags is the command line of the local Discord.
type flags struct {
	listen, proxy, state, seed, readyFile, bot, openAPI, endpoint, healthy string
	level                                                                  slog.Level
	heartbeat                                                              time.Duration
	maxConcurrency                                                         int
	privilegedIntents, tls, noRateLimits                                   bool
}

// parse reads a command line. It prints the help, and returns flag.ErrHelp, if the command line asks for it. It uses
// package flag, because kong, which our other commands use, would double the size of the program.
func parse(args []string, p Process) (*flags, error) {
	var f flags
	set := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // the caller prints the error
	set.StringVar(&f.listen, "listen", cmp.Or(p.Env("DISCORDSIM_LISTEN"), "127.0.0.1:8080"), "the `ADDRESS` of the local Discord; port 0 takes a free port")
	set.StringVar(&f.proxy, "proxy", "", "also be a proxy at this `ADDRESS`, by which programs reach it under Discord's names")
	set.StringVar(&f.state, "state", cmp.Or(p.Env("DISCORDSIM_STATE"), memory), "the `FILE` that keeps people, channels and messages over a restart")
	set.StringVar(&f.seed, "seed", "", "the `FILE` with the people, servers and messages to begin with, and to go back to by POST /sim/reset")
	set.StringVar(&f.readyFile, "ready-file", "", "write address, token and ids to this `FILE` as JSON once bots can connect")
	set.StringVar(&f.bot, "bot", p.Bot, "the `NAME` of the first bot, unless the seed has one")
	set.StringVar(&f.openAPI, "openapi", p.Env("DISCORD_OPENAPI"), "the `FILE` of Discord's OpenAPI description, to check requests against")
	set.TextVar(&f.level, "log-level", slog.LevelInfo, "the least `LEVEL` to log: debug, info, warn or error")
	set.DurationVar(&f.heartbeat, "heartbeat", 41250*time.Millisecond, "the `INTERVAL` of the bots' heartbeats")
	set.IntVar(&f.maxConcurrency, "max-concurrency", 1, "the `NUMBER` of shards that may identify within five seconds")
	set.StringVar(&f.endpoint, "endpoint", "", "deliver interactions over HTTP to this `URL`, not by the gateway")
	set.StringVar(&f.healthy, "healthy", "", "do nothing but check that a local Discord answers at this `URL`")
	set.BoolVar(&f.privilegedIntents, "privileged-intents", false, "let bots have the privileged intents")
	set.BoolVar(&f.tls, "tls", false, "speak https and wss, with a certificate by an authority of its own")
	set.BoolVar(&f.noRateLimits, "no-rate-limits", false, "have no rate limits")
	if err := set.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			printHelp(p, set)
		}
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return &f, f.validate()
}

func printHelp(p Process, set *flag.FlagSet) {
	fmt.Fprintf(p.Stdout, "Usage: %[1]s [flags]\n       %[1]s diff TRANSCRIPT TRANSCRIPT\n\nA Discord on this machine, for bots and their tests.\n\n", p.Name)
	set.VisitAll(func(f *flag.Flag) {
		value, help := flag.UnquoteUsage(f)
		fmt.Fprintf(p.Stdout, "  %-24s %s", "--"+strings.TrimSpace(f.Name+" "+value), help)
		if f.DefValue != "" && f.DefValue != "false" {
			fmt.Fprintf(p.Stdout, " (%s)", f.DefValue)
		}
		fmt.Fprintln(p.Stdout)
	})
}

// validate returns an error for invalid values.
func (f *flags) validate() error {
	switch to, err := url.Parse(f.endpoint); {
	case f.state == "":
		return errors.New("--state is empty: name a file, or leave it out to keep nothing")
	case f.bot == "":
		return errors.New("--bot is empty: name the first bot, as with --bot quiz")
	case f.endpoint != "" && (err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https"):
		return fmt.Errorf("--endpoint: %q is no web address such as http://127.0.0.1:8081/interactions", f.endpoint)
	case f.heartbeat < time.Second:
		return fmt.Errorf("--heartbeat is a second or more, not %v", f.heartbeat)
	case f.maxConcurrency < 1:
		return fmt.Errorf("--max-concurrency is 1 or more, not %d", f.maxConcurrency)
	}
	return nil
}

// open starts the local Discord that the flags describe.
func (f *flags) open(log *slog.Logger) (*Site, error) {
	state := f.state
	if state == memory {
		state = ""
	}
	var seed []byte
	if f.seed != "" {
		var err error
		if seed, err = os.ReadFile(f.seed); err != nil {
			return nil, fmt.Errorf("--seed: %w", err)
		}
	}
	s, err := Open(f.listen, f.tls, discordsim.Config{
		State: state, Seed: seed, Spec: f.openAPI, Logger: log, BotName: f.bot,
		Heartbeat: f.heartbeat, MaxConcurrency: f.maxConcurrency, PrivilegedIntents: f.privilegedIntents,
		NoRateLimits: f.noRateLimits,
	})
	if err != nil {
		return nil, err
	}
	if f.proxy != "" {
		if err := s.openProxy(f.proxy); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	if f.readyFile != "" {
		if err := s.writeReadyFile(f.readyFile); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// serve serves until ctx ends or the server fails. If the flags name an endpoint, interactions are sent to it as soon
// as it answers.
func (f *flags) serve(ctx context.Context, s *Site, log *slog.Logger) error {
	return s.While(ctx, func(ctx context.Context) error {
		if f.endpoint != "" {
			if err := deliver(ctx, s.firstBot(), f.endpoint, log); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return nil
	})
}

// endpointPause is the interval between attempts to reach the interactions endpoint.
const endpointPause = 500 * time.Millisecond

// deliver sends a bot's interactions to a URL, once the endpoint there answers. It tries until then, or until ctx
// ends.
func deliver(ctx context.Context, to *discordsim.Bot, url string, log *slog.Logger) error {
	for logged := false; ; logged = true {
		err := to.SetEndpoint(ctx, url)
		if err == nil || ctx.Err() != nil {
			return nil
		}
		if !errors.Is(err, discordsim.ErrEndpoint) {
			return err
		}
		if !logged {
			log.Info("waiting for the interactions endpoint", "url", url, "err", err)
		}
		select {
		case <-time.After(endpointPause):
		case <-ctx.Done():
			return nil
		}
	}
}
