package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/file/draft"
	"tictactoe/internal/match"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// These are the limits beyond which doctor reports a hint or a problem.
const (
	fewSessions = 100
	skewedClock = 5 * time.Second
	wrongClock  = time.Minute // equals freshFor in bot/endpoint/endpoint.go, the limit at which the endpoint refuses requests
	lowDisk     = 500 << 20   // bytes
	fullDisk    = 20 << 20
	askTime     = 20 * time.Second // bounds all requests to Discord together
	oldBusyTime = 5 * time.Second
)

// lookAtNetwork is the advice if Discord does not answer.
const lookAtNetwork = "look at the network, and at Discord's status page"

var errSick = errors.New("something must be changed first, see above")

type doctorCommand struct {
	databaseFlag
	policyFlags
	DiscordURL string `name:"discord-url" env:"TICTACTOE_DISCORD_URL" placeholder:"URL" help:"A local Discord instead of the real one, as http://127.0.0.1:8080."`
	PublicKey  string `name:"public-key" env:"TICTACTOE_PUBLIC_KEY" placeholder:"KEY" help:"The key that serve --http gets; without it the gateway is looked at."`
}

func (c *doctorCommand) Validate() error {
	return (&serveCommand{policyFlags: c.policyFlags, DiscordURL: c.DiscordURL, PublicKey: c.PublicKey}).Validate()
}

// Run checks everything that serve needs, and prints a verdict and advice for each item. It changes nothing, and the bot can run meanwhile.
// The error wraps errSick if a person must act.
func (c *doctorCommand) Run(ctx context.Context, s surroundings) error {
	d := &doctor{out: s.stdout, found: map[verdict]int{}}
	d.disk(ctx, c.databaseFlag, s)
	d.discord(ctx, c.DiscordURL, c.PublicKey, s)
	d.policy(ctx, "privacy", c.PrivacyURL)
	d.policy(ctx, "terms", c.TermsURL)
	switch {
	case d.found[problem] > 0:
		return errSick
	case d.found[unsure] > 0:
		return errors.New("not everything could be checked, see above")
	}
	fmt.Fprintln(d.out, "\nAll is well: tictactoe serve")
	return nil
}

// verdict is the result of one check of doctor, as the word that doctor prints.
type verdict string

// The verdicts. UNKNOWN means that the check was not possible; the item may be fine. A PROBLEM requires a change by a person.
const (
	good    verdict = "ok"
	hint    verdict = "hint"
	unsure  verdict = "UNKNOWN"
	problem verdict = "PROBLEM"
)

// doctor makes the checks, prints a verdict for each item, and counts the verdicts.
type doctor struct {
	out   io.Writer
	found map[verdict]int
	// server is how far the clock of the database server is ahead of this machine's, or nil if the database is a file.
	server *time.Duration
	// ranks lists the servers in which the bot gives roles for ranks.
	ranks []match.Venue
}

func (d *doctor) say(v verdict, subject, format string, args ...any) {
	d.found[v]++
	fmt.Fprintf(d.out, "%-8s %-12s %s\n", v, subject, fmt.Sprintf(format, args...))
}

// disk checks the database, its folder and the free space.
func (d *doctor) disk(ctx context.Context, at databaseFlag, s surroundings) {
	path, err := at.path(s)
	if err != nil {
		d.say(problem, "database", "%v", err)
		return
	}
	if postgres.IsAddress(path) {
		d.postgres(ctx, path)
		return
	}
	brief, cancel := context.WithTimeout(ctx, oldBusyTime)
	defer cancel()
	version, known, err := sqlite.Inspect(brief, path)
	var failed error
	if err == nil && version > 0 && version < known {
		failed = sqlite.TryMigration(ctx, path)
	}
	switch {
	case err != nil:
		d.say(problem, "database", "%s: %v", path, err)
	case version == 0:
		d.say(good, "database", "%s will be made", path)
	case errors.Is(failed, sqlite.ErrMigration):
		d.say(problem, "database", "%v; keep the version of schema %d, and report this", failed, version)
	case failed != nil:
		d.say(unsure, "database", "a copy of schema %d could not be migrated to try: %v", version, failed)
	case version < known:
		d.say(good, "database", "%s has schema %d; serve brings it to %d, after a copy", path, version, known)
	default:
		d.say(good, "database", "%s is sound, schema %d", path, version)
		d.askRanks(brief, path)
	}

	folder := filepath.Dir(path)
	for {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder) // the folder will be created
	}
	if err := writable(folder, path); err != nil {
		d.say(problem, "disk", "%v; give the user that runs the bot the right to write there, or choose another place with --db", err)
		return
	}
	d.owners(path)
	switch free, err := freeDisk(folder); {
	case err != nil:
		d.say(hint, "disk", "%s can be written; how much is free is not known: %v", folder, err)
	case free < fullDisk:
		d.say(problem, "disk", "%s has %d MiB left; make room", folder, free>>20)
	case free < lowDisk:
		d.say(hint, "disk", "%s has %d MiB left; backups and the journal need more than that some day", folder, free>>20)
	default:
		d.say(good, "disk", "%s can be written and has %d MiB left", folder, free>>20)
	}
}

// askRanks looks up in which servers the bot gives roles for ranks.
func (d *doctor) askRanks(ctx context.Context, db string) {
	err := byKind(db, sqlite.Look, postgres.Look)(ctx, db, func(ctx context.Context, r *sqlite.Reader) (err error) {
		d.ranks, err = r.RankRoleVenues(ctx)
		return err
	})
	if err != nil {
		d.say(unsure, "roles", "it is not known where the bot gives roles for ranks: %v", err)
	}
}

// owners finds files of a database that the bot's user cannot use. It does so only if doctor runs as root, who can use all files. The bot's
// user is the owner of the folder or, if root owns the folder, the owner of the database.
func (d *doctor) owners(path string) {
	if os.Geteuid() != 0 {
		return // writable has checked the files
	}
	folder := filepath.Dir(path)
	var user, group int
	for _, name := range []string{path, folder} {
		if info, err := os.Stat(name); err == nil {
			if u, g := draft.Owner(info); u != 0 {
				user, group = u, g
			}
		}
	}
	for _, name := range append([]string{folder}, filesOf(path)...) {
		info, err := os.Stat(name)
		if err != nil {
			continue // the file does not exist, or writable has reported it
		}
		mode := info.Mode().Perm()
		owner, its := draft.Owner(info)
		mend := fmt.Sprintf("chown %d:%d", user, group)
		switch {
		case owner == user && mode&0o600 == 0o600:
			continue
		case owner == user:
			mend = "chmod u+rwX"
		case name == folder && owner == 0 && (mode&0o002 != 0 || its == group && mode&0o020 != 0): // the folder is root's, but the user may create files in it
			continue
		}
		d.say(problem, "owner", "%s belongs to user %d, mode %04o, so the bot cannot use it as user %d; stop the bot, then: sudo %s %s",
			name, owner, mode, user, mend, name)
	}
}

// filesOf lists the paths of all files that a database can have, and of the lock file.
func filesOf(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal", path + ".lock"}
}

// postgres checks a database on a server.
func (d *doctor) postgres(ctx context.Context, address string) {
	ctx, cancel := context.WithTimeout(ctx, oldBusyTime)
	defer cancel()
	version, known, err := postgres.Inspect(ctx, address)
	switch {
	case errors.Is(err, match.ErrBusy):
		d.say(unsure, "database", "%v; look at the network, and whether the server runs", err)
	case err != nil:
		d.say(problem, "database", "%v", err)
	case version == 0:
		d.say(good, "database", "%s can be reached; serve will make the tables", postgres.Redact(address))
	case version < known:
		d.say(good, "database", "%s has schema %d; serve brings it to %d: make a copy first, with pg_dump", postgres.Redact(address), version, known)
	default:
		d.say(good, "database", "%s can be reached, schema %d", postgres.Redact(address), version)
		d.askRanks(ctx, address)
	}
	if err != nil {
		return
	}
	ahead, err := postgres.Ahead(ctx, address)
	if err != nil {
		d.say(unsure, "database", "it does not say what its clock shows: %v", err)
		return
	}
	d.server = &ahead
}

// writable creates an empty file in the folder, and opens the existing files of the database for writing.
func writable(folder, path string) error {
	probe, err := os.CreateTemp(folder, ".doctor-*")
	if err != nil {
		return err
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return err
	}
	for _, name := range filesOf(path) {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o200 == 0 { // only root can write it
			return fmt.Errorf("%s is read-only", name)
		}
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

// discord checks the token and the settings of the bot at Discord. If key is set, it checks the settings for interactions over HTTP.
func (d *doctor) discord(ctx context.Context, url, key string, s surroundings) {
	token, err := readToken(s.env)
	if err != nil {
		d.say(problem, "token", "%v", err)
		return
	}
	book, err := locale.NewBook()
	if err != nil {
		d.say(problem, "texts", "%v", err)
		return
	}
	way, err := wayToDiscord(s.env, url)
	if err != nil {
		d.say(problem, "proxy", "%v", err)
		return
	}
	d.say(good, "network", "requests to Discord go %s", way)
	client, err := rest.New(rest.Config{Token: token, BaseURL: url, Proxy: http.ProxyFromEnvironment})
	if err != nil {
		d.say(problem, "token", "%v", err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	found, err := client.Diagnose(ctx, commands.Tree(book))
	if err != nil {
		d.failed("Discord", fmt.Errorf("%s: %w", rest.Site(url), err), lookAtNetwork)
		return
	}
	name := found.Name
	if found.Application != "" {
		name = fmt.Sprintf("%s (application %s)", name, found.Application)
	}
	d.say(good, "token", "it belongs to the bot %s", name)
	if key != "" {
		d.endpoint(found, key)
	} else {
		d.gateway(ctx, client, found)
	}
	d.commands(found)
	d.emoji(ctx, client)
	d.clock(found.Ahead, key != "")
	if !d.missing(found, rest.TheServers) {
		d.permissions(found.Servers)
	}
}

// blank is a blank that the operator has not filled in; see the command privacy.
var blank = regexp.MustCompile(`\[[A-Z-]{4,}\]`)

// policy checks that a policy of the operator can be read and has no blanks.
func (d *doctor) policy(ctx context.Context, subject, url string) {
	if url == "" {
		d.say(hint, subject, "no --%[1]s-url (TICTACTOE_%[2]s_URL) is set; Discord asks public bots for this page: tictactoe privacy writes it", subject, strings.ToUpper(subject))
		return
	}
	ctx, cancel := context.WithTimeout(ctx, oldBusyTime)
	defer cancel()
	text, err := readPage(ctx, url)
	if left := blank.FindString(text); err == nil && left != "" {
		err = fmt.Errorf("%s has the blank %s; tictactoe privacy fills it in", url, left)
	}
	if err != nil {
		d.say(hint, subject, "%v", err)
		return
	}
	d.say(good, subject, "%s can be read", url)
}

// readPage returns the beginning of a web page.
func readPage(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %s", url, response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return string(text), err
}

// failed gives the verdict about a subject that could not be checked, by the error of the request to Discord. advice says what to look at if
// nothing answers. A refusal of the token or by the proxy is a PROBLEM.
func (d *doctor) failed(subject string, err error, advice string) {
	proxy, is := errors.AsType[*rest.ProxyError](err)
	switch {
	case rest.Unauthorized(err):
		d.say(problem, "token", "%v", &gateway.FatalError{Code: http.StatusUnauthorized})
	case is && proxy.Status/100 == 4:
		d.say(problem, "proxy", "%v", err)
	case is:
		d.say(unsure, "proxy", "%v; look whether the proxy runs, and at its address", err)
	case errors.Is(err, messages.ErrRateLimited):
		d.say(unsure, subject, "the bot or this machine's address is limited or banned for now: %v; look for what makes so many requests, and try again later", err)
	case rest.IsAnswer(err):
		d.say(unsure, subject, "the answer does not have Discord's form: %v; look whether this machine's address is banned, a proxy answers in Discord's place, or --discord-url is wrong", err)
	default:
		d.say(unsure, subject, "no answer: %v; %s", err, advice)
	}
}

// commands checks that the global commands are registered, and that no server has commands of its own with the same names.
func (d *doctor) commands(found rest.Diagnosis) {
	for _, server := range found.Servers {
		if len(server.Twice) > 0 {
			d.say(hint, "commands", "%q (%s) has its own beside the global ones, so people see these twice: %s; while serve runs, use both of a name there once, which removes the server's",
				server.Name, server.ID, strings.Join(server.Twice, ", "))
		}
	}
	switch {
	case d.missing(found, rest.TheCommands):
	case found.Registered:
		d.say(good, "commands", "they are registered")
	default:
		d.say(good, "commands", "serve will register them")
	}
}

// missing reports whether Discord gave no answer about a subject. If so, it gives the verdict about that.
func (d *doctor) missing(found rest.Diagnosis, subject rest.Subject) bool {
	err, unknown := found.Unknown[subject]
	if unknown {
		d.failed(string(subject), err, lookAtNetwork)
	}
	return unknown
}

// endpoint checks what serve --http needs at Discord.
func (d *doctor) endpoint(found rest.Diagnosis, key string) {
	if d.missing(found, rest.TheApplication) {
		return
	}
	if !strings.EqualFold(found.Key, key) {
		d.say(problem, "key", "%v", bot.ErrWrongKey)
	} else {
		d.say(good, "key", "it belongs to the application")
	}
	if found.Endpoint == "" {
		d.say(hint, "endpoint", "interactions go to the gateway; start serve --http and then set the Interactions Endpoint URL in the developer portal (General Information)")
		return
	}
	d.say(good, "endpoint", "interactions go to %s, which has to lead to serve --http", found.Endpoint)
}

// gateway checks what serve without --http needs: Discord must send interactions over the gateway, and the gateway must answer.
func (d *doctor) gateway(ctx context.Context, client *rest.Client, found rest.Diagnosis) {
	if found.Endpoint != "" {
		d.say(problem, "endpoint", "interactions go to %s instead of to this bot; remove the Interactions Endpoint URL in the developer portal (General Information), or run serve --http and give doctor the --public-key", found.Endpoint)
	}
	switch {
	case d.missing(found, rest.TheApplication):
	case found.Privileged:
		d.say(hint, "intents", "privileged intents are on and not needed; switch them off in the developer portal (Bot)")
	default:
		d.say(good, "intents", "the bot needs only what every bot may have")
	}
	switch reset := found.Reset.Round(time.Minute); {
	case d.missing(found, rest.TheSessions):
	case found.Sessions == 0:
		d.say(problem, "sessions", "Discord lets the bot start none for %v; find out what starts so many, and wait", reset)
	case found.Sessions < fewSessions:
		d.say(hint, "sessions", "%d may be started within %v, which is few; something restarts too often", found.Sessions, reset)
	default:
		d.say(good, "sessions", "%d may be started today", found.Sessions)
	}
	if err := gateway.Greet(ctx, client); err != nil {
		d.failed("gateway", err, "a proxy or firewall may keep websockets out")
	} else {
		d.say(good, "gateway", "it can be reached")
	}
}

// clock checks the clock from which dates are taken: the database server's if there is one, otherwise this machine's. For interactions over
// HTTP it also checks this machine's clock, by which the endpoint judges the age of requests.
func (d *doctor) clock(ahead time.Duration, overHTTP bool) {
	if d.server != nil {
		d.skew("the database server's", (ahead + *d.server).Truncate(time.Second), "the deadlines that people are shown are off")
	} else {
		d.skew("this machine's", ahead, "the deadlines that people are shown are off")
	}
	if overHTTP {
		d.skew("this machine's", ahead, "from a minute on, what Discord has just signed is refused as old")
	}
}

// skew gives the verdict about a clock that is ahead of Discord's by the duration ahead. effect says what a wrong clock
// causes.
func (d *doctor) skew(whose string, ahead time.Duration, effect string) {
	switch off := ahead.Abs(); {
	case off >= wrongClock:
		d.say(problem, "clock", "%s is off by %v, so %s; switch on time synchronisation there, as with: timedatectl set-ntp true", whose, ahead, effect)
	case off >= skewedClock:
		d.say(hint, "clock", "%s is off by %v, so %s", whose, ahead, effect)
	default:
		d.say(good, "clock", "%s agrees with Discord's", whose)
	}
}

// emoji checks whether the bot's own emoji are uploaded to Discord.
func (d *doctor) emoji(ctx context.Context, client *rest.Client) {
	own, err := client.OwnEmoji(ctx)
	if err != nil {
		d.failed("emoji", err, lookAtNetwork)
		return
	}
	missing := 0
	for _, want := range emoji.Set() {
		if !slices.ContainsFunc(own, func(o emoji.Own) bool { return o.Name == want.Name }) {
			missing++
		}
	}
	switch others := len(own) + missing - len(emoji.Set()); {
	case missing == 0:
		d.say(good, "emoji", "all %d that the boards need are there", len(emoji.Set()))
	case len(own)+missing > emoji.MaxOfApplication:
		d.say(hint, "emoji", "the application has %d others of %d, so there is no room for the %d of the boards, which use Unicode; delete some in the developer portal (Emojis)",
			others, emoji.MaxOfApplication, len(emoji.Set()))
	default:
		d.say(good, "emoji", "serve brings the %d that are missing; boards use Unicode until then", missing)
	}
}

func (d *doctor) permissions(servers []rest.Server) {
	if len(servers) == 0 {
		d.say(hint, "servers", "the bot is in none; the README has the link that adds it")
		return
	}
	lacking := 0
	for _, server := range servers {
		if server.Silent {
			lacking++
			d.say(hint, "permissions", "%q (%s) does not say what the bot may do there", server.Name, server.ID)
		}
		if server.NoRoles && slices.Contains(d.ranks, match.Venue(server.ID)) {
			lacking++
			d.say(hint, "permissions", "%q (%s) does not give: Manage Roles; roles for ranks stay as they are there", server.Name, server.ID)
		}
		if len(server.Lacks) > 0 {
			lacking++
			d.say(hint, "permissions", "%q (%s) does not give: %s; boards there are redrawn only when they are clicked, or have words for pictures where only files are not allowed", server.Name, server.ID, strings.Join(server.Lacks, ", "))
		}
	}
	if lacking == 0 {
		d.say(good, "permissions", "all %d servers give what is needed", len(servers))
	}
}
