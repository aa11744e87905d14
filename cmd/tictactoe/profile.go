package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/file/printable"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/sqlite"
)

type profileCommand struct {
	atServer
	Player string `required:"" placeholder:"ID|NAME" help:"The player: the id at Discord, or the name as the bot last saw it."`
}

func (profileCommand) Help() string {
	return `The ratings on each board, what was won, drawn and lost at the server, streaks, accuracy, first moves, badges, and the last ten games there.

  tictactoe profile --player Alice
  tictactoe profile --server 662988600115200000 --player 1001 --json`
}

// maxGames is how many of the last games a profile lists.
const maxGames = 10

// record is what somebody has played against people or a level. The names are read by programs.
type record struct {
	Against string `json:"against"`
	score.Tally
}

// playedGame is a game that has ended.
type playedGame struct {
	ID       string  `json:"id"`
	Ended    string  `json:"ended"`
	Board    string  `json:"board"`
	Opponent string  `json:"opponent"` // an id, or a level
	Called   string  `json:"called"`   // the opponent's name
	Outcome  string  `json:"outcome"`  // won, drawn or lost; void without one
	Cause    string  `json:"cause"`
	Rating   float64 `json:"rating,omitempty"` // after it, of a rated one
	Gain     int     `json:"gain,omitempty"`
}

// playerReport is all that is printed of a player.
type playerReport struct {
	Server  match.Venue   `json:"server"`
	ID      match.User    `json:"id"`
	Name    string        `json:"name"`
	Ratings []ratedPlayer `json:"ratings"`
	Record  []record      `json:"record"`
	played
	Games []playedGame `json:"games"`
}

// played is how somebody has played, as the bot's profiles say it. The names are read by programs.
type played struct {
	AsX        score.Tally    `json:"as_x"` // against people
	AsO        score.Tally    `json:"as_o"`
	Streak     int            `json:"winning_streak"`
	BestStreak int            `json:"best_winning_streak"`
	Reviewed   profile.Judged `json:"reviewed"`           // in all matches with critical moves
	Accuracy   float64        `json:"accuracy,omitempty"` // only from enough matches on
	Openings   []opening      `json:"openings"`           // first moves as X
	Beaten     []string       `json:"levels_beaten"`
	Badges     []string       `json:"badges"`
}

// opening is a first move, up to symmetry.
type opening struct {
	Board string `json:"board"`
	Where string `json:"where"`
	score.Tally
}

func tallyWords(t score.Tally) string {
	return fmt.Sprintf("%d won, %d drawn, %d lost", t.Wins, t.Draws, t.Losses)
}

// zoneWords say where on a board a first move is, and on which squares that are the same by symmetry.
func zoneWords(o profile.Opening) string {
	switch left, right := o.Zone.Columns(o.Rules); {
	case o.Zone.Kind != profile.OfColumn:
		return [...]string{profile.OfCorner: "corner", profile.OfEdge: "edge", profile.OfInside: "near the center", profile.OfCentre: "center"}[o.Zone.Kind]
	case left == right:
		return "column " + left
	default:
		return "columns " + left + " and " + right
	}
}

func playedBy(r profile.Record) played {
	p := played{
		AsX: r.People.Tally(game.X), AsO: r.People.Tally(game.O), Reviewed: r.Reviewed(), Openings: []opening{}, Badges: []string{},
		Beaten: append([]string{}, r.Beaten(ai.LevelNames())...),
	}
	p.Reviewed.Perfect, p.Reviewed.Comebacks = r.Earnest().Perfect, r.Earnest().Comebacks
	p.Streak, p.BestStreak = r.People.Streak(score.Win)
	p.Accuracy, _ = p.Reviewed.Accuracy()
	for _, o := range r.Favourites() {
		p.Openings = append(p.Openings, opening{o.Rules.Title(), zoneWords(o), o.Tally})
	}
	for _, b := range r.Badges() {
		p.Badges = append(p.Badges, b.String())
	}
	return p
}

// lines say the same.
func (p played) lines() (lines []string) {
	if p.AsX != (score.Tally{}) || p.AsO != (score.Tally{}) {
		lines = append(lines, fmt.Sprintf("as X against people: %s; as O: %s", tallyWords(p.AsX), tallyWords(p.AsO)),
			fmt.Sprintf("winning streak: %d now, %d at best", p.Streak, p.BestStreak))
	}
	if r := p.Reviewed; r.Matches >= profile.MinReviewed {
		lines = append(lines, fmt.Sprintf("accuracy: %.1f %% in %d reviewed games (%d of %d critical moves right)",
			100*p.Accuracy, r.Matches, r.Critical-r.Errors, r.Critical))
	} else {
		lines = append(lines, fmt.Sprintf("accuracy: after %d more reviewed games with critical moves", profile.MinReviewed-r.Matches))
	}
	for _, o := range p.Openings {
		lines = append(lines, fmt.Sprintf("first move as X on %s, %s: %s", o.Board, o.Where, tallyWords(o.Tally)))
	}
	if len(p.Beaten) > 0 {
		lines = append(lines, "levels beaten: "+strings.Join(p.Beaten, ", "))
	}
	if len(p.Badges) > 0 {
		lines = append(lines, "badges: "+strings.Join(p.Badges, ", "))
	}
	return lines
}

func (c *profileCommand) Run(ctx context.Context, s surroundings) error {
	return c.look(ctx, s, func(ctx context.Context, r *sqlite.Reader, at match.Venue) error {
		found, err := r.Called(ctx, at, c.Player)
		if err != nil {
			return err
		}
		switch len(found) {
		case 0:
			return fmt.Errorf("nobody called %q, and nobody with that id, has finished a game at server %s: %w with the id, which "+
				"`tictactoe ladder --json` lists, or name another --server", printable.Line(c.Player, 40), printable.Line(string(at), 40), errWhich)
		case 1:
		default:
			var ids []string
			for _, n := range found {
				ids = append(ids, string(n.Player))
			}
			return fmt.Errorf("%d players are called %q: %w with --player and the id: %s", len(found), printable.Line(c.Player, 40), errWhich, some(ids))
		}
		p, err := profileOf(ctx, r, at, found[0])
		if err != nil {
			return err
		}
		if c.JSON {
			return writeJSON(s.stdout, p)
		}
		p.print(s.stdout)
		return nil
	})
}

func profileOf(ctx context.Context, r *sqlite.Reader, at match.Venue, who match.Name) (playerReport, error) {
	p := playerReport{Server: at, ID: who.Player, Name: who.Name, Ratings: []ratedPlayer{}, Record: []record{}, Games: []playedGame{}}
	seasons, err := r.Seasons(ctx, at)
	if err != nil {
		return p, err
	}
	standings, err := ladder.StandingsNow(ctx, r, at, who.Player, seasons)
	if err != nil {
		return p, err
	}
	for _, rules := range slices.Sorted(maps.Keys(standings)) {
		board := rules
		if known, err := game.ParseRules(rules); err == nil {
			board = known.Title()
		}
		p.Ratings = append(p.Ratings, ratedAs(board, standings[rules]))
	}
	entries, err := r.Own(ctx, who.Player)
	if err != nil {
		return p, err
	}
	for _, e := range entries {
		if e.Venue == at {
			p.Record = append(p.Record, record{cmp.Or(e.Level, "people"), e.Tally})
		}
	}
	known, err := r.Record(ctx, profile.Scope{Venue: at}, who.Player)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return p, err
	}
	p.played = playedBy(known)
	matches, err := r.EndedMatches(ctx, who.Player, time.Time{})
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return p, err
	}
	slices.Reverse(matches)
	for _, m := range matches {
		if m.Venue != at || len(p.Games) == maxGames {
			continue
		}
		changes, err := r.Changes(ctx, m.ID)
		if err != nil {
			return p, err
		}
		g := gameOf(m, who.Player, changes)
		names, err := r.Names(ctx, match.User(g.Opponent))
		if err != nil {
			return p, err
		}
		g.Called = names[match.User(g.Opponent)]
		p.Games = append(p.Games, g)
	}
	return p, nil
}

func gameOf(m match.Match, p match.User, changes []ladder.Change) playedGame {
	mark := m.Seats.Mark(p)
	other := m.Seats.Of(mark.Opponent())
	g := playedGame{
		ID: string(m.ID), Ended: m.Ended.UTC().Format(time.RFC3339), Board: m.Position().Rules().Title(),
		Opponent: string(other.Player) + other.Level, Cause: m.Result.Cause.String(), Outcome: "void",
	}
	if m.Result.Counts() {
		g.Outcome = map[float64]string{rating.Win: "won", rating.Draw: "drawn", rating.Loss: "lost"}[ladder.Score(m, mark)]
	}
	for _, c := range changes {
		if c.Player == p {
			g.Rating, g.Gain = c.After.Value, c.Gain()
		}
	}
	return g
}

func (p playerReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s (%s) at server %s\n", nameWords(p.Name, string(p.ID)), printable.Line(string(p.ID), 40), printable.Line(string(p.Server), 40))
	if len(p.Ratings) > 0 {
		t := table{{"board", "rank", "rating", "RD", "W", "D", "L", "opponents"}}
		for _, r := range p.Ratings {
			t = append(t, append([]string{r.Board, rankWords(r.Rank)}, ratingWords(r.row)...))
		}
		fmt.Fprintln(w)
		t.print(w, 0)
	}
	t := table{{"against", "W", "D", "L"}}
	for _, r := range p.Record {
		t = append(t, []string{r.Against, fmt.Sprint(r.Wins), fmt.Sprint(r.Draws), fmt.Sprint(r.Losses)})
	}
	fmt.Fprintln(w)
	t.print(w, 0)
	fmt.Fprintln(w)
	for _, line := range p.lines() {
		fmt.Fprintln(w, line)
	}
	if len(p.Games) == 0 {
		return
	}
	t = table{{"ended", "board", "opponent", "result", "rating"}}
	for _, g := range p.Games {
		change := "-"
		if g.Rating != 0 {
			change = fmt.Sprintf("%.0f (%+d)", g.Rating, g.Gain)
		}
		t = append(t, []string{g.Ended, g.Board, nameWords(g.Called, g.Opponent), g.Outcome + " by " + g.Cause, change})
	}
	fmt.Fprintln(w)
	t.print(w, 0, 1, 2, 3)
}
