package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"tictactoe/internal/lab/soak"
	"tictactoe/internal/terminal/console"
)

type soakCommand struct {
	Seed     uint64        `default:"1" placeholder:"N" help:"The same seed gives the same players and the same faults at the same times (${default})."`
	Duration time.Duration `default:"2m" placeholder:"TIME" help:"How long they play (${default})."`
	Players  int           `default:"128" placeholder:"N" help:"How many play (${default})."`
	Faults   string        `default:"all" placeholder:"LIST" help:"What goes wrong: all, none, or some of ${faultnames} (${default})."`
	DB       string        `name:"db" placeholder:"DB" help:"postgres: a server of its own from the programs on this machine; or postgres://user@host/name of an empty database (default: a file)."`
	Replicas int           `default:"1" placeholder:"N" help:"How many processes the bot has (${default}); several need a Postgres."`
	HTTP     bool          `name:"http" help:"Have interactions delivered over HTTP, through a proxy before the replicas, instead of the gateway."`
	Shards   int           `default:"1" placeholder:"N" help:"How many gateway connections the replicas share (${default})."`
	History  string        `placeholder:"FILE" help:"Write down everything that happened, as JSON lines."`
	Program  string        `placeholder:"FILE" help:"The tictactoe program to soak (default: it is built from these sources)."`
	Older    string        `placeholder:"COMMIT" help:"A commit whose program runs at first and after every second restart, as an upgrade and a rollback do; it must have the same schema of the database."`
	JSON     bool          `name:"json" help:"One JSON object."`
}

func (soakCommand) Help() string {
	return `Starts the program tictactoe as a bot on a local Discord, lets players play against it while things go wrong, and checks what
they were told against the database. If a law is broken, it prints the shortest history that shows it and ends with code 1.

  lab soak --seed 7 --duration 30s --faults kill,busy
  lab soak --replicas 3 --http --db postgres
  lab soak --replicas 2 --shards 4 --db postgres
  lab soak --faults kill --older v1.0.0`
}

func (c *soakCommand) Validate() error {
	if _, err := soak.ParseFaults(c.Faults); err != nil {
		return fmt.Errorf("--faults: %w", err)
	}
	if c.Players < 2 || c.Players > 500 {
		return fmt.Errorf("--players: %d; from 2 to 500", c.Players)
	}
	if err := c.setup().Check(); err != nil {
		return err
	}
	if c.Duration < time.Second {
		return fmt.Errorf("--duration: %s; at least a second", c.Duration)
	}
	return nil
}

func (c *soakCommand) setup() soak.Setup {
	return soak.Setup{Replicas: c.Replicas, Shards: c.Shards, HTTP: c.HTTP, DB: c.DB}
}

var errLawBroken = errors.New("a law is broken")

func (c *soakCommand) Run(s streams) error {
	faults, err := soak.ParseFaults(c.Faults)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	folder, err := os.MkdirTemp("", "tictactoe-build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program, older := c.Program, ""
	if program == "" {
		program = filepath.Join(folder, "tictactoe")
		if err := build(ctx, "", program); err != nil {
			return err
		}
	}
	if c.Older != "" {
		older = filepath.Join(folder, "older")
		if err := buildCommit(ctx, c.Older, filepath.Join(folder, "source"), older); err != nil {
			return err
		}
	}
	config := soak.Config{Program: program, Older: older, Setup: c.setup(), Seed: c.Seed, Duration: c.Duration, Players: c.Players, Faults: faults, History: c.History}
	bar := console.NewProgress(s.stderr)
	if console.IsTerminal(s.stderr) { // the figures are computed only for a terminal
		config.Progress = func(passed time.Duration, now soak.Summary) {
			bar.Say("%s of %s: %d interactions, %d boards shown, %d kills", passed.Round(time.Second), c.Duration,
				now.Interactions, now.Shown, now.Faults[soak.Kill])
		}
	}
	report, err := soak.Run(ctx, config)
	bar.End()
	if err != nil {
		return err
	}
	if !c.JSON {
		c.print(s, report)
	} else if err := json.NewEncoder(s.stdout).Encode(report); err != nil {
		return err
	}
	if report.First != nil {
		return fmt.Errorf("%w; everything is kept in %s", errLawBroken, report.Kept)
	}
	return nil
}

// build builds the bot from the sources in a folder; the empty one is the current folder.
func build(ctx context.Context, sources, program string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", program, "tictactoe/cmd/tictactoe")
	cmd.Dir = sources
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the bot: %w\n%s", err, out)
	}
	return nil
}

// buildCommit builds the bot from a commit of the Git repository of the current folder. It removes the sources again.
func buildCommit(ctx context.Context, commit, sources, program string) (err error) {
	git := func(args ...string) error {
		if out, err := exec.Command("git", append([]string{"worktree"}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("checking out %s: %w\n%s", commit, err, out)
		}
		return nil
	}
	if err := git("add", "--quiet", "--detach", sources, commit); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, git("remove", "--force", sources)) }()
	return build(ctx, sources, program)
}

// print prints the report for people.
func (c *soakCommand) print(s streams, r soak.Report) {
	fmt.Fprintf(s.stdout, "%s, seed %d, %d players, %s\n", r.Text, r.Seed, r.Players, r.Duration)
	r.Summary.Write(s.stdout)
	for fault, why := range r.Skipped {
		fmt.Fprintf(s.stdout, "%-18s %s: %s\n", "skipped", fault, why)
	}
	for _, law := range r.Unjudged {
		fmt.Fprintf(s.stdout, "%-18s %s\n", "nothing to judge", law)
	}
	if r.First == nil {
		fmt.Fprintf(s.stdout, "%-18s all %d hold\n", "laws", len(soak.Laws()))
		return
	}
	for _, law := range slices.Sorted(maps.Keys(r.Breaches)) {
		fmt.Fprintf(s.stdout, "%-18s %q, %d times\n", "BROKEN", law, r.Breaches[law])
	}
	fmt.Fprintf(s.stdout, "\nThe shortest history that shows it, of %q:\n%s\n", r.First.Law, r.First.What)
	for _, e := range r.First.History {
		fmt.Fprintln(s.stdout, e)
	}
}
