package column

import "tictactoe/internal/match"

// Exported is a line of an export. The names are read by programs; docs/operating.md describes them.
type Exported struct {
	ID      match.ID     `json:"id"`
	Series  match.ID     `json:"series"`
	Venue   match.Venue  `json:"venue"`
	Arena   match.ID     `json:"arena,omitempty"`
	Rules   string       `json:"rules"`
	X       exportedSeat `json:"x"`
	O       exportedSeat `json:"o"`
	By      string       `json:"proposer,omitempty"`
	TurnMS  int64        `json:"turn_ms"`
	Moves   []string     `json:"moves"`
	Outcome *string      `json:"outcome"`
	Cause   *string      `json:"cause"`
	Voided  *exportedEnd `json:"voided,omitempty"` // the result before a moderator made the match void
	Helped  bool         `json:"helped,omitempty"`
	BestOf  int          `json:"best_of,omitempty"` // the number of games of the series
	LeftBy  string       `json:"left_by,omitempty"` // the mark of the player who left before play and so lost the series
	Next    match.ID     `json:"rematch,omitempty"`
	Created string       `json:"created"`
	Ended   *string      `json:"ended"`
}

type exportedEnd struct {
	Outcome *string `json:"outcome"`
	Cause   string  `json:"cause"`
}

type exportedSeat struct {
	Player match.User `json:"player,omitempty"`
	Level  string     `json:"level,omitempty"` // of the computer, or the word for a crowd
}

// exportedTime is RFC 3339 to the millisecond, the precision of the store.
const exportedTime = "2006-01-02T15:04:05.000Z07:00"

// Export returns a match as a line of an export.
func Export(m match.Match) Exported {
	rules := m.Position().Rules()
	e := Exported{
		ID: m.ID, Series: m.Series, Venue: m.Venue, Arena: m.Arena, Rules: rules.String(),
		X: exportedSeat{m.Seats[0].Player, Level(m.Seats[0])}, O: exportedSeat{m.Seats[1].Player, Level(m.Seats[1])}, By: proposers().word(m.Proposer), TurnMS: m.TurnTime.Milliseconds(),
		Moves: make([]string, m.Record.Len()), Helped: m.Helped, BestOf: m.BestOf, LeftBy: proposers().word(m.LeftBy), Next: m.Rematch.Next, Created: m.Created.Format(exportedTime),
	}
	for ply := range e.Moves {
		e.Moves[ply] = rules.Name(m.Record.Square(ply))
	}
	if m.Result.Over() {
		cause, ended := causes().word(m.Result.Cause), m.Ended.Format(exportedTime)
		e.Cause, e.Ended = &cause, &ended
		if outcome := outcomes().word(m.Result.Outcome); outcome != "" {
			e.Outcome = &outcome
		}
	}
	if m.Voided.Over() {
		e.Voided = &exportedEnd{Cause: causes().word(m.Voided.Cause)}
		if outcome := outcomes().word(m.Voided.Outcome); outcome != "" {
			e.Voided.Outcome = &outcome
		}
	}
	return e
}
