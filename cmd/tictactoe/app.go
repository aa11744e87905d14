package main

import (
	"context"
	"crypto/ed25519"
	crand "crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"tictactoe/bot"
	"tictactoe/bot/gateway"
	"tictactoe/bot/rest"
	"tictactoe/commands"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards"
	"tictactoe/internal/computer"
	"tictactoe/internal/match"
	"tictactoe/internal/match/background"
	"tictactoe/internal/match/clock"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/puzzles/puzzle"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/roster"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/replica/lease"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
	"tictactoe/internal/show/emoji"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
	"tictactoe/store/postgres"
)

// app is the whole bot: the database, the rules of matches, the commands, and the connection to Discord.
type app struct {
	store      database
	health     *health
	clock      *clock.Clock // the clock for all dates
	schedulers *match.Schedulers
	referee    *match.Referee
	redrawer   *boards.Redrawer
	bot        *bot.Bot
	metrics    *metrics
	posters    []*boards.Poster
	roles      *rankrole.Granter
	emoji      *emoji.Uploader         // nil if boards are drawn with Unicode emoji
	overHTTP   bool                    // Discord sends interactions over HTTP, not over the gateway
	resumes    bool                    // the next process resumes the gateway sessions of this one
	beside     []func(context.Context) // jobs that run until the bot has stopped
	log        *slog.Logger

	background context.Context // the context of the jobs in beside
	stop       context.CancelFunc
	work       sync.WaitGroup

	mu         sync.Mutex
	duties     map[int]*duty // by shard, for all shards that this process runs or has run
	arrived    chan struct{} // closed once the bot hears the first shard
	arriveOnce sync.Once
}

// settings are the parameters of an app.
type settings struct {
	db         string // the database: a path, or the address of a Postgres
	token      string
	discordURL string // empty means the real Discord
	dial       func(ctx context.Context, network, addr string) (net.Conn, error)
	proxy      func(*http.Request) (*url.URL, error)
	clock      clock.Source
	common     bool // take dates from the clock of a database that several bots share; clock then only measures elapsed time
	shards     gateway.Shards
	leases     lease.Store // nil means the leases in the database, by its clock
	resume     bool        // the next process resumes the gateway sessions, so they are left open at the end
	rate       float64     // how many interactions a second one user may send; 0 means no limit
	emoji      bool        // draw boards with the bot's own emoji, which it uploads to Discord
	pages      view.Pages
	log        *slog.Logger
	bars       []policy.Bar // the users and servers to bar
	backups    int          // how many daily backups of a database file are kept; 0 makes none
	// listen opens the listener for interactions over HTTP, and key verifies their signatures. If listen is nil, interactions come over the
	// gateway.
	listen func() (net.Listener, error)
	key    ed25519.PublicKey
	// upload, if set, uploads emoji in place of the REST API.
	upload func(name string, png []byte) (id string, err error)
}

// newApp opens the database and assembles the app. It checks the settings for Discord before it touches the database.
func newApp(ctx context.Context, s settings) (*app, error) {
	known := new(emoji.Known)
	client, err := rest.New(rest.Config{Token: s.token, BaseURL: s.discordURL, Dial: s.dial, Proxy: s.proxy, EmojiRefused: known.Refused})
	if err != nil {
		return nil, err
	}
	health := &health{db: s.db, log: s.log}
	store, shared, err := openDatabase(ctx, s.db, health.saving, s.log)
	if err != nil {
		return nil, err
	}
	drawn := &emoji.Uploader{Known: known, Store: store, Discord: client, Log: s.log}
	if s.upload != nil {
		drawn.Discord = otherUpload{client, s.upload}
	}
	if !s.emoji {
		drawn = &emoji.Uploader{}
	}
	err = setBars(ctx, store, s.bars, s.log)
	var a *app
	if err == nil {
		a, err = assemble(ctx, s, client, store, shared, health, drawn)
	}
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return a, nil
}

// assemble makes the app on an open database. shared says that other processes may use the database too.
func assemble(ctx context.Context, s settings, client *rest.Client, db database, shared bool, health *health, drawn *emoji.Uploader) (*app, error) {
	clock, ticking, err := clockOf(ctx, s, db)
	if err != nil {
		return nil, err
	}
	book, err := locale.NewBook()
	if err != nil {
		return nil, err
	}
	metrics, engines, lanes, ids := newMetrics(), &computer.Engines{}, new(bot.Lanes), new(bot.CommandIDs)
	store := timedStore{db, metrics.query, metrics.countSave}
	leases, others := leasesOf(s, db, shared)
	schedulers := &match.Schedulers{Clock: clock}
	referee := &match.Referee{
		Store: store, Engines: engines, Limits: match.DefaultLimits(), Coin: func() bool { return rand.IntN(2) == 0 },
		Time: schedulers, Stakes: ladder.Stakes(store, store), Fit: computer.Fit(store),
	}
	arenas := &arena.Desk{Store: store, Time: schedulers}
	painter := commands.Painter{
		Matches: store, Boards: store, Policies: store, Ladders: store, Scores: store, Seasons: store, Puzzles: &daily.Puzzles{Make: puzzle.Of}, Arenas: arenas,
		Stakes: referee.Stakes, Book: book, Emoji: drawn.Known, CommandIDs: ids, Site: rest.Site(s.discordURL),
	}
	painter.Members = &roster.Checker{
		Store: store, Discord: commands.RankRoles{REST: client}, Clock: clock, Log: s.log, Queue: roster.NewQueue(),
	}
	redrawer := boards.NewRedrawer(boards.RedrawerConfig{
		Matches: store, Boards: store, Arenas: arenas, Policies: store, Messenger: client, Lanes: lanes, Painter: painter,
		Now: clock.Now, Log: s.log, UnderWay: others,
	})
	asides := boards.NewAsides(boards.AsidesConfig{Store: store, Messenger: client, Now: clock.Now, Log: s.log})
	handlers := handlersOf(s, store, painter, referee, engines)
	handlers.Redraw, handlers.Asides = redrawer, asides
	router := bot.NewRouter()
	handlers.Route(router)
	runtime := bot.New(bot.Config{
		REST: client, Lanes: lanes, Router: router, Commands: commands.OwnTree, CommandIDs: ids,
		Apology: handlers.Apology,
		Limits:  bot.Limits{UserRate: s.rate},
		Gateway: gatewayOf(s, db, clock), Endpoint: endpointOf(s), ForgetClaims: db.ForgetClaims,
		Leases: leases, Clock: clock,
		Telemetry: bot.Telemetry{Logger: s.log, Describe: commands.Describe, Report: metrics.report},
	})
	a := &app{
		store: db, health: health, clock: clock, schedulers: schedulers, referee: referee, redrawer: redrawer, bot: runtime, metrics: metrics, emoji: drawn,
		overHTTP: s.listen != nil, resumes: s.resume && s.listen == nil, log: s.log,
		duties: make(map[int]*duty), arrived: make(chan struct{}),
	}
	a.roles = &rankrole.Granter{
		Store: store, Ladders: store, Seasons: store, Discord: commands.RankRoles{REST: client, Painter: painter, Self: ownID(s.token)}, Leases: db, Holder: crand.Text(),
		Clock: clock, Log: s.log, Report: counting(metrics.roles, rankrole.Outcomes),
		Want: func(v match.Venue, players []match.User) {
			painter.Members.Want(roster.Page{Venue: v, Players: players})
		},
	}
	if !shared { // no other process gives roles
		a.roles.Leases = &lease.Memory{}
	}
	handlers.Admin.Roles, handlers.Admin.Closed = a.roles.Discord, client.Closed
	champions := &boards.Champions{Store: store, Painter: painter, Clock: clock}
	a.posters = []*boards.Poster{{Kind: "champions of a season", Posts: champions, Report: counting(metrics.champions, boards.ChampionOutcomes)}}
	for kind, what := range map[posting.Kind]string{posting.Puzzle: "puzzle of the day", posting.Leaderboard: "leaderboard of the calendar"} {
		posts := &boards.Calendar{Kind: kind, Store: store, Painter: painter, Clock: clock}
		a.posters = append(a.posters, &boards.Poster{Kind: what, Posts: posts, Report: counting(metrics.posts, boards.CalendarOutcomes, string(kind))})
	}
	for _, p := range a.posters {
		p.Messenger, p.Clock, p.Log = client, clock, s.log
	}
	a.beside = append(append(ticking, asides.Run, painter.Members.Run), a.jobs(s, engines, shared)...)
	a.background, a.stop = context.WithCancel(context.WithoutCancel(ctx))
	metrics.watch(runtime.State, a.ready, db, drawn)
	return a, nil
}

// handlersOf returns the handlers of all commands. The caller must still set the parts that send messages.
func handlersOf(s settings, store database, painter commands.Painter, referee *match.Referee, engines *computer.Engines) *commands.Commands {
	reviews := newReviews(engines)
	replies := &commands.Replies{Painter: painter, Players: store, Claims: store, Posts: store, Review: reviews.review}
	isSelf := func(userID string) bool { return userID == ownID(s.token) }
	return &commands.Commands{
		Replies: replies,
		Play:    commands.Play{Replies: replies, Referee: referee, IsSelf: isSelf},
		Look:    commands.Look{Replies: replies, Records: store, Archive: store, IsSelf: isSelf, Page: s.pages.Game},
		Learn: commands.Learn{
			Replies: replies, Referee: referee, Attempts: &daily.Attempts{Store: store, Puzzles: painter.Puzzles}, Solvers: store, Advise: reviews.advise,
		},
		People: commands.People{Replies: replies, Solvers: store, Pages: s.pages},
		Admin: commands.Admin{
			Replies: replies, Posts: store, RankRoles: store,
			Moderation: &policy.Moderation{
				Store: store, Referee: referee, Log: s.log, Redraw: func(id match.ID) { replies.Redraw.Enqueue(id) },
				Undoes: map[policy.Kind]policy.Undoing{
					policy.BeginSeason: season.Undo(store), rankrole.SetRole: rankrole.Undo(store),
					policy.PostPuzzles: posting.Undo(store, posting.Puzzle), policy.PostLeaderboards: posting.Undo(store, posting.Leaderboard),
				},
			},
		},
	}
}

// clockOf returns the clock for all dates. It is the clock of the settings or, if s.common is set, the clock of the database server. Then
// the clock of the settings only measures elapsed time. The clock works while the returned functions run.
func clockOf(ctx context.Context, s settings, db database) (c *clock.Clock, ticking []func(context.Context), err error) {
	store, is := db.(*postgres.Store)
	if !is || !s.common {
		c = clock.New(s.clock)
		return c, []func(context.Context){c.Run}, nil
	}
	common, err := store.Clock(ctx, s.clock)
	if err != nil {
		return nil, nil, err
	}
	c = clock.New(common)
	return c, []func(context.Context){c.Run, common.Run}, nil
}

// busyFor is longer than a process can be busy with one interaction, and shorter than the time that other processes take to notice a
// process's end.
const busyFor = 20 * time.Second

// leasesOf returns the leases that this process shares with others. others is how long another process may still be busy with interactions
// of the same players, or 0 if no other process can have any.
func leasesOf(s settings, db database, shared bool) (leases lease.Store, others time.Duration) {
	switch {
	case s.leases != nil:
		return s.leases, 0
	case s.listen == nil && !s.shards.Any: // other processes serve other shards, so they have other players
		return db, 0
	case s.listen != nil && !shared: // there are no other processes
		return &lease.Memory{}, 0
	default:
		return db, busyFor
	}
}

// gatewayOf returns which gateway sessions this process runs, and where they are stored for the next process.
func gatewayOf(s settings, db database, clock *clock.Clock) bot.Gateway {
	g := bot.Gateway{Shards: s.shards, Erased: db.Erased}
	if s.resume && s.listen == nil {
		g.Sessions = sessions{db, clock}
	}
	return g
}

// endpointOf returns the endpoint for interactions over HTTP, or nil if they come over the gateway.
func endpointOf(s settings) *bot.Endpoint {
	if s.listen == nil {
		return nil
	}
	return &bot.Endpoint{Listen: s.listen, Key: s.key}
}

// jobs returns the functions that run in the background until the bot has stopped.
func (a *app) jobs(s settings, engines *computer.Engines, shared bool) []func(context.Context) {
	reviewer := &profile.Reviewer{Store: a.store, Review: engines.Review, Leases: a.store, Clock: a.clock, Log: a.log}
	if !shared { // no other process reviews games
		reviewer.Leases = &lease.Memory{}
	}
	repeat := func(what string, work func(context.Context) (more bool, err error)) func(context.Context) {
		return func(ctx context.Context) { background.Repeat(ctx, a.clock, a.log, what, work) }
	}
	jobs := []func(context.Context){
		a.redrawer.Run, a.backups(s).run, reviewer.Run,
		repeat("work out a ladder again", a.store.Replay), repeat("count scores anew", a.store.Recount),
		repeat("end a season", background.Once(a.endSeasons)),
		func(ctx context.Context) { a.announced(ctx, a.roles.Run) },
	}
	for _, p := range a.posters {
		jobs = append(jobs, func(ctx context.Context) { a.announced(ctx, p.Run) })
	}
	if file, is := a.store.(lockedFile); is && !file.Examined() {
		jobs = append(jobs, a.health.examine)
	}
	if a.emoji.Known != nil {
		jobs = append(jobs, a.emoji.Watch)
	}
	return jobs
}

// backups returns the daily backups of the database.
func (a *app) backups(s settings) *dailyBackups {
	return &dailyBackups{db: s.db, keep: s.backups, clock: a.clock, log: a.log, damaged: a.health.damage, tried: a.metrics.backup}
}

// endSeasons ends the seasons whose planned end has passed. If several processes share a database, only one of them ends a season.
func (a *app) endSeasons(ctx context.Context) error {
	n, err := a.store.EndSeasons(ctx, a.clock.Now())
	if n > 0 {
		a.log.Info("seasons have ended as planned", "count", n)
	}
	return err
}

// announced calls act, which posts messages, as soon as the bot is connected for the first time.
func (a *app) announced(ctx context.Context, act func(context.Context)) {
	select {
	case <-a.arrived:
		act(ctx)
	case <-ctx.Done():
	}
}

// run runs the bot until ctx ends or Discord refuses it for good. Then it finishes the open work and closes the database.
func (a *app) run(ctx context.Context) error {
	for _, job := range a.beside {
		a.work.Go(func() { job(a.background) })
	}
	err := a.bot.Run(ctx, bot.Hooks{Connected: a.arrive, Disconnected: a.leave, Housekeeping: a.housekeeping, Guilds: a.note})
	a.stop()
	a.work.Wait()
	return errors.Join(err, a.store.Close())
}

// ownID returns the user id of the bot, which is the first part of the token in base64, or nothing if the token has another form.
func ownID(token string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(token, "Bot "), ".")
	id, err := base64.RawStdEncoding.DecodeString(first)
	if err != nil {
		return ""
	}
	return string(id)
}
