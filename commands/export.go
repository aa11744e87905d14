package commands

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

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

// object is a JSON object, whose members keep their order.
type object []member

// member is a member of an object. An optional member is left out if its value is zero or an empty list.
type member struct {
	name     string
	value    any
	optional bool
}

// MarshalJSON returns the object in JSON.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	separator := "{"
	for _, m := range o {
		if v := reflect.ValueOf(m.value); m.optional && (v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) {
			continue
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%s%q:%s", separator, m.name, value)
		separator = ","
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// always and ifSet return a member that the file always has, or only if its value is not zero.
func always(name string, value any) member { return member{name: name, value: value} }
func ifSet(name string, value any) member  { return member{name: name, value: value, optional: true} }

// exported returns the content of the file with all data about a player. It names no other users except blocked ones, because the player has
// no right to the data of others. incomplete says that some of the data cannot be read.
func exported(p match.User, data user.Data, now time.Time, incomplete bool) ([]byte, error) {
	content, err := json.MarshalIndent(slices.Concat(object{
		always("exported", now.UTC()), ifSet("incomplete", incomplete), always("player", p), ifSet("name", data.Name),
		always("settings", object{
			always("takes_challenges", !data.Settings.NotTaking), always("turn_mentions", !data.Settings.MentionsOff),
			always("text_boards", data.Settings.TextBoard), always("shows_profile", !data.Settings.Hidden),
			ifSet("language", data.Settings.Language), always("blocked", append([]match.User{}, data.Settings.Blocked...)),
			always("blocked_and_deleted_since", data.Settings.Hashed),
		}),
	}, exportedPlay(p, data), exportedActivity(p, data)), "", " ")
	return append(content, '\n'), err
}

// exportedPlay returns the members about the player's matches and challenges, and about what they count for.
func exportedPlay(p match.User, data user.Data) object {
	return object{
		always("scores", each(data.Entries, func(e score.Entry) object {
			return object{
				ifSet("server", e.Venue), always("season", e.Season), always("rules", cmp.Or(e.Rules, "all")), always("against", against(e.Level)),
				always("wins", e.Wins), always("draws", e.Draws), always("losses", e.Losses),
				ifSet("fewest_moves_to_win", e.Fewest), ifSet("most_draws_without_a_loss", e.Longest),
			}
		})),
		always("ratings", each(data.Ratings, func(r user.Rating) object {
			return object{
				always("server", r.Venue), always("rules", r.Rules), always("season", r.Season),
				always("value", r.Rating.Value), always("deviation", r.Rating.Deviation), always("volatility", r.Rating.Volatility),
				always("last_match", r.Rating.At.UTC()), always("wins", r.Wins), always("draws", r.Draws), always("losses", r.Losses),
				always("different_opponents", r.Opponents),
			}
		})),
		always("challenges", each(data.Challenged, func(ch match.Challenge) object {
			return object{
				always("id", ch.ID), ifSet("server", ch.Venue), always("sent", ch.From == p),
				ifSet("to_anybody", ch.Open()), // and nobody has accepted it
				always("rules", ch.Rules.String()), always("first", exportedFirst[ch.First]), always("turn_ms", ch.TurnTime.Milliseconds()),
				ifSet("casual", ch.Casual), ifSet("best_of", ch.BestOf), always("status", ch.Status.String()), always("created", ch.Created),
				ifSet("deadline", ch.Deadline),
			}
		})),
		always("back_offs", each(data.LeaveAlone, func(l user.LeaveAlone) object {
			return object{always("yours", l.Challenger == p), always("until", l.Until)}
		})),
		always("challenges_stored", data.Challenges), always("matches_stored", data.Matches),
		always("matches", each(data.Played, func(m user.Played) object { return exportedMatch(p, m) })),
	}
}

// exportedActivity returns the members about lessons, puzzles, arenas, matches of channels, roles and a moderator's actions, and about the
// decisions of servers on the player.
func exportedActivity(p match.User, data user.Data) object {
	return object{
		always("deeds_stored", data.Held.AuditEntries),
		always("deeds_as_a_moderator", each(data.Did, func(d policy.AuditEntry) object {
			return object{
				always("id", d.ID), always("server", d.Venue), always("at", d.At), always("kind", d.Kind), ifSet("match", d.Match),
				ifSet("chosen", d.Chosen), ifSet("undoes", d.Undoes), // the id of another entry
			}
		})),
		always("seasons_begun", each(data.Seasons, func(s season.Season) object {
			return object{
				always("server", s.Venue), always("number", s.Number), always("name", s.Name), always("began", s.Began), ifSet("planned_end", s.Ends),
			}
		})),
		always("lessons_solved", each(data.Solved, func(l user.Lesson) object {
			return object{always("name", l.Name), always("solved", l.Solved)}
		})),
		always("puzzles_stored", data.Held.Puzzles),
		always("puzzles", each(data.Puzzles, func(a daily.Attempt) object {
			return object{
				always("day", a.Day.String()), always("started", a.Started),
				always("presses", a.Presses.String()), // a letter for each pressed square, a for the first square, with a ! after a wrong one
				ifSet("solved", a.Solved),
			}
		})),
		always("listed_as_a_solver_of_puzzles_in", append([]match.Venue{}, data.Listed...)),
		always("private_lines", each(data.PrivateLines, func(l user.PrivateLine) object {
			return object{always("board", l.Board), always("can_be_deleted_until", l.Until)}
		})),
		always("arenas_hosted", each(data.Hosted, func(a arena.Arena) object {
			return object{
				always("id", a.ID), always("server", a.Venue), always("channel", a.Channel), ifSet("name", a.Name),
				always("created", a.Created), always("begins", a.Begins), ifSet("ends", a.Ends),
			}
		})),
		always("arenas_entered", each(data.Entered, func(e user.Entered) object {
			return object{
				always("arena", e.Arena), always("joined", e.Joined), always("last_joined_or_resumed", e.Since), always("state", e.State.String()),
			}
		})),
		always("crowds_stored", data.Held.Crowds),
		always("matches_of_channels", each(data.Crowds, func(m match.Match) object { return exportedCrowd(p, m) })),
		always("roles_for_ranks", each(data.Granted, func(g rankrole.Grant) object {
			return object{always("server", g.Venue), always("role", g.Role), always("state", g.State), always("since", g.At)}
		})),
		always("barred_from_playing", each(data.Barred, func(b policy.Bar) object {
			return object{
				always("server", b.Venue), // empty: everywhere
				ifSet("until", b.Until),
			}
		})),
		always("off_the_leaderboards_of", append([]match.Venue{}, data.Unranked...)),
		always("asked_whether_a_member_of", append([]match.Venue{}, data.Members...)),
	}
}

// exportedCrowd returns a match of a channel: for the side of which mark and for which square the player has voted.
func exportedCrowd(p match.User, m match.Match) object {
	var side, vote string
	for _, v := range m.Votes {
		if v.By != p {
			continue
		}
		side = v.Side.String()
		if v.Since > 0 { // the player votes now
			vote = m.Position().Rules().Name(v.Square)
		}
	}
	return object{
		always("id", m.ID), ifSet("server", m.Venue), always("channel", m.Place), always("started_by_you", m.Host == p),
		always("created", m.Created), ifSet("side", side), ifSet("vote", vote),
	}
}

// exportedMatch returns a match of the player. mark and proposed are about this player, and so are the rating and the review.
func exportedMatch(p match.User, m user.Played) object {
	mark, rules, result := m.Seats.Mark(p), m.Position().Rules(), "open"
	var ended time.Time
	var cause, voided string
	if m.Result.Over() {
		ended, cause, result = m.Ended, m.Result.Cause.String(), exportedResult(m.Result, mark)
	}
	if m.Voided.Over() {
		voided = exportedResult(m.Voided, mark)
	}
	moves := []string{} // the square and the time of each move
	for ply, at := range m.Moved {
		moves = append(moves, rules.Name(m.Record.Square(ply))+" "+at.UTC().Format(time.RFC3339Nano))
	}
	o := object{
		always("id", m.ID), ifSet("server", m.Venue), ifSet("arena", m.Arena), always("rules", rules.String()), always("mark", mark.String()),
		ifSet("proposed", m.Proposer == mark), always("against", against(m.Seats.Level())), ifSet("turn_ms", m.TurnTime.Milliseconds()),
		always("created", m.Created), ifSet("deadline", m.Deadline), ifSet("ended", ended),
		always("result", result), ifSet("cause", cause), ifSet("result_before_it_was_voided", voided),
		ifSet("rated_weight", m.Stakes.Weight()), // for ratings, once the match has ended
		ifSet("rating_after", m.Rating.Value), ifSet("deviation_after", m.Rating.Deviation), ifSet("volatility_after", m.Rating.Volatility),
		ifSet("opponent_rating_before", m.Other.Value), ifSet("opponent_deviation_before", m.Other.Deviation), ifSet("with_a_hint", m.Helped),
	}
	if m.BestOf > 0 { // the games of a series, its first one, and whether the player left it
		o = append(o, always("best_of", m.BestOf), ifSet("series", m.Series), ifSet("left_before_play", m.LeftBy == mark))
	}
	o = append(o, always("moves", moves))
	if m.Rematch.State != match.NoRematch {
		o = append(o, always("rematch", object{
			always("offered_by_you", m.Rematch.By == p), ifSet("deadline", m.Rematch.Deadline),
			ifSet("match", m.Rematch.Next), // the match that followed
		}))
	}
	if m.Judged {
		o = append(o, always("review", object{
			always("critical_moves", m.Review.Critical), always("errors", m.Review.Errors), always("came_back", m.Review.Recovered),
		}))
	}
	return o
}

// exportedFirst has the words with which the file says who begins a match.
var exportedFirst = map[match.First]string{match.Random: "random", match.Me: "challenger", match.Them: "challenged"}

// exportedResult returns the word for the result of a match as the player with that mark sees it.
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

// against returns the word for the kind of opponent. It does not name users.
func against(level string) string {
	if level == "" {
		return "a player"
	}
	return "computer " + level
}
