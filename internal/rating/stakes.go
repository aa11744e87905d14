package rating

import (
	"math"
	"time"
)

// Stakes say what a match counts for the ratings of its players, and if nothing, why. They are settled when it begins.
type Stakes uint8

// The stakes of a match.
const (
	NoStakes    Stakes = iota // it is of no ladder: against a computer, in direct messages, or from before there were ratings
	Full                      // it counts
	Half                      // it counts half, since the two have played much today
	Casual                    // the players agreed that it does not count
	Unranked                  // the server has no ratings
	TooOften                  // the two have played too much today
	TooFarApart               // one is so much better that a win would say nothing
)

// Counts tells whether the match changes ratings.
func (s Stakes) Counts() bool { return s == Full || s == Half }

// Weight is what the match counts: 1, 0.5 or 0.
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

// The bounds that make farming points useless; see theory in docs/adr/0070-ladders.md.
const (
	PairDay     = 24 * time.Hour // the time in which the matches of a pair are counted
	FullMatches = 3              // of a pair in that time count fully
	HalfMatches = 3              // of the following count half, and what comes then nothing
	MaxGap      = 400            // between two ratings that are no longer provisional
)

// StakesOf are those of a match that begins between two players who have begun so many matches that counted within the last
// [PairDay].
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
