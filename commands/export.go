package commands

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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

// These types define the exported file. It names no other users except blocked ones, because the player has no right to the data of
// others.
type (
	exportBody struct {
		Exported         time.Time          `json:"exported"`
		Incomplete       bool               `json:"incomplete,omitempty"` // some of the data cannot be read
		Player           match.User         `json:"player"`
		Name             string             `json:"name,omitempty"`
		Settings         exportSettings     `json:"settings"`
		Scores           []exportScore      `json:"scores"`
		Ratings          []exportRating     `json:"ratings"`
		Challenges       []exportChallenge  `json:"challenges"`
		BackOffs         []exportBackOff    `json:"back_offs"`
		ChallengesStored int                `json:"challenges_stored"`
		MatchesStored    int                `json:"matches_stored"`
		Matches          []exportMatch      `json:"matches"`
		EntriesStored    int                `json:"deeds_stored"`
		AuditEntries     []exportAuditEntry `json:"deeds_as_a_moderator"`
		Seasons          []exportSeason     `json:"seasons_begun"`
		Lessons          []exportLesson     `json:"lessons_solved"`
		PuzzlesStored    int                `json:"puzzles_stored"`
		Puzzles          []exportPuzzle     `json:"puzzles"`
		Listed           []match.Venue      `json:"listed_as_a_solver_of_puzzles_in"`
		PrivateLines     []exportPrivate    `json:"private_lines"`
		Hosted           []exportArena      `json:"arenas_hosted"`
		Entered          []exportEntered    `json:"arenas_entered"`
		CrowdsStored     int                `json:"crowds_stored"`
		Crowds           []exportCrowd      `json:"matches_of_channels"`
		Roles            []exportRole       `json:"roles_for_ranks"`
		Barred           []exportBar        `json:"barred_from_playing"`
		Unranked         []match.Venue      `json:"off_the_leaderboards_of"`
		Members          []match.Venue      `json:"asked_whether_a_member_of"`
	}
	exportSettings struct {
		Challenges   bool         `json:"takes_challenges"`
		TurnMentions bool         `json:"turn_mentions"`
		TextBoard    bool         `json:"text_boards"`
		Profile      bool         `json:"shows_profile"`
		Language     string       `json:"language,omitempty"`
		Blocked      []match.User `json:"blocked"`
		Hashed       int          `json:"blocked_and_deleted_since"`
	}
	exportScore struct {
		Server  match.Venue `json:"server,omitempty"`
		Season  int         `json:"season"`
		Rules   string      `json:"rules"`
		Against string      `json:"against"`
		Wins    int         `json:"wins"`
		Draws   int         `json:"draws"`
		Losses  int         `json:"losses"`
		Fewest  int         `json:"fewest_moves_to_win,omitempty"`
		Longest int         `json:"most_draws_without_a_loss,omitempty"`
	}
	exportRating struct {
		Server     match.Venue `json:"server"`
		Rules      string      `json:"rules"`
		Season     int         `json:"season"`
		Value      float64     `json:"value"`
		Deviation  float64     `json:"deviation"`
		Volatility float64     `json:"volatility"`
		Last       time.Time   `json:"last_match"`
		Wins       int         `json:"wins"`
		Draws      int         `json:"draws"`
		Losses     int         `json:"losses"`
		Opponents  int         `json:"different_opponents"`
	}
	exportChallenge struct {
		ID       match.ID    `json:"id"`
		Server   match.Venue `json:"server,omitempty"`
		Sent     bool        `json:"sent"`
		Open     bool        `json:"to_anybody,omitempty"` // and nobody has accepted it
		Rules    string      `json:"rules"`
		First    string      `json:"first"` // the side that begins; see exportedFirst
		TurnTime int64       `json:"turn_ms"`
		Casual   bool        `json:"casual,omitempty"`
		BestOf   int         `json:"best_of,omitempty"`
		Status   string      `json:"status"`
		Created  time.Time   `json:"created"`
		Deadline time.Time   `json:"deadline,omitzero"`
	}
	exportBackOff struct {
		Yours bool      `json:"yours"`
		Until time.Time `json:"until"`
	}
	exportAuditEntry struct {
		ID     match.ID    `json:"id"`
		Server match.Venue `json:"server"`
		At     time.Time   `json:"at"`
		Kind   policy.Kind `json:"kind"`
		Match  match.ID    `json:"match,omitempty"`
		Chosen []string    `json:"chosen,omitempty"`
		Undoes match.ID    `json:"undoes,omitempty"` // the id of another entry
	}
	exportSeason struct {
		Server match.Venue `json:"server"`
		Number int         `json:"number"`
		Name   string      `json:"name"`
		Began  time.Time   `json:"began"`
		Ends   time.Time   `json:"planned_end,omitzero"`
	}
	exportLesson struct {
		Name   string    `json:"name"`
		Solved time.Time `json:"solved"`
	}
	exportPuzzle struct {
		Day     string    `json:"day"`
		Started time.Time `json:"started"`
		Presses string    `json:"presses"` // a letter for each pressed square, a for the first square, with a ! after a wrong one
		Solved  time.Time `json:"solved,omitzero"`
	}
	exportPrivate struct {
		Board match.ID  `json:"board"`
		Until time.Time `json:"can_be_deleted_until"`
	}
	exportArena struct {
		ID      match.ID    `json:"id"`
		Server  match.Venue `json:"server"`
		Channel string      `json:"channel"`
		Name    string      `json:"name,omitempty"`
		Created time.Time   `json:"created"`
		Begins  time.Time   `json:"begins"`
		Ends    time.Time   `json:"ends,omitzero"`
	}
	exportEntered struct {
		Arena  match.ID  `json:"arena"`
		Joined time.Time `json:"joined"`
		Since  time.Time `json:"last_joined_or_resumed"`
		State  string    `json:"state"`
	}
	exportCrowd struct {
		ID      match.ID    `json:"id"`
		Server  match.Venue `json:"server,omitempty"`
		Channel string      `json:"channel"`
		Started bool        `json:"started_by_you"`
		Created time.Time   `json:"created"`
		Side    string      `json:"side,omitempty"` // the mark of the side for which this player has voted
		Vote    string      `json:"vote,omitempty"` // the square for which this player votes now
	}
	exportBar struct {
		Server match.Venue `json:"server"` // empty: everywhere
		Until  time.Time   `json:"until,omitzero"`
	}
	exportRole struct {
		Server match.Venue    `json:"server"`
		Role   string         `json:"role"`
		State  rankrole.State `json:"state"`
		Since  time.Time      `json:"since"`
	}
	exportMatch struct {
		ID             match.ID       `json:"id"`
		Server         match.Venue    `json:"server,omitempty"`
		Arena          match.ID       `json:"arena,omitempty"`
		Rules          string         `json:"rules"`
		Mark           string         `json:"mark"`               // the mark of this player; X begins
		Proposed       bool           `json:"proposed,omitempty"` // whether this player proposed it
		Against        string         `json:"against"`
		TurnTime       int64          `json:"turn_ms,omitempty"`
		Created        time.Time      `json:"created"`
		Deadline       time.Time      `json:"deadline,omitzero"` // the deadline of the side to move
		Ended          time.Time      `json:"ended,omitzero"`
		Result         string         `json:"result"`
		Cause          string         `json:"cause,omitempty"`
		Voided         string         `json:"result_before_it_was_voided,omitempty"`
		Weight         float64        `json:"rated_weight,omitempty"`    // the weight of the match for ratings, once it has ended
		Rating         float64        `json:"rating_after,omitempty"`    // the rating of this player
		Deviation      float64        `json:"deviation_after,omitempty"` // the rating deviation of this player
		Volatility     float64        `json:"volatility_after,omitempty"`
		OtherRating    float64        `json:"opponent_rating_before,omitempty"`
		OtherDeviation float64        `json:"opponent_deviation_before,omitempty"`
		Helped         bool           `json:"with_a_hint,omitempty"`
		BestOf         int            `json:"best_of,omitempty"` // the number of games of the series
		Series         match.ID       `json:"series,omitempty"`  // the first game of that series
		Left           bool           `json:"left_before_play,omitempty"`
		Moves          []string       `json:"moves"` // the square and the time of each move
		Rematch        *exportRematch `json:"rematch,omitempty"`
		Review         *exportSide    `json:"review,omitempty"`
	}
	exportRematch struct {
		Offered bool      `json:"offered_by_you"`
		Until   time.Time `json:"deadline,omitzero"`
		Match   match.ID  `json:"match,omitempty"` // the match that followed the challenge
	}
	exportSide struct {
		Critical  int  `json:"critical_moves"`
		Errors    int  `json:"errors"`
		Recovered bool `json:"came_back"`
	}
)

// exported returns the content of the file with all data about a player.
func exported(p match.User, data user.Data, now time.Time, incomplete bool) ([]byte, error) {
	body := exportBody{
		Exported: now.UTC(), Incomplete: incomplete, Player: p, Name: data.Name,
		ChallengesStored: data.Challenges, MatchesStored: data.Matches, EntriesStored: data.Held.AuditEntries,
		Settings: exportSettings{
			Challenges: !data.Settings.NotTaking, TurnMentions: !data.Settings.MentionsOff, TextBoard: data.Settings.TextBoard,
			Profile: !data.Settings.Hidden, Language: data.Settings.Language,
			Blocked: append([]match.User{}, data.Settings.Blocked...), Hashed: data.Settings.Hashed,
		},
		Scores: each(data.Entries, func(e score.Entry) exportScore {
			return exportScore{e.Venue, e.Season, cmp.Or(e.Rules, "all"), against(e.Level), e.Wins, e.Draws, e.Losses, e.Fewest, e.Longest}
		}),
		Ratings: each(data.Ratings, func(r user.Rating) exportRating {
			return exportRating{
				r.Venue, r.Rules, r.Season, r.Rating.Value, r.Rating.Deviation, r.Rating.Volatility, r.Rating.At.UTC(),
				r.Wins, r.Draws, r.Losses, r.Opponents,
			}
		}),
		Challenges: each(data.Challenged, func(ch match.Challenge) exportChallenge {
			return exportChallenge{
				ID: ch.ID, Server: ch.Venue, Sent: ch.From == p, Open: ch.Open(), Rules: ch.Rules.String(), First: exportedFirst[ch.First],
				TurnTime: ch.TurnTime.Milliseconds(), Casual: ch.Casual, BestOf: ch.BestOf, Status: ch.Status.String(), Created: ch.Created, Deadline: ch.Deadline,
			}
		}),
		BackOffs: each(data.LeaveAlone, func(l user.LeaveAlone) exportBackOff { return exportBackOff{l.Challenger == p, l.Until} }),
		Matches:  each(data.Played, func(m user.Played) exportMatch { return exportOf(p, m) }),
		AuditEntries: each(data.Did, func(d policy.AuditEntry) exportAuditEntry {
			return exportAuditEntry{d.ID, d.Venue, d.At, d.Kind, d.Match, d.Chosen, d.Undoes}
		}),
		Seasons: each(data.Seasons, func(s season.Season) exportSeason { return exportSeason{s.Venue, s.Number, s.Name, s.Began, s.Ends} }),
		Lessons: each(data.Solved, func(l user.Lesson) exportLesson { return exportLesson{l.Name, l.Solved} }),
		Puzzles: each(data.Puzzles, func(a daily.Attempt) exportPuzzle {
			return exportPuzzle{a.Day.String(), a.Started, a.Presses.String(), a.Solved}
		}),
		PuzzlesStored: data.Held.Puzzles, Listed: append([]match.Venue{}, data.Listed...),
		PrivateLines: each(data.PrivateLines, func(l user.PrivateLine) exportPrivate { return exportPrivate{l.Board, l.Until} }),
		Hosted: each(data.Hosted, func(a arena.Arena) exportArena {
			return exportArena{a.ID, a.Venue, a.Channel, a.Name, a.Created, a.Begins, a.Ends}
		}),
		Entered: each(data.Entered, func(e user.Entered) exportEntered {
			return exportEntered{e.Arena, e.Joined, e.Since, e.State.String()}
		}),
		CrowdsStored: data.Held.Crowds, Crowds: each(data.Crowds, func(m match.Match) exportCrowd { return crowdOf(p, m) }),
		Barred:   each(data.Barred, func(b policy.Bar) exportBar { return exportBar{b.Venue, b.Until} }),
		Unranked: append([]match.Venue{}, data.Unranked...),
		Members:  append([]match.Venue{}, data.Members...),
		Roles:    each(data.Granted, func(g rankrole.Grant) exportRole { return exportRole{g.Venue, g.Role, g.State, g.At} }),
	}
	content, err := json.MarshalIndent(body, "", " ")
	return append(content, '\n'), err
}

func crowdOf(p match.User, m match.Match) exportCrowd {
	e := exportCrowd{ID: m.ID, Server: m.Venue, Channel: m.Place, Started: m.Host == p, Created: m.Created}
	for _, v := range m.Votes {
		if v.By != p {
			continue
		}
		e.Side = v.Side.String()
		if v.Since > 0 {
			e.Vote = m.Position().Rules().Name(v.Square)
		}
	}
	return e
}

func exportOf(p match.User, m user.Played) exportMatch {
	mark := m.Seats.Mark(p)
	e := exportMatch{
		ID: m.ID, Server: m.Venue, Arena: m.Arena, Rules: m.Position().Rules().String(), Mark: mark.String(), Proposed: m.Proposer == mark,
		Against:  against(m.Seats.Level()),
		TurnTime: m.TurnTime.Milliseconds(), Created: m.Created, Deadline: m.Deadline, Helped: m.Helped, Result: "open", Moves: []string{},
		Weight: m.Stakes.Weight(), Rating: m.Rating.Value, Deviation: m.Rating.Deviation, Volatility: m.Rating.Volatility,
		OtherRating: m.Other.Value, OtherDeviation: m.Other.Deviation,
	}
	if m.BestOf > 0 {
		e.BestOf, e.Series, e.Left = m.BestOf, m.Series, m.LeftBy == mark
	}
	if m.Rematch.State != match.NoRematch {
		e.Rematch = &exportRematch{m.Rematch.By == p, m.Rematch.Deadline, m.Rematch.Next}
	}
	if m.Judged {
		e.Review = &exportSide{m.Review.Critical, m.Review.Errors, m.Review.Recovered}
	}
	if m.Result.Over() {
		e.Ended, e.Cause, e.Result = m.Ended, m.Result.Cause.String(), exportedResult(m.Result, mark)
	}
	if m.Voided.Over() {
		e.Voided = exportedResult(m.Voided, mark)
	}
	for ply, at := range m.Moved {
		e.Moves = append(e.Moves, m.Position().Rules().Name(m.Record.Square(ply))+" "+at.UTC().Format(time.RFC3339Nano))
	}
	return e
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
