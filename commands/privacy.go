package commands

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

func (c *People) privacy(ctx context.Context, in *interaction) (bot.Reply, error) {
	held, err := c.Players.Held(ctx, in.by)
	if err != nil {
		return bot.Reply{}, err
	}
	return c.privately(ctx, in, view.Privacy(held, c.Pages), c.style(nil)), nil
}

// handleData handles the buttons under /tictactoe privacy, for the data of the user who pressed.
func (c *People) handleData(ctx context.Context, in *interaction, a view.PersonalData) (bot.Reply, error) {
	if a.Request == view.ExportData {
		return c.export(ctx, in)
	}
	return c.askErase(ctx, in)
}

// exportName is the name of the exported file.
const exportName = "tictactoe-data.json"

func (c *People) export(ctx context.Context, in *interaction) (bot.Reply, error) {
	elsewhere := c.notice(ctx, in, view.T("privacy.exported.elsewhere", nil))
	if in.NoFiles {
		return elsewhere, nil
	}
	p := in.by
	data, err := c.Players.Data(ctx, p)
	unreadable := errors.Is(err, match.ErrUnreadable)
	if err != nil && !unreadable {
		return bot.Reply{}, err
	}
	content, err := exported(p, data, in.Received, unreadable)
	if err != nil {
		return bot.Reply{}, err
	}
	components := encode(view.Exported(data.Held), c.private(ctx, in), c.style(nil))
	return bot.Reply{
		Kind: bot.Post, Private: true,
		Components: append(components, discordgo.FileComponent{File: discordgo.UnfurledMediaItem{URL: "attachment://" + exportName}}),
		Files:      []rest.File{{Name: exportName, Type: "application/json", Content: content}},
		Wordy:      elsewhere.Components,
	}, nil
}

func (c *People) askErase(ctx context.Context, in *interaction) (bot.Reply, error) {
	held, err := c.Players.Held(ctx, in.by)
	if err != nil {
		return bot.Reply{}, err
	}
	title, question := view.AskErase(held)
	return c.ask(ctx, in, view.PersonalData{Request: view.EraseData}, title, question), nil
}

// erase deletes all data about the user who has confirmed it.
func (c *People) erase(ctx context.Context, in *interaction, a view.PersonalData) (bot.Reply, error) {
	if a.Request != view.EraseData {
		return c.unknown(ctx, in)
	}
	if c.KeepSessions != nil {
		c.KeepSessions()
	}
	ended, err := c.Players.Erase(ctx, in.by, in.Received)
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	for _, id := range ended {
		c.Redraw.Enqueue(id)
	}
	return c.privately(ctx, in, view.Erased(), c.style(nil)), nil
}

// exported returns the file with all data about a player. It names no other users except blocked ones: their matches are their own
// data.
func exported(p match.User, data user.Data, now time.Time, incomplete bool) ([]byte, error) {
	settings := data.Settings
	body := object{
		always("exported", now.UTC()),
		optional("incomplete", incomplete), // some of it cannot be read
		always("player", p),
		optional("name", data.Name),
		always("settings", object{
			always("takes_challenges", !settings.NotTaking), always("turn_mentions", !settings.MentionsOff), always("text_boards", settings.TextBoard),
			always("shows_profile", !settings.Hidden), optional("language", settings.Language),
			always("blocked", append([]match.User{}, settings.Blocked...)), always("blocked_and_deleted_since", settings.Hashed),
		}),
		always("scores", each(data.Entries, exportScore)),
		always("ratings", each(data.Ratings, exportRating)),
		always("challenges", each(data.Challenged, func(ch match.Challenge) object { return exportChallenge(p, ch) })),
		always("back_offs", each(data.LeaveAlone, func(l user.LeaveAlone) object {
			return object{always("yours", l.Challenger == p), always("until", l.Until)}
		})),
		always("challenges_stored", data.Challenges),
		always("matches_stored", data.Matches),
		always("matches", each(data.Played, func(m user.Played) object { return exportMatch(p, m) })),
		always("deeds_stored", data.Held.AuditEntries),
		always("deeds_as_a_moderator", each(data.Did, func(d policy.AuditEntry) object {
			return object{
				always("id", d.ID), always("server", d.Venue), always("at", d.At), always("kind", d.Kind), optional("match", d.Match),
				optional("chosen", append([]string(nil), d.Chosen...)), optional("undoes", d.Undoes), // another of the deeds, by its id
			}
		})),
		always("seasons_begun", each(data.Seasons, func(s season.Season) object {
			return object{
				always("server", s.Venue), always("number", s.Number), always("name", s.Name), always("began", s.Began), optional("planned_end", s.Ends),
			}
		})),
		always("lessons_solved", each(data.Solved, func(l user.Lesson) object {
			return object{always("name", l.Name), always("solved", l.Solved)}
		})),
		always("puzzles_stored", data.Held.Puzzles),
		always("puzzles", each(data.Puzzles, func(a daily.Attempt) object {
			return object{
				always("day", a.Day.String()), always("started", a.Started),
				always("presses", a.Presses.String()), // a letter for each square, a for the first, and a ! after each that was wrong
				optional("solved", a.Solved),
			}
		})),
		always("listed_as_a_solver_of_puzzles_in", append([]match.Venue{}, data.Listed...)),
		always("private_lines", each(data.PrivateLines, func(l user.PrivateLine) object {
			return object{always("board", l.Board), always("can_be_deleted_until", l.Until)}
		})),
	}
	content, err := json.MarshalIndent(body, "", " ")
	return append(content, '\n'), err
}

func exportScore(e score.Entry) object {
	return object{
		optional("server", e.Venue), always("season", e.Season), always("rules", cmp.Or(e.Rules, "all")), always("against", against(e.Level)),
		always("wins", e.Wins), always("draws", e.Draws), always("losses", e.Losses),
		optional("fewest_moves_to_win", e.Fewest), optional("most_draws_without_a_loss", e.Longest),
	}
}

func exportRating(r user.Rating) object {
	return object{
		always("server", r.Venue), always("rules", r.Rules), always("season", r.Season),
		always("value", r.Rating.Value), always("deviation", r.Rating.Deviation), always("volatility", r.Rating.Volatility),
		always("last_match", r.Rating.At.UTC()), always("wins", r.Wins), always("draws", r.Draws), always("losses", r.Losses),
		always("different_opponents", r.Opponents),
	}
}

func exportChallenge(p match.User, ch match.Challenge) object {
	return object{
		always("id", ch.ID), optional("server", ch.Venue), always("sent", ch.From == p), always("rules", ch.Rules.String()),
		always("first", exportedFirst(ch.First)), // who was to begin
		always("turn_ms", ch.TurnTime.Milliseconds()), optional("casual", ch.Casual), always("status", ch.Status.String()),
		always("created", ch.Created), optional("deadline", ch.Deadline),
	}
}

func exportMatch(p match.User, m user.Played) object {
	mark := m.Seats.Mark(p)
	var rematch, review object
	if m.Rematch.State != match.NoRematch {
		rematch = object{
			always("offered_by_you", m.Rematch.By == p), optional("deadline", m.Rematch.Deadline),
			optional("match", m.Rematch.Next), // the match that followed
		}
	}
	if m.Judged {
		review = object{always("critical_moves", m.Review.Critical), always("errors", m.Review.Errors), always("came_back", m.Review.Recovered)}
	}
	var ended time.Time
	result, cause, voided := "open", "", ""
	if m.Result.Over() {
		ended, cause, result = m.Ended, m.Result.Cause.String(), exportedResult(m.Result, mark)
	}
	if m.Voided.Over() {
		voided = exportedResult(m.Voided, mark)
	}
	moves := []string{}
	for ply, at := range m.Moved {
		moves = append(moves, m.Position().Rules().Name(m.Record.Square(ply))+" "+at.UTC().Format(time.RFC3339Nano))
	}
	return object{
		always("id", m.ID), optional("server", m.Venue), always("rules", m.Position().Rules().String()),
		always("mark", mark.String()), // X begins
		optional("proposed", m.Proposer == mark), always("against", against(m.Seats.Level())),
		optional("turn_ms", m.TurnTime.Milliseconds()), always("created", m.Created),
		optional("deadline", m.Deadline), // of the side to move
		optional("ended", ended), always("result", result), optional("cause", cause), optional("result_before_it_was_voided", voided),
		optional("rated_weight", m.Stakes.Weight()), // what it counts, or will count once it is over
		optional("rating_after", m.Rating.Value), optional("deviation_after", m.Rating.Deviation), optional("volatility_after", m.Rating.Volatility),
		optional("opponent_rating_before", m.Other.Value), optional("opponent_deviation_before", m.Other.Deviation),
		optional("with_a_hint", m.Helped),
		always("moves", moves), // square and time
		optional("rematch", rematch), optional("review", review),
	}
}

// exportedFirst returns the word for the player who was to begin a match.
func exportedFirst(f match.First) string {
	switch f {
	case match.Me:
		return "challenger"
	case match.Them:
		return "challenged"
	default:
		return "random"
	}
}

// exportedResult returns the word for a result from the side of the player with that mark.
func exportedResult(r match.Result, mark game.Mark) string {
	switch {
	case !r.Counts():
		return "none"
	case r.Outcome.Winner() == mark:
		return "won"
	case r.Outcome.Winner() == mark.Opponent():
		return "lost"
	default:
		return "drawn"
	}
}

// against returns the kind of opponent, without naming users.
func against(level string) string {
	if level == "" {
		return "a player"
	}
	return "computer " + level
}

// object is a JSON object whose members keep their order.
type object []member

// member is one value of an object. An optional one is left out if it is zero.
type member struct {
	name     string
	value    any
	optional bool
}

func always(name string, value any) member { return member{name, value, false} }

func optional(name string, value any) member { return member{name, value, true} }

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range o {
		if m.optional && reflect.ValueOf(m.value).IsZero() {
			continue
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", m.name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
