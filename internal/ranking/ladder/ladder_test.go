package ladder_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/server/policy"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

type policies struct{ policy.Store }

// records is a store with two players and the policy of their server.
type records struct {
	ladder.Store
	policies
	pair    ladder.Pair
	allowed policy.Policy
	err     error
}

func (r records) Pair(_ context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (ladder.Pair, error) {
	if v != "home" || rules != game.Classic() || a != "ann" || b != "ben" || !now.Equal(noon) {
		return ladder.Pair{}, errors.New("the ratings of this pair should not be requested")
	}
	return r.pair, r.err
}

func (r records) Policy(context.Context, match.Venue) (policy.Policy, error) { return r.allowed, nil }

func TestStakesOfAMatch(t *testing.T) {
	pair := func(today int) ladder.Pair { return ladder.Pair{A: rating.New(), B: rating.New(), Today: today} }
	far := ladder.Pair{A: rating.Rating{Value: 1950, Deviation: 60}, B: rating.Rating{Value: 1500, Deviation: 60}}
	for _, tt := range []struct {
		name  string
		venue match.Venue
		known records
		want  rating.Stakes
	}{
		{"their first", "home", records{pair: pair(0)}, rating.Full},
		{"their fourth of a day", "home", records{pair: pair(3)}, rating.Half},
		{"their seventh", "home", records{pair: pair(6)}, rating.TooOften},
		{"one of a master against a beginner", "home", records{pair: far}, rating.TooFarApart},
		{"one where ratings are off", "home", records{pair: pair(0), allowed: policy.Policy{Unrated: true}}, rating.Unranked},
		{"one in direct messages", "", records{pair: pair(0)}, rating.NoStakes},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ladder.Stakes(tt.known, tt.known)(t.Context(), tt.venue, game.Classic(), "ann", "ben", noon)
			if err != nil || got != tt.want {
				t.Errorf("the stakes are %v, not %v (%v)", got, tt.want, err)
			}
		})
	}
	t.Run("an unreadable store is an error", func(t *testing.T) {
		known := records{err: match.ErrBusy}
		if _, err := ladder.Stakes(known, known)(t.Context(), "home", game.Classic(), "ann", "ben", noon); !errors.Is(err, match.ErrBusy) {
			t.Error(err)
		}
	})
}

func TestARankAsksForMoreTheLargerTheLadderIs(t *testing.T) {
	for players, want := range map[int]ladder.Need{
		0: {2, 110}, 2: {2, 110}, 5: {3, 110}, 6: {3, 103}, 7: {4, 96}, 8: {4, 89}, 9: {5, 82}, 10: {5, 75}, 1000: {5, 75},
	} {
		if got := ladder.NeedOn(players); got != want {
			t.Errorf("with %d players a rank needs %v, want %v", players, got, want)
		}
	}
}

// Five friends play ten matches a week. They are equal, or each is 250 points better than the next.
func TestFiveFriendsHaveRanksAfterSomeWeeks(t *testing.T) {
	for _, apart := range []float64{0, 250} {
		var all [5]ladder.Standing
		for i := range all {
			all[i].Rating = rating.New()
		}
		random, met := rand.New(rand.NewPCG(1, 2)), map[[2]int]bool{}
		for n := range 60 {
			a, b := random.IntN(5), random.IntN(4)
			if b >= a {
				b++
			}
			better := math.Exp(float64(a-b) * apart / 347.4)
			score := rating.Draw
			switch at := random.Float64() * (better + 1/better + 2.8); { // equals draw 58 % of their matches
			case at < better:
				score = rating.Win
			case at < better+1/better:
				score = rating.Loss
			}
			x, o := &all[a], &all[b]
			x.Rating, o.Rating = rating.Match(x.Rating, o.Rating, score, 1, time.Date(2026, 1, 1, n*168/10, 0, 0, 0, time.UTC))
			if pair := [2]int{min(a, b), max(a, b)}; !met[pair] {
				met[pair] = true
				x.Opponents++
				o.Opponents++
			}
		}
		for i, s := range all {
			if !s.Meets(ladder.NeedOn(len(all))) {
				t.Errorf("after six weeks, player %d of five, %v points apart, has no rank: %+v", i, apart, s)
			}
		}
	}
}
