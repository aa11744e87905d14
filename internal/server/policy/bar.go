package policy

import (
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
)

// Bar keeps a user from playing in a venue. A bar without a user is for everybody in the venue, and a bar without a venue is for all
// venues; only the host of the bot has these.
type Bar struct {
	Venue  match.Venue
	Player match.User
	Until  time.Time // when the bar ends; zero: never
}

// ByHost reports whether the host of the bot has set the bar, and not a moderator.
func (b Bar) ByHost() bool { return b.Venue == "" || b.Player == "" }

// Refuse returns nil for the zero bar, and otherwise a [*match.Refusal]: VenueBarred or, to the barred player, Barred, and to others who ask
// the player p to play, OtherBarred.
func (b Bar) Refuse(p match.User, asks bool) error {
	switch {
	case b == Bar{}:
		return nil
	case b.Player == "":
		return &match.Refusal{Reason: match.VenueBarred}
	case !asks:
		return &match.Refusal{Reason: match.OtherBarred, Player: p}
	}
	return &match.Refusal{Reason: match.Barred, Until: b.Until}
}

// Ending says what becomes of the matches in progress of a barred user.
type Ending string

// The endings. A series whose game is voided is lost to the opponent, as if the user had left.
const (
	GoOn   Ending = "goon"
	Resign Ending = "resign"
	Cancel Ending = "void"
)

// End returns a match of the user after the bar by a moderator, who is empty if it is the host's. Without GoOn it ends, and open offers of a
// rematch end with all endings. A moderator wins nothing by a bar: such a match is void. End reports false if nothing changes. The zero Ending
// is Resign. A crowd goes on without the user's vote.
func (e Ending) End(m match.Match, p, by match.User, at time.Time) (match.Match, bool) {
	switch running := !m.Result.Over() && !m.Seats.HasCrowd(); {
	case running && e == GoOn:
		return m, false
	case running && (e == Cancel || by != "" && m.Seats.Mark(by) != game.None):
		next, err := m.Void(at)
		if m.BestOf > 0 {
			next.LeftBy = m.Seats.Mark(p)
		}
		return next, err == nil
	}
	return m.Leave(p, at)
}

// Person holds the decisions of a venue's moderators about a user.
type Person struct {
	Player match.User // [match.Left] once the data of the user was deleted
	Barred bool
	Until  time.Time // when the bar ends; zero: never
	Off    bool      // off the leaderboards
}
