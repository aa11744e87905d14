package soak

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Kind is what an [Event] tells of.
type Kind string

// The kinds of event.
const (
	// Sent: a player did something. Did is the custom_id of a button, "submit " and that of a modal, or a command.
	Sent Kind = "sent"
	// Acknowledged: the first word of the bot about an interaction reached Discord, Took after it was sent.
	Acknowledged Kind = "acknowledged"
	// Settled: what the player saw in the end. Status is that of the simulator, Text what was said.
	Settled Kind = "settled"
	// Shown: a board was put before everybody, or before Player alone.
	Shown Kind = "shown"
	// Invited: a challenge was put before everybody.
	Invited Kind = "invited"
	// Standing: a board that is still to be seen after all faults have ended and the bot had time to redraw it.
	Standing Kind = "standing"
	// Began and Over: a fault, and the end of what it does.
	Began Kind = "began"
	Over  Kind = "over"
	// Routed: an interaction was given to a Replica over HTTP, with its status or why it has none in Text, or Unreached: to none, as none could be connected to.
	Routed    Kind = "routed"
	Unreached Kind = "unreached"
	// Died: the process of a bot ended otherwise than it was told to; Text says how.
	Died Kind = "died"
	// Finished: the last bot was told to end. What was due a while before has to be judged.
	Finished Kind = "finished"
)

// Event is one thing that happened. Which fields are set depends on the kind.
type Event struct {
	At          time.Time     `json:"at"`
	Kind        Kind          `json:"kind"`
	Interaction string        `json:"interaction,omitempty"`
	Player      string        `json:"player,omitempty"`
	Did         string        `json:"did,omitempty"`
	Status      string        `json:"status,omitempty"`
	Took        time.Duration `json:"took,omitempty"`
	Text        string        `json:"text,omitempty"`
	Error       string        `json:"error,omitempty"` // why Discord refused the answer
	Fault       Fault         `json:"fault,omitempty"`
	Number      int           `json:"number,omitempty"`  // of a fault, so that its end is found
	Replica     int           `json:"replica,omitempty"` // from 1; of Kill and Stop only if there can be several
	Shard       int           `json:"shard,omitempty"`   // where something was done, or is unheard
	Ahead       time.Duration `json:"ahead,omitempty"`   // of a clock that is set: by how much it shows too much from now on
	Match       string        `json:"match,omitempty"`
	Ply         int           `json:"ply,omitempty"`
	Board       string        `json:"board,omitempty"`   // as X.O/.X./..., marks that are about to vanish like others
	Cause       string        `json:"cause,omitempty"`   // of the end that a board shows, as the table of matches has it
	Outcome     string        `json:"outcome,omitempty"` // the same
}

// String is one line for people.
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

// History is what happened, the oldest first.
type History []Event

// of are the events of one match.
func (h History) of(match string) History {
	return h.where(func(e Event) bool { return match != "" && (e.Match == match || concerns(e.Did, match)) })
}

// about are the events of one interaction.
func (h History) about(interaction string) History {
	return h.where(func(e Event) bool { return interaction != "" && e.Interaction == interaction })
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

// concerns tells whether a custom_id names that match: play:<match>:<ply>:<square>.
func concerns(did, match string) bool {
	return slices.Contains(strings.Split(did, ":"), match)
}

// span is the time that a fault lasted.
type span struct {
	fault    Fault
	from, to time.Time
	replica  int // zero: not of one alone
	shard    int
}

// overlaps tells whether it lasted at any time between these two.
func (s span) overlaps(from, to time.Time) bool { return !s.from.After(to) && !s.to.Before(from) }

// spans are the faults of a history; one that never ended lasts to the end of it.
func (h History) spans() []span {
	var all []span
	for i, e := range h {
		if e.Kind != Began {
			continue
		}
		s := span{e.Fault, e.At, h[len(h)-1].At, e.Replica, e.Shard}
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

// Disturbed is how long a fault lasted for which any interaction may stay without an answer; the want of one replica of
// several is not such a fault, that of one shard is.
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

// Tables are the database as the bot left it. Players are named as in the history.
type Tables struct {
	Matches    []Match
	Challenges []Challenge
	Moves      []Move // in the order of the table
	Scores     []Score
	Computer   []Score // the sums over the levels
	// Behind are the matches of which the bot knows that their message is not true yet.
	Behind []string
	// Wall is what the database said to a second move of a ply that has one: empty if it took it. It is not asked when
	// there are no moves.
	Wall string
}

// Match is a row of the table of matches. A seat has a player or a level.
type Match struct {
	ID, Series, Venue, Rules  string
	X, O, XLevel, OLevel      string
	TurnTime                  time.Duration
	Deadline, RematchDeadline time.Time // zero where there is none
	Outcome, Cause, Next      string
	Created, Ended            time.Time
}

// player is who sits on the side that moves at that ply, empty for a computer.
func (m Match) player(ply int) string {
	if ply%2 == 0 {
		return m.X
	}
	return m.O
}

// level is that of the seated computer, empty between people.
func (m Match) level() string { return m.XLevel + m.OLevel }

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
