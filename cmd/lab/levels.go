package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/terminal/console"
)

type levelsCommand struct {
	X     ai.Level   `name:"x" short:"X" default:"unbeatable" enum:"${levelnames}" placeholder:"P" help:"Who plays X and moves first: ${levels} (${default})."`
	O     ai.Level   `name:"o" short:"O" default:"random" enum:"${levelnames}" placeholder:"P" help:"Who plays O (${default})."`
	Rules game.Rules `default:"classic" placeholder:"R" help:"The rule set: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Games int        `default:"1000" placeholder:"N" help:"How many games (${default})."`
	Seed  uint64     `default:"1" placeholder:"S" help:"The same seed gives the same result, on any number of cores (${default})."`
	JSON  bool       `name:"json" help:"One JSON object."`
}

func (levelsCommand) Help() string {
	return `Lets two levels play many games and counts.

  lab levels --x unbeatable --o textbook --games 10000 --seed 7`
}

func (c *levelsCommand) Validate() error {
	if c.Games < 1 {
		return fmt.Errorf("--games: %d; at least 1", c.Games)
	}
	return nil
}

// tally counts games by outcome. Other programs read it as JSON, so the names of the fields must stay.
type tally struct {
	Games int `json:"games"`
	XWins int `json:"x_wins"`
	Draws int `json:"draws"`
	OWins int `json:"o_wins"`
}

func (c *levelsCommand) Run(s streams) error {
	rules := c.Rules
	solver, err := ai.NewSolver(rules)
	if err != nil && !errors.Is(err, ai.ErrUnsolved) { // some levels need no solver
		return err
	}
	bar := console.NewProgress(s.stderr)
	t, err := c.play(context.Background(), solver, bar.Of("played", "games"))
	bar.End()
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.stdout).Encode(struct {
			tally
			Rules string     `json:"rules"`
			X     ai.Level   `json:"x"`
			O     ai.Level   `json:"o"`
			Seed  uint64     `json:"seed"`
			XRate [2]float64 `json:"x_wins_95"`
			Drawn [2]float64 `json:"draws_95"`
			ORate [2]float64 `json:"o_wins_95"`
		}{t, rules.String(), c.X, c.O, c.Seed, wilson(t.XWins, t.Games), wilson(t.Draws, t.Games), wilson(t.OWins, t.Games)})
	}
	fmt.Fprintf(s.stdout, "%d games of %s, seed %d\n", t.Games, rules, c.Seed)
	for _, row := range []struct {
		who string
		n   int
	}{{"X wins  " + c.X.String(), t.XWins}, {"draws", t.Draws}, {"O wins  " + c.O.String(), t.OWins}} {
		i := wilson(row.n, t.Games)
		fmt.Fprintf(s.stdout, "  %-22s %8d  %5.1f %%  (95 %%: %.1f to %.1f)\n",
			row.who, row.n, 100*float64(row.n)/float64(t.Games), 100*i[0], 100*i[1])
	}
	return nil
}

// play plays all games, on all cores, and counts the outcomes. Each game has its own random numbers, so the order of the games does not
// matter.
func (c *levelsCommand) play(ctx context.Context, solver *ai.Solver, progress func(done, all int)) (tally, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var ended [game.Draw + 1]atomic.Int64 // number of games by outcome
	var work sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		work.Go(func() {
			x, err := c.player(c.X, solver)
			o, failed := c.player(c.O, solver)
			if err = cmp.Or(err, failed); err != nil {
				cancel(err)
				return
			}
			for i := next.Add(1); i <= int64(c.Games) && ctx.Err() == nil; i = next.Add(1) {
				outcome, err := c.playGame(ctx, x, o, uint64(i-1))
				if err != nil {
					cancel(err)
					return
				}
				ended[outcome].Add(1)
				progress(int(done.Add(1)), c.Games)
			}
		})
	}
	work.Wait()
	of := func(outcome game.Outcome) int { return int(ended[outcome].Load()) }
	return tally{c.Games, of(game.XWins), of(game.Draw), of(game.OWins)}, context.Cause(ctx)
}

// playGame plays one game. The same number and seed always give the same game.
func (c *levelsCommand) playGame(ctx context.Context, x, o player, number uint64) (game.Outcome, error) {
	x.random.Seed(c.Seed, 2*number)
	o.random.Seed(c.Seed, 2*number+1)
	return playOut(ctx, c.Rules, x, o)
}

// playOut lets two players play a game to its end.
func playOut(ctx context.Context, rules game.Rules, x, o game.Player) (game.Outcome, error) {
	record := game.NewRecord(game.Start(rules))
	for player, next := x, o; record.Outcome() == game.InProgress; player, next = next, player {
		square, err := player.Choose(ctx, record.Position())
		if err != nil {
			return game.InProgress, err
		}
		if record, err = record.Play(square); err != nil {
			return game.InProgress, err
		}
	}
	return record.Outcome(), nil
}

// player is an engine with its source of random numbers, which is seeded anew for each game.
type player struct {
	*ai.Engine
	random *rand.PCG
}

// player returns a player of the level. solver must be nil if the rules cannot be solved.
func (c *levelsCommand) player(level ai.Level, solver *ai.Solver) (p player, err error) {
	p.random = rand.NewPCG(0, 0)
	if solver == nil {
		p.Engine, err = ai.NewPlainEngine(level, c.Rules, p.random)
	} else {
		p.Engine, err = ai.NewEngine(level, solver, p.random)
	}
	return p, err
}

// wilson returns the 95 % confidence interval of the share n/of, by Wilson's score (1927).
func wilson(n, of int) [2]float64 {
	const z = 1.959964
	total := float64(of)
	p := float64(n) / total
	middle := (p + z*z/(2*total)) / (1 + z*z/total)
	spread := z / (1 + z*z/total) * math.Sqrt(p*(1-p)/total+z*z/(4*total*total))
	return [2]float64{max(0, middle-spread), min(1, middle+spread)}
}
