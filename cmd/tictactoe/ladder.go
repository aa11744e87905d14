package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
	"tictactoe/store/postgres"
	"tictactoe/store/sqlite"
)

// errWhich says that there are several of what was asked for, or none.
var errWhich = errors.New("say which")

// atServer are the flags of the commands about one server: ladder, profile and best.
type atServer struct {
	databaseFlag
	Server string `placeholder:"ID" help:"The server, by its id at Discord. Needed if there are ladders of several."`
	JSON   bool   `name:"json" help:"One JSON object."`
}

// look lets do read the database.
func (a atServer) look(ctx context.Context, s surroundings, do func(ctx context.Context, r *sqlite.Reader, at match.Venue) error) error {
	db, err := a.path(s)
	if err != nil {
		return err
	}
	return byKind(db, sqlite.Look, postgres.Look)(ctx, db, func(ctx context.Context, r *sqlite.Reader) error {
		at, err := a.venue(ctx, r)
		if err != nil {
			return err
		}
		return do(ctx, r, at)
	})
}

// venue is the server that is meant: the only one, if none is named.
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
		return "", fmt.Errorf("there are ladders of %d servers: %w with --server: %s", len(servers), errWhich, some(servers))
	}
}

// some are the first of many.
func some(all []string) string {
	const most = 20
	words := printable.Line(strings.Join(all[:min(len(all), most)], ", "), 1000)
	if len(all) > most {
		words += fmt.Sprintf(" and %d more", len(all)-most)
	}
	return words
}

type ladderCommand struct {
	atServer
	Board ruleSet `default:"classic" placeholder:"B" help:"The board: a name (${rulenames}) or such as 5x4x4+gravity (${default})."`
	Top   int     `default:"100" placeholder:"N" help:"How many players, from the first (${default})."`
	// Season is a number or a name.
	Season string `placeholder:"N|NAME" help:"The season: its number, 0 for what was played before the first one, or its name (default: the one that goes on)."`
}

func (ladderCommand) Help() string {
	return `Those with a rank come first, then those whose rating is not known well enough for one. A "?" stands behind a rating of which little is known; RD is its deviation: the strength lies within twice that with 95 % confidence.

  tictactoe ladder
  tictactoe ladder --server 662988600115200000 --board drop --json
  tictactoe ladder --season Winter`
}

// ratedPlayer is a line of a ladder, or of a profile. The names are read by programs.
type ratedPlayer struct {
	Board       string  `json:"board"`
	Rank        int     `json:"rank"` // 0 without one
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Rating      float64 `json:"rating"`
	Deviation   float64 `json:"deviation"`
	Provisional bool    `json:"provisional"`
	score.Tally
	Opponents int `json:"opponents"`
	row       ladder.Row
}

func ratedAs(board string, r ladder.Row) ratedPlayer {
	return ratedPlayer{
		board, r.Rank, string(r.Player), r.Name, r.Rating.Value, r.Rating.Deviation, r.Rating.Provisional(), r.Tally, r.Opponents, r,
	}
}

// Validate refuses to show nobody.
func (c *ladderCommand) Validate() error {
	if c.Top < 1 {
		return fmt.Errorf("--top: %d; it is 1 or more", c.Top)
	}
	return nil
}

func (c *ladderCommand) Run(ctx context.Context, s surroundings) error {
	return c.look(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		which, err := c.season(ctx, r, at)
		if err != nil {
			return err
		}
		players := []ratedPlayer{}
		stale := false
		for n, pages := 1, 1; n <= pages && len(players) < c.Top; n++ {
			page, err := r.Ladder(ctx, at, c.Board.Rules, which, score.Where{Page: n}, "")
			if err != nil {
				return err
			}
			pages, stale = page.Pages, page.Stale
			for _, row := range page.Rows {
				players = append(players, ratedAs(c.Board.Rules.Title(), row))
			}
		}
		players = players[:min(len(players), c.Top)]
		if c.JSON {
			return writeJSON(s.stdout, map[string]any{"server": at, "board": c.Board.Rules.String(), "stale": stale, "players": players})
		}
		if len(players) == 0 {
			when := "yet"
			if which != season.Latest {
				when = fmt.Sprint("in season ", which)
			}
			_, err := fmt.Fprintf(s.stdout, "Nobody is rated on %s at server %s %s.\n", c.Board.Rules.Title(), printable.Line(string(at), 40), when)
			return err
		}
		t := table{{"rank", "player", "rating", "RD", "W", "D", "L", "opponents"}}
		for _, p := range players {
			t = append(t, append([]string{rankWords(p.Rank), nameWords(p.Name, p.ID)}, ratingWords(p.row)...))
		}
		t.print(s.stdout, 1)
		if stale {
			fmt.Fprintln(s.stdout, "\nIt is being worked out again; the bot goes on with that.")
		}
		return nil
	})
}

// season is the number of the season that is meant.
func (c *ladderCommand) season(ctx context.Context, r *sqlite.Reader, at match.Venue) (int, error) {
	if c.Season == "" {
		return season.Latest, nil
	}
	all, err := r.Seasons(ctx, at)
	if err != nil {
		return 0, err
	}
	all = season.WithPreseason(all)
	if found, is := season.Named(all, c.Season); is {
		return found.Number, nil
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("there are no seasons at server %s: %w without --season", printable.Line(string(at), 40), errWhich)
	}
	var there []string
	for _, s := range all {
		words := fmt.Sprint(s.Number)
		if s.Name != "" {
			words += " (" + s.Name + ")"
		}
		there = append(there, words)
	}
	return 0, fmt.Errorf("there is no season %s: %w with --season: %s", printable.Line(c.Season, 60), errWhich, some(there))
}

func rankWords(rank int) string {
	if rank == 0 {
		return "-"
	}
	return fmt.Sprint(rank)
}

func nameWords(name, id string) string {
	return printable.Line(cmp.Or(name, id), 40)
}

func ratingWords(r ladder.Row) []string {
	return []string{
		view.RatingText(r.Rating), fmt.Sprintf("%.0f", r.Rating.Deviation), fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses), fmt.Sprint(r.Opponents),
	}
}

// table is printed with its columns one below the other, also in scripts whose characters are two wide.
type table [][]string

// print prints the table. The columns with these numbers hold words and are aligned left; all others hold numbers and are aligned
// right.
func (t table) print(w io.Writer, words ...int) {
	wide := make([]int, len(t[0]))
	for _, row := range t {
		for i, cell := range row {
			wide[i] = max(wide[i], lipgloss.Width(cell))
		}
	}
	for _, row := range t {
		var line strings.Builder
		for i, cell := range row {
			room := strings.Repeat(" ", wide[i]-lipgloss.Width(cell))
			if slices.Contains(words, i) {
				line.WriteString(cell + room + "  ")
			} else {
				line.WriteString(room + cell + "  ")
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
