package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

type barCommand struct {
	databaseFlag

	User   barUserCommand   `cmd:"" help:"Bar a user everywhere, or lift the bar. Safe while the bot runs."`
	Server barServerCommand `cmd:"" help:"Bar everybody in a server, or lift the bar. Safe while the bot runs."`
	List   barListCommand   `cmd:"" help:"Print who is barred. Safe while the bot runs."`
}

func (barCommand) Help() string {
	return `Whoever is barred by the bot's host starts and joins nothing, and can still read and delete the own data. Open matches are void. In a server, arenas are called off, and every command gets the same private answer. A running bot obeys at once, and shows that a match is void at the next press on it, or when it next connects.

  sudo tictactoe bar user 80351110224678912 --db /var/lib/tictactoe/tictactoe.db --until 2027-01-31
  tictactoe bar server 662988600115200000 --lift

TICTACTOE_BAR of serve bars at the next start: user:80351110224678912:2027-01-31,server:662988600115200000`
}

// ProvideDatabase returns the path or address of the database, as for the command db.
func (c *barCommand) ProvideDatabase(s surroundings) (string, error) {
	return (&dbCommand{databaseFlag: c.databaseFlag}).ProvideDatabase(s)
}

// barring has the arguments about one user or server.
type barring struct {
	ID    string `arg:"" help:"The id at Discord."`
	Until string `xor:"how" placeholder:"DATE" help:"The last day, in UTC, as 2027-01-31 (default: for good)."`
	Lift  bool   `xor:"how" help:"Lift the bar."`
}

type (
	barUserCommand   struct{ barring }
	barServerCommand struct{ barring }
)

func (c *barUserCommand) Run(ctx context.Context, s surroundings, path string) error {
	return c.run(ctx, s, path, "user")
}

func (c *barServerCommand) Run(ctx context.Context, s surroundings, path string) error {
	return c.run(ctx, s, path, "server")
}

func (c *barring) run(ctx context.Context, s surroundings, path, kind string) error {
	b, err := parseBar(strings.TrimSuffix(kind+":"+c.ID+":"+c.Until, ":"))
	if err != nil {
		return err
	}
	if now := time.Now(); !b.Until.IsZero() && !b.Until.After(now) {
		return fmt.Errorf("--until %s has passed: name a later day, or --lift", c.Until)
	}
	words := "Lifted."
	err = withShared(ctx, path, func(store database) error {
		if c.Lift {
			err := store.LiftBar(ctx, b, policy.AuditEntry{})
			if errors.Is(err, policy.ErrUnchanged) {
				words, err = "There is no such bar.", nil
			}
			return err
		}
		ended, err := store.SetBar(ctx, b, policy.Cancel, time.Now(), policy.AuditEntry{})
		words = fmt.Sprintf("Barred: %s. Matches, challenges and arenas that have ended or changed: %d.", barWords(b), len(ended))
		if errors.Is(err, policy.ErrUnchanged) {
			return nil
		}
		return err
	})
	if err == nil {
		_, err = fmt.Fprintln(s.stdout, words)
	}
	return err
}

type barListCommand struct{}

func (barListCommand) Run(ctx context.Context, s surroundings, path string) error {
	return withShared(ctx, path, func(store database) error {
		all, err := store.HostBars(ctx)
		if err == nil && len(all) == 0 {
			_, err = io.WriteString(s.stdout, "Nobody is barred.\n")
		}
		for _, b := range all {
			fmt.Fprintln(s.stdout, barWords(b))
		}
		return err
	})
}

// parseBar parses a bar such as user:80351110224678912 or server:662988600115200000:2027-01-31.
func parseBar(text string) (b policy.Bar, err error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	id, day, ends := strings.Cut(rest, ":")
	switch {
	case kind == "user":
		b.Player = match.User(id)
	case kind == "server":
		b.Venue = match.Venue(id)
	default:
		return b, fmt.Errorf("%q is neither a user such as user:80351110224678912 nor a server such as server:662988600115200000", printable.Line(text, 60))
	}
	if !snowflake.MatchString(id) {
		return b, fmt.Errorf("%s is no id at Discord, which is a number like 80351110224678912", printable.Line(id, 40))
	}
	if ends {
		last, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return b, fmt.Errorf("%s is no day such as 2027-01-31", printable.Line(day, 40))
		}
		b.Until = last.AddDate(0, 0, 1)
	}
	return b, nil
}

// parseBars parses the bars of a flag.
func parseBars(texts []string) (bars []policy.Bar, err error) {
	for _, text := range texts {
		b, err := parseBar(text)
		if err != nil {
			return nil, fmt.Errorf("--bar: %w", err)
		}
		bars = append(bars, b)
	}
	return bars, nil
}

func barWords(b policy.Bar) string {
	words := "server " + string(b.Venue)
	if b.Player != "" {
		words = "user " + printable.Line(string(b.Player), 80)
	}
	if b.Until.IsZero() {
		return words + " for good"
	}
	return words + " to the end of " + b.Until.AddDate(0, 0, -1).UTC().Format(time.DateOnly) + " (UTC)"
}

// setBars sets the bars of the environment that are not set yet. Bars that have ended are left out.
func setBars(ctx context.Context, store database, wanted []policy.Bar, log *slog.Logger) error {
	for _, b := range wanted {
		known, err := store.Barred(ctx, b.Venue, b.Player, time.Now())
		if err != nil {
			return err
		}
		if known != (policy.Bar{}) && known.Until.Equal(b.Until) || !b.Until.IsZero() && !b.Until.After(time.Now()) {
			continue
		}
		ended, err := store.SetBar(ctx, b, policy.Cancel, time.Now(), policy.AuditEntry{})
		if err != nil && !errors.Is(err, policy.ErrUnchanged) {
			return err
		}
		log.Info("barred", "user", b.Player, "server", b.Venue, "until", b.Until, "changed", len(ended))
	}
	return nil
}
