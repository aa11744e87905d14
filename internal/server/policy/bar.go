package policy

import (
	"errors"
	"time"

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
	Cancel Ending = "void"
)

// End returns a match of the user after the bar. Open offers of a rematch end with both endings. End reports false if nothing changes. With
// the zero Ending the user leaves the match; see [match.Match.Leave]. A crowd goes on without the user's vote.
func (e Ending) End(m match.Match, p match.User, at time.Time) (match.Match, bool) {
	if m.Result.Over() || m.Seats.HasCrowd() || e == "" {
		return m.Leave(p, at)
	}
	if e == GoOn {
		return m, false
	}
	next, err := m.Void(at)
	if m.BestOf > 0 {
		next.LeftBy = m.Seats.Mark(p)
	}
	return next, err == nil
}

// ErrUnchanged is the error of a store if a decision about a user changes nothing. Then there is no audit entry.
var ErrUnchanged = errors.New("nothing changes")

// Person holds the decisions of a venue's moderators about a user.
type Person struct {
	Player match.User // [match.Left] once the data of the user was deleted
	Barred bool
	Until  time.Time // when the bar ends; zero: never
	Off    bool      // off the leaderboards
}
