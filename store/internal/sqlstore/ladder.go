package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/ladder"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
	"tictactoe/internal/season"
	"tictactoe/store/internal/column"
)

// A ladder is its rated matches: for each player a row in rated, which says what was played and how the player stood after it, of all
// seasons one after the other. How a player stands in a season, in ratings, is the latest of those rows in its time, unless the venue
// has begun anew since: a reset takes no row away, and whoever plays on after it is a newcomer. Rank buckets are as those of the other
// leaderboards.
const (
	selectResets = `SELECT at FROM score_resets WHERE venue = $1 ORDER BY at`
	// The time of the latest reset of a venue.
	latestReset1 = `coalesce((SELECT max(s.at) FROM score_resets AS s WHERE s.venue = $1), ` + beginningOfTime + `)`

	// How a player stands after a match.
	standingColumns = `value, deviation, volatility, at, wins, draws, losses, opponents`

	ratedColumns = `at, match, player, opponent, score, weight, met, other_value, other_deviation, ` + standingColumns

	insertRated = `INSERT INTO rated (venue, rules, at, match, player, opponent, score, weight, met, other_value, other_deviation,
			value, deviation, volatility, wins, draws, losses, opponents)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)}
		{postgres:SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::float8[],
			$9::boolean[], $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::float8[],
			$15::integer[], $16::integer[], $17::integer[], $18::integer[])}
		ON CONFLICT (venue, rules, player, at, match) DO NOTHING`

	// How the two players of a match that counts from now on stand in the season of their latest match, and in which rank bucket; the season
	// of this match; whether the first has met the second in it, who then has met the first; and whether they have played since, or the
	// ladder has begun anew.
	selectRivals = `SELECT e.p, coalesce(value, 0), coalesce(deviation, 0), coalesce(volatility, 0), at,
			coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), coalesce(opponents, 0), coalesce(season, -1), coalesce(place, ''),
			coalesce((SELECT max(first) FROM rating_buckets AS b WHERE b.venue = $1 AND b.rules = $2 AND b.season = r.season AND first <= place), '~'),
			coalesce((SELECT min(first) FROM rating_buckets AS b WHERE b.venue = $1 AND b.rules = $2 AND b.season = r.season AND first > place), '~'),
			(SELECT count(*) FROM seasons AS s WHERE s.venue = $1 AND began < $3),
			e.p = $4 AND EXISTS (SELECT 1 FROM rated AS b {sqlite:INDEXED BY rated_met}
				WHERE b.venue = $1 AND b.rules = $2 AND b.player = $4 AND b.opponent = $5 AND b.met AND b.at > ` + latestReset1 + ` AND b.at > coalesce(
					(SELECT max(began) FROM seasons AS s WHERE s.venue = $1 AND began < $3), ` + beginningOfTime + `)),
			EXISTS (SELECT 1 FROM rated AS b WHERE b.venue = $1 AND b.rules = $2 AND b.player = e.p AND b.at >= $3)
				OR EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = $1 AND s.at >= $3)
		FROM (SELECT CAST($4 AS text) AS p UNION ALL SELECT $5) AS e
			LEFT JOIN ratings AS r ON r.venue = $1 AND r.rules = $2 AND r.player = e.p AND r.season = (
				SELECT max(season) FROM ratings AS l WHERE l.venue = $1 AND l.rules = $2 AND l.player = e.p) ORDER BY e.p <> $4`
	beginningOfTime  = `-9223372036854775807`
	selectBoundaries = `SELECT began FROM seasons WHERE venue = $1 ORDER BY number`

	// Of several matches with the same opponent, in a season and since a reset, the first is that in which they met. To find it anew all
	// are taken for the first, and then those are not of which an earlier one is: what is looked for there are first matches alone.
	metBefore = `EXISTS (SELECT 1 FROM rated AS b {sqlite:INDEXED BY rated_met} WHERE b.venue = rated.venue AND b.rules = rated.rules AND b.player = rated.player
		AND b.opponent = rated.opponent AND b.met AND (b.at, b.match) < (rated.at, rated.match) AND b.at > coalesce(
			(SELECT max(began) FROM seasons AS s WHERE s.venue = rated.venue AND s.began < rated.at), ` + beginningOfTime + `)
		AND b.at > coalesce((SELECT max(s.at) FROM score_resets AS s WHERE s.venue = rated.venue AND s.at < rated.at), ` + beginningOfTime + `))`
	ofPair    = `venue = $1 AND rules = $2 AND player = $3 AND opponent = $4`
	unmeet    = `UPDATE rated SET met = true WHERE ` + ofPair + ` AND NOT met`
	meetAgain = `UPDATE rated SET met = false WHERE ` + ofPair + ` AND met AND ` + metBefore
	// Of several who have left nobody knows who is who.
	ofLater   = `venue = $1 AND rules = $2 AND at > $3 AND opponent <> 'left'`
	unmeetAll = `UPDATE rated SET met = true WHERE ` + ofLater + ` AND NOT met`
	meetAnew  = `UPDATE rated SET met = false WHERE ` + ofLater + ` AND met AND ` + metBefore

	// The last rows of players, each found by the key alone: in between stands which rows may be it.
	lastOf = `r.player, r.value, r.deviation, r.volatility, r.at, r.wins, r.draws, r.losses, r.opponents FROM
		{sqlite:json_each($3) AS e CROSS JOIN rated AS r ON r.venue = $1 AND r.rules = $2 AND r.player = e.value AND (r.at, r.match) = (
			SELECT b.at, b.match FROM rated AS b}
		{postgres:unnest($3::text[]) AS e (value) CROSS JOIN LATERAL (SELECT * FROM rated AS b}
		WHERE b.venue = $1 AND b.rules = $2 AND b.player = e.value`
	lastRow = ` ORDER BY b.at DESC, b.match DESC LIMIT 1) {postgres:AS r}`

	// The rows of a ladder from a match on, as many matches as that.
	selectRatedFrom = `SELECT ` + ratedColumns + `
		FROM rated WHERE venue = $1 AND rules = $2 AND (at, match) >= ($3, $4) ORDER BY at, match, player LIMIT $5`
	// How players stood before a match, and how they stand at the end of a season.
	selectStoodBefore = `SELECT ` + lastOf + ` AND (b.at, b.match) < ($4, $5)` + lastRow
	selectLatest      = `SELECT ` + lastOf + ` AND b.at > $4 AND b.at <= $5` + lastRow
	// Whose matches ended later.
	selectPlayedSince = `SELECT DISTINCT player FROM rated WHERE venue = $1 AND rules = $2 AND at > $3 ORDER BY player`
	updateRated       = `UPDATE rated SET other_value = $6, other_deviation = $7, value = $8, deviation = $9, volatility = $10,
			wins = $11, draws = $12, losses = $13, opponents = $14
		WHERE venue = $1 AND rules = $2 AND player = $3 AND at = $4 AND match = $5`

	selectPlaces = `SELECT player, place FROM ratings WHERE venue = $1 AND rules = $2 AND season = $4 AND player ` + oneOf3
	deleteRating = `DELETE FROM ratings WHERE venue = $1 AND rules = $2 AND season = $3 AND player = $4`
	upsertRating = `INSERT INTO ratings (venue, rules, season, player, ` + standingColumns + `, place)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)}
		{postgres:SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::float8[], $6::float8[], $7::float8[], $8::bigint[],
			$9::integer[], $10::integer[], $11::integer[], $12::integer[], $13::text[])}
		ON CONFLICT (venue, rules, player, season) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
			volatility = excluded.volatility, at = excluded.at, wins = excluded.wins, draws = excluded.draws, losses = excluded.losses,
			opponents = excluded.opponents, place = excluded.place`

	// The rank bucket that a place is in.
	bucketOf = `(SELECT max(first) FROM rating_buckets WHERE ` + ofLadder + ` AND first <= $4)`
	ofLadder = `venue = $1 AND rules = $2 AND season = $3`
	// A bucket begins where it was once made, whether somebody stands there or not, and is gone with the last who stood in it.
	leaveOne    = `UPDATE rating_buckets SET length = length - 1 WHERE ` + ofLadder + ` AND first = ` + bucketOf
	deleteEmpty = `DELETE FROM rating_buckets WHERE ` + ofLadder + ` AND first = ` + bucketOf + ` AND first <> '' AND length = 0`
	firstBucket = `INSERT INTO rating_buckets (venue, rules, season, first, length) VALUES ($1, $2, $3, '', 0) ON CONFLICT DO NOTHING`
	enterOne    = `UPDATE rating_buckets SET length = length + 1 WHERE ` + ofLadder + ` AND first = ` + bucketOf
	// A bucket that has become long is halved.
	halveBucket = `INSERT INTO rating_buckets (venue, rules, season, first, length)
		SELECT $1, $2, CAST($3 AS integer), CASE WHEN low THEN first ELSE min(place) END, count(*) FROM (
			SELECT b.first, r.place, row_number() OVER (ORDER BY r.place) <= b.length / 2 AS low
			FROM rating_buckets AS b JOIN ratings AS r ON r.venue = b.venue AND r.rules = b.rules AND r.season = b.season AND r.place >= b.first
				AND r.place < coalesce((SELECT min(first) FROM rating_buckets AS n
					WHERE n.venue = $1 AND n.rules = $2 AND n.season = $3 AND n.first > b.first), '~')
			WHERE b.venue = $1 AND b.rules = $2 AND b.season = $3 AND b.first = ` + bucketOf + ` AND b.length > 2048) AS halves
		WHERE true GROUP BY first, low
		ON CONFLICT (venue, rules, season, first) DO UPDATE SET length = excluded.length`

	selectRatingBucket = `SELECT first, upto - length, total FROM (
			SELECT first, length, sum(length) OVER (ORDER BY first) AS upto, sum(length) OVER () AS total
			FROM rating_buckets WHERE ` + ofLadder + `) AS s
		WHERE upto > CAST($4 AS bigint) OR upto > (total - 1) / CAST($5 AS bigint) * CAST($5 AS bigint) ORDER BY first LIMIT 1`
	ladderRow    = `player, ` + shownName + `, value, deviation, volatility, at, wins, draws, losses, opponents`
	selectLadder = `SELECT ` + ladderRow + `, 0 FROM ratings WHERE ` + ofLadder + ` AND place >= (
			SELECT place FROM ratings WHERE ` + ofLadder + ` AND place >= $4 ORDER BY place LIMIT 1 OFFSET $6)
		ORDER BY place LIMIT $5`
	selectLadderRow = `SELECT ` + ladderRow + `, 1 + (SELECT coalesce(sum(length), 0) FROM rating_buckets WHERE ` + ofLadder + ` AND first < bucket) +
			(SELECT count(*) FROM ratings AS r WHERE r.venue = $1 AND r.rules = $2 AND r.season = $3 AND r.place >= bucket AND r.place < own.place)
		FROM (SELECT *, (SELECT max(first) FROM rating_buckets AS b WHERE b.venue = $1 AND b.rules = $2 AND b.season = $3 AND first <= place) AS bucket
			FROM ratings WHERE ` + ofLadder + ` AND player = $4) AS own`
	selectNumber   = `SELECT count(*) FROM seasons WHERE venue = $1`
	selectAllSizes = `SELECT venue, rules, season, sum(length) FROM rating_buckets GROUP BY venue, rules, season HAVING sum(length) > 0
		ORDER BY venue, rules, season`
	// Those who have played somewhere, by their name or id.
	selectCalled = `SELECT DISTINCT s.player, coalesce(p.name, '') FROM scores AS s LEFT JOIN players AS p ON p.id = s.player
		WHERE s.venue = $1 AND (s.player = $2 OR p.name = $2) ORDER BY s.player`
	selectLaddersOf = `SELECT rules FROM ratings WHERE venue = $1 AND player = $2 AND season = $3 ORDER BY rules`

	selectCourse = `SELECT * FROM (SELECT match, opponent, score, value, deviation, volatility, at FROM rated
		WHERE venue = $1 AND rules = $2 AND player = $3 AND at > ` + latestReset1 + `
		ORDER BY at DESC, match DESC LIMIT $4) AS latest ORDER BY at, match`

	selectChanges = `SELECT r.player, r.other_value, r.other_deviation, r.value, r.deviation, r.volatility, r.at,
			coalesce(b.value, 0), coalesce(b.deviation, 0), coalesce(b.volatility, 0), b.at, r.venue,
			EXISTS (SELECT 1 FROM seasons AS s WHERE s.venue = r.venue AND s.began >= b.at AND s.began < r.at),
			EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = r.venue AND p.rules = r.rules AND (p.at, p.match) <= (r.at, r.match))
		FROM matches AS m JOIN rated AS r ON ` + sameMatch + ` AND r.player IN (m.x_player, m.o_player) LEFT JOIN
			{sqlite:rated AS b ON b.venue = r.venue AND b.rules = r.rules AND b.player = r.player AND (b.at, b.match) = (SELECT c.at, c.match}
			{postgres:LATERAL (SELECT c.value, c.deviation, c.volatility, c.at}
			FROM rated AS c WHERE c.venue = r.venue AND c.rules = r.rules AND c.player = r.player
				AND (c.at, c.match) < (r.at, r.match)
				AND NOT EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = r.venue AND s.at >= c.at) ORDER BY c.at DESC, c.match DESC LIMIT 1) {postgres:AS b ON true}
		WHERE m.id = $1 AND NOT EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = r.venue AND s.at >= r.at)
		ORDER BY m.x_player = r.player DESC`
	// A rated match is found by its key, of which a match knows all but the player.
	sameMatch = `r.venue = m.venue AND r.rules = m.rules AND r.at = m.ended AND r.match = m.id`

	countPair = `SELECT count(*) FROM matches WHERE id IN (
			SELECT id FROM matches WHERE x_player = $3 AND o_player = $4 AND (ended IS NULL OR ended >= $5)
			UNION ALL SELECT id FROM matches WHERE x_player = $4 AND o_player = $3 AND (ended IS NULL OR ended >= $5))
		AND venue = $1 AND rules = $2 AND created > $5 AND stakes IN ('full', 'half')
		AND coalesce(cause NOT IN ('aborted', 'voided', 'no show', 'moderator'), true)`
	// How players stand in the season of their latest match, and whether another one has begun since.
	selectStandingsOf = `SELECT player, ` + standingColumns + `, EXISTS (SELECT 1 FROM seasons AS s WHERE s.venue = $1 AND s.began >= r.at AND s.began < $4)
		FROM ratings AS r WHERE venue = $1 AND rules = $2 AND player ` + oneOf3 + ` AND season = (
			SELECT max(season) FROM ratings AS l WHERE l.venue = $1 AND l.rules = $2 AND l.player = r.player)`

	// From which match on a ladder has to be worked out again.
	selectAllReplays = `SELECT venue, rules, at, match FROM replays ORDER BY venue, rules LIMIT 2`
	selectReplay     = `SELECT venue, rules, at, match FROM replays WHERE venue = $1 AND rules = $2`
	insertReplay     = `INSERT INTO replays (venue, rules, at, match) VALUES ($1, $2, $3, $4)`
	updateReplay     = `UPDATE replays SET at = $3, match = $4 WHERE venue = $1 AND rules = $2`
	deleteReplay     = `DELETE FROM replays WHERE venue = $1 AND rules = $2`
	countAllReplays  = `SELECT count(*) FROM replays`
	countReplays     = `SELECT count(*) FROM replays WHERE venue = $1 AND rules = $2`

	selectLadders = `SELECT DISTINCT rules FROM rated WHERE venue = $1 ORDER BY rules`
	deleteRatedIn = `DELETE FROM rated WHERE venue = $1`
	deleteRatings = `DELETE FROM ratings WHERE venue = $1`
	deleteBuckets = `DELETE FROM rating_buckets WHERE venue = $1`
	deleteReplays = `DELETE FROM replays WHERE venue = $1`
	// Those of a season that was undone.
	deleteSeasonRatings = `DELETE FROM ratings WHERE ` + ofLadder
	deleteSeasonBuckets = `DELETE FROM rating_buckets WHERE ` + ofLadder

	selectRatingsOf = `SELECT venue, rules, season, place FROM ratings WHERE player = $1`
	forgetX         = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.x_player = $1 AND r.player = m.o_player AND ` + sameMatch
	forgetO         = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.o_player = $1 AND r.player = m.x_player AND ` + sameMatch
	deleteRatedOf   = `DELETE FROM rated WHERE player = $1
		AND venue IN (SELECT venue FROM matches WHERE x_player = $1 UNION SELECT venue FROM matches WHERE o_player = $1)
		AND rules IN (SELECT rules FROM matches WHERE x_player = $1 UNION SELECT rules FROM matches WHERE o_player = $1)`
)

// ReplayAtOnce is how many rows of a ladder are worked out again in one transaction: clicks are not to wait for long.
const ReplayAtOnce = 2000

// rung is a match on a ladder, whose matches are in the order of the time when they ended, and of their ids.
type rung struct {
	venue match.Venue
	rules string
	at    time.Time
	match match.ID
}

func rungOf(m match.Match) rung {
	return rung{m.Venue, m.Position().Rules().String(), m.Ended, m.ID}
}

func (r rung) args() []any { return []any{r.venue, r.rules, r.at.UnixMilli(), r.match} }

// in is the ladder in a season.
func (r rung) in(number int) ladderKey { return ladderKey{r.venue, r.rules, number} }

// ladderKey is a ladder in a season.
type ladderKey struct {
	venue  match.Venue
	rules  string
	season int
}

// args are those of a statement, with the key in front.
func (k ladderKey) args(more ...any) []any { return append([]any{k.venue, k.rules, k.season}, more...) }

func boundariesOf(ctx context.Context, tx Tx, v match.Venue) (season.Boundaries, error) {
	return List(ctx, tx, scanTime, selectBoundaries, v)
}

// queueRivals asks for the players of a match that counts from now on, as the ladder has them. What is there when the next answer is
// spares rate one of its own.
func queueRivals(tx Tx, m match.Match) *[]rival {
	rivals := new([]rival)
	if ladder.Counts(m) {
		at, players := rungOf(m), m.Seats.Players()
		tx.QueueEach(Named("rate match %s", m.ID), func(row column.Row) error {
			r, err := scanRival(row)
			*rivals = append(*rivals, r)
			return err
		}, selectRivals, at.venue, at.rules, at.at.UnixMilli(), players[0], players[1])
	}
	return rivals
}

// rate lets the ladder follow a match that counts from now on. Where it is the latest of its players, what comes of it is known at once.
func rate(ctx context.Context, tx Tx, m match.Match, found *[]rival) error {
	if !ladder.Counts(m) || len(score.Of(m)) == 0 {
		return nil
	}
	at, done, players, rivals := rungOf(m), Named("rate match %s", m.ID), m.Seats.Players(), *found
	if len(rivals) != len(players) {
		return done.Wrap(fmt.Errorf("%d players are known", len(rivals)))
	}
	late, former, standings := m.Seats.Left(), false, make(map[match.User]ladder.Standing, len(rivals))
	for _, r := range rivals {
		late = late || r.late
		former = former || r.former()
		standings[r.Player] = r.Standing
	}
	var boundaries season.Boundaries
	if former && !late {
		var err error
		if boundaries, err = boundariesOf(ctx, tx, at.venue); err != nil {
			return done.Wrap(err)
		}
	}
	rows := rowsOf(m, !rivals[0].met)
	if !late {
		rows = rateRows(standings, rows, boundaries)
	}
	insertRows(tx, done, at, rows)
	if !late {
		standOn(tx, at.in(rivals[0].now), rivals, standings)
		return nil
	}
	meet(tx, at, players)
	return replayFrom(ctx, tx, at)
}

// insertRows writes the rows of a match: of both players, or of the one who has not left.
func insertRows(tx Tx, done Outcome, at rung, rows []rated) {
	columns := make([][]any, len(rows))
	for i, r := range rows {
		columns[i] = append([]any{at.venue, at.rules}, r.columns()...)
	}
	tx.QueueRows(done, insertRated, columns...)
}

// rowsOf are the rows of a match that is rated, before it is worked out. In the place of an opponent who has left is a newcomer.
func rowsOf(m match.Match, met bool) (rows []rated) {
	for _, mark := range []game.Mark{game.X, game.O} {
		r := rated{at: m.Ended, match: m.ID, opponent: m.Seats.Of(mark.Opponent()).Player, score: ladder.Score(m, mark), weight: m.Stakes.Weight(), met: met}
		r.Player = m.Seats.Of(mark).Player
		if r.Player == match.Left {
			continue
		}
		if r.opponent == match.Left {
			r.met, r.other = true, newcomer()
		}
		rows = append(rows, r)
	}
	return rows
}

// meet finds out again which of the matches of two players was the first.
func meet(tx Tx, on rung, players []match.User) {
	for _, p := range players {
		for _, other := range players {
			if p != match.Left && p != other && other != match.Left {
				done := Named("first match of players %s and %s", p, other)
				tx.Queue(done, unmeet, on.venue, on.rules, p, other)
				tx.Queue(done, meetAgain, on.venue, on.rules, p, other)
			}
		}
	}
}

// rival is one of the players of a match that ends, as the ladder has them before it is rated.
type rival struct {
	ladder.Standing
	season int    // of the latest match; -1 if there is none
	place  string // on the ladder of that season
	// Where the rank bucket of that place begins, and where the next one does.
	bucket, next string
	now          int  // the season of the match
	met          bool // the two have played before in it
	late         bool // the player has played since the match ended, or the ladder has begun anew
}

func scanRival(row column.Row) (r rival, err error) {
	err = row.Scan(&r.Player, &r.Rating.Value, &r.Rating.Deviation, &r.Rating.Volatility, (*column.Time)(&r.Rating.At),
		&r.Wins, &r.Draws, &r.Losses, &r.Opponents, &r.season, &r.place, &r.bucket, &r.next, &r.now, &r.met, &r.late)
	if r.season < 0 {
		r.Rating = rating.New()
	}
	return r, err
}

// former tells whether the latest match was in an earlier season.
func (r rival) former() bool { return 0 <= r.season && r.season < r.now }

// stood is the place on the ladder of the season of the match, "" if there is none.
func (r rival) stood() string {
	if r.season != r.now {
		return ""
	}
	return r.place
}

// stays tells whether another place would be in the same rank bucket.
func (r rival) stays(place string) bool {
	return r.stood() != "" && r.bucket <= place && place < r.next
}

// standOn has players stand on a ladder as they do after a match.
func standOn(tx Tx, on ladderKey, rivals []rival, standings map[match.User]ladder.Standing) {
	moved := slices.ContainsFunc(rivals, func(r rival) bool { return !r.stays(standings[r.Player].Place()) })
	one, other := standings[rivals[0].Player], standings[rivals[1].Player]
	if !moved {
		tx.QueueRows(Named("ratings of players %s and %s", one.Player, other.Player), upsertRating,
			on.args(ratingColumns(one)...), on.args(ratingColumns(other)...))
		return
	}
	for _, r := range rivals { // one by one, since what moves one may halve the bucket of the other
		upsert(tx, on, standings[r.Player])
		moveBucket(tx, on, r.stood(), standings[r.Player].Place())
	}
}

// unrate takes a match back, and works out again what came after it.
func unrate(ctx context.Context, tx Tx, m match.Match) error {
	if !ladder.Counts(m) {
		return nil
	}
	at, done := rungOf(m), Named("take match %s off the ladder", m.ID)
	players := m.Seats.Players()
	for _, p := range players {
		tx.Queue(done, deleteRatedRow, at.venue, at.rules, p, at.at.UnixMilli(), at.match)
	}
	meet(tx, at, players)
	boundaries, err := boundariesOf(ctx, tx, at.venue)
	if err != nil {
		return err
	}
	if err := standAgain(ctx, tx, at.in(boundaries.Number(at.at)), boundaries, players); err != nil {
		return err
	}
	return replayFrom(ctx, tx, at)
}

// replayFrom works out again what came with a match and after it: at once as much as may be, and the rest by [Store.Replay].
func replayFrom(ctx context.Context, tx Tx, from rung) error {
	_, err := replay(ctx, tx, from)
	return err
}

// Replay works out again what has to be, a part at a time, and reports whether there is more.
func (s *Store) Replay(ctx context.Context) (more bool, err error) {
	done := Named("work out a ladder again")
	var due []rung
	err = s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
		due, err = List(ctx, tx, scanRung, selectAllReplays)
		return err
	})
	if err != nil || len(due) == 0 {
		return false, done.Wrap(err)
	}
	kind := Kind{Locks: []Lock{ofScores(due[0].venue)}, Long: true}
	err = s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
		ended, err := replay(ctx, tx, rung{venue: due[0].venue, rules: due[0].rules, at: endOfTime})
		more = !ended
		return err
	})
	return more || len(due) > 1, done.Wrap(err)
}

// CountReplays is how many ladders have to be worked out again.
func (s *Store) CountReplays(ctx context.Context) (n int, err error) {
	return one(ctx, s.db, Named("count what has to be worked out again"), Value[int], countAllReplays)
}

// beginning comes before all matches, and endOfTime after them.
var (
	beginning = time.UnixMilli(math.MinInt64 + 1)
	endOfTime = time.UnixMilli(math.MaxInt64)
)

// replay works out again the matches from one on, or from an earlier one where others are due, up to [ReplayAtOnce] rows. Where
// there are more it is due from the next, and false is returned.
func replay(ctx context.Context, tx Tx, from rung) (ended bool, err error) {
	done := Named("work out a ladder of %s again", from.venue)
	due, err := List(ctx, tx, scanRung, selectReplay, from.venue, from.rules)
	if err != nil {
		return false, done.Wrap(err)
	}
	if len(due) > 0 && due[0].before(from) {
		from = due[0]
	}
	rows, err := List(ctx, tx, scanRated, selectRatedFrom, append(from.args(), ReplayAtOnce+1)...)
	if err != nil {
		return false, done.Wrap(err)
	}
	rows, next := atOnce(rows)
	if err := workOut(ctx, tx, from, rows); err != nil {
		return false, done.Wrap(err)
	}
	switch {
	case next != nil && len(due) == 0:
		tx.Queue(done, insertReplay, from.venue, from.rules, next.at.UnixMilli(), next.match)
	case next != nil:
		tx.Queue(done, updateReplay, from.venue, from.rules, next.at.UnixMilli(), next.match)
	case len(due) > 0:
		tx.Queue(done, deleteReplay, from.venue, from.rules)
	}
	return next == nil, nil
}

// atOnce are the rows that are worked out in one transaction, whole matches, and the first row after them, nil if there is none.
func atOnce(rows []rated) ([]rated, *rated) {
	if len(rows) <= ReplayAtOnce {
		return rows, nil
	}
	n := ReplayAtOnce
	for rows[n-1].match == rows[n].match {
		n--
	}
	return rows[:n], &rows[n]
}

// workOut rates the matches of those rows, which follow each other, and has their players stand where that leads to.
func workOut(ctx context.Context, tx Tx, from rung, rows []rated) error {
	if len(rows) == 0 {
		return nil
	}
	boundaries, err := boundariesOf(ctx, tx, from.venue)
	if err != nil {
		return err
	}
	played := make(map[int][]match.User) // by the season
	for _, r := range rows {
		n := boundaries.Number(r.at)
		played[n] = append(played[n], r.Player)
	}
	var players []match.User
	for n, some := range played {
		slices.Sort(some)
		played[n] = slices.Compact(some)
		players = append(players, played[n]...)
	}
	standings, err := stoodBefore(ctx, tx, from, players)
	if err != nil {
		return err
	}
	begun, err := breaksOf(ctx, tx, from.venue)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		n := 1
		if len(rows) > 1 && rows[1].match == rows[0].match {
			n = 2
		}
		begun.carry(standings, rows[:n])
		for _, r := range rateRows(standings, rows[:n], boundaries) {
			tx.Queue(Named("rate match %s", r.match), updateRated,
				append([]any{from.venue, from.rules, r.Player, r.at.UnixMilli(), r.match}, r.stood()...)...)
		}
		rows = rows[n:]
	}
	for _, n := range slices.Sorted(maps.Keys(played)) {
		if err := standAgain(ctx, tx, from.in(n), boundaries, played[n]); err != nil {
			return err
		}
	}
	return nil
}

// stoodBefore is how players stood before a match.
func stoodBefore(ctx context.Context, tx Tx, from rung, players []match.User) (map[match.User]ladder.Standing, error) {
	slices.Sort(players)
	players = slices.Compact(players)
	before, err := List(ctx, tx, scanStanding, selectStoodBefore, from.venue, from.rules, texts(players), from.at.UnixMilli(), from.match)
	standings := make(map[match.User]ladder.Standing, len(players))
	for _, p := range players {
		standings[p] = ladder.Standing{Player: p, Rating: rating.New()}
	}
	for _, s := range before {
		standings[s.Player] = s
	}
	return standings, err
}

// breaks are the times when the ladders of a venue began anew.
type breaks []time.Time

func breaksOf(ctx context.Context, tx Tx, v match.Venue) (breaks, error) {
	return List(ctx, tx, scanTime, selectResets, v)
}

// last is the latest of them before a match that ended then, the zero time if there is none.
func (b breaks) last(ended time.Time) (at time.Time) {
	if n, _ := slices.BinarySearchFunc(b, ended, time.Time.Compare); n > 0 {
		at = b[n-1]
	}
	return at
}

// carry has the players of a match that is rated next stand as they do when it ends: who has not played since the ladder began anew is
// a newcomer.
func (b breaks) carry(standings map[match.User]ladder.Standing, rows []rated) {
	for _, r := range rows {
		if !standings[r.Player].Rating.At.After(b.last(r.at)) {
			standings[r.Player] = ladder.Standing{Player: r.Player, Rating: rating.New()}
		}
	}
}

// newcomer is what is known of an opponent of whom nothing is.
func newcomer() rating.Rating {
	return rating.Rating{Value: rating.Start, Deviation: rating.StartDeviation}
}

// rateRows rates a match, of which those are the rows, and returns the rows that have changed by it. The players are judged by how
// they stood before; where the opponent has left, by what is kept of the opponent.
func rateRows(standings map[match.User]ladder.Standing, rows []rated, boundaries season.Boundaries) (changed []rated) {
	before := make([]rating.Rating, len(rows))
	for i, r := range rows {
		standings[r.Player] = standings[r.Player].Until(r.at, boundaries)
		before[i] = standings[r.Player].Rating.On(r.at)
	}
	for i, r := range rows {
		next, s := r, standings[r.Player]
		if r.opponent != match.Left && len(rows) == 2 {
			next.other = rating.Rating{Value: before[1-i].Value, Deviation: before[1-i].Deviation}
		}
		next.Rating = s.Rating.Against(next.other, r.score, r.weight, r.at)
		next.Tally = s.Tally.Plus(tallyOf(r.score))
		next.Opponents = s.Opponents
		if r.met {
			next.Opponents++
		}
		standings[r.Player] = next.Standing
		if next != r {
			changed = append(changed, next)
		}
	}
	return changed
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

// standAgain has players stand on a ladder where the latest of their matches in its season has left them: nowhere, if there is none.
func standAgain(ctx context.Context, tx Tx, on ladderKey, boundaries season.Boundaries, players []match.User) error {
	after, to := boundaries.Span(on.season)
	if after.IsZero() {
		after = beginning
	}
	if to.IsZero() {
		to = endOfTime
	}
	begun, err := breaksOf(ctx, tx, on.venue)
	if err != nil {
		return err
	}
	if reset := begun.last(endOfTime); reset.After(after) {
		after = reset
	}
	latest, err := List(ctx, tx, scanStanding, selectLatest, on.venue, on.rules, texts(players), after.UnixMilli(), to.UnixMilli())
	if err != nil {
		return err
	}
	stand := make(map[match.User]ladder.Standing, len(players))
	for _, s := range latest {
		stand[s.Player] = s
	}
	places := make(map[match.User]string, len(players))
	err = tx.Each(ctx, func(row column.Row) error {
		var p match.User
		var place string
		err := row.Scan(&p, &place)
		places[p] = place
		return err
	}, selectPlaces, on.venue, on.rules, texts(players), on.season)
	if err != nil {
		return err
	}
	for _, p := range players {
		s, stands := stand[p]
		if !stands {
			leaveLadder(tx, on, p, places[p])
			continue
		}
		upsert(tx, on, s)
		moveBucket(tx, on, places[p], s.Place())
	}
	return nil
}

func upsert(tx Tx, on ladderKey, s ladder.Standing) {
	tx.QueueRows(Named("rating of player %s", s.Player), upsertRating, on.args(ratingColumns(s)...))
}

func ratingColumns(s ladder.Standing) []any {
	return []any{s.Player, s.Rating.Value, s.Rating.Deviation, s.Rating.Volatility, column.Time(s.Rating.At), s.Wins, s.Draws, s.Losses, s.Opponents, s.Place()}
}

func leaveLadder(tx Tx, on ladderKey, p match.User, place string) {
	moveBucket(tx, on, place, "")
	tx.Queue(Named("rating of player %s", p), deleteRating, on.args(p)...)
}

// moveBucket counts a player in the rank bucket of another place. There is no place at one of the ends if that is "".
func moveBucket(tx Tx, on ladderKey, from, to string) {
	if from == to {
		return
	}
	done := Named("ladder of %s", on.venue)
	count := func(place string, statements ...string) {
		for _, statement := range statements {
			tx.Queue(done, statement, on.args(place)...)
		}
	}
	if from != "" {
		count(from, leaveOne)
	}
	if to != "" {
		count(to, firstBucket, enterOne, halveBucket)
	}
	if from != "" {
		count(from, deleteEmpty)
	}
}

// resetLadders lets the ladders of a venue begin anew with what has ended later. Which reset that is, is stored.
func resetLadders(ctx context.Context, tx Tx, v match.Venue, at time.Time) error {
	done := Named("reset the ladders of %s", v)
	tx.Queue(done, deleteRatings, v)
	tx.Queue(done, deleteBuckets, v)
	return beginAnew(ctx, tx, done, v, at, at)
}

// unresetLadders lets the ladders of a venue go on as if they had not begun anew then. What is played after it stays on them meanwhile.
func unresetLadders(ctx context.Context, tx Tx, v match.Venue, at time.Time) error {
	begun, err := breaksOf(ctx, tx, v)
	if err != nil {
		return err
	}
	return beginAnew(ctx, tx, Named("the ladders of %s go on", v), v, at, begun.last(at))
}

// beginAnew works out again what was played on the ladders of a venue after from, and who has met whom after at.
func beginAnew(ctx context.Context, tx Tx, done Outcome, v match.Venue, at, from time.Time) error {
	ladders, err := List(ctx, tx, Value[string], selectLadders, v)
	if err != nil {
		return err
	}
	for _, rules := range ladders {
		findFirsts(tx, done, v, rules, at)
		if err := replayFrom(ctx, tx, rung{venue: v, rules: rules, at: from.Add(time.Millisecond)}); err != nil {
			return err
		}
	}
	return nil
}

// findFirsts finds out again which matches after that time were the first of their players.
func findFirsts(tx Tx, done Outcome, v match.Venue, rules string, after time.Time) {
	tx.Queue(done, unmeetAll, v, rules, after.UnixMilli())
	tx.Queue(done, meetAnew, v, rules, after.UnixMilli())
}

// moveRatings has the ladders of a venue follow the beginning of a season that has come or gone: what ended later is of that season,
// or of the one before it again.
func moveRatings(ctx context.Context, tx Tx, v match.Venue, number int, began time.Time) error {
	done := Named("ladders of season %d of %s", number, v)
	ladders, err := List(ctx, tx, Value[string], selectLadders, v)
	if err != nil {
		return done.Wrap(err)
	}
	boundaries, err := boundariesOf(ctx, tx, v)
	if err != nil {
		return done.Wrap(err)
	}
	for _, rules := range ladders {
		later := rung{venue: v, rules: rules, at: began.Add(time.Millisecond)}
		players, err := List(ctx, tx, Value[match.User], selectPlayedSince, v, rules, began.UnixMilli())
		if err != nil {
			return done.Wrap(err)
		}
		tx.Queue(done, deleteSeasonRatings, later.in(number).args()...)
		tx.Queue(done, deleteSeasonBuckets, later.in(number).args()...)
		findFirsts(tx, done, v, rules, began)
		if err := standAgain(ctx, tx, later.in(number-1), boundaries, players); err != nil {
			return done.Wrap(err)
		}
		if err := replayFrom(ctx, tx, later); err != nil {
			return err
		}
	}
	return nil
}

func deleteLaddersIn(tx Tx, done Outcome, v match.Venue) {
	for _, statement := range []string{deleteRatedIn, deleteRatings, deleteBuckets, deleteReplays} {
		tx.Queue(done, statement, v)
	}
}

// eraseRatings deletes the ratings of a player, who is still in the matches by which they are found. The opponents keep theirs, and
// what they were judged by.
func eraseRatings(ctx context.Context, tx Tx, done Outcome, p match.User) error {
	err := tx.Each(ctx, func(row column.Row) error {
		var on ladderKey
		var place string
		if err := row.Scan(&on.venue, &on.rules, &on.season, &place); err != nil {
			return err
		}
		leaveLadder(tx, on, p, place)
		return nil
	}, selectRatingsOf, p)
	tx.Queue(done, forgetX, p, match.Left)
	tx.Queue(done, forgetO, p, match.Left)
	tx.Queue(done, deleteRatedOf, p)
	return err
}

// Ladder is one page.
func (s *Store) Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (p ladder.Page, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		on := ladderKey{v, rules.String(), number}
		if on.season, err = numberOf(ctx, tx, v, number); err == nil {
			p, err = ladderPage(ctx, tx, on, where, own)
		}
		return err
	})
	return p, Named("ladder of %s", v).Wrap(err)
}

// numberOf is the number of a season, or of the one that goes on where that is asked for.
func numberOf(ctx context.Context, tx Tx, v match.Venue, number int) (int, error) {
	if number != season.Latest {
		return number, nil
	}
	return Value[int](tx.Row(ctx, selectNumber, v))
}

func ladderPage(ctx context.Context, tx Tx, on ladderKey, where score.Where, own match.User) (ladder.Page, error) {
	p := ladder.Page{Page: 1, Pages: 1}
	if where.Player != "" {
		where.Page = 1
		if _, position, err := ladderRowOf(ctx, tx, on, where.Player); err != nil {
			return p, err
		} else if position > 0 {
			where.Page = score.PageOf(position)
		}
	}
	var first string
	var before, total int
	page := min(max(where.Page, 1), math.MaxInt32)
	skipped := (page - 1) * score.RowsOnAPage
	err := tx.Row(ctx, selectRatingBucket, on.args(skipped, score.RowsOnAPage)...).Scan(&first, &before, &total)
	if errors.Is(err, sql.ErrNoRows) || err == nil && total == 0 {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Pages = (total + score.RowsOnAPage - 1) / score.RowsOnAPage
	p.Page = min(page, p.Pages)
	skipped = (p.Page - 1) * score.RowsOnAPage
	p.Rows, err = List(ctx, tx, scanLadderRow, selectLadder, on.args(first, score.RowsOnAPage, skipped-before)...)
	if err != nil {
		return p, err
	}
	for i := range p.Rows {
		if row := &p.Rows[i]; row.Ranked() {
			row.Rank = skipped + i + 1
		}
		if p.Rows[i].Player == own {
			p.Own = &p.Rows[i]
		}
	}
	if p.Own == nil && own != "" {
		row, _, err := ladderRowOf(ctx, tx, on, own)
		if err != nil {
			return p, err
		}
		p.Own = row
	}
	stale, err := Value[int](tx.Row(ctx, countReplays, on.venue, on.rules))
	p.Stale = stale > 0
	return p, err
}

// ladderRowOf is the row of a player and at which position it is, from 1; nil and 0 if there is none.
func ladderRowOf(ctx context.Context, tx Tx, on ladderKey, p match.User) (*ladder.Row, int, error) {
	row, err := scanLadderRow(tx.Row(ctx, selectLadderRow, on.args(p)...))
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, 0, nil
	case err != nil:
		return nil, 0, err
	}
	position := row.Rank
	if !row.Ranked() {
		row.Rank = 0
	}
	return &row, position, nil
}

// Ladders are all that somebody stands on, by venue, the names of the rule sets and season.
func (s *Store) Ladders(ctx context.Context) ([]ladder.Size, error) {
	return all(ctx, s.db, Named("ladders"), func(row column.Row) (l ladder.Size, err error) {
		err = row.Scan(&l.Venue, &l.Rules, &l.Season, &l.Players)
		return l, err
	}, selectAllSizes)
}

// Called are those who have played in a venue and have that name, or that id.
func (s *Store) Called(ctx context.Context, v match.Venue, name string) ([]match.Name, error) {
	return all(ctx, s.db, Named("players called %s", name), func(row column.Row) (n match.Name, err error) {
		err = row.Scan(&n.Player, &n.Name)
		return n, err
	}, selectCalled, v, name)
}

// Standings are those of a player in a season of a venue, by the names of the rule sets.
func (s *Store) Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]ladder.Row, error) {
	rows := make(map[string]ladder.Row)
	err := s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		number, err := numberOf(ctx, tx, v, number)
		if err != nil {
			return err
		}
		ladders, err := List(ctx, tx, Value[string], selectLaddersOf, v, p, number)
		if err != nil {
			return err
		}
		for _, rules := range ladders {
			row, _, err := ladderRowOf(ctx, tx, ladderKey{v, rules, number}, p)
			if err != nil {
				return err
			}
			if row != nil {
				rows[rules] = *row
			}
		}
		return nil
	})
	return rows, Named("standings of player %s", p).Wrap(err)
}

// Course is a player's rating over time, the latest [ladder.CourseLength] of it, the earliest first.
func (s *Store) Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User) ([]ladder.Point, error) {
	return all(ctx, s.db, Named("course of player %s", p), scanPoint, selectCourse, v, rules.String(), p, ladder.CourseLength)
}

// Changes are what a match has changed, X first; none if it changed nothing. Of one who has left there is none.
func (s *Store) Changes(ctx context.Context, id match.ID) (changes []ladder.Change, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		found, err := List(ctx, tx, scanChange, selectChanges, id)
		changes = make([]ladder.Change, len(found))
		var boundaries season.Boundaries
		for i, c := range found {
			if c.crosses && boundaries == nil && err == nil {
				boundaries, err = boundariesOf(ctx, tx, c.venue)
			}
			changes[i] = c.since(boundaries)
		}
		return err
	})
	return changes, Named("changes of match %s", id).Wrap(err)
}

// Pair is what is known of two players.
func (s *Store) Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (p ladder.Pair, err error) {
	p = ladder.Pair{A: rating.New(), B: rating.New()}
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		stand, err := List(ctx, tx, scanFormer, selectStandingsOf, v, rules.String(), texts([]match.User{a, b}), now.UnixMilli())
		if err != nil {
			return err
		}
		var boundaries season.Boundaries
		for _, s := range stand {
			if s.crosses && boundaries == nil {
				if boundaries, err = boundariesOf(ctx, tx, v); err != nil {
					return err
				}
			}
			if s.Player == a {
				p.A = s.Until(now, boundaries).Rating
			} else {
				p.B = s.Until(now, boundaries).Rating
			}
		}
		p.Today, err = Value[int](tx.Row(ctx, countPair, v, rules.String(), a, b, now.Add(-rating.PairDay).UnixMilli()))
		return err
	})
	return p, Named("ratings of a pair").Wrap(err)
}

// rated is a row of the table of that name: a match of a player, and how the player stood after it.
type rated struct {
	at       time.Time
	match    match.ID
	opponent match.User
	score    float64
	weight   float64
	met      bool
	other    rating.Rating // value and deviation of the opponent, as they counted
	ladder.Standing
}

// columns are those of a row, without those of the ladder.
func (r rated) columns() []any {
	return append([]any{r.at.UnixMilli(), r.match, r.Player, r.opponent, r.score, r.weight, r.met}, r.stood()...)
}

// stood is what working out a match has led to, as the columns have it.
func (r rated) stood() []any {
	return []any{r.other.Value, r.other.Deviation, r.Rating.Value, r.Rating.Deviation, r.Rating.Volatility, r.Wins, r.Draws, r.Losses, r.Opponents}
}

func scanRated(row column.Row) (r rated, err error) {
	err = row.Scan((*column.Time)(&r.at), &r.match, &r.Player, &r.opponent, &r.score, &r.weight, &r.met,
		&r.other.Value, &r.other.Deviation, &r.Rating.Value, &r.Rating.Deviation, &r.Rating.Volatility, (*column.Time)(&r.Rating.At),
		&r.Wins, &r.Draws, &r.Losses, &r.Opponents)
	return r, err
}

func scanStanding(row column.Row) (s ladder.Standing, err error) {
	err = row.Scan(&s.Player, &s.Rating.Value, &s.Rating.Deviation, &s.Rating.Volatility, (*column.Time)(&s.Rating.At),
		&s.Wins, &s.Draws, &s.Losses, &s.Opponents)
	return s, err
}

func scanLadderRow(row column.Row) (r ladder.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Hidden, &r.Rating.Value, &r.Rating.Deviation, &r.Rating.Volatility, (*column.Time)(&r.Rating.At),
		&r.Wins, &r.Draws, &r.Losses, &r.Opponents, &r.Rank)
	return r, err
}

func scanPoint(row column.Row) (p ladder.Point, err error) {
	err = row.Scan(&p.Match, &p.Opponent, &p.Score, &p.Rating.Value, &p.Rating.Deviation, &p.Rating.Volatility, (*column.Time)(&p.Rating.At))
	return p, err
}

// changed is a change as it is stored.
type changed struct {
	ladder.Change
	other   rating.Rating // value and deviation of the opponent
	venue   match.Venue
	crosses bool // a season has begun since the match before
}

func scanChange(row column.Row) (c changed, err error) {
	err = row.Scan(&c.Player, &c.other.Value, &c.other.Deviation,
		&c.After.Value, &c.After.Deviation, &c.After.Volatility, (*column.Time)(&c.After.At),
		&c.Before.Value, &c.Before.Deviation, &c.Before.Volatility, (*column.Time)(&c.Before.At), &c.venue, &c.crosses, &c.Stale)
	return c, err
}

// since is the change, given the seasons that have begun since the match before.
func (c changed) since(boundaries season.Boundaries) ladder.Change {
	before := ladder.Standing{Rating: c.Before}
	if c.Before == (rating.Rating{}) {
		before.Rating = rating.New()
	}
	c.Before = before.Until(c.After.At, boundaries).Rating.On(c.After.At)
	c.Expected = rating.Expected(c.Before, c.other)
	return c.Change
}

// former is how a player stands, and whether a season has begun since.
type former struct {
	ladder.Standing
	crosses bool
}

func scanFormer(row column.Row) (f former, err error) {
	err = row.Scan(&f.Player, &f.Rating.Value, &f.Rating.Deviation, &f.Rating.Volatility, (*column.Time)(&f.Rating.At),
		&f.Wins, &f.Draws, &f.Losses, &f.Opponents, &f.crosses)
	return f, err
}

func scanRung(row column.Row) (r rung, err error) {
	err = row.Scan(&r.venue, &r.rules, (*column.Time)(&r.at), &r.match)
	return r, err
}

func (r rung) before(other rung) bool {
	return cmp.Or(r.at.Compare(other.at), cmp.Compare(r.match, other.match)) < 0
}
