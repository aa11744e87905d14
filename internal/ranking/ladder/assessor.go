package ladder

import (
	"context"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/server/policy"
)

// Assessor determines the stakes of a match before it is played.
type Assessor struct {
	Store    Store
	Policies policy.Store
}

// Stakes returns the stakes of a match between two people that begins now. They follow from the saved ratings and matches: two
// matches of the same pair that begin at the same time do not count each other.
func (s Assessor) Stakes(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (rating.Stakes, error) {
	if v == "" {
		return rating.NoStakes, nil
	}
	allowed, err := s.Policies.Policy(ctx, v)
	if err != nil {
		return rating.NoStakes, err
	}
	if allowed.Unrated {
		return rating.Unranked, nil
	}
	pair, err := s.Store.Pair(ctx, v, rules, a, b, now)
	if err != nil {
		return rating.NoStakes, err
	}
	return rating.StakesOf(pair.Today, pair.A, pair.B), nil
}
