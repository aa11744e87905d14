// Package rating calculates the ratings of players by Glicko-2, and the weight of a match for them. It knows only numbers;
// package [tictactoe/internal/ranking/ladder] knows players and venues.
//
// The system is described in Mark Glickman, "Example of the Glicko-2 system" (2022), http://www.glicko.net/glicko/glicko2.pdf;
// comments use the paper's step numbers. Each match is a rating period of its own.
package rating

import (
	"math"
	"time"
)

// The constants of the ladder.
const (
	Start           = 1500 // the rating of a new player
	StartDeviation  = 350  // the deviation of a new player, and the largest deviation
	StartVolatility = 0.06 // the volatility of a new player
	MinDeviation    = 45   // the smallest deviation; it is not zero, so that a rating always follows the latest results
	// MaxVolatility is the largest volatility. After an almost impossible result the equation for the volatility has several
	// solutions, most of them absurd; below this bound there is at most one. No real player comes near it.
	MaxVolatility = 0.1
	tau           = 0.5 // the system constant, which limits the change of the volatility
	scale         = 173.7178
	// idlePeriods is the number of rating periods in a day without a match. Lichess uses the same number.
	idlePeriods = 0.21436
	// seasonDoubt is the deviation that a new season adds, by the sum of squares: a deviation of 75, which is enough for a
	// rank, becomes 150.
	seasonDoubt = 130
	// tolerance is the tolerance of the solution for the logarithm of the variance. The paper uses 0.000001. One more
	// iteration reaches 1e-12, and then the stored digits do not depend on where the iteration stopped.
	tolerance = 1e-12
)

// Rating is an estimate of a player's strength, which with 95 % confidence lies within two deviations of the value. The zero
// value is not a rating; use [New] for a player who has not played.
type Rating struct {
	Value      float64   // 1500 for a new player
	Deviation  float64   // between MinDeviation and StartDeviation
	Volatility float64   // how steadily the player plays; around 0.06, at most MaxVolatility
	At         time.Time // when the last rated match ended; zero if there is none
}

// New returns the rating of a player who has not played a rated match.
func New() Rating {
	return Rating{Value: Start, Deviation: StartDeviation, Volatility: StartVolatility}
}

// Provisional reports whether the rating is still uncertain. Such a rating is shown with a "?".
func (r Rating) Provisional() bool { return r.Deviation >= ProvisionalDeviation }

// Low returns the lower bound of the player's strength, with 97.5 % confidence. Ladders are sorted by it.
func (r Rating) Low() float64 { return r.Value - 2*r.Deviation }

// Points returns the value rounded to an integer, as it is shown.
func (r Rating) Points() int { return int(math.Round(r.Value)) }

// ProvisionalDeviation is the smallest deviation of a provisional rating. Such a rating is shown with a question mark, and a
// match of the player counts even if the two ratings differ by more than MaxGap.
const ProvisionalDeviation = 110

// RankDeviation is the largest deviation of a rating that is certain enough for a rank.
const RankDeviation = 75

// MinOpponents is the number of different opponents that a player needs for a rank, so that two players who play only each other
// have none.
const MinOpponents = 5

// Scores of a match.
const (
	Loss = 0.0
	Draw = 0.5
	Win  = 1.0
)

// Played is a match of a rating period.
type Played struct {
	Opponent Rating
	Score    float64 // Loss, Draw or Win
	Weight   float64 // 1 for a whole match, 0.5 for half of one
}

// Expected returns the expected score of a player against an opponent, between 0 and 1: 0.5 between equals.
func Expected(r, opponent Rating) float64 {
	return expected(internal(r.Value), internal(opponent.Value), g(opponent.Deviation/scale))
}

// Match returns the ratings of two players after a match at a time. score is the score of the first player. Both ratings are
// rounded as by [Rating.Rounded], so that working out the same matches again gives the same digits.
func Match(a, b Rating, score, weight float64, at time.Time) (Rating, Rating) {
	// Both calculations use the weight of the match. Each uses the opponent's rating before the match.
	return a.Against(b.On(at), score, weight, at), b.Against(a.On(at), Win-score, weight, at)
}

// Against returns the rating of one player after a match at a time, rounded as by [Rating.Rounded]. opponent is the rating that the
// opponent had at that time.
func (r Rating) Against(opponent Rating, score, weight float64, at time.Time) Rating {
	next := r.On(at).After(Played{opponent, score, weight})
	next.At = at
	return next.bounded().Rounded()
}

// Into returns the rating of a player when a new season begins: halfway back to Start, and less certain, so that earlier
// results count but do not decide.
func (r Rating) Into(began time.Time) Rating {
	if r.At.IsZero() {
		return r
	}
	r = r.On(began)
	r.Value = Start + (r.Value-Start)/2
	r.Deviation = math.Hypot(r.Deviation, seasonDoubt)
	r.At = began
	return r.bounded().Rounded()
}

// On returns the rating of a player before a match at a time: its deviation grows with the time since the last match (step 6, for
// fractions of periods too).
func (r Rating) On(at time.Time) Rating {
	if r.At.IsZero() || !at.After(r.At) {
		return r
	}
	days := float64(at.UnixMilli()-r.At.UnixMilli()) / float64((24 * time.Hour).Milliseconds())
	r.Deviation = math.Min(scale*math.Hypot(r.Deviation/scale, r.Volatility*math.Sqrt(days*idlePeriods)), StartDeviation)
	return r
}

// bounded keeps the deviation in its range.
func (r Rating) bounded() Rating {
	r.Deviation = math.Min(math.Max(r.Deviation, MinDeviation), StartDeviation)
	return r
}

// Rounded returns the rating as it is stored: value and deviation to the millionth of a point, volatility to the billionth.
func (r Rating) Rounded() Rating {
	r.Value = math.Round(r.Value*1e6) / 1e6
	r.Deviation = math.Round(r.Deviation*1e6) / 1e6
	r.Volatility = math.Round(r.Volatility*1e9) / 1e9
	return r
}

// After returns the rating after one rating period, exactly as in the paper: neither rounded nor bounded. Without a match only
// the deviation grows.
func (r Rating) After(played ...Played) Rating {
	mu, phi := internal(r.Value), r.Deviation/scale // step 2

	// Steps 3 and 4. The weight is a factor in both sums: half a match is half the evidence.
	var information, surprise float64
	for _, p := range played {
		gj := g(p.Opponent.Deviation / scale)
		e := expected(mu, internal(p.Opponent.Value), gj)
		information += float64(p.Weight * gj * gj * e * (1 - e))
		surprise += float64(p.Weight * gj * (p.Score - e))
	}
	if information == 0 {
		r.Deviation = scale * math.Hypot(phi, r.Volatility)
		return r
	}
	v := 1 / information
	delta := float64(v * surprise)

	r.Volatility = volatility(r.Volatility, phi, v, delta)
	phi = math.Hypot(phi, r.Volatility)                 // step 6
	phi = 1 / math.Sqrt(1/float64(phi*phi)+information) // step 7
	mu += float64(phi * phi * surprise)
	r.Value, r.Deviation = Start+float64(scale*mu), scale*phi // step 8
	return r
}

// volatility returns the volatility that explains the surprise best (step 5), found by the Illinois variant of regula falsi.
func volatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := float64(phi*phi) + v + ex
		return float64(ex*(float64(delta*delta)-float64(phi*phi)-v-ex))/float64(2*d*d) - (x-a)/(tau*tau)
	}
	lower, upper := a, a-tau // f is never negative there: its first term is at least -1/2
	if delta*delta > phi*phi+v {
		upper = math.Min(math.Log(delta*delta-phi*phi-v), 2*math.Log(MaxVolatility))
		if upper > a && f(upper) > 0 {
			return MaxVolatility
		}
	}
	fLower, fUpper := f(lower), f(upper)
	for math.Abs(upper-lower) > tolerance {
		middle := lower + (lower-upper)*fLower/(fUpper-fLower)
		fMiddle := f(middle)
		if fMiddle*fUpper <= 0 {
			lower, fLower = upper, fUpper
		} else {
			fLower /= 2
		}
		upper, fUpper = middle, fMiddle
	}
	return math.Min(math.Exp(lower/2), MaxVolatility)
}

func internal(value float64) float64 { return (value - Start) / scale }

// g returns the weight of an opponent's rating: 1 if the rating is certain, and less the larger its deviation is.
func g(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

func expected(mu, opponent, g float64) float64 { return 1 / (1 + math.Exp(-g*(mu-opponent))) }
