package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// errWhich means that the command line must name a server, a season or a player more precisely.
var errWhich = errors.New("say which")

// atServer has the flags of the commands ladder and profile, which show data of one server.
type atServer struct {
	databaseFlag
	Server string `placeholder:"ID" help:"The server, by its id at Discord. Needed if there are ladders of several."`
}

// read opens the database for reading, calls show with the reader and the server that the flags name, and closes the database.
func (a atServer) read(ctx context.Context, s surroundings, show func(ctx context.Context, r *sqlite.Reader, at match.Venue) error) error {
	db, err := a.path(s)
	if err != nil {
		return err
	}
	return byKind(db, sqlite.Look, postgres.Look)(ctx, db, func(ctx context.Context, r *sqlite.Reader) error {
		at, err := a.venue(ctx, r)
		if err != nil {
			return err
		}
		return show(ctx, r, at)
	})
}

// venue returns the server that the flag names or, without the flag, the only server that has ladders.
func (a atServer) venue(ctx context.Context, r *sqlite.Reader) (match.Venue, error) {
	if a.Server != "" {
		return match.Venue(a.Server), nil
	}
	ladders, err := r.Ladders(ctx)
	if err != nil {
		return "", err
	}
	var servers []string
	for _, l := range ladders {
		servers = append(servers, string(l.Venue))
	}
	switch servers = slices.Compact(servers); len(servers) {
	case 0:
		return "", fmt.Errorf("nobody stands on a ladder of any server yet; to see others, %w server with --server", errWhich)
	case 1:
		return match.Venue(servers[0]), nil
	default:
		return "", fmt.Errorf("there are ladders of %d servers: %w with --server: %s", len(servers), errWhich, shortList(servers))
	}
}

// shortList joins the elements with commas. Of a long list it shows only the first elements.
func shortList(all []string) string {
	const most = 20
	words := printable.Line(strings.Join(all[:min(len(all), most)], ", "), 1000)
	if len(all) > most {
		words += fmt.Sprintf(" and %d more", len(all)-most)
	}
	return words
}

type ladderCommand struct {
	atServer
	Board game.Rules `default:"classic" placeholder:"B" help:"The board: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Top   int        `default:"100" placeholder:"N" help:"How many players, from the first (${default})."`
	// Season is the number or the name of a season.
	Season string `placeholder:"N|NAME" help:"The season: its number, 0 for what was played before the first one, or its name (default: the one that goes on)."`
	JSON   bool   `name:"json" help:"One JSON object."`
}

func (ladderCommand) Help() string {
	return `As /tictactoe leaderboard shows it by rating: those with a rank come first, then those whose rating is not known well enough for one.

  tictactoe ladder
  tictactoe ladder --server 662988600115200000 --board drop --json
  tictactoe ladder --season Winter`
}

// ratedPlayer is a player on a ladder. Other programs read it as JSON, so the names of the fields must stay.
type ratedPlayer struct {
	Board       string  `json:"board"`
	Rank        int     `json:"rank"` // 0 if the player has no rank
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Rating      float64 `json:"rating"`
	Deviation   float64 `json:"deviation"`
	Provisional bool    `json:"provisional"`
	score.Tally
	Opponents int `json:"opponents"`
}

func ratedAs(board game.Rules, r ladder.Row) ratedPlayer {
	if !r.Ranked() {
		r.Rank = 0
	}
	return ratedPlayer{
		board.Title(), r.Rank, string(r.Player), r.Name, r.Rating.Value, r.Rating.Deviation, r.Rating.Provisional(), r.Tally, r.Opponents,
	}
}

// Validate refuses rule sets that have no ladder, and a number of players below one.
func (c *ladderCommand) Validate() error {
	if _, offered := game.OnOffer(c.Board.Title()); !offered {
		return fmt.Errorf("--board: there are no ladders of %s; there are of %s", c.Board, strings.Join(game.OfferedNames(), ", "))
	}
	if c.Top < 1 {
		return fmt.Errorf("--top: %d; it is 1 or more", c.Top)
	}
	return nil
}

func (c *ladderCommand) Run(ctx context.Context, s surroundings) error {
	return c.read(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		seasons, err := r.Seasons(ctx, at)
		if err != nil {
			return err
		}
		seasons = season.WithPreseason(seasons)
		shown := view.TurnLeaderboard{Of: view.ByRating, Rules: c.Board.Title()}
		number := season.Latest
		if c.Season != "" {
			if number, err = c.season(seasons, at); err != nil {
				return err
			}
			shown.Season = strconv.Itoa(number)
		}
		all := ladder.Page{Page: 1, Pages: 1}
		for n, pages := 1, 1; n <= pages && len(all.Rows) < c.Top; n++ {
			page, err := r.Ladder(ctx, at, c.Board, number, score.Where{Page: n}, "")
			if err != nil {
				return err
			}
			pages, all.Stale, all.Players, all.Rows = page.Pages, page.Stale, page.Players, append(all.Rows, page.Rows...)
		}
		all.Rows = all.Rows[:min(len(all.Rows), c.Top)]
		if !c.JSON {
			return printScreen(s, view.Ratings(shown, all, view.Asking{Seasons: seasons}))
		}
		players := []ratedPlayer{}
		for _, row := range all.Rows {
			players = append(players, ratedAs(c.Board, row))
		}
		return writeJSON(s.stdout, map[string]any{"server": at, "board": c.Board.String(), "stale": all.Stale, "players": players})
	})
}

// printScreen prints a screen in the language of the terminal.
func printScreen(s surroundings, screen view.Screen) error {
	g, err := newGame(s)
	if err != nil {
		return err
	}
	return g.PrintLines(screen)
}

// season returns the number of the season that the flag selects among all.
func (c *ladderCommand) season(all []season.Season, at match.Venue) (int, error) {
	found, is := season.Named(all, c.Season)
	if !is {
		return 0, fmt.Errorf("server %s has had no season %s: %w with --season, by its number or its name",
			printable.Line(string(at), 40), printable.Line(c.Season, 60), errWhich)
	}
	return found.Number, nil
}
