package rating

import (
	"math"
	"time"
)

// Stakes are the weight of a match for the ratings of its players, with the reason if it is 0. They are fixed when the match begins.
type Stakes uint8

// The stakes of a match.
const (
	NoStakes    Stakes = iota // the match is on no ladder: against a computer, in direct messages, or older than ratings
	Full                      // the match counts fully
	Half                      // the match counts half, because the players have played each other often today
	Casual                    // the players agreed that the match does not count
	Unranked                  // the server has no ratings
	TooOften                  // the players have played each other too often today
	TooFarApart               // one player is rated so much higher that a win would mean nothing
)

// Counts reports whether the match changes ratings.
func (s Stakes) Counts() bool { return s == Full || s == Half }

// Weight returns the weight of the match: 1, 0.5 or 0.
func (s Stakes) Weight() float64 {
	switch s {
	case Full:
		return 1
	case Half:
		return 0.5
	default:
		return 0
	}
}

// The bounds that make farming points useless; docs/adr/0021-ladders.md has the reasons.
const (
	PairDay     = 24 * time.Hour // the time within which the matches of a pair are counted
	FullMatches = 3              // the number of matches of a pair within that time that count fully
	HalfMatches = 3              // the number of matches after these that count half; later matches do not count
	MaxGap      = 400            // the largest gap between two ratings, neither of them provisional, in a match that counts
)

// StakesOf returns the stakes of a new match between players with ratings a and b. today is the number of their matches against
// each other that count and began within the last [PairDay].
func StakesOf(today int, a, b Rating) Stakes {
	switch {
	case !a.Provisional() && !b.Provisional() && math.Abs(a.Value-b.Value) > MaxGap:
		return TooFarApart
	case today < FullMatches:
		return Full
	case today < FullMatches+HalfMatches:
		return Half
	default:
		return TooOften
	}
}
