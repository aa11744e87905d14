// Package ladder says which matches change the ratings of their players, and what is kept of that. A ladder belongs to one venue
// and one rule set.
//
// What is kept is derived: a ladder is what comes of its rated matches, worked out one after the other in the order in which they
// ended. If one of them does not count any more, those after it are worked out again; see [Store.Replay].
package ladder

import (
	"context"
	"fmt"
	"math"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
	"tictactoe/internal/season"
)

// Counts tells whether a match changes ratings: it was rated from its beginning, it has a result, and its players have brought that
// about themselves.
func Counts(m match.Match) bool {
	return m.Stakes.Counts() && m.Result.Counts() && m.Result.Cause != match.ByModerator
}

// Score is what a player with that mark has scored in a match that counts.
func Score(m match.Match, mark game.Mark) float64 {
	switch m.Result.Outcome.Winner() {
	case game.None:
		return rating.Draw
	case mark:
		return rating.Win
	default:
		return rating.Loss
	}
}

// Standing is how a player stands on a ladder in a season.
type Standing struct {
	Player      match.User
	Rating      rating.Rating
	score.Tally     // of the rated matches of the season
	Opponents   int // how many different ones there were in it
}

// Ranked tells whether a player has a rank: whose rating is not known well enough, or who has met too few, has none yet.
func (s Standing) Ranked() bool {
	return s.Rating.Settled() && s.Opponents >= rating.MinOpponents
}

// Until is how a player stands at the beginning of a match that ends at that time, in a venue with those seasons: where some have begun
// since the match before, the rating has softened with each, and nothing else counts any more.
func (s Standing) Until(at time.Time, seasons season.Boundaries) Standing {
	for _, began := range seasons.Between(s.Rating.At, at) {
		s = Standing{Player: s.Player, Rating: s.Rating.Into(began)}
	}
	return s
}

// Place sorts as the ladder does: those with a rank before those without, and then by what their rating is worth at least. No two
// players have the same.
func (s Standing) Place() string {
	group := 1
	if s.Ranked() {
		group = 0
	}
	low := int(math.Round(s.Rating.Low() * 1000))
	return fmt.Sprintf("%d%09d%s", group, min(max(500_000_000-low, 0), 999_999_999), s.Player)
}

// Change is what a rated match has changed for one of its players.
type Change struct {
	Player        match.User
	Before, After rating.Rating // Before is as it counted: with the time since the match before, and the seasons that have begun since
	Expected      float64       // score, between 0 and 1
	// Stale says that matches before this one are being worked out again, so that the ratings may still change.
	Stale bool
}

// Gain is by how many points the rating has changed, as the rounded ratings show it.
func (c Change) Gain() int { return c.After.Points() - c.Before.Points() }

// Row is one line of a ladder.
type Row struct {
	Rank   int // from 1; 0 without a rank
	Name   string
	Hidden bool // wants to be named to nobody, and has no name here
	Standing
}

// Page is one page of a ladder.
type Page struct {
	Rows  []Row
	Own   *Row // of the player who asks, also when it is on another page; nil without one
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // it is being worked out again
}

// Size is how many players stand on a ladder.
type Size struct {
	Venue   match.Venue
	Rules   string
	Season  int
	Players int
}

// Point is a player's rating after a rated match.
type Point struct {
	Match    match.ID
	Opponent match.User // [match.Left] who has left
	Score    float64
	Rating   rating.Rating
}

// CourseLength is how many rated matches a course goes back: more than a chart has room for, and few enough to be read at once.
const CourseLength = 1000

// Pair is what is known of two players before they begin a match.
type Pair struct {
	A, B  rating.Rating // as they stand in the season that goes on
	Today int           // matches of the two that count and began within the last [rating.PairDay]
}

// Store reads what the store keeps with every rated match that ends.
type Store interface {
	// Ladder is one page of a season, which may be [season.Latest].
	Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (Page, error)
	// Standings are those of a player in a season of a venue, which may be [season.Latest], by the names of the rule sets. Whoever has
	// not played a rated match in it has none.
	Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]Row, error)
	// Course is a player's rating over time, the latest [CourseLength] of it, the earliest first, of all seasons.
	Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User) ([]Point, error)
	// Changes are what a match has changed, X first; none if it changed nothing. Of one who has left there is none.
	Changes(ctx context.Context, id match.ID) ([]Change, error)
	// Pair is what is known of two players.
	Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (Pair, error)
	// Replay works out again what has to be, a part at a time, and reports whether there is more.
	Replay(ctx context.Context) (more bool, err error)
}
