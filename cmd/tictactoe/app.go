package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"tictactoe/ai"
	"tictactoe/bot"
	"tictactoe/commands"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/policy"
	"tictactoe/internal/venue"
	"tictactoe/internal/view"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// app is the whole bot: store, core, front end and runtime, wired together.
type app struct {
	store     database
	scheduler *match.Scheduler
	redrawer  *commands.Redrawer
	pruner    *venue.Pruner
	bot       *bot.Bot
	metrics   *metrics
	backups   *dailyBackups // nil: none are made

	known     chan struct{} // closed once it is noted which servers the bot is in
	knownOnce sync.Once

	mu      sync.Mutex
	arrived chan struct{} // closed while the bot hears its players
}

// settings are what an app may differ in.
type settings struct {
	db         string // the database: a path, or the address of a Postgres
	token      string
	discordURL string // empty: the real Discord
	dial       func(ctx context.Context, network, addr string) (net.Conn, error)
	clock      match.Clock
	rate       float64 // interactions a second of one person; 0: no limit
	policies   view.Policies
	log        *slog.Logger
	backups    int // how many daily ones to keep beside a file; 0 makes none
}

func newApp(ctx context.Context, s settings) (*app, error) {
	book, err := locale.NewBook()
	if err != nil {
		return nil, err
	}
	a := &app{arrived: make(chan struct{}), known: make(chan struct{}), metrics: newMetrics()}
	engines := &engines{}
	referee := &match.Referee{
		Engines: engines, Limits: match.DefaultLimits(),
		Coin:  func() bool { return rand.IntN(2) == 0 },
		Saved: func() { a.scheduler.Wake() },
		Now:   s.clock.Now,
	}
	handlers := &commands.Commands{
		Referee: referee, Book: book, Levels: ai.Levels(), Review: newReviews(engines.judge).of,
		IsSelf:    func(userID string) bool { return userID == ownID(s.token) },
		PolicyURL: s.policies.Privacy, TermsURL: s.policies.Terms,
	}
	router := bot.NewRouter()
	handlers.Route(router)
	a.bot, err = bot.New(bot.Config{
		Token: s.token, BaseURL: s.discordURL, Dial: s.dial, Router: router, Now: s.clock.Now, Logger: s.log,
		Apology: handlers.Apology, Busy: handlers.Busy, Describe: commands.Describe, Report: a.metrics.report,
		Commands:     commands.Tree(book, ai.Levels()),
		Connected:    a.arrive,
		Disconnected: func() { a.leave(s.log) },
		Guilds:       func(ctx context.Context, news bot.Guilds) error { return a.note(ctx, news, s.clock.Now()) },
		Rate:         s.rate, Hasty: handlers.Hasty,
	})
	if err != nil {
		return nil, err
	}

	// The database comes last: settings that make no sense leave it alone.
	if a.store, err = openDatabase(ctx, s.db, s.log); err != nil {
		return nil, err
	}
	if s.backups > 0 && !postgres.IsAddress(s.db) {
		a.backups = &dailyBackups{db: s.db, keep: s.backups, clock: s.clock, log: s.log}
	}
	a.metrics.watch(a.bot.State, a.store.CountOpen)
	store := timedStore{a.store, a.metrics.query}
	a.redrawer = commands.NewRedrawer(commands.Sources{
		Matches: store, Boards: store, Policies: store, REST: a.bot.REST(), Book: book, Level: ai.Unbeatable,
		Now: s.clock.Now, Log: s.log,
	})
	a.scheduler = match.NewScheduler(referee, s.clock, a.redrawer.Poke, s.log)
	a.scheduler.Hear = a.bot.Hear
	referee.Follow = a.scheduler.Follow
	referee.Store = store
	handlers.Matches, handlers.Boards, handlers.Scores, handlers.Players, handlers.Redraw = store, store, store, store, a.redrawer
	handlers.Policies, handlers.Steward = store, &policy.Steward{Store: store, Referee: referee, Log: s.log}
	a.pruner = &venue.Pruner{Store: a.store, Clock: s.clock, Log: s.log}
	return a, nil
}

// run serves until the context ends or Discord refuses the bot, then finishes what is under way and closes the store.
func (a *app) run(ctx context.Context) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	work.Go(func() { a.scheduler.Run(background) })
	work.Go(func() { a.redrawer.Run(background) })
	work.Go(func() { a.prune(background) })
	if a.backups != nil {
		work.Go(func() { a.backups.run(background) })
	}

	err := a.bot.Run(ctx)
	stop()
	work.Wait()
	if closing := a.store.Close(); err == nil {
		err = closing
	}
	return err
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

// arrive is called when the bot hears its players again, before it handles what they say.
func (a *app) arrive(ctx context.Context) error {
	if err := a.scheduler.Arrive(ctx); err != nil {
		return err
	}
	a.metrics.connections.Inc()
	a.redrawer.Restore()
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-a.arrived: // already
	default:
		close(a.arrived)
	}
	return nil
}

func (a *app) leave(log *slog.Logger) {
	a.mu.Lock()
	select {
	case <-a.arrived:
		a.arrived = make(chan struct{})
	default:
	}
	a.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if err := a.scheduler.Leave(ctx); err != nil {
		log.Error("record the time of the disconnect", "err", err)
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
	if err := a.scheduler.Act(ctx); err != nil {
		return fmt.Errorf("act on deadlines: %w", err)
	}
	a.redrawer.Flush(ctx)
	return nil
}

// prune deletes what is to be deleted, once the bot knows where it is: it may be back where it was not when it was last told.
func (a *app) prune(ctx context.Context) {
	select {
	case <-a.known:
		a.pruner.Run(ctx)
	case <-ctx.Done():
	}
}

// note records which servers the bot is in, and where its boards may be drawn again.
func (a *app) note(ctx context.Context, news bot.Guilds, at time.Time) error {
	venues := func(ids []string) (all []match.Venue) {
		for _, id := range ids {
			all = append(all, match.Venue(id))
		}
		return all
	}
	if err := a.store.Note(ctx, venue.News{All: news.All, Present: venues(news.Present), Gone: venues(news.Gone)}, at); err != nil {
		return err
	}
	if news.All {
		a.knownOnce.Do(func() { close(a.known) })
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
