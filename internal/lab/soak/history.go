package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is the kind of an [Event].
type Kind string

// The kinds of events.
const (
	// Sent is an action of a player. Did is the custom_id of a button, "submit " and the custom_id of a modal, or a command. A move
	// by command names its match and its square: "tictactoe move <match> <square>".
	Sent Kind = "sent"
	// Acknowledged is the bot's first response to an interaction, as it reached Discord.
	Acknowledged Kind = "acknowledged"
	// Settled is the final answer to an action. Status is the simulator's status, Text the private text for the player.
	Settled Kind = "settled"
	// Shown is a board that was shown publicly or, if Player is set, to that player as an answer.
	Shown Kind = "shown"
	// Shrunk is a board that was shown publicly as one line. Tidied is the moment when a server chose that finished boards shrink; Text is the
	// server.
	Shrunk Kind = "shrunk"
	Tidied Kind = "tidied"
	// Invited is a challenge that was shown publicly.
	Invited Kind = "invited"
	// Standing is a board as it is shown after all faults have ended and the bot had time to redraw it.
	Standing Kind = "standing"
	// Posted is a daily puzzle as it is shown in a server at the end, after all faults. Did is the day, and Text the server.
	Posted Kind = "posted"
	// Ranked is a message of an arena as it is shown at the end, after all faults. Match is the arena, Message the id of the message, and Text
	// what it says.
	Ranked Kind = "ranked"
	// Began is the beginning of a fault, and Over the end of its effects.
	Began Kind = "began"
	Over  Kind = "over"
	// Routed is an interaction that the proxy passed to a Replica; Text is the HTTP status of the response, or the reason why no response
	// came. Unreached is an interaction that the proxy passed to no replica, because it could connect to none.
	Routed    Kind = "routed"
	Unreached Kind = "unreached"
	// Died is a process of the bot that ended although it was not told to, or ended badly; Text says how.
	Died Kind = "died"
	// Finished is the end of the run, when the last bot was told to end. By then everything that was due must be over.
	Finished Kind = "finished"
)

// Event is one event of the history. Which fields are set depends on the kind.
type Event struct {
	At          time.Time     `json:"at"`
	Kind        Kind          `json:"kind"`
	Interaction string        `json:"interaction,omitempty"`
	Player      string        `json:"player,omitempty"`
	Did         string        `json:"did,omitempty"`
	Status      string        `json:"status,omitempty"`
	Took        time.Duration `json:"took,omitempty"` // the time until a player saw the answer, or until the soak test noticed that a shard is unheard
	Text        string        `json:"text,omitempty"`
	// Said has an entry for each text that occurs in Text and that a law needs. It maps the key of the text to the value that the bot
	// inserted in it, such as a square.
	Said    map[string]string `json:"said,omitempty"`
	Error   string            `json:"error,omitempty"` // why Discord refused the answer
	Fault   Fault             `json:"fault,omitempty"`
	Number  int               `json:"number,omitempty"`  // the number of a fault, equal at its beginning and its end
	Replica int               `json:"replica,omitempty"` // from 1; Kill and Stop have it only if there can be several
	Shard   int               `json:"shard,omitempty"`   // the shard in which the action took place, or that is unheard
	Ahead   time.Duration     `json:"ahead,omitempty"`   // how far a clock that was set is ahead from now on
	Match   string            `json:"match,omitempty"`
	Message string            `json:"message,omitempty"`
	Ply     int               `json:"ply,omitempty"`
	Backs   int               `json:"backs,omitempty"`   // how many take-backs the board has seen
	Board   string            `json:"board,omitempty"`   // the position, as X.O/.X./...; a mark that is about to vanish is written like others
	Cause   string            `json:"cause,omitempty"`   // the cause of the result that a board shows, as the database words it
	Outcome string            `json:"outcome,omitempty"` // the outcome that a board shows, as the database words it
	Votes   int               `json:"votes,omitempty"`   // the number of votes that the board of a crowd shows
	Seats   [2]string         `json:"seats,omitzero"`    // the names that a board or a challenge shows
	Score   string            `json:"score,omitempty"`   // the score of the series that a board shows: the wins of X and O of the first game, and the draws
}

// String returns the event as one line for people.
func (e Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %-12s", e.At.UTC().Format("15:04:05.000"), e.Kind)
	for _, part := range []struct{ name, value string }{
		{"", string(e.Fault)}, {"", e.Player}, {"", e.Did}, {"", e.Status}, {"interaction ", e.Interaction},
		{"match ", e.Match}, {"", e.Board}, {"", e.Cause}, {"", e.Outcome}, {"", strings.ReplaceAll(e.Text, "\n", " / ")}, {"", e.Error},
	} {
		if part.value != "" {
			fmt.Fprintf(&b, " %s%s", part.name, part.value)
		}
	}
	if e.Board != "" {
		fmt.Fprintf(&b, " at ply %d", e.Ply)
	}
	if e.Replica > 0 {
		fmt.Fprintf(&b, " replica %d", e.Replica)
	}
	if e.Shard > 0 || e.Fault == Unheard {
		fmt.Fprintf(&b, " shard %d", e.Shard)
	}
	if e.Took > 0 {
		fmt.Fprintf(&b, " after %s", e.Took.Round(time.Millisecond))
	}
	return b.String()
}

// History has the events of a run, the oldest first.
type History []Event

// of returns the events of one match.
func (h History) of(match string) History {
	return h.where(func(e Event) bool { return match != "" && (e.Match == match || concerns(e.Did, match)) })
}

// about returns the events of one interaction.
func (h History) about(interaction string) History {
	return h.where(func(e Event) bool { return interaction != "" && e.Interaction == interaction })
}

// settled returns the Settled events by interaction.
func (h History) settled() map[string]Event {
	settled := map[string]Event{}
	for _, e := range h {
		if e.Kind == Settled {
			settled[e.Interaction] = e
		}
	}
	return settled
}

func (h History) where(keep func(Event) bool) History {
	var kept History
	for _, e := range h {
		if keep(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// typedMove starts the field Did of a move by command. The match and the square follow.
const typedMove = "tictactoe move "

// concerns reports whether a custom_id, such as play:<match>:<ply>:<square>, or a move by command names the given match.
func concerns(did, match string) bool {
	return slices.Contains(strings.FieldsFunc(did, func(r rune) bool { return r == ':' || r == ' ' }), match)
}

// span is the period of a fault.
type span struct {
	fault    Fault
	from, to time.Time
	noticed  time.Time // the latest time of the beginning: the fault Unheard began between from and noticed
	replica  int       // zero unless the fault affects one replica
	shard    int
}

// overlaps reports whether the fault lasted at any moment between these two times.
func (s span) overlaps(from, to time.Time) bool { return !s.from.After(to) && !s.to.Before(from) }

// spans returns the periods of the faults in a history. A fault that never ended lasts to the end of the history.
func (h History) spans() []span {
	var all []span
	for i, e := range h {
		if e.Kind != Began {
			continue
		}
		s := span{e.Fault, e.At, h[len(h)-1].At, e.At.Add(e.Took), e.Replica, e.Shard}
		for _, end := range h[i:] {
			if end.Kind == Over && end.Number == e.Number {
				s.to = end.At
				break
			}
		}
		all = append(all, s)
	}
	return all
}

// Disturbed returns how long any fault lasted that excuses missing answers. The absence of a shard is such a fault; the absence of one of
// several replicas is not.
func (h History) Disturbed() (all time.Duration) {
	var until time.Time
	for _, s := range h.spans() { // in the order of their beginnings
		if !s.fault.excuses() || s.replica > 0 || !s.to.After(until) {
			continue
		}
		all += s.to.Sub(later(s.from, until))
		until = s.to
	}
	return all
}

// Tables is the database as the bot left it. Players have the same names as in the history.
type Tables struct {
	Matches    []Match
	Challenges []Challenge
	Moves      []Move // in the order of the table
	Scores     []Score
	Computer   []Score // the sums over all levels, without wins
	Attempts   []Attempt
	Arenas     []Arena
	Bars       []Bar
	// Behind has the matches whose message the bot has marked as still to be redrawn.
	Behind []string
	// Named has, for each player, the tables in which any column names the player.
	Named map[string][]string
	// Findings are the findings of `tictactoe db check`, such as a rating that does not follow from the matches.
	Findings []string
	// SecondMove is the database's error for a second move at a ply that already has a move. It is empty if the database accepted
	// the second move, or if there is no move to try it with.
	SecondMove string
}

// Match is a row of the table of matches. A seat has a player or a level.
type Match struct {
	ID, Series, Venue, Rules  string
	Arena                     string // empty outside of arenas
	X, O, XLevel, OLevel      string
	TurnTime                  time.Duration
	Deadline, RematchDeadline time.Time // zero if there is none
	Outcome, Cause, Next      string
	Proposer                  string // X, O or empty
	Backs                     int    // how many take-backs the players agreed to
	BestOf                    int    // the number of games of the series; 0 outside of series
	Created, Ended            time.Time
}

// player returns the human who moves at a ply, or the empty string if a computer moves.
func (m Match) player(ply int) string {
	if ply%2 == 0 {
		return m.X
	}
	return m.O
}

// crowd reports whether a crowd moves at a ply.
func (m Match) crowd(ply int) bool {
	return slices.Contains([]string{"crowd", "team one", "team two"}, []string{m.XLevel, m.OLevel}[ply%2])
}

// level returns the level of the computer, or the empty string between two humans.
func (m Match) level() string { return m.XLevel + m.OLevel }

// Attempt is a row of the table of attempts at puzzles.
type Attempt struct {
	Player, Day string
	Presses     string // a letter for each square, followed by "!" if the press was wrong
}

// Arena is a row of the table of arenas, with its entrants.
type Arena struct {
	ID, Message  string
	Begins, Ends time.Time
	Entrants     []Entrant
}

// Entrant is a row of the table of entrants.
type Entrant struct {
	Arena, Player, State string
	Since                time.Time
}

// Bar is the time in which a moderator kept a player from playing in a venue. It begins and ends with entries of the audit log.
type Bar struct {
	Venue, Player string
	From, To      time.Time // To is zero if nobody lifted the bar
}

// Challenge is a row of the table of challenges.
type Challenge struct {
	ID, From, To, Status string
	Deadline             time.Time
}

// Move is a row of the table of moves.
type Move struct {
	Match       string
	Ply, Square int
	At          time.Time
}

// Score is a row of the table of scores.
type Score struct {
	Venue, Player, Level string
	Wins, Draws, Losses  int
}
