package ladder

import (
	"context"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/season"
)

// StandingsNow returns the standings of a player in the season that goes on, by the names of the rule sets. If the player has no
// match of a rule set on offer in that season yet, its standing is the one with which the player will begin: the rating after the
// latest match, softened by each season since. seasons are those of the venue, the newest first.
func StandingsNow(ctx context.Context, s interface {
	Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]Row, error)
	Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User) ([]Point, error)
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
		course, err := s.Course(ctx, v, offer.Rules, p)
		if err != nil {
			return nil, err
		}
		if len(course) == 0 {
			continue
		}
		last := course[len(course)-1].Rating
		for i := len(seasons) - 1; i >= 0; i-- {
			if began := seasons[i].Began; !began.Before(last.At) {
				last = last.Into(began)
			}
		}
		if rows == nil {
			rows = make(map[string]Row)
		}
		rows[name] = Row{Standing: Standing{Player: p, Rating: last}}
	}
	return rows, nil
}
