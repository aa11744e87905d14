// Package ladder defines which matches change the ratings of their players, and the stored form of ratings. A ladder belongs
// to one venue and one rule set.
//
// A ladder is calculated from its rated matches, in the order in which they ended. If a match no longer counts, all later
// ratings are recalculated; see [Store.Replay].
package ladder

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
)

// Counts reports whether a match changes ratings: its stakes count, it has a result that counts, and the players themselves
// brought about the result.
func Counts(m match.Match) bool {
	return m.Stakes.Counts() && m.Result.Counts() && m.Result.Cause != match.ByModerator
}

// Score returns the score of the player with the given mark in a match that counts.
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

// Standing is the standing of a player on a ladder in a season.
type Standing struct {
	Player      match.User
	Rating      rating.Rating
	score.Tally     // the results of the rated matches of the season
	Opponents   int // the number of different opponents in these matches
}

// Need states what a rank on a ladder requires of a player.
type Need struct {
	Opponents int     // the number of different opponents
	Deviation float64 // the largest deviation of the rating
}

// LargeLadder is the number of players from which a ladder asks for [rating.MinOpponents] and [rating.RankDeviation].
const LargeLadder = score.RowsOnAPage

// NeedOn returns what a rank needs on a ladder with the given number of players. It grows with the ladder, so that a few friends can have
// ranks: half of the players as opponents, but at least two, and a rating that is no longer provisional with up to five players.
func NeedOn(players int) Need {
	step := (rating.ProvisionalDeviation - rating.RankDeviation) / (LargeLadder - 5)
	return Need{
		Opponents: min(max((players+1)/2, 2), rating.MinOpponents),
		Deviation: float64(min(rating.RankDeviation+step*max(LargeLadder-players, 0), rating.ProvisionalDeviation)),
	}
}

// Meets reports whether the rating is certain enough for a rank, and the player has met enough opponents.
func (s Standing) Meets(n Need) bool {
	return s.Rating.Deviation <= n.Deviation && s.Opponents >= n.Opponents
}

// Until returns the standing of a player before a match that ends at the given time, in a venue with the given seasons. If
// seasons have begun since the player's previous match, each has softened the rating, and the tally and the opponents are
// zero.
func (s Standing) Until(at time.Time, seasons season.Boundaries) Standing {
	for _, began := range seasons.Between(s.Rating.At, at) {
		s = Standing{Player: s.Player, Rating: s.Rating.Into(began)}
	}
	return s
}

// Place returns the sort key of the standing on a large ladder: players with a rank sort before players without one, and then by the lower
// bound of their rating. No two players have the same key. A [Page] sorts small ladders.
func (s Standing) Place() string {
	group := 1
	if s.Meets(NeedOn(LargeLadder)) {
		group = 0
	}
	return fmt.Sprintf("%d%09d%s", group, s.low(), s.Player)
}

// low returns the lower bound of the rating as a number that is smaller for a better one.
func (s Standing) low() int {
	return min(max(500_000_000-int(math.Round(s.Rating.Low()*1000)), 0), 999_999_999)
}

// Change is the change of a player's rating by a rated match.
type Change struct {
	Player        match.User
	Before, After rating.Rating // Before includes the effect of the time and the seasons since the player's previous match
	Expected      float64       // the expected score, between 0 and 1
	// Stale reports whether earlier ratings are being recalculated, so that these ratings may still change.
	Stale bool
}

// Gain returns the change of the rating in points, as the difference of the rounded ratings.
func (c Change) Gain() int { return c.After.Points() - c.Before.Points() }

// Row is one line of a ladder.
type Row struct {
	Rank    int // from 1, and provisional if the row is not Ranked; 0 without a match in the season
	Name    string
	Hidden  bool // the player is hidden; the name is empty
	Stale   bool // the ladder is being recalculated; set only for rows outside of a [Page], which has its own Stale
	Players int  // the number of players of the ladder
	Standing
}

// Ranked reports whether the player has a rank, which is then Rank.
func (r Row) Ranked() bool { return r.Rank > 0 && r.Meets(NeedOn(r.Players)) }

// Page is one page of a ladder.
type Page struct {
	Rows  []Row
	Own   *Row // the row of the requesting player, even if it is on another page; nil if there is none
	Page  int  // from 1, at most Pages
	Pages int  // at least 1
	Stale bool // the ladder is being recalculated
	Out   bool // the leaderboards of the server leave out the requesting player
	// Players is the number of players of the ladder.
	Players int
}

// RankSmall sorts and ranks the rows of a ladder that is one page. Who has a rank there depends on the number of players, which places of
// standings do not follow.
func (p *Page) RankSmall() {
	if p.Pages > 1 {
		return
	}
	compare := func(a, b Row) int {
		if a.Ranked() != b.Ranked() {
			return map[bool]int{true: -1, false: 1}[a.Ranked()]
		}
		return cmp.Compare(a.low(), b.low())
	}
	slices.SortStableFunc(p.Rows, func(a, b Row) int { return cmp.Or(compare(a, b), cmp.Compare(a.Player, b.Player)) })
	for i := range p.Rows {
		row := &p.Rows[i]
		if row.Rank = i + 1; i > 0 && compare(p.Rows[i-1], *row) == 0 {
			row.Rank = p.Rows[i-1].Rank
		}
		if p.Own != nil && p.Own.Player == row.Player {
			p.Own = row
		}
	}
}

// Size counts the players of a ladder.
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

// CourseLength is the number of matches in the chart of a rating: more than it has room for, and few enough to read at once.
const CourseLength = 1000

// Pair holds the ratings and recent matches of two players before they begin a match.
type Pair struct {
	A, B  rating.Rating // their ratings in the current season
	Today int           // the number of their matches against each other that count and began within the last [rating.PairDay]
}

// Store reads ratings, which are stored with every ended rated match.
type Store interface {
	// Ladder returns one page of a season, which may be [season.Latest].
	Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (Page, error)
	// Standings returns the standings of a player in a season of a venue, which may be [season.Latest], by the names of the
	// rule sets. A player without a rated match in the season has none.
	Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]Row, error)
	// Course returns a player's rating after each of at most the given number of latest matches, over all seasons, the earliest first.
	Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User, latest int) ([]Point, error)
	// Changes returns the rating changes of a match, X first. There are none for an unrated match and for a player who has left.
	Changes(ctx context.Context, id match.ID) ([]Change, error)
	// Pair returns the ratings and recent matches of two players.
	Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (Pair, error)
	// Replay recalculates a part of the stale ladders, and reports whether there are more.
	Replay(ctx context.Context) (more bool, err error)
}

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

// Stakes returns a function that determines the stakes of a match between two people that begins now. They follow from the saved ratings
// and matches: two matches of the same pair that begin at the same time do not count each other.
func Stakes(store Store, policies policy.Store) match.Stakes {
	return func(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (rating.Stakes, error) {
		if v == "" {
			return rating.NoStakes, nil
		}
		allowed, err := policies.Policy(ctx, v)
		if err != nil {
			return rating.NoStakes, err
		}
		if allowed.Unrated {
			return rating.Unranked, nil
		}
		pair, err := store.Pair(ctx, v, rules, a, b, now)
		if err != nil {
			return rating.NoStakes, err
		}
		return rating.StakesOf(pair.Today, pair.A, pair.B), nil
	}
}
