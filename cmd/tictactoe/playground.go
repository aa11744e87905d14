package main

import (
	"context"
	"errors"
	"fmt"

	"tictactoe/discordsim"
	"tictactoe/discordsim/standalone"
	"tictactoe/internal/show/view"
)

// botName is the name of this bot in the local Discord.
const botName = "tictactoe"

// playgroundToken is the token of this bot in the local Discord. It is no secret.
const playgroundToken = standalone.Token

type playgroundCommand struct {
	Listen   string `env:"TICTACTOE_LISTEN" default:"127.0.0.1:8080" placeholder:"ADDR" help:"Where the page is served (${default})."`
	DB       string `name:"db" env:"TICTACTOE_DB" placeholder:"FILE" help:"The bot's database (default: playground.db in your data folder). The local Discord keeps its own file beside it."`
	OpenAPI  string `name:"openapi" env:"DISCORD_OPENAPI" placeholder:"FILE" help:"Discord's OpenAPI description, to check what the bot sends against."`
	WebURL   string `name:"web-url" env:"TICTACTOE_WEB_URL" placeholder:"URL" help:"Where the page of cmd/web is, for shared matches to link to, as http://127.0.0.1:8732."`
	LogLevel string `env:"TICTACTOE_LOG_LEVEL" default:"warn" enum:"debug,info,warn,error" help:"What to log: debug, info, warn or error (${default})."`
}

func (c *playgroundCommand) Validate() error { return checkWebURL(c.WebURL) }

// Run runs the local Discord, its web page and the bot until the program is told to stop.
func (c *playgroundCommand) Run(ctx context.Context, s surroundings) (err error) {
	db, err := dataFile("--db", c.DB, "playground.db", s.env)
	if err != nil {
		return err
	}
	if err := fileOnly(db, "tictactoe sim, and serve --discord-url"); err != nil {
		return err
	}
	log := newLogger(c.LogLevel, s)
	site, err := standalone.Open(c.Listen, false, discordsim.Config{State: db + ".discord", Spec: c.OpenAPI, Logger: log, BotName: botName})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	a, err := newApp(ctx, settings{
		db: db, token: playgroundToken, discordURL: site.URL(), clock: site.Sim.Clock(), log: log, emoji: true, pages: view.Pages{Game: c.WebURL},
		upload: site.Sim.Bot(site.Sim.Application()).AddEmoji, // without rate limits, so that the first boards have pictures
	})
	if err != nil {
		return err
	}
	if _, err := a.emoji.Bring(ctx); err != nil {
		log.Warn("emoji not uploaded to the local Discord yet", "err", err)
	}
	site.Sim.OnAdvance(a.settle)
	fmt.Fprintf(s.stdout, "The playground is open: %s\nIt keeps everything in %s. Stop it with Ctrl+C.\n", site.URL(), db)
	return site.While(ctx, a.run)
}

// simCommand runs the local Discord without the bot. It takes the flags of the program discordsim.
type simCommand struct {
	Flags []string `arg:"" optional:"" help:"The flags of discordsim."`
}

// Run runs the local Discord until the program is told to stop.
func (c *simCommand) Run(ctx context.Context, s surroundings) error {
	return standalone.Main(ctx, c.Flags, standalone.Process{Name: "tictactoe sim", Bot: botName, Env: s.env, Stdout: s.stdout, Stderr: s.stderr})
}
