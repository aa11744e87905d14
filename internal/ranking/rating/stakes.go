package rating

import (
	"math"
	"time"
)

// Stakes say what a match counts for the ratings of its players, and if nothing, why. They are fixed when it begins.
type Stakes uint8

// The stakes of a match.
const (
	NoStakes    Stakes = iota // it is on no ladder: against a computer, in direct messages, or from before there were ratings
	Full                      // it counts fully
	Half                      // it counts half, because the two have played each other often today
	Casual                    // the players agreed that it does not count
	Unranked                  // the server has no ratings
	TooOften                  // the two have played each other too often today
	TooFarApart               // one is rated so much higher that a win would say nothing
)

// Counts reports whether the match changes ratings.
func (s Stakes) Counts() bool { return s == Full || s == Half }

// Weight returns what the match counts: 1, 0.5 or 0.
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

// The bounds that make it useless to farm points; docs/adr/0021-ladders.md says why.
const (
	PairDay     = 24 * time.Hour // the time within which the matches of a pair are counted
	FullMatches = 3              // how many matches of a pair within that time count fully
	HalfMatches = 3              // how many after those count half; later ones count nothing
	MaxGap      = 400            // the largest gap between two ratings, neither of them provisional, in a match that counts
)

// StakesOf returns the stakes of a match that begins between two players with ratings a and b. today is how many matches of
// the two that count began within the last [PairDay].
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
