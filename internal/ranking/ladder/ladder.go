// Package ladder says which matches change the ratings of their players, and what is kept of the ratings. A ladder belongs to
// one venue and one rule set.
//
// A ladder is derived from its rated matches, worked out one after the other in the order in which they ended. If one of them
// no longer counts, those after it are worked out again; see [Store.Replay].
package ladder

import (
	"context"
	"fmt"
	"math"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// Counts reports whether a match changes ratings: its stakes count, it has a result that counts, and the players brought
// that about themselves.
func Counts(m match.Match) bool {
	return m.Stakes.Counts() && m.Result.Counts() && m.Result.Cause != match.ByModerator
}

// Score returns what the player with a mark has scored in a match that counts.
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
	Opponents   int // how many different opponents those matches were against
}

// Ranked reports whether a player has a rank: the rating is known well enough, and the player has met enough opponents.
func (s Standing) Ranked() bool {
	return s.Rating.Settled() && s.Opponents >= rating.MinOpponents
}

// Until returns how a player stands at the beginning of a match that ends at a time, in a venue with the given seasons. If
// seasons have begun since the player's match before, the rating has softened with each, and the tally and the opponents are
// zero.
func (s Standing) Until(at time.Time, seasons season.Boundaries) Standing {
	for _, began := range seasons.Between(s.Rating.At, at) {
		s = Standing{Player: s.Player, Rating: s.Rating.Into(began)}
	}
	return s
}

// Place returns the sort key of the standing: players with a rank sort before those without, and then by the lower bound of
// their rating. No two players have the same.
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
	Before, After rating.Rating // Before counts the time and the seasons that passed since the player's match before
	Expected      float64       // the expected score, between 0 and 1
	// Stale reports whether earlier matches are being worked out again, so that the ratings may still change.
	Stale bool
}

// Gain returns by how many points the rating has changed, as the rounded ratings show it.
func (c Change) Gain() int { return c.After.Points() - c.Before.Points() }

// Row is one line of a ladder.
type Row struct {
	Rank   int // from 1; 0 without a rank
	Name   string
	Hidden bool // the player is hidden, and has no name here
	Stale  bool // the ladder is being worked out again; set only for rows outside of a [Page], which has a Stale of its own
	Standing
}

// Page is one page of a ladder.
type Page struct {
	Rows  []Row
	Own   *Row // the row of the player who asks, even if it is on another page; nil without one
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // the ladder is being worked out again
}

// Size is how many players a ladder has.
type Size struct {
	Venue   match.Venue
	Rules   string
	Season  int
	Players int
}

// Point is a player's rating after a rated match.
type Point struct {
	Match    match.ID
	Opponent match.User // [match.Left] if the opponent has left
	Score    float64
	Rating   rating.Rating
}

// CourseLength is how many rated matches a course goes back: more than a chart has room for, and few enough to be read at
// once.
const CourseLength = 1000

// Pair is what is known of two players before they begin a match.
type Pair struct {
	A, B  rating.Rating // as they stand in the season that goes on
	Today int           // how many matches of the two that count began within the last [rating.PairDay]
}

// Store reads the ratings that the store keeps with every rated match that ends.
type Store interface {
	// Ladder returns one page of a season, which may be [season.Latest].
	Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (Page, error)
	// Standings returns the standings of a player in a season of a venue, which may be [season.Latest], by the names of the
	// rule sets. A player without a rated match in the season has none.
	Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]Row, error)
	// Course returns a player's rating over time, over all seasons: at most that many of the latest matches, the earliest first.
	Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User, latest int) ([]Point, error)
	// Changes returns what a match has changed, X first; none if it changed nothing. For a player who has left there is
	// none.
	Changes(ctx context.Context, id match.ID) ([]Change, error)
	// Pair returns what is known of two players.
	Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (Pair, error)
	// Replay works out again a part of the ladders that need it, and reports whether there is more.
	Replay(ctx context.Context) (more bool, err error)
}
