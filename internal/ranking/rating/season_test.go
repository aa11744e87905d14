package rating_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"tictactoe/internal/ranking/rating"
)

// strength is the true strength of a player, on the scale of ratings.
type strength float64

// meet returns a random score against another player, with the mean that Glicko expects. Equal players draw 55 of 100 matches, as
// people do on the classic board; the larger the difference, the fewer draws there are.
func (s strength) meet(random *rand.Rand, other strength) float64 {
	e := rating.Expected(rating.Rating{Value: float64(s)}, rating.Rating{Value: float64(other)})
	draws := 2 * 0.55 * math.Min(e, 1-e)
	switch drawn := random.Float64(); {
	case drawn < draws:
		return rating.Draw
	case drawn < draws+e-draws/2:
		return rating.Win
	default:
		return rating.Loss
	}
}

// person is a player on a ladder.
type person struct {
	strength strength
	rating   rating.Rating
	met      map[*person]bool
}

func newcomer(s strength) *person {
	return &person{s, rating.New(), make(map[*person]bool)}
}

// settled returns a player with a certain and correct rating.
func settled(s strength, at time.Time) *person {
	return &person{s, rating.Rating{Value: float64(s), Deviation: 60, Volatility: 0.06, At: at}, make(map[*person]bool)}
}

// ranked reports whether the person has a rank; see [tictactoe/internal/ranking/ladder.Standing].
func (p *person) ranked() bool {
	return p.rating.Deviation <= rating.RankDeviation && len(p.met) >= rating.MinOpponents
}

// world is a ladder in memory, with the same limits as a real one.
type world struct {
	random *rand.Rand
	now    time.Time
	begun  map[[2]*person][]time.Time
}

func newWorld(seed uint64) *world {
	return &world{rand.New(rand.NewPCG(seed, 71)), time.UnixMilli(1_700_000_000_000), make(map[[2]*person][]time.Time)}
}

// rate applies a match with the given score to both ratings if its stakes count, and reports whether they do.
func (w *world) rate(a, b *person, score float64) bool {
	both, reversed := [2]*person{a, b}, [2]*person{b, a}
	today := slices.DeleteFunc(w.begun[both], func(at time.Time) bool { return w.now.Sub(at) >= rating.PairDay })
	stakes := rating.StakesOf(len(today), a.rating, b.rating)
	if stakes.Counts() {
		today = append(today, w.now)
	}
	w.begun[both], w.begun[reversed] = today, slices.Clone(today)
	if !stakes.Counts() {
		return false
	}
	a.rating, b.rating = rating.Match(a.rating, b.rating, score, stakes.Weight(), w.now)
	a.met[b], b.met[a] = true, true
	return true
}

func (w *world) play(a, b *person) bool { return w.rate(a, b, a.strength.meet(w.random, b.strength)) }

func (w *world) pass(d time.Duration) { w.now = w.now.Add(d) }

// people returns n new players, whose strengths have a standard deviation of 200 around 1500.
func (w *world) people(n int) []*person {
	people := make([]*person, n)
	for i := range people {
		people[i] = newcomer(strength(1500 + 200*w.random.NormFloat64()))
	}
	return people
}

// spearman returns the rank correlation of two orders; it is 1 if they are the same.
func spearman(a, b []float64) float64 {
	ranks := func(values []float64) []int {
		order, ranks := make([]int, len(values)), make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
		for rank, i := range order {
			ranks[i] = rank
		}
		return ranks
	}
	x, y, sum := ranks(a), ranks(b), 0.0
	for i := range x {
		sum += math.Pow(float64(x[i]-y[i]), 2)
	}
	n := float64(len(x))
	return 1 - 6*sum/(n*(n*n-1))
}

func TestASeasonFindsTheOrderOfStrength(t *testing.T) {
	w := newWorld(1)
	people := w.people(200)
	for played := 0; played < 10_000; w.pass(10 * time.Minute) { // ten weeks
		a, b := people[w.random.IntN(len(people))], people[w.random.IntN(len(people))]
		if a != b && w.play(a, b) {
			played++
		}
	}
	var truth, found []float64
	var within, ranked int
	for _, p := range people {
		truth, found = append(truth, float64(p.strength)), append(found, p.rating.Value)
		if math.Abs(p.rating.Value-float64(p.strength)) <= 2*p.rating.Deviation {
			within++
		}
		if p.ranked() {
			ranked++
		}
	}
	rho := spearman(truth, found)
	t.Logf("rank correlation %.3f; %d of 200 within two deviations; %d of 200 have a rank", rho, within, ranked)
	if rho < 0.93 {
		t.Errorf("the rank correlation is %.3f", rho)
	}
	if within < 190 {
		t.Errorf("%d of 200 are within two deviations; the rating promises 95 of 100", within)
	}
	if ranked < 190 {
		t.Errorf("%d of 200 have a rank after 100 matches each", ranked)
	}
}
