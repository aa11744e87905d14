package rating_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tictactoe/internal/ranking/rating"
)

// second is an independent implementation of Glicko-2 for one match, written from the paper. It shares no code with the package: it
// calculates in points throughout, with hyperbolic functions for the expected score, bisection for the volatility, and precisions
// in place of deviations.
func second(own, other rating.Rating, score, weight float64) (value, deviation, volatility float64) {
	const points = 173.7178
	variance := own.Deviation * own.Deviation
	damped := 1 / (points * math.Sqrt(1+3*math.Pow(other.Deviation/(math.Pi*points), 2)))
	half := damped * (own.Value - other.Value) / 2
	information := weight * math.Pow(damped/(2*math.Cosh(half)), 2) // per point squared
	surprise := weight * damped * (score - 0.5 - math.Tanh(half)/2) // per point
	volatility = halve(own.Volatility, variance/(points*points), information, surprise, points)
	inflated := variance + math.Pow(points*volatility, 2)
	gained := inflated / (1 + inflated*information)
	return own.Value + gained*surprise, math.Sqrt(gained), volatility
}

// halve finds, by bisection, the variance whose logarithm solves the equation of step 5, between almost zero and the largest
// variance. In this range the left side decreases, so there is at most one solution.
func halve(sigma, variance, information, surprise, points float64) float64 {
	v := 1 / (information * points * points)
	squared := math.Pow(surprise/information/points, 2) // delta²
	left := func(s float64) float64 {                   // the left side of the equation, as a function of the variance
		total := variance + v + s
		return s*(squared-total)/(2*total*total) - 4*math.Log(s/(sigma*sigma))
	}
	low, high := sigma*sigma/100, rating.MaxVolatility*rating.MaxVolatility
	if left(high) > 0 {
		return rating.MaxVolatility
	}
	for range 60 {
		if middle := low + (high-low)/2; left(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return math.Sqrt(low)
}

// bare returns a rating after a match, neither bounded nor rounded.
func bare(own, other rating.Rating, score, weight float64) rating.Rating {
	return own.After(rating.Played{Opponent: other, Score: score, Weight: weight})
}

func off(got, want float64) float64 { return math.Abs(got-want) / math.Max(math.Abs(want), 1) }

func TestASecondImplementationAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	between := func(low, high float64) float64 { return low + random.Float64()*(high-low) }
	for range 100_000 {
		own := rating.Rating{Value: between(500, 2500), Deviation: between(45, 350), Volatility: between(0.01, rating.MaxVolatility)}
		other := rating.Rating{Value: own.Value + between(-2000, 2000), Deviation: between(45, 350)}
		score := []float64{rating.Loss, rating.Draw, rating.Win}[random.IntN(3)]
		weight := []float64{0.5, 1}[random.IntN(2)]
		got := bare(own, other, score, weight)
		value, deviation, volatility := second(own, other, score, weight)
		if off(got.Value, value) > 1e-9 || off(got.Deviation, deviation) > 1e-9 || off(got.Volatility, volatility) > 1e-9 {
			t.Fatalf("%+v scores %v of %v against %+v: %+v, not %.12f, %.12f and %.12f",
				own, score, weight, other, got, value, deviation, volatility)
		}
	}
}

func TestExtremes(t *testing.T) {
	corners := func(do func(own, other rating.Rating, score, weight float64)) {
		for _, deviation := range []float64{45, 110, 350} {
			for _, others := range []float64{45, 110, 350} {
				for _, gap := range []float64{-2000, -1030, 0, 1030, 2000} {
					for _, volatility := range []float64{1e-6, 0.06, rating.MaxVolatility} {
						for _, score := range []float64{rating.Loss, rating.Draw, rating.Win} {
							for _, weight := range []float64{0.5, 1} {
								do(rating.Rating{Value: 1500, Deviation: deviation, Volatility: volatility},
									rating.Rating{Value: 1500 + gap, Deviation: others}, score, weight)
							}
						}
					}
				}
			}
		}
	}
	t.Run("the second implementation agrees for extreme ratings", func(t *testing.T) {
		corners(func(own, other rating.Rating, score, weight float64) {
			got := bare(own, other, score, weight)
			value, deviation, volatility := second(own, other, score, weight)
			if off(got.Value, value) > 1e-9 || off(got.Deviation, deviation) > 1e-9 || off(got.Volatility, volatility) > 1e-9 {
				t.Errorf("%+v scores %v of %v against %+v: %+v, not %.12f, %.12f and %.12f",
					own, score, weight, other, got, value, deviation, volatility)
			}
		})
	})
	t.Run("a win never lowers a rating, a loss never raises it, and the volatility keeps its bound", func(t *testing.T) {
		corners(func(own, other rating.Rating, score, weight float64) {
			switch got := bare(own, other, score, weight); {
			case got.Volatility > rating.MaxVolatility:
				t.Errorf("%+v after %v against %+v has a volatility of %v", own, score, other, got.Volatility)
			case score == rating.Win && got.Value < own.Value, score == rating.Loss && got.Value > own.Value:
				t.Errorf("%+v after %v against %+v is %+v", own, score, other, got)
			}
		})
	})
	t.Run("a thousand equal results in a row give finite ratings within bounds", func(t *testing.T) {
		for _, score := range []float64{rating.Loss, rating.Draw, rating.Win} {
			for _, others := range []float64{45, 350} {
				own, now := rating.New(), time.UnixMilli(1_700_000_000_000)
				for n := range 1000 {
					other := rating.Rating{Value: 1500, Deviation: others}
					next := own.Against(other, score, 1, now)
					if math.IsNaN(next.Value+next.Deviation+next.Volatility) || next.Value < own.Value && score == rating.Win || next.Value > own.Value && score == rating.Loss {
						t.Fatalf("after %d times %v: %+v, and before %+v", n+1, score, next, own)
					}
					own, now = next, now.Add(time.Minute)
				}
				if gain := math.Abs(own.Value - 1500); gain > 1600 {
					t.Errorf("after 1000 times %v against 1500: %+v", score, own)
				}
			}
		}
	})
}
