package main

import (
	"context"
	"encoding/base64"
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
	"tictactoe/store/sqlite"
)

// app is the whole bot: store, core, front end and runtime, wired together.
type app struct {
	store     *sqlite.Store
	scheduler *match.Scheduler
	redrawer  *commands.Redrawer
	bot       *bot.Bot
	metrics   *metrics

	mu      sync.Mutex
	arrived chan struct{} // closed while the bot hears its players
}

// settings are what an app may differ in.
type settings struct {
	db         string // path of the database
	token      string
	discordURL string // empty: the real Discord
	dial       func(ctx context.Context, network, addr string) (net.Conn, error)
	clock      match.Clock
	log        *slog.Logger
}

func newApp(ctx context.Context, s settings) (*app, error) {
	book, err := locale.NewBook()
	if err != nil {
		return nil, err
	}
	a := &app{arrived: make(chan struct{}), metrics: newMetrics()}
	engines := &engines{}
	referee := &match.Referee{
		Engines: engines, Limits: match.DefaultLimits(),
		Coin:  func() bool { return rand.IntN(2) == 0 },
		Saved: func() { a.scheduler.Wake() },
		Now:   s.clock.Now,
	}
	handlers := &commands.Commands{
		Referee: referee, Book: book, Levels: ai.Levels(), Review: newReviews(engines.judge).of,
		IsSelf: func(userID string) bool { return userID == ownID(s.token) },
	}
	router := bot.NewRouter()
	handlers.Route(router)
	a.bot, err = bot.New(bot.Config{
		Token: s.token, BaseURL: s.discordURL, Dial: s.dial, Router: router, Now: s.clock.Now, Logger: s.log,
		Apology: handlers.Apology, Busy: handlers.Busy, Describe: commands.Describe, Report: a.metrics.report,
		Commands:     commands.Tree(book, ai.Levels()),
		Connected:    a.arrive,
		Disconnected: func() { a.leave(s.log) },
	})
	if err != nil {
		return nil, err
	}

	// The database comes last: settings that make no sense leave it alone.
	a.store, err = sqlite.Open(ctx, s.db)
	if err != nil {
		return nil, err
	}
	a.metrics.watch(a.bot.State, a.store.CountOpen)
	store := timedStore{a.store, a.metrics.query}
	a.redrawer = commands.NewRedrawer(commands.Sources{
		Matches: store, Boards: store, REST: a.bot.REST(), Book: book, Level: ai.Unbeatable,
		Now: s.clock.Now, Log: s.log,
	})
	a.scheduler = match.NewScheduler(referee, s.clock, a.redrawer.Poke, s.log)
	a.scheduler.Hear = a.bot.Hear
	referee.Store = store
	handlers.Matches, handlers.Boards, handlers.Scores, handlers.Redraw = store, store, store, a.redrawer
	return a, nil
}

// run serves until the context ends or Discord refuses the bot, then finishes what is under way and closes the store.
func (a *app) run(ctx context.Context) error {
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var work sync.WaitGroup
	work.Go(func() { a.scheduler.Run(background) })
	work.Go(func() { a.redrawer.Run(background) })

	err := a.bot.Run(ctx)
	stop()
	work.Wait()
	if closing := a.store.Close(); err == nil {
		err = closing
	}
	return err
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

// ownID is the user id of the bot that a token belongs to: the token's first part says it, in base64.
func ownID(token string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(token, "Bot "), ".")
	id, err := base64.RawStdEncoding.DecodeString(first)
	if err != nil {
		return ""
	}
	return string(id)
}
