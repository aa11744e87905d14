package ladder_test

import (
	"context"
	"errors"
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
