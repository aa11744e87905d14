package rating_test

import (
	"math"
	"testing"
	"time"

	"tictactoe/internal/ranking/rating"
)

func rated(value, deviation float64) rating.Rating {
	return rating.Rating{Value: value, Deviation: deviation, Volatility: 0.06}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s is %.10f, not %.10f", what, got, want)
	}
}

// TestTheExampleOfThePaper compares the calculated rating with the exact results of the paper's example. The paper itself rounds at every
// step: 1464.06,
// 151.52 and 0.05999.
func TestTheExampleOfThePaper(t *testing.T) {
	got := rated(1500, 200).After(
		rating.Played{Opponent: rated(1400, 30), Score: rating.Win, Weight: 1},
		rating.Played{Opponent: rated(1550, 100), Score: rating.Loss, Weight: 1},
		rating.Played{Opponent: rated(1700, 300), Score: rating.Loss, Weight: 1},
	)
	near(t, "the rating", got.Value, 1464.0506705, 5e-8)
	near(t, "the deviation", got.Deviation, 151.5165241, 5e-8)
	near(t, "the volatility", got.Volatility, 0.0599959844, 5e-11)
	near(t, "what is expected against 1400", rating.Expected(rated(1500, 200), rated(1400, 30)), 0.63947, 5e-6)
	near(t, "what is expected against 1550", rating.Expected(rated(1500, 200), rated(1550, 100)), 0.43184, 5e-6)
	near(t, "what is expected against 1700", rating.Expected(rated(1500, 200), rated(1700, 300)), 0.30284, 5e-6)
}

func TestTheOpponentsOfTheExample(t *testing.T) {
	hero := rated(1500, 200)
	for _, c := range []struct{ value, deviation, score, wantValue, wantDeviation float64 }{
		{1400, 30, rating.Loss, 1398.143558, 31.670215},
		{1550, 100, rating.Win, 1570.394740, 97.709169},
		{1700, 300, rating.Win, 1784.421790, 251.565565},
	} {
		got := rated(c.value, c.deviation).After(rating.Played{Opponent: hero, Score: c.score, Weight: 1})
		near(t, "the rating", got.Value, c.wantValue, 5e-7)
		near(t, "the deviation", got.Deviation, c.wantDeviation, 5e-7)
	}
}

func TestAPeriodWithoutAMatch(t *testing.T) {
	near(t, "2000/100", rated(2000, 100).After().Deviation, 100.541734, 5e-7)
	near(t, "1500/200", rated(1500, 200).After().Deviation, 200.271417, 5e-7)
}

func TestANewSeason(t *testing.T) {
	began := time.UnixMilli(1_700_000_000_000)
	for _, c := range []struct {
		name                                             string
		value, deviation, idle, wantValue, wantDeviation float64 // idle is in days
	}{
		{"a settled rating goes halfway back, and is provisional", 1800, 75, 0, 1650, 150.083310},
		{"one below the start goes up", 1300, 45, 0, 1400, 137.568165},
		{"one at the start stays there", 1500, 200, 0, 1500, 238.537209},
		{"no deviation exceeds a newcomer's", 1600, 340, 0, 1550, 350},
		{"time that has passed counts before", 1800, 75, 100, 1650, 157.650926},
	} {
		r := rated(c.value, c.deviation)
		r.At = began.Add(-time.Duration(c.idle) * 24 * time.Hour)
		got := r.Into(began)
		near(t, c.name+": the rating", got.Value, c.wantValue, 5e-7)
		near(t, c.name+": the deviation", got.Deviation, c.wantDeviation, 5e-7)
		if got.Volatility != r.Volatility || !got.At.Equal(began) || !got.Provisional() || got != got.Rounded() {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := rating.New().Into(began); got != rating.New() {
		t.Errorf("a new player begins with %+v", got)
	}
}

func TestTwoNewPlayers(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	for _, c := range []struct {
		name       string
		score      float64
		own, other float64
	}{
		{"a win", rating.Win, 1662.3109, 1337.6891},
		{"a loss", rating.Loss, 1337.6891, 1662.3109},
		{"a draw", rating.Draw, 1500, 1500},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := rating.Match(rating.New(), rating.New(), c.score, 1, now)
			near(t, "one rating", a.Value, c.own, 5e-5)
			near(t, "the other rating", b.Value, c.other, 5e-5)
			near(t, "one deviation", a.Deviation, 290.31896, 5e-6)
			near(t, "the other deviation", b.Deviation, 290.31896, 5e-6)
		})
	}
}

func TestHalfAMatchIsHalfTheEvidence(t *testing.T) {
	a, b := rated(1500, 80), rated(1600, 90)
	half := a.After(rating.Played{Opponent: b, Score: rating.Win, Weight: 0.5}, rating.Played{Opponent: b, Score: rating.Win, Weight: 0.5})
	whole := a.After(rating.Played{Opponent: b, Score: rating.Win, Weight: 1})
	near(t, "two halves", half.Value, whole.Value, 1e-9)
	near(t, "their deviation", half.Deviation, whole.Deviation, 1e-9)
}

func TestTheDeviation(t *testing.T) {
	now := time.UnixMilli(1_700_000_000_000)
	t.Run("never goes below its minimum", func(t *testing.T) {
		a, _ := rating.Match(rated(1500, 30), rated(1500, 45), rating.Win, 1, now)
		near(t, "after a match", a.Deviation, rating.MinDeviation, 0)
	})
	t.Run("the deviation of an active player settles below the bound for a rank", func(t *testing.T) {
		a, b := rating.New(), rating.New()
		for i := range 500 {
			a, b = rating.Match(a, b, []float64{rating.Win, rating.Loss}[i%2], 1, now)
		}
		if near(t, "after 500 matches", a.Deviation, 60, 1); a.Deviation > rating.RankDeviation {
			t.Errorf("%+v is not settled", a)
		}
	})
	t.Run("grows while a player is away, up to its initial value", func(t *testing.T) {
		a := rated(1500, 45)
		a.At = now
		near(t, "after a year", a.On(now.AddDate(1, 0, 0)).Deviation, 102.6, 0.5)
		near(t, "after two centuries", a.On(now.AddDate(200, 0, 0)).Deviation, rating.StartDeviation, 0)
		if got := a.On(now.Add(-time.Hour)); got != a {
			t.Errorf("an hour before the last match it is %+v, not as it was", got)
		}
	})
}

func TestStakes(t *testing.T) {
	for _, c := range []struct {
		name  string
		today int
		a, b  rating.Rating
		want  rating.Stakes
	}{
		{"the first match of a pair", 0, rating.New(), rating.New(), rating.Full},
		{"the third", 2, rating.New(), rating.New(), rating.Full},
		{"the fourth", 3, rating.New(), rating.New(), rating.Half},
		{"the sixth", 5, rating.New(), rating.New(), rating.Half},
		{"the seventh", 6, rating.New(), rating.New(), rating.TooOften},
		{"a gap of 400", 0, rated(1900, 60), rated(1500, 60), rating.Full},
		{"a gap above 400", 0, rated(1901, 60), rated(1500, 60), rating.TooFarApart},
		{"the same gap the other way", 0, rated(1500, 60), rated(1901, 109), rating.TooFarApart},
		{"the same gap to a newcomer", 0, rated(1500, 110), rated(1901, 60), rating.Full},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rating.StakesOf(c.today, c.a, c.b); got != c.want {
				t.Errorf("got %v, not %v", got, c.want)
			}
		})
	}
}
