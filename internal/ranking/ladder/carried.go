package ladder

import (
	"context"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/season"
)

// StandingsNow returns the standings of a player in the current season, by the names of the rule sets. For an offered rule set of
// which the player has no match in this season yet, it returns the initial standing: the rating after the latest match, softened by
// each season since. seasons are the seasons of the venue, the newest first.
func StandingsNow(ctx context.Context, s interface {
	Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]Row, error)
	Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User, latest int) ([]Point, error)
}, v match.Venue, p match.User, seasons []season.Season) (map[string]Row, error) {
	rows, err := s.Standings(ctx, v, season.Latest, p)
	if err != nil || len(seasons) == 0 {
		return rows, err
	}
	for _, offer := range game.Offered() {
		name := offer.Rules.String()
		if _, played := rows[name]; played {
			continue
		}
		course, err := s.Course(ctx, v, offer.Rules, p, 1)
		if err != nil {
			return nil, err
		}
		if len(course) == 0 {
			continue
		}
		last := course[0].Rating
		for _, next := range slices.Backward(seasons) {
			if !next.Began.Before(last.At) {
				last = last.Into(next.Began)
			}
		}
		rows[name] = Row{Standing: Standing{Player: p, Rating: last}}
	}
	return rows, nil
}
