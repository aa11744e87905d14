package main

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/internal/lease"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/redraw"
	"tictactoe/internal/venue"
	"tictactoe/internal/view"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// app is the whole bot: store, core, front end and runtime, wired together.
type app struct {
	store      database
	referee    *match.Referee
	schedulers match.Schedulers // those of the duties
	redrawer   *redraw.Redrawer
	bot        *bot.Bot
	metrics    *metrics
	from       string        // where interactions come from: the gateway, or http
	backups    *dailyBackups // nil: none are made
	clock      *match.Awake  // what everything is dated by: that of the settings, or the database's once it is open
	sessions   *sessions     // nil: those with the gateway end with the process
	log        *slog.Logger
	examine    func(context.Context) // what the start did not look at; nil: it has seen all
	damaged    atomic.Pointer[error] // what that or a daily backup has found, if anything
	unsaved    atomic.Pointer[error] // why nothing can be saved; nil and a nil error: it can

	background context.Context // of what runs beside the bot
	work       sync.WaitGroup

	mu      sync.Mutex
	duties  map[int]*duty // by shard: of those that this process has had
	arrived chan struct{} // closed while the bot hears players
}

// duty is what is done for the venues of one shard, by the process that hears it.
type duty struct {
	scheduler *match.Scheduler
	hears     bool          // guarded by the app's lock
	known     chan struct{} // closed once it is noted which servers of the shard the bot is in
	knownOnce sync.Once
}

// settings are what an app may differ in.
type settings struct {
	db         string // the database: a path, or the address of a Postgres
	token      string
	discordURL string // empty: the real Discord
	dial       func(ctx context.Context, network, addr string) (net.Conn, error)
	clock      match.Clock
	common     bool // several bots may share a database, and date by its clock: the other one only says how much time passes
	shards     bot.Shards
	unlocked   bool        // the database is a file shared with another app, and somebody else has locked it
	leases     lease.Store // nil: those of the database, by its clock
	resume     bool        // sessions with the gateway go on in the process after this one: Discord does not end with it
	rate       float64     // interactions a second of one person; 0: no limit
	policies   view.Policies
	log        *slog.Logger
	backups    int // how many daily ones to keep beside a file; 0 makes none
	// listen begins to take interactions over HTTP, signed by who has the key, in place of the gateway; nil: the gateway.
	listen func() (net.Listener, error)
	key    ed25519.PublicKey
}

func newApp(ctx context.Context, s settings) (*app, error) {
	book, err := locale.NewBook()
	if err != nil {
		return nil, err
	}
	a := &app{arrived: make(chan struct{}), duties: make(map[int]*duty), metrics: newMetrics(), clock: &match.Awake{Clock: s.clock}, log: s.log}
	a.schedulers.Clock = a.clock
	engines := &engines{}
	leases := &struct{ lease.Store }{} // the store's, once it is open
	referee := &match.Referee{
		Engines: engines, Limits: match.DefaultLimits(),
		Coin:  func() bool { return rand.IntN(2) == 0 },
		Saved: a.schedulers.Saved, Now: a.schedulers.Now, Follow: a.schedulers.Follow,
	}
	a.referee = referee
	handlers := &commands.Commands{
		Referee: referee, Book: book, Levels: ai.LevelNames(), Review: newReviews(engines.judge).of,
		IsSelf:    func(userID string) bool { return userID == ownID(s.token) },
		PolicyURL: s.policies.Privacy, TermsURL: s.policies.Terms, Site: bot.Site(s.discordURL),
	}
	var kept bot.Sessions
	if s.resume && s.listen == nil {
		a.sessions = &sessions{a}
		kept = a.sessions
	}
	router := bot.NewRouter()
	handlers.Route(router)
	a.bot, err = bot.New(bot.Config{
		Token: s.token, BaseURL: s.discordURL, Dial: s.dial, Shards: s.shards, Leases: leases, Sessions: kept, Router: router, Clock: a.clock, Woke: a.clock.Woke, Logger: s.log,
		Apology: handlers.Apology, Busy: handlers.Busy, Describe: commands.Describe, Report: a.metrics.report,
		Commands:     commands.Tree(book, ai.LevelNames()),
		Connected:    a.arrive,
		Disconnected: a.leave,
		Tend:         a.tend,
		Guilds:       a.note,
		Rate:         s.rate, Hasty: handlers.Hasty,
		Endpoint: a.endpoint(s),
	})
	if err != nil {
		return nil, err
	}

	// The database comes last: settings that make no sense leave it alone.
	var shared bool
	health := func(err error) {
		a.unsaved.Store(&err)
		if err != nil {
			s.log.Error("nothing can be saved, and everybody is told so; make room, or see to the disk", "db", shownDatabase(s.db), "err", err)
			return
		}
		s.log.Info("saving works again", "db", shownDatabase(s.db))
	}
	if a.store, shared, err = openDatabase(ctx, s.db, s.unlocked, health, s.log); err != nil {
		return nil, err
	}
	if store, is := a.store.(*postgres.Store); is && s.common {
		if a.clock.Clock, err = store.Clock(ctx, s.clock); err != nil {
			return nil, errors.Join(err, a.store.Close())
		}
	}
	leases.Store = a.store
	var others time.Duration
	switch {
	case s.leases != nil:
		leases.Store = s.leases
	case s.listen == nil: // the lines of others are theirs
	case !shared:
		leases.Store = &lease.Memory{} // nobody else is on the database, so there is nobody to wait for
	default:
		others = underWay
	}
	if file, ok := a.store.(lockedFile); ok && !file.Examined() {
		a.examine = func(ctx context.Context) { a.examineDatabase(ctx, s.db, s.log) }
	}
	if s.backups > 0 && !postgres.IsAddress(s.db) {
		a.backups = &dailyBackups{db: s.db, keep: s.backups, clock: s.clock, log: s.log, damaged: func(err error) { a.damaged.Store(&err) }}
	}
	a.metrics.watch(a.bot.State, a.ready, a.store.CountOpen)
	store := timedStore{a.store, a.metrics.query}
	a.redrawer = redraw.New(redraw.Config{
		Matches: store, Boards: store, Policies: store, Messenger: a.bot.REST(), Lanes: a.bot.Lanes(),
		Painter: commands.Painter{Matches: store, Boards: store, Book: book, Level: ai.Unbeatable.String(), Site: bot.Site(s.discordURL)},
		Now:     a.clock.Now, Log: s.log, UnderWay: others,
	})
	referee.Store = store
	handlers.Matches, handlers.Boards, handlers.Scores, handlers.Players, handlers.Redraw = store, store, store, store, a.redrawer
	handlers.Policies, handlers.Moderation = store, &policy.Moderation{Store: store, Referee: referee, Log: s.log}
	return a, nil
}

// examineDatabase looks for damage, and tells of it once. The bot goes on meanwhile and afterwards: what can be read and
// saved is worth having, and it is for a person to choose when to stop and which backup to restore.
func (a *app) examineDatabase(ctx context.Context, path string, log *slog.Logger) {
	report, err := sqlite.Check(ctx, path, nil)
	switch {
	case ctx.Err() != nil:
		return
	case err == nil && len(report.Findings) > 0:
		first := report.Findings[0]
		err = fmt.Errorf("%s: %s: %s", first.Where, first.What, first.Remedy)
	case err == nil:
		log.Info("the database is sound", "matches", report.Matches, "moves", report.Moves)
		return
	}
	a.damaged.Store(&err)
	log.Error("the database is not sound; see what tictactoe db check says", "db", path, "findings", len(report.Findings), "err", err)
}

// database is what is wrong with the database, if anything: it must answer and be sound, and nothing may have failed to be
// saved of late.
func (a *app) database(ctx context.Context) error {
	for _, known := range []*error{a.unsaved.Load(), a.damaged.Load()} {
		if known != nil && *known != nil {
			return *known
		}
	}
	_, err := a.store.LastSeen(ctx, match.Partition{})
	return err
}

// endpoint is where interactions come in, nil for the gateway. The store is there before it is used.
func (a *app) endpoint(s settings) *bot.Endpoint {
	if s.listen == nil {
		a.from = "gateway"
		return nil
	}
	a.from = "http"
	return &bot.Endpoint{
		Listen: s.listen, Key: s.key, After: s.clock.After,
		Claim: func(ctx context.Context, interaction string, until time.Time) (bool, error) {
			return a.store.Claim(ctx, interaction, until)
		},
		Forget: func(ctx context.Context, before time.Time) error { return a.store.ForgetClaims(ctx, before) },
	}
}

// underWay is longer than a process is busy with an interaction, and shorter than it takes to notice that one has gone.
const underWay = 20 * time.Second

// run serves until the context ends or Discord refuses the bot, then finishes what is under way and closes the store.
func (a *app) run(ctx context.Context) error {
	var stop context.CancelFunc
	a.background, stop = context.WithCancel(context.WithoutCancel(ctx))
	a.work.Go(func() { a.clock.Run(a.background) })
	a.work.Go(func() { a.redrawer.Run(a.background) })
	if a.examine != nil {
		a.work.Go(func() { a.examine(a.background) })
	}
	if clock, is := a.clock.Clock.(*postgres.Clock); is {
		a.work.Go(func() { clock.Run(a.background) })
	}
	if a.backups != nil {
		a.work.Go(func() { a.backups.run(a.background) })
	}

	err := a.bot.Run(ctx)
	stop()
	a.work.Wait()
	if closing := a.store.Close(); err == nil {
		err = closing
	}
	return err
}

// dutyOf is the duty for a shard. It begins when the shard connects for the first time, and lasts: a shard that another
// process has taken is not heard here, and without being heard nothing is done.
func (a *app) dutyOf(shard bot.Shard) *duty {
	a.mu.Lock()
	defer a.mu.Unlock()
	if d := a.duties[shard.ID]; d != nil {
		return d
	}
	part := match.Partition{Index: shard.ID, Of: shard.Of}
	d := &duty{scheduler: match.NewScheduler(a.referee, a.clock, a.redrawer.Poke, a.log), known: make(chan struct{})}
	d.scheduler.Partition = part
	if a.sessions != nil {
		d.scheduler.Beside = a.sessions.beside(shard)
	}
	d.scheduler.Slept = a.clock.Slept
	d.scheduler.Hear = func(ctx context.Context, until time.Time) time.Time { return a.bot.Hear(ctx, shard.ID, until) }
	a.schedulers.Add(d.scheduler)
	a.duties[shard.ID] = d
	a.work.Go(func() { d.scheduler.Run(a.background) })
	return d
}

// handover is how long a bot that was told to stop may take to give its database up to the next: for the clicks in
// flight, and a little more.
const handover = 12 * time.Second

// lockDatabase takes the database for this bot, after another one that is about to stop.
func lockDatabase(ctx context.Context, path string, log *slog.Logger) (*sqlite.Lock, error) {
	lock, err := sqlite.Acquire(ctx, path, 0)
	if errors.Is(err, sqlite.ErrInUse) {
		log.Warn("another tictactoe is running on this database; waiting for it to stop", "db", path, "patience", handover.String())
		lock, err = sqlite.Acquire(ctx, path, handover)
	}
	if errors.Is(err, sqlite.ErrInUse) {
		err = fmt.Errorf("%w: stop that one, or give this one a database of its own with --db", err)
	}
	return lock, err
}

// arrive is called when the bot hears the players of a shard again, before it handles what they say.
func (a *app) arrive(ctx context.Context, shard bot.Shard) error {
	d := a.dutyOf(shard)
	if err := d.scheduler.Arrive(ctx); err != nil {
		return err
	}
	a.metrics.connections.WithLabelValues(strconv.Itoa(shard.ID)).Inc()
	a.mu.Lock()
	defer a.mu.Unlock()
	if d.hears = true; !a.arrivedNow() {
		close(a.arrived)
	}
	return nil
}

// leaveTime bounds how long it is tried to record a disconnect. The clicks in flight of a bot that stops wait for it, and
// nothing but five seconds at most for the players depends on it.
const leaveTime = 500 * time.Millisecond

// arrivedNow tells whether the bot hears any players; a.mu is held.
func (a *app) arrivedNow() bool {
	select {
	case <-a.arrived:
		return true
	default:
		return false
	}
}

// leave is called when it does not any more.
func (a *app) leave(shard bot.Shard) {
	d := a.dutyOf(shard)
	a.mu.Lock()
	hears := func(d *duty) bool { return d.hears }
	if d.hears = false; a.arrivedNow() && !slices.ContainsFunc(slices.Collect(maps.Values(a.duties)), hears) {
		a.arrived = make(chan struct{})
	}
	a.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	if err := d.scheduler.Leave(ctx); err != nil {
		a.log.Error("record the time of the disconnect", "shard", shard.ID, "err", err)
	}
}

// settleTime is how long a moved clock waits for a bot that is just connecting.
const settleTime = 3 * time.Second

// settle acts on every deadline that is due and draws what that changed. A clock that was moved waits for it.
func (a *app) settle(ctx context.Context) error {
	a.mu.Lock()
	arrived := a.arrived
	a.mu.Unlock()
	select {
	case <-arrived:
	case <-time.After(settleTime): // it is away, and no deadline passes meanwhile
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := a.schedulers.Act(ctx); err != nil {
		return fmt.Errorf("act on deadlines: %w", err)
	}
	a.redrawer.Flush(ctx)
	return nil
}

// tend does what one process at a time has to do for the venues of a shard.
func (a *app) tend(ctx context.Context, shard bot.Shard) {
	d := a.dutyOf(shard)
	a.redrawer.Restore(d.scheduler.Partition)
	select {
	case <-d.known: // the bot may be back where it was not when it was last told
		(&venue.Pruner{Store: a.store, Partition: d.scheduler.Partition, Clock: a.clock, Log: a.log}).Run(ctx)
	case <-ctx.Done():
	}
}

// note records which servers the bot is in, and where its boards may be drawn again.
func (a *app) note(ctx context.Context, news bot.Guilds) error {
	venues := func(ids []string) (all []match.Venue) {
		for _, id := range ids {
			all = append(all, match.Venue(id))
		}
		return all
	}
	part := match.Partition{Index: news.Shard.ID, Of: news.Shard.Of}
	if news.All || len(news.Present)+len(news.Gone) > 0 {
		err := a.store.Note(ctx, venue.News{Partition: part, All: news.All, Present: venues(news.Present), Gone: venues(news.Gone)}, a.clock.Now())
		if err != nil {
			return err
		}
	}
	if news.All || news.Resumed {
		d := a.dutyOf(news.Shard)
		d.knownOnce.Do(func() { close(d.known) })
	}
	return a.redrawer.Guilds(ctx, news)
}

// ownID is the user id of the bot that a token belongs to: the token's first part says it, in base64.
func ownID(token string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(token, "Bot "), ".")
	id, err := base64.RawStdEncoding.DecodeString(first)
	if err != nil {
		return ""
	}
	return string(id)
}
