package main

import (
	"context"
	"fmt"
	"time"

	"tictactoe/ai"
	"tictactoe/commands"
	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/show/view"
	"tictactoe/store/sqlite"
)

type profileCommand struct {
	atServer
	Player string `required:"" placeholder:"ID|NAME" help:"The player: the id at Discord, or the name as the bot last saw it."`
}

func (profileCommand) Help() string {
	return `As /tictactoe profile shows it: the ratings on each board, what was won, drawn and lost at the server, streaks, accuracy, first moves, badges, and the latest games there.

  tictactoe profile --player Alice
  tictactoe profile --server 662988600115200000 --player 1001 --json`
}

func (c *profileCommand) Run(ctx context.Context, s surroundings) error {
	return c.look(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		who, err := c.find(ctx, r, at)
		if err != nil {
			return err
		}
		seasons, err := r.Seasons(ctx, at)
		if err != nil {
			return err
		}
		p, err := commands.LoadProfile(ctx, r, r, profile.Scope{Venue: at}, who.Player, seasons)
		if err != nil {
			return err
		}
		people := []match.User{who.Player}
		for _, m := range p.Record.Last {
			people = append(people, m.Seats.Players()...)
		}
		names, err := r.Names(ctx, people...)
		if err != nil {
			return err
		}
		if !c.JSON {
			return printScreen(s, view.OfProfile(p, names))
		}
		report, err := reportOn(ctx, r, p, names)
		if err != nil {
			return err
		}
		return writeJSON(s.stdout, report)
	})
}

// find returns the one player who is called so, or has that id.
func (c *profileCommand) find(ctx context.Context, r *sqlite.Reader, at match.Venue) (match.Name, error) {
	found, err := r.Called(ctx, at, c.Player)
	switch {
	case err != nil:
		return match.Name{}, err
	case len(found) == 0:
		return match.Name{}, fmt.Errorf("nobody called %q, and nobody with that id, has finished a game at server %s: %w with the id, which "+
			"`tictactoe ladder --json` lists, or name another --server", printable.Line(c.Player, 40), printable.Line(string(at), 40), errWhich)
	case len(found) > 1:
		var ids []string
		for _, n := range found {
			ids = append(ids, string(n.Player))
		}
		return match.Name{}, fmt.Errorf("%d players are called %q: %w with --player and the id: %s", len(found), printable.Line(c.Player, 40), errWhich, some(ids))
	}
	return found[0], nil
}

// playerReport is a profile. The names are read by programs.
type playerReport struct {
	Server     match.Venue    `json:"server"`
	ID         match.User     `json:"id"`
	Name       string         `json:"name"`
	Ratings    []ratedPlayer  `json:"ratings"`
	Record     []record       `json:"record"`
	AsX        score.Tally    `json:"as_x"` // against people
	AsO        score.Tally    `json:"as_o"`
	Streak     int            `json:"winning_streak"`
	BestStreak int            `json:"best_winning_streak"`
	Reviewed   profile.Judged `json:"reviewed"`           // in all matches with critical moves
	Accuracy   float64        `json:"accuracy,omitempty"` // only from enough matches on
	Beaten     []string       `json:"levels_beaten"`
	Badges     []string       `json:"badges"`
	Games      []playedGame   `json:"games"` // the latest first
}

// record is what a player has played against people or a level.
type record struct {
	Against string `json:"against"`
	score.Tally
}

// playedGame is a game that has ended.
type playedGame struct {
	ID       match.ID `json:"id"`
	Ended    string   `json:"ended"`
	Board    string   `json:"board"`
	Opponent string   `json:"opponent"` // an id, or a level
	Called   string   `json:"called"`   // the opponent's name
	Outcome  string   `json:"outcome"`  // won, drawn or lost
	Cause    string   `json:"cause"`
	Rating   float64  `json:"rating,omitempty"` // after it, of a rated one
	Gain     int      `json:"gain,omitempty"`
}

func reportOn(ctx context.Context, r *sqlite.Reader, p view.Profile, names view.Names) (playerReport, error) {
	known := p.Record
	report := playerReport{
		Server: p.In.Venue, ID: p.Player, Name: names[p.Player], Ratings: []ratedPlayer{}, Record: []record{},
		AsX: known.People.Tally(game.X), AsO: known.People.Tally(game.O), Reviewed: known.Reviewed(),
		Beaten: append([]string{}, known.Beaten(ai.LevelNames())...), Badges: []string{}, Games: []playedGame{},
	}
	if len(known.People) > 0 {
		report.Record = append(report.Record, record{"people", known.People.Tally(game.None)})
	}
	report.Streak, report.BestStreak = known.People.Streak(score.Win)
	report.Accuracy, _ = report.Reviewed.Accuracy()
	for _, rules := range p.Standings.Rules() {
		report.Ratings = append(report.Ratings, ratedAs(rules, p.Standings[rules.String()]))
	}
	for _, level := range ai.LevelNames() {
		if results, played := known.Computers[level]; played {
			report.Record = append(report.Record, record{level, results.Tally(game.None)})
		}
	}
	for _, b := range known.Badges() {
		report.Badges = append(report.Badges, b.String())
	}
	for _, m := range known.Last {
		mark := m.Seats.Mark(p.Player)
		other := m.Seats.Of(mark.Opponent())
		g := playedGame{
			ID: m.ID, Ended: m.Ended.UTC().Format(time.RFC3339), Board: m.Position().Rules().Title(),
			Opponent: string(other.Player) + other.Level, Called: names[other.Player], Cause: m.Result.Cause.String(),
			Outcome: map[float64]string{rating.Win: "won", rating.Draw: "drawn", rating.Loss: "lost"}[ladder.Score(m, mark)],
		}
		changes, err := r.Changes(ctx, m.ID)
		if err != nil {
			return report, err
		}
		for _, c := range changes {
			if c.Player == p.Player {
				g.Rating, g.Gain = c.After.Value, c.Gain()
			}
		}
		report.Games = append(report.Games, g)
	}
	return report, nil
}
