package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lmittmann/tint"

	"tictactoe/bot/endpoint"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
	"tictactoe/internal/terminal/console"
)

// policyFlags are the addresses of the operator's policies.
type policyFlags struct {
	PrivacyURL string `name:"privacy-url" env:"TICTACTOE_PRIVACY_URL" placeholder:"URL" help:"Your privacy policy, for /tictactoe privacy to link to."`
	TermsURL   string `name:"terms-url" env:"TICTACTOE_TERMS_URL" placeholder:"URL" help:"Your terms of use, for /tictactoe privacy to link to."`
}

type serveCommand struct {
	policyFlags
	DB         string   `name:"db" env:"TICTACTOE_DB" placeholder:"FILE" help:"The database (default: tictactoe.db in your data folder), or postgres://user@host/name of one that several bots share; keep its password out of the flag, in TICTACTOE_DB or PGPASSWORD."`
	DiscordURL string   `name:"discord-url" env:"TICTACTOE_DISCORD_URL" placeholder:"URL" help:"A local Discord instead of the real one, as http://127.0.0.1:8080."`
	WebURL     string   `name:"web-url" env:"TICTACTOE_WEB_URL" placeholder:"URL" help:"Where your copy of the page of cmd/web is, for shared matches to link to."`
	Shards     string   `env:"TICTACTOE_SHARDS" default:"auto" placeholder:"N" help:"How many gateway connections the bot has, in all of its processes, or auto: as many as Discord recommends, all in this one (${default})."`
	ShardIDs   string   `name:"shard-ids" env:"TICTACTOE_SHARD_IDS" placeholder:"IDS" help:"Which of them this process runs, as 0-3 or 0,2,5; or any: those that the other processes on its database leave it (default: all)."`
	UserRate   float64  `name:"user-rate" env:"TICTACTOE_USER_RATE" default:"5" placeholder:"N" help:"How many commands and clicks a second one person may make in the long run; 0 is no limit (${default})."`
	Bar        []string `env:"TICTACTOE_BAR" placeholder:"BAR" help:"Whom to bar from the bot, as user:ID, server:ID or either with :DATE on which that ends; lift it with tictactoe bar."`
	Backups    int      `env:"TICTACTOE_BACKUPS" default:"${backups}" placeholder:"N" help:"How many daily backups to keep beside the database, if that is a file (${default}); 0 makes none."`
	HTTP       string   `name:"http" env:"TICTACTOE_HTTP" placeholder:"ADDR" help:"Where to take interactions over HTTP, as 127.0.0.1:8081, instead of from the gateway."`
	PublicKey  string   `name:"public-key" env:"TICTACTOE_PUBLIC_KEY" placeholder:"KEY" help:"The application's public key, by which --http knows Discord."`
	Emoji      bool     `env:"TICTACTOE_EMOJI" default:"true" negatable:"" help:"Bring the bot's own emoji to Discord and draw boards with them; else with those of everybody (on by default)."`
	Admin      string   `env:"TICTACTOE_ADMIN" placeholder:"ADDR" help:"Where to answer /livez, /readyz, /metrics and /debug/pprof/, as 127.0.0.1:9090 (default: nowhere)."`
	LogLevel   string   `env:"TICTACTOE_LOG_LEVEL" default:"info" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error (${default})."`
	Clock      string   `hidden:"" placeholder:"FILE" help:"By how much the clock is ahead: a soak sets the clock of one process so."`

	shards gateway.Shards    // parsed by Validate, as bars and key
	bars   []policy.Bar      // to be set at the start
	key    ed25519.PublicKey // the application's public key; nil without --public-key
}

// maxLink is the maximum length of a URL that Discord accepts in a button.
const maxLink = 512

func (c *serveCommand) Validate() (err error) {
	if _, err := rest.ParseBaseURL(c.DiscordURL); err != nil {
		return fmt.Errorf("--discord-url: %w", err)
	}
	for flag, given := range map[string]string{"--privacy-url": c.PrivacyURL, "--terms-url": c.TermsURL} {
		if given != "" && !isWebAddress(given) {
			return fmt.Errorf("%s: %q is no web address such as https://example.com/privacy", flag, given)
		}
		if len(given) > maxLink {
			return fmt.Errorf("%s: Discord takes no address of more than %d characters", flag, maxLink)
		}
	}
	if err := checkWebURL(c.WebURL); err != nil {
		return err
	}
	if !(c.UserRate >= 0 && c.UserRate <= 1000) {
		return fmt.Errorf("--user-rate is between 0 and 1000, not %v", c.UserRate)
	}
	if c.shards, err = parseShards(c.Shards, c.ShardIDs); err != nil {
		return err
	}
	if c.bars, err = parseBars(c.Bar); err != nil {
		return err
	}
	if c.Backups < 0 || c.Backups > maxBackups {
		return fmt.Errorf("--backups is between 0 and %d, not %d", maxBackups, c.Backups)
	}
	if c.HTTP != "" && (c.Shards != "" && c.Shards != "auto" || c.ShardIDs != "") {
		return errors.New("--shards and --shard-ids are for the gateway: with --http every process handles any request")
	}
	if c.HTTP != "" && c.PublicKey == "" {
		return errors.New("--http needs --public-key or TICTACTOE_PUBLIC_KEY; the key is in the developer portal (General Information)")
	}
	if c.PublicKey == "" {
		return nil
	}
	if c.key, err = endpoint.ParseKey(c.PublicKey); err != nil {
		return fmt.Errorf("--public-key: %w", err)
	}
	return nil
}

// checkWebURL checks a value of --web-url, to which the address of a game is added.
func checkWebURL(given string) error {
	if given != "" && (!isWebAddress(given) || strings.Contains(given, "#") || len(given)+view.MaxGameAddress > maxLink) {
		return fmt.Errorf("--web-url: %q is no web address such as https://example.com/game/, of at most %d characters", given, maxLink-view.MaxGameAddress)
	}
	return nil
}

func isWebAddress(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http")
}

// readAhead returns the duration that is written in a file. A soak test puts the bot's clock ahead by that duration. readAhead panics if
// the file is unreadable, because a test with the wrong clock would give wrong results.
func readAhead(file string) time.Duration {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	ahead, err := time.ParseDuration(strings.TrimSpace(string(text)))
	if err != nil {
		panic(fmt.Errorf("%s: %w", file, err))
	}
	return ahead
}

// garbage is the value for GOGC: how much is allocated before a garbage collection, in percent of live memory. See docs/benchmarks.md.
const garbage = 200

// Run runs the bot until the program is told to stop.
func (c *serveCommand) Run(ctx context.Context, s surroundings) error {
	if s.env("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	token, err := readToken(s.env)
	if err != nil {
		return err
	}
	way, err := wayToDiscord(s.env, c.DiscordURL)
	if err != nil {
		return err
	}
	db, err := dataFile("--db", c.DB, "tictactoe.db", s.env)
	if err != nil {
		return err
	}
	var source clock.Source = clock.Machine{}
	if c.Clock != "" {
		source = clock.Machine{Ahead: func() time.Duration { return readAhead(c.Clock) }}
	}
	log := newLogger(c.LogLevel, s)
	var current atomic.Pointer[app]
	if c.Admin != "" {
		admin, err := listenOn("--admin", c.Admin, "127.0.0.1:9090") // first, so that an address in use is reported at once
		if err != nil {
			return err
		}
		defer serveAdmin(admin, &current, log)()
	}
	listen, err := c.endpoint()
	if err != nil {
		return err
	}
	a, err := newApp(ctx, settings{
		listen: listen, key: c.key,
		db: db, token: token, discordURL: c.DiscordURL, proxy: http.ProxyFromEnvironment, clock: source, common: true, resume: true, log: log,
		shards: c.shards, rate: c.UserRate, emoji: c.Emoji, pages: view.Pages{Privacy: c.PrivacyURL, Terms: c.TermsURL, Game: c.WebURL}, backups: c.Backups, bars: c.bars,
	})
	if err != nil && ctx.Err() != nil {
		log.Info("stopped during the start", "err", err)
		return nil
	}
	if err != nil {
		return err
	}
	current.Store(a)
	log.Info("starting", "version", version(), "db", shownDatabase(db), "discord", rest.Site(c.DiscordURL), "way", way)
	return a.run(ctx)
}

// endpoint returns the function that opens the listener for interactions over HTTP, or nil without --http. It opens and closes a listener
// once, so that an address in use is reported before the database is touched.
func (c *serveCommand) endpoint() (listen func() (net.Listener, error), err error) {
	if c.HTTP == "" {
		return nil, nil
	}
	listen = func() (net.Listener, error) { return listenOn("--http", c.HTTP, "127.0.0.1:8081") }
	tried, err := listen()
	if err != nil {
		return nil, err
	}
	return listen, tried.Close()
}

// listenOn opens a listener at the address that a flag gives. The error names the flag and an example.
func listenOn(flag, address, example string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s %q: %w; choose an address such as %s", flag, address, err, example)
	}
	return listener, nil
}

// maxShards is the largest number that --shards accepts, more than the largest bots have.
const maxShards = 16_384

// parseShards parses the values of --shards and --shard-ids.
func parseShards(count, ids string) (gateway.Shards, error) {
	if count == "auto" || count == "" {
		if ids != "" {
			return gateway.Shards{}, errors.New("--shard-ids needs --shards with a number, the same for all processes of the bot")
		}
		return gateway.Shards{Recommended: true}, nil
	}
	of, err := strconv.Atoi(count)
	if err != nil || of < 1 || of > maxShards {
		return gateway.Shards{}, fmt.Errorf("--shards is auto or a number from 1 to %d, not %q", maxShards, count)
	}
	shards := gateway.Shards{Of: of, Any: ids == "any"}
	if ids == "" || shards.Any {
		return shards, nil
	}
	for part := range strings.SplitSeq(ids, ",") {
		from, to, span := strings.Cut(part, "-")
		if !span {
			to = from
		}
		first, err1 := strconv.Atoi(strings.TrimSpace(from))
		last, err2 := strconv.Atoi(strings.TrimSpace(to))
		if err1 != nil || err2 != nil || first < 0 || last < first || last >= of {
			return gateway.Shards{}, fmt.Errorf("--shard-ids: %q is neither a shard from 0 to %d nor several, as 0-%d", part, of-1, of-1)
		}
		for id := first; id <= last; id++ {
			if slices.Contains(shards.IDs, id) {
				return gateway.Shards{}, fmt.Errorf("--shard-ids: %d is there twice", id)
			}
			shards.IDs = append(shards.IDs, id)
		}
	}
	return shards, nil
}

// errNoFolder means that neither a flag nor the environment says in which folder the database is.
var errNoFolder = errors.New("no data folder")

// dataFile returns the value of a flag, which may be a path or the address of a Postgres. Without a value it returns the path of the file
// with the given name in the user's data folder.
func dataFile(flag, given, name string, env func(string) string) (string, error) {
	if given = strings.TrimSpace(given); given != "" { // values from a file, such as secrets, may end with a line break
		return given, nil
	}
	folder := env("XDG_DATA_HOME")
	if folder == "" {
		home := env("HOME")
		if home == "" {
			return "", fmt.Errorf("%w: set HOME or XDG_DATA_HOME, or say where with %s", errNoFolder, flag)
		}
		folder = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(folder, "tictactoe", name), nil
}

// newLogger returns a logger of the named level. On a terminal it writes text, otherwise JSON.
func newLogger(name string, s surroundings) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(name)) // kong admits only valid levels
	if console.IsTerminal(s.stderr) {
		return slog.New(tint.NewTextHandler(s.stderr, &tint.Options{Level: level, TimeFormat: "15:04:05"}))
	}
	return slog.New(slog.NewJSONHandler(s.stderr, &slog.HandlerOptions{Level: level}))
}
