package sqlstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/internal/column"
)

const (
	// The matches that count for ladders, before the latest reset and after it; see [ladder.Counts].
	ratedMatches = `FROM matches WHERE ` + rateable + ` AND cause <> 'moderator'
		AND x_player IS NOT NULL AND o_player IS NOT NULL AND venue <> ''`
	ofLadder              = ` AND venue = $1 AND rules = $2`
	selectAllRatedMatches = `SELECT id, x_player, o_player, outcome, stakes, ended ` + ratedMatches + ofLadder + ` ORDER BY ended, id`
	countAllRatedMatches  = `SELECT count(*) FROM (SELECT 1 ` + ratedMatches + ofLadder + ` LIMIT $3) AS counted`

	// The ladders that exist or should exist.
	selectAllLadders = `SELECT DISTINCT venue, rules ` + ratedMatches + ` UNION SELECT DISTINCT venue, rules FROM rated
		UNION SELECT DISTINCT venue, rules FROM standings WHERE leaderboard = 'rating' ORDER BY venue, rules`

	ratedRows          = `SELECT match, opponent, score, weight, met, other_value, other_deviation, ` + lastColumns + ` FROM rated AS r WHERE venue = $1 AND rules = $2`
	selectAllRated     = ratedRows + ` ORDER BY player, at, match`
	selectAllLeft      = ratedRows + ` AND opponent = 'left'`
	selectAllOnLadders = standingsIn + ` AND rules = $2 AND leaderboard = 'rating'`

	deleteRatedRow = `DELETE FROM rated WHERE venue = $1 AND rules = $2 AND player = $3 AND at = $4 AND match = $5`
	deleteRated    = `DELETE FROM rated WHERE venue = $1 AND rules = $2`

	selectCalendar = `SELECT began, true FROM seasons WHERE venue = $1 UNION ALL SELECT at, false FROM score_resets WHERE venue = $1 ORDER BY 1`
)

// ladderKey names a ladder.
type ladderKey struct {
	venue match.Venue
	rules string
}

// in returns the ladder of the season with the given number, as a leaderboard.
func (l ladderKey) in(number int) ranking { return ranking{l.venue, number, l.rules, byRating} }

func scanLadderKey(row column.Row) (l ladderKey, err error) {
	err = row.Scan(&l.venue, &l.rules)
	return l, err
}

// calendar holds the times that divide the matches of a venue. A match that ended at such a time comes before it.
type calendar struct{ seasons, resets season.Boundaries }

func calendarOf(ctx context.Context, tx Tx, v match.Venue) (c calendar, err error) {
	err = tx.Each(ctx, c.read, selectCalendar, v)
	return c, err
}

// read adds a row of selectCalendar.
func (c *calendar) read(row column.Row) error {
	var at time.Time
	var isSeason bool
	err := row.Scan((*column.Time)(&at), &isSeason)
	if isSeason {
		c.seasons = append(c.seasons, at)
	} else {
		c.resets = append(c.resets, at)
	}
	return err
}

// counts reports whether no reset followed a match that ended at the given time.
func (c calendar) counts(ended time.Time) bool { return c.resets.Number(ended) == len(c.resets) }

// samePeriod reports whether no season and no reset began between matches that ended at a and at b.
func (c calendar) samePeriod(a, b time.Time) bool {
	return c.seasons.Number(a) == c.seasons.Number(b) && c.resets.Number(a) == c.resets.Number(b)
}

// until returns the standing of a player before a match that ends at the given time. A player without a match since the latest reset is
// a newcomer.
func (c calendar) until(s ladder.Standing, at time.Time) ladder.Standing {
	if s.Rating.At.IsZero() || c.resets.Number(s.Rating.At) < c.resets.Number(at) {
		return ladder.Standing{Player: s.Player, Rating: rating.New()}
	}
	return s.Until(at, c.seasons)
}

// ratedMatch is a match of a ladder.
type ratedMatch struct {
	id      match.ID
	ended   time.Time
	players [2]match.User // X and O
	score   float64       // the score of X
	weight  float64
}

func scanRatedMatch(row column.Row) (m ratedMatch, err error) {
	var outcome, stakes string
	err = row.Scan(&m.id, &m.players[0], &m.players[1], &outcome, &stakes, (*column.Time)(&m.ended))
	switch outcome {
	case "X":
		m.score = rating.Win
	case "draw":
		m.score = rating.Draw
	default:
		m.score = rating.Loss
	}
	m.weight = rating.Full.Weight()
	if stakes == "half" {
		m.weight = rating.Half.Weight()
	}
	return m, err
}

// rated is a row of the table rated: a match of a player, and the player's standing after it.
type rated struct {
	match    match.ID
	opponent match.User
	score    float64
	weight   float64
	met      bool // the players met for the first time in the season and since the latest reset
	// The opponent's rating before the match.
	otherValue, otherDeviation float64
	ladder.Standing
}

// dest returns the scan targets for a row.
func (r *rated) dest() []any {
	return append([]any{&r.match, &r.opponent, &r.score, &r.weight, &r.met, &r.otherValue, &r.otherDeviation, &r.Player}, leading(&r.Standing)...)
}

// compare orders rows by their players, and the rows of a player by their matches.
func (r *rated) compare(s rated) int {
	return cmp.Or(cmp.Compare(r.Player, s.Player), r.Rating.At.Compare(s.Rating.At), cmp.Compare(r.match, s.match))
}

// ratedTable returns the table rated for the rows of a ladder.
func ratedTable(of ladderKey) table[rated] {
	return table[rated]{upsertRated, deleteRatedRow, func(r rated) []any {
		return []any{string(of.venue), of.rules, string(r.Player), r.Rating.At.UnixMilli(), string(r.match), string(r.opponent), r.score, r.weight, r.met,
			r.otherValue, r.otherDeviation, r.Rating.Value, r.Rating.Deviation, r.Rating.Volatility,
			int64(r.Wins), int64(r.Draws), int64(r.Losses), int64(r.Opponents)}
	}}
}

// missing returns the changes that add rows.
func missing(rows []*rated) (changes []change[rated]) {
	for _, r := range rows {
		changes = append(changes, change[rated]{should: r})
	}
	return changes
}

// rater rates the matches of a ladder one after the other.
type rater struct {
	calendar calendar
	latest   map[match.User]ladder.Standing // after the latest match of each player
	met      map[[2]match.User]time.Time    // the latest time at which two players met for the first time in a season
	left     map[match.ID]rated             // stored rows whose opponent has left: the opponent's rating cannot be calculated any more
}

func newRater() rater {
	return rater{latest: make(map[match.User]ladder.Standing), met: make(map[[2]match.User]time.Time), left: make(map[match.ID]rated)}
}

// meet reports whether the players of a match meet for the first time in its season and since the latest reset before it. It
// remembers the answer.
func (r *rater) meet(m ratedMatch) bool {
	pair := pairOf(m.players)
	before, known := r.met[pair]
	if known && r.calendar.samePeriod(before, m.ended) {
		return false
	}
	r.met[pair] = m.ended
	return true
}

// pairOf returns two players sorted by id, so that both orders of them are the same map key.
func pairOf(p [2]match.User) [2]match.User { return [2]match.User{min(p[0], p[1]), max(p[0], p[1])} }

// rate returns the row of X and the row of O for a match. A player who has left has no row. The new rating of a player follows from the
// opponent's rating before the match. If the opponent has left, that rating is taken from the stored row, or else is a newcomer's.
func (r *rater) rate(m ratedMatch) (rows []*rated) {
	first := r.meet(m)
	var before [2]ladder.Standing
	for side, p := range m.players {
		s, known := r.latest[p]
		if !known {
			s.Player = p
		}
		before[side] = r.calendar.until(s, m.ended)
	}
	for side, s := range before {
		if s.Player == match.Left {
			continue
		}
		other := before[1-side].Rating.On(m.ended)
		row := &rated{match: m.id, opponent: before[1-side].Player, score: m.score, weight: m.weight, met: first,
			otherValue: other.Value, otherDeviation: other.Deviation}
		if side == 1 {
			row.score = rating.Win - m.score
		}
		if row.opponent == match.Left {
			row.met, row.otherValue, row.otherDeviation = true, rating.Start, rating.StartDeviation
			if stored, known := r.left[m.id]; known {
				row.met, row.otherValue, row.otherDeviation = stored.met, stored.otherValue, stored.otherDeviation
			}
		}
		s.Rating = s.Rating.Against(rating.Rating{Value: row.otherValue, Deviation: row.otherDeviation}, row.score, m.weight, m.ended)
		s.Tally = s.Tally.Plus(tallyOf(row.score))
		if row.met {
			s.Opponents++
		}
		r.latest[s.Player], row.Standing = s, s
		rows = append(rows, row)
	}
	return rows
}

func tallyOf(s float64) score.Tally {
	switch s {
	case rating.Win:
		return score.Tally{Wins: 1}
	case rating.Draw:
		return score.Tally{Draws: 1}
	default:
		return score.Tally{Losses: 1}
	}
}

// recount holds a whole ladder, rated from its matches alone, and the differences between it and the stored rows.
type recount struct {
	of        ladderKey
	rater     rater
	all       []*rated        // the rows that should be stored
	rows      []change[rated] // sorted by player, like the primary key, so that each page of the table is written once
	standings []change[standing]
}

// recountLadder rates all matches of a ladder, and compares the rows with the stored ones. It calls tell after each match.
func recountLadder(ctx context.Context, tx Tx, of ladderKey, tell func()) (c *recount, err error) {
	c = &recount{of: of, rater: newRater()}
	if c.rater.calendar, err = calendarOf(ctx, tx, of.venue); err != nil {
		return nil, err
	}
	var r rated
	if err := tx.Each(ctx, func(row column.Row) error {
		err := row.Scan(r.dest()...)
		c.rater.left[r.match] = r
		return err
	}, selectAllLeft, of.venue, of.rules); err != nil {
		return nil, err
	}
	if c.all, err = c.rateMatches(ctx, tx, tell); err != nil {
		return nil, err
	}
	standings := comparison[standingKey, standing]{should: c.standingsAfter(c.all), key: standing.keyOf}
	if err := c.compareRows(ctx, tx, c.all); err != nil {
		return nil, err
	}
	err = standings.read(ctx, tx, scanStanding, selectAllOnLadders, of.venue, of.rules)
	c.standings = standings.finish()
	return c, err
}

// compareRows compares the stored rows with the rows that should be stored, both player by player in the order of the matches.
func (c *recount) compareRows(ctx context.Context, tx Tx, should []*rated) error {
	var is rated
	dest := is.dest() // reused for all rows, which may be millions
	err := tx.Each(ctx, func(row column.Row) error {
		err := row.Scan(dest...)
		for len(should) > 0 && should[0].compare(is) < 0 {
			c.rows = append(c.rows, change[rated]{should: should[0]})
			should = should[1:]
		}
		switch {
		case len(should) == 0 || should[0].compare(is) > 0:
			wrong := is
			c.rows = append(c.rows, change[rated]{is: &wrong})
		case *should[0] != is:
			wrong := is
			c.rows = append(c.rows, change[rated]{&wrong, should[0]})
			fallthrough
		default:
			should = should[1:]
		}
		return err
	}, selectAllRated, c.of.venue, c.of.rules)
	c.rows = append(c.rows, missing(should)...)
	return err
}

// rateMatches rates the matches of the ladder, and returns their rows, sorted by player. It calls tell after each match.
func (c *recount) rateMatches(ctx context.Context, tx Tx, tell func()) (rows []*rated, err error) {
	byPlayer := make(map[match.User][]*rated)
	err = tx.Each(ctx, func(row column.Row) error {
		m, err := scanRatedMatch(row)
		if err != nil {
			return err
		}
		for _, r := range c.rater.rate(m) {
			byPlayer[r.Player] = append(byPlayer[r.Player], r)
		}
		tell()
		return nil
	}, selectAllRatedMatches, c.of.venue, c.of.rules)
	for _, p := range slices.Sorted(maps.Keys(byPlayer)) {
		rows = append(rows, byPlayer[p]...)
	}
	return rows, err
}

// standingsAfter returns the standings after the last row of each player in each season. Matches before a reset lead to no standing.
func (c *recount) standingsAfter(rows []*rated) map[standingKey]*standing {
	standings, calendar := make(map[standingKey]*standing), c.rater.calendar
	for i, r := range rows {
		number := calendar.seasons.Number(r.Rating.At)
		last := i+1 == len(rows) || rows[i+1].Player != r.Player || calendar.seasons.Number(rows[i+1].Rating.At) > number
		if last && calendar.counts(r.Rating.At) {
			s := ratedStanding(c.of.in(number), r.Standing)
			standings[s.standingKey] = s
		}
	}
	return standings
}

// ratedStanding returns the row of a player on the leaderboard of a ladder.
func ratedStanding(on ranking, s ladder.Standing) *standing {
	return &standing{standingKey{on, s.Player}, s.Place(), s}
}

// checkLadders compares all ladders with their matches, and reports the differences.
func checkLadders(ctx context.Context, tx Tx, r *column.Report) error {
	ladders, err := ScanRows(ctx, tx, scanLadderKey, selectAllLadders)
	if err != nil {
		return err
	}
	due, err := ScanRows(ctx, tx, scanLadderKey, selectAllReplays)
	if err != nil {
		return err
	}
	for _, l := range ladders {
		if slices.Contains(due, l) {
			continue // the rows of this ladder may be wrong until the recount
		}
		c, err := recountLadder(ctx, tx, l, func() {})
		if err != nil {
			return err
		}
		ratedTable(l).report(r, c.rows)
		standingsTable().report(r, c.standings)
	}
	return nil
}
