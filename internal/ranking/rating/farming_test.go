package rating_test

import (
	"testing"
	"time"

	"tictactoe/internal/ranking/rating"
)

// runs is the number of repetitions of a simulation with random results. It is large enough that the mean is exact to a few points.
const runs = 400

// mean returns the mean result of a simulation over its repetitions, each with another seed.
func mean(course func(seed uint64) float64) float64 {
	var sum float64
	for seed := range uint64(runs) {
		sum += course(seed)
	}
	return sum / runs
}

// honestly lets p play the given number of matches, six a day, against opponents of similar strength whose ratings are correct.
func (w *world) honestly(p *person, matches int) {
	for range matches {
		w.play(p, settled(p.strength+strength(100*w.random.NormFloat64()), w.now))
		w.pass(4 * time.Hour)
	}
}

// farm lets p win against an alt (a second account of the same person), which resigns, 24 times a day for the given number of days.
// It returns how many matches counted.
func (w *world) farm(p, alt *person, days int) (counted int) {
	for range days {
		for range 24 {
			if w.rate(p, alt, rating.Win) {
				counted++
			}
			w.pass(time.Hour)
		}
	}
	return counted
}

// TestAnAltIsWorthNothing compares two ways to spend the same number of days: a month of wins against an alt, followed by honest matches
// until the player has a rank again, or only honest matches. It compares the lower bounds of the ratings, because the ladder is sorted by
// them.
func TestAnAltIsWorthNothing(t *testing.T) {
	t.Run("two accounts that play only each other have no rank", func(t *testing.T) {
		w := newWorld(1)
		p, alt := newcomer(1500), newcomer(1500)
		if n := w.farm(p, alt, 30); n != 30*(rating.FullMatches+rating.HalfMatches) {
			t.Errorf("%d matches of 720 counted in a month", n)
		}
		if p.ranked() || alt.ranked() {
			t.Errorf("%+v and %+v have a rank", p, alt)
		}
	})
	t.Run("a month of farming costs the rank and gains few points", func(t *testing.T) {
		var back, ranked float64
		farmed := mean(func(seed uint64) float64 {
			w := newWorld(seed)
			p := settled(1500, w.now)
			w.farm(p, newcomer(1500), 30)
			if p.rating.Deviation <= rating.RankDeviation {
				ranked++
			}
			for p.rating.Deviation > rating.RankDeviation {
				w.honestly(p, 1)
				back++
			}
			return p.rating.Low()
		})
		honest := mean(func(seed uint64) float64 {
			w := newWorld(seed)
			p := settled(1500, w.now)
			w.honestly(p, 180)
			return p.rating.Low()
		})
		t.Logf("%.0f honest matches until the rank is back; worth %.1f then, and %.1f after an honest month", back/runs, farmed, honest)
		if ranked > 0 || farmed-honest > 20 {
			t.Errorf("a month of farming is worth %.1f points; %.0f of %d kept their rank", farmed-honest, ranked, runs)
		}
	})
	t.Run("after ten days of honest matches only a few points are left", func(t *testing.T) {
		value := mean(func(seed uint64) float64 {
			w := newWorld(seed)
			p := settled(1500, w.now)
			w.farm(p, newcomer(1500), 30)
			w.honestly(p, 60)
			return p.rating.Value
		})
		t.Logf("rated %.1f", value)
		if value > 1515 {
			t.Errorf("a player of strength 1500 is still rated %.1f after 60 honest matches", value)
		}
	})
}

func TestResigningOnPurposeIsWorthNothing(t *testing.T) {
	after := func(resigned int) float64 {
		return mean(func(seed uint64) float64 {
			w := newWorld(seed)
			p := settled(1500, w.now)
			for range resigned {
				w.rate(p, settled(1500, w.now), rating.Loss)
				w.pass(4 * time.Hour)
			}
			w.honestly(p, 60)
			return p.rating.Value
		})
	}
	honest := after(0)
	for _, n := range []int{1, 5, 20} {
		gain := after(n) - honest
		t.Logf("%d resigned: %+.1f points", n, gain)
		if gain > 1 {
			t.Errorf("resigning %d matches before 60 honest ones gains %.1f points over 60 honest ones alone", n, gain)
		}
	}
}

func TestSwappingAccountsIsWorthNothing(t *testing.T) {
	both := func(swapped bool) (sum, best float64) {
		sum = mean(func(seed uint64) float64 {
			w := newWorld(seed)
			strong, weak := settled(1700, w.now), settled(1300, w.now)
			if swapped {
				strong.strength, weak.strength = weak.strength, strong.strength
			}
			w.honestly(strong, 60)
			w.honestly(weak, 60)
			best += max(strong.rating.Value, weak.rating.Value) / runs
			return strong.rating.Value + weak.rating.Value
		})
		return sum, best
	}
	sum, best := both(false)
	sumSwapped, bestSwapped := both(true)
	t.Logf("sum %.1f, the better %.1f; swapped %.1f and %.1f", sum, best, sumSwapped, bestSwapped)
	if sumSwapped > sum+10 || bestSwapped > best+1 {
		t.Errorf("swapping gains %.1f for the two, and %.1f for the better account", sumSwapped-sum, bestSwapped-best)
	}
}
