package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/ladder"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
	"tictactoe/store/internal/column"
)

// A ladder is its rated matches: for each player a row in rated, which says what was played and how the player stood after it. What
// a player stands at now, in ratings, is the latest of those rows. Rank buckets are as those of the other leaderboards.
const (
	// How a player stands after a match.
	standingColumns = `value, deviation, volatility, at, wins, draws, losses, opponents`

	ratedColumns = `at, match, player, opponent, score, weight, met, other_value, other_deviation, ` + standingColumns

	insertRated = `INSERT INTO rated (venue, rules, at, match, player, opponent, score, weight, met, other_value, other_deviation,
			value, deviation, volatility, wins, draws, losses, opponents)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
		ON CONFLICT (venue, rules, player, at, match) DO NOTHING`

	// How the two players of a match stand that ends, and in which rank bucket; whether the first has met the second, who then has met
	// the first; and whether the ladder has begun anew since the match ended.
	selectRivals = `SELECT e.p, coalesce(value, 0), coalesce(deviation, 0), coalesce(volatility, 0), at,
			coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), coalesce(opponents, 0), coalesce(place, ''),
			coalesce((SELECT max(first) FROM rating_buckets WHERE venue = $1 AND rules = $2 AND first <= place), '~'),
			coalesce((SELECT min(first) FROM rating_buckets WHERE venue = $1 AND rules = $2 AND first > place), '~'),
			place IS NOT NULL AND e.p = $4 AND EXISTS (SELECT 1 FROM rated AS b
				WHERE b.venue = $1 AND b.rules = $2 AND b.player = $4 AND b.opponent = $5),
			EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = $1 AND s.at >= $3)
		FROM (SELECT CAST($4 AS text) AS p UNION ALL SELECT $5) AS e
			LEFT JOIN ratings ON venue = $1 AND rules = $2 AND player = e.p ORDER BY e.p <> $4`

	// Of several matches with the same opponent the first is that in which they met.
	metBefore = `EXISTS (SELECT 1 FROM rated AS b WHERE b.venue = rated.venue AND b.rules = rated.rules AND b.player = rated.player
		AND b.opponent = rated.opponent AND (b.at, b.match) < (rated.at, rated.match))`
	meetAgain = `UPDATE rated SET met = NOT ` + metBefore + ` WHERE venue = $1 AND rules = $2 AND player = $3 AND opponent = $4`
	// Of several who have left nobody knows who is who.
	meetAnew    = `UPDATE rated SET met = NOT ` + metBefore + ` WHERE venue = $1 AND opponent <> 'left'`
	deleteRated = `DELETE FROM rated WHERE match = $1`

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
	// How players stood before a match, and how they stand.
	selectStoodBefore = `SELECT ` + lastOf + ` AND (b.at, b.match) < ($4, $5)` + lastRow
	selectLatest      = `SELECT ` + lastOf + lastRow
	updateRated       = `UPDATE rated SET other_value = $6, other_deviation = $7, value = $8, deviation = $9, volatility = $10,
			wins = $11, draws = $12, losses = $13, opponents = $14
		WHERE venue = $1 AND rules = $2 AND player = $3 AND at = $4 AND match = $5`

	selectPlaces = `SELECT player, place FROM ratings WHERE venue = $1 AND rules = $2 AND player IN ` + each3
	deleteRating = `DELETE FROM ratings WHERE venue = $1 AND rules = $2 AND player = $3`
	upsertRating = `INSERT INTO ratings (venue, rules, player, ` + standingColumns + `, place)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (venue, rules, player) DO UPDATE SET value = excluded.value, deviation = excluded.deviation,
			volatility = excluded.volatility, at = excluded.at, wins = excluded.wins, draws = excluded.draws, losses = excluded.losses,
			opponents = excluded.opponents, place = excluded.place`

	// The rank bucket that a place is in.
	bucketOf = `(SELECT max(first) FROM rating_buckets WHERE venue = $1 AND rules = $2 AND first <= $3)`
	// A bucket begins where it was once made, whether somebody stands there or not, and is gone with the last who stood in it.
	leaveOne    = `UPDATE rating_buckets SET length = length - 1 WHERE venue = $1 AND rules = $2 AND first = ` + bucketOf
	deleteEmpty = `DELETE FROM rating_buckets WHERE venue = $1 AND rules = $2 AND first = ` + bucketOf + ` AND first <> '' AND length = 0`
	firstBucket = `INSERT INTO rating_buckets (venue, rules, first, length) VALUES ($1, $2, '', 0) ON CONFLICT DO NOTHING`
	enterOne    = `UPDATE rating_buckets SET length = length + 1 WHERE venue = $1 AND rules = $2 AND first = ` + bucketOf
	// A bucket that has become long is halved.
	halveBucket = `INSERT INTO rating_buckets (venue, rules, first, length)
		SELECT $1, $2, CASE WHEN low THEN first ELSE min(place) END, count(*) FROM (
			SELECT b.first, r.place, row_number() OVER (ORDER BY r.place) <= b.length / 2 AS low
			FROM rating_buckets AS b JOIN ratings AS r ON r.venue = b.venue AND r.rules = b.rules AND r.place >= b.first
				AND r.place < coalesce((SELECT min(first) FROM rating_buckets AS n WHERE n.venue = $1 AND n.rules = $2 AND n.first > b.first), '~')
			WHERE b.venue = $1 AND b.rules = $2 AND b.first = ` + bucketOf + ` AND b.length > 2048) AS halves
		WHERE true GROUP BY first, low
		ON CONFLICT (venue, rules, first) DO UPDATE SET length = excluded.length`

	selectRatingBucket = `SELECT first, upto - length, total FROM (
			SELECT first, length, sum(length) OVER (ORDER BY first) AS upto, sum(length) OVER () AS total
			FROM rating_buckets WHERE venue = $1 AND rules = $2) AS s
		WHERE upto > CAST($3 AS bigint) OR upto > (total - 1) / CAST($4 AS bigint) * CAST($4 AS bigint) ORDER BY first LIMIT 1`
	ladderRow    = `player, ` + shownName + `, value, deviation, volatility, at, wins, draws, losses, opponents`
	selectLadder = `SELECT ` + ladderRow + `, 0 FROM ratings WHERE venue = $1 AND rules = $2 AND place >= (
			SELECT place FROM ratings WHERE venue = $1 AND rules = $2 AND place >= $3 ORDER BY place LIMIT 1 OFFSET $5)
		ORDER BY place LIMIT $4`
	selectLadderRow = `SELECT ` + ladderRow + `, 1 + (SELECT coalesce(sum(length), 0) FROM rating_buckets WHERE venue = $1 AND rules = $2 AND first < bucket) +
			(SELECT count(*) FROM ratings AS r WHERE r.venue = $1 AND r.rules = $2 AND r.place >= bucket AND r.place < own.place)
		FROM (SELECT *, (SELECT max(first) FROM rating_buckets AS b WHERE b.venue = $1 AND b.rules = $2 AND first <= place) AS bucket
			FROM ratings WHERE venue = $1 AND rules = $2 AND player = $3) AS own`
	selectAllSizes = `SELECT venue, rules, sum(length) FROM rating_buckets GROUP BY venue, rules HAVING sum(length) > 0 ORDER BY venue, rules`
	// Those who have played somewhere, by their name or id.
	selectCalled = `SELECT DISTINCT s.player, coalesce(p.name, '') FROM scores AS s LEFT JOIN players AS p ON p.id = s.player
		WHERE s.venue = $1 AND (s.player = $2 OR p.name = $2) ORDER BY s.player`
	selectLaddersOf = `SELECT rules FROM ratings WHERE venue = $1 AND player = $2 ORDER BY rules`

	selectCourse = `SELECT * FROM (SELECT match, opponent, score, value, deviation, volatility, at FROM rated
		WHERE venue = $1 AND rules = $2 AND player = $3 ORDER BY at DESC, match DESC LIMIT $4) AS latest ORDER BY at, match`

	selectChanges = `SELECT r.player, r.other_value, r.other_deviation, r.value, r.deviation, r.volatility, r.at,
			coalesce(b.value, 0), coalesce(b.deviation, 0), coalesce(b.volatility, 0), b.at,
			EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = r.venue AND p.rules = r.rules AND (p.at, p.match) <= (r.at, r.match))
		FROM rated AS r LEFT JOIN
			{sqlite:rated AS b ON b.venue = r.venue AND b.rules = r.rules AND b.player = r.player AND (b.at, b.match) = (SELECT c.at, c.match}
			{postgres:LATERAL (SELECT c.value, c.deviation, c.volatility, c.at}
			FROM rated AS c WHERE c.venue = r.venue AND c.rules = r.rules AND c.player = r.player
				AND (c.at, c.match) < (r.at, r.match) ORDER BY c.at DESC, c.match DESC LIMIT 1) {postgres:AS b ON true}
		WHERE r.match = $1 ORDER BY (SELECT x_player FROM matches WHERE id = $1) = r.player DESC`

	countPair = `SELECT count(*) FROM matches WHERE id IN (
			SELECT id FROM matches WHERE x_player = $3 AND o_player = $4 AND (ended IS NULL OR ended >= $5)
			UNION ALL SELECT id FROM matches WHERE x_player = $4 AND o_player = $3 AND (ended IS NULL OR ended >= $5))
		AND venue = $1 AND rules = $2 AND created > $5 AND stakes IN ('full', 'half')
		AND coalesce(cause NOT IN ('aborted', 'voided', 'no show', 'moderator'), true)`
	selectStandingsOf = `SELECT player, ` + standingColumns + ` FROM ratings WHERE venue = $1 AND rules = $2 AND player IN ` + each3

	// From which match on a ladder has to be worked out again.
	selectAllReplays = `SELECT venue, rules, at, match FROM replays ORDER BY venue, rules LIMIT 2`
	selectReplay     = `SELECT venue, rules, at, match FROM replays WHERE venue = $1 AND rules = $2`
	insertReplay     = `INSERT INTO replays (venue, rules, at, match) VALUES ($1, $2, $3, $4)`
	updateReplay     = `UPDATE replays SET at = $3, match = $4 WHERE venue = $1 AND rules = $2`
	deleteReplay     = `DELETE FROM replays WHERE venue = $1 AND rules = $2`
	countAllReplays  = `SELECT count(*) FROM replays`
	countReplays     = `SELECT count(*) FROM replays WHERE venue = $1 AND rules = $2`

	selectLadders   = `SELECT DISTINCT rules FROM rated WHERE venue = $1`
	deleteRatedUpTo = `DELETE FROM rated WHERE venue = $1 AND at <= $2`
	deleteRatedIn   = `DELETE FROM rated WHERE venue = $1`
	deleteRatings   = `DELETE FROM ratings WHERE venue = $1`
	deleteBuckets   = `DELETE FROM rating_buckets WHERE venue = $1`
	deleteReplays   = `DELETE FROM replays WHERE venue = $1`

	selectRatingsOf = `SELECT venue, rules, place FROM ratings WHERE player = $1`
	forgetOpponent  = `UPDATE rated SET opponent = $2 WHERE opponent = $1 AND match IN (SELECT match FROM rated WHERE player = $1)`
	deleteRatedOf   = `DELETE FROM rated WHERE player = $1`
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

// rate lets the ladder follow a match that has ended; of a match that goes on, nobody has left. Where it is the latest of its players,
// what comes of it is known at once.
func rate(ctx context.Context, tx Tx, m match.Match) error {
	if !ladder.Counts(m) {
		return nil
	}
	at, done := rungOf(m), Named("rate match %s", m.ID)
	players := m.Seats.Players()
	rivals, err := List(ctx, tx, scanRival, selectRivals, at.venue, at.rules, at.at.UnixMilli(), players[0], players[1])
	if err != nil {
		return done.Wrap(err)
	}
	late, standings := false, make(map[match.User]ladder.Standing, len(rivals))
	for _, r := range rivals {
		if r.reset {
			return nil
		}
		late = late || !r.Rating.At.Before(at.at)
		standings[r.Player] = r.Standing
	}
	rows := rowsOf(m, !rivals[0].met)
	if !late {
		rows = rateRows(standings, rows)
	}
	for _, r := range rows {
		tx.Queue(done, insertRated, append([]any{at.venue, at.rules}, r.columns()...)...)
	}
	if !late {
		standOn(tx, at, rivals, standings)
		return nil
	}
	meet(tx, at, players)
	return replayFrom(ctx, tx, at)
}

// rowsOf are the rows of a match that is rated, before it is worked out.
func rowsOf(m match.Match, met bool) (rows []rated) {
	for _, mark := range []game.Mark{game.X, game.O} {
		r := rated{at: m.Ended, match: m.ID, opponent: m.Seats.Of(mark.Opponent()).Player, score: ladder.Score(m, mark), weight: m.Stakes.Weight(), met: met}
		r.Player = m.Seats.Of(mark).Player
		rows = append(rows, r)
	}
	return rows
}

// meet finds out again which of the matches of two players was the first.
func meet(tx Tx, on rung, players []match.User) {
	for _, p := range players {
		for _, other := range players {
			if p != match.Left && p != other && other != match.Left {
				tx.Queue(Named("first match of players %s and %s", p, other), meetAgain, on.venue, on.rules, p, other)
			}
		}
	}
}

// rival is one of the players of a match that ends, as the ladder has them before it is rated.
type rival struct {
	ladder.Standing
	place string // on the ladder; "" if there is none
	// Where the rank bucket of that place begins, and where the next one does.
	bucket, next string
	met          bool // the two have played before
	reset        bool // the ladder has begun anew since the match ended
}

func scanRival(row column.Row) (r rival, err error) {
	err = row.Scan(&r.Player, &r.Rating.Value, &r.Rating.Deviation, &r.Rating.Volatility, (*column.Time)(&r.Rating.At),
		&r.Wins, &r.Draws, &r.Losses, &r.Opponents, &r.place, &r.bucket, &r.next, &r.met, &r.reset)
	if r.place == "" {
		r.Rating = rating.New()
	}
	return r, err
}

// stays tells whether another place would be in the same rank bucket.
func (r rival) stays(place string) bool {
	return r.place != "" && r.bucket <= place && place < r.next
}

// standOn has players stand on a ladder as they do after a match.
func standOn(tx Tx, on rung, rivals []rival, standings map[match.User]ladder.Standing) {
	moved := slices.ContainsFunc(rivals, func(r rival) bool { return !r.stays(standings[r.Player].Place()) })
	for _, r := range rivals {
		s := standings[r.Player]
		upsert(tx, on, s)
		if moved { // for each, since what moves one may halve the bucket of the other
			moveBucket(tx, on, r.place, s.Place())
		}
	}
}

// unrate takes a match back, and works out again what came after it.
func unrate(ctx context.Context, tx Tx, m match.Match) error {
	if !ladder.Counts(m) {
		return nil
	}
	at, done := rungOf(m), Named("take match %s off the ladder", m.ID)
	tx.Queue(done, deleteRated, m.ID)
	players := m.Seats.Players()
	meet(tx, at, players)
	if err := standAgain(ctx, tx, at, players); err != nil {
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

// endOfTime comes after all matches.
var endOfTime = time.UnixMilli(math.MaxInt64)

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
	var players []match.User
	for _, r := range rows {
		players = append(players, r.Player)
	}
	slices.Sort(players)
	players = slices.Compact(players)
	before, err := List(ctx, tx, scanStanding, selectStoodBefore, from.venue, from.rules, texts(players), from.at.UnixMilli(), from.match)
	if err != nil {
		return err
	}
	standings := make(map[match.User]ladder.Standing, len(players))
	for _, p := range players {
		standings[p] = ladder.Standing{Player: p, Rating: rating.New()}
	}
	for _, s := range before {
		standings[s.Player] = s
	}
	for len(rows) > 0 {
		n := 1
		if len(rows) > 1 && rows[1].match == rows[0].match {
			n = 2
		}
		for _, r := range rateRows(standings, rows[:n]) {
			tx.Queue(Named("rate match %s", r.match), updateRated,
				append([]any{from.venue, from.rules, r.Player, r.at.UnixMilli(), r.match}, r.stood()...)...)
		}
		rows = rows[n:]
	}
	return standAgain(ctx, tx, from, players)
}

// rateRows rates a match, of which those are the rows, and returns the rows that have changed by it. The players are judged by how
// they stood before; where the opponent has left, by what is kept of the opponent.
func rateRows(standings map[match.User]ladder.Standing, rows []rated) (changed []rated) {
	before := make([]rating.Rating, len(rows))
	for i, r := range rows {
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

// standAgain has players stand on a ladder where the latest of their matches has left them: nowhere, if there is none.
func standAgain(ctx context.Context, tx Tx, on rung, players []match.User) error {
	latest, err := List(ctx, tx, scanStanding, selectLatest, on.venue, on.rules, texts(players))
	if err != nil {
		return err
	}
	places := make(map[match.User]string, len(players))
	err = tx.Each(ctx, func(row column.Row) error {
		var p match.User
		var place string
		err := row.Scan(&p, &place)
		places[p] = place
		return err
	}, selectPlaces, on.venue, on.rules, texts(players))
	if err != nil {
		return err
	}
	for _, p := range players {
		i := slices.IndexFunc(latest, func(s ladder.Standing) bool { return s.Player == p })
		if i < 0 {
			leaveLadder(tx, on.venue, on.rules, p, places[p])
			continue
		}
		upsert(tx, on, latest[i])
		moveBucket(tx, on, places[p], latest[i].Place())
	}
	return nil
}

func upsert(tx Tx, on rung, s ladder.Standing) {
	tx.Queue(Named("rating of player %s", s.Player), upsertRating, append([]any{on.venue, on.rules}, ratingColumns(s)...)...)
}

func ratingColumns(s ladder.Standing) []any {
	return []any{s.Player, s.Rating.Value, s.Rating.Deviation, s.Rating.Volatility, column.Time(s.Rating.At), s.Wins, s.Draws, s.Losses, s.Opponents, s.Place()}
}

func leaveLadder(tx Tx, v match.Venue, rules string, p match.User, place string) {
	moveBucket(tx, rung{venue: v, rules: rules}, place, "")
	tx.Queue(Named("rating of player %s", p), deleteRating, v, rules, p)
}

// moveBucket counts a player in the rank bucket of another place. There is no place at one of the ends if that is "".
func moveBucket(tx Tx, on rung, from, to string) {
	if from == to {
		return
	}
	done := Named("ladder of %s", on.venue)
	count := func(place string, statements ...string) {
		for _, statement := range statements {
			tx.Queue(done, statement, on.venue, on.rules, place)
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

// resetLadders lets the ladders of a venue begin anew with what has ended later.
func resetLadders(ctx context.Context, tx Tx, v match.Venue, at time.Time) error {
	done := Named("reset the ladders of %s", v)
	ladders, err := List(ctx, tx, Value[string], selectLadders, v)
	if err != nil {
		return err
	}
	tx.Queue(done, deleteRatedUpTo, v, at.UnixMilli())
	tx.Queue(done, deleteRatings, v)
	tx.Queue(done, deleteBuckets, v)
	tx.Queue(done, meetAnew, v)
	for _, rules := range ladders {
		if err := replayFrom(ctx, tx, rung{venue: v, rules: rules}); err != nil {
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

// eraseRatings deletes the ratings of a player. The opponents keep theirs, and what they were judged by.
func eraseRatings(ctx context.Context, tx Tx, done Outcome, p match.User) error {
	err := tx.Each(ctx, func(row column.Row) error {
		var v match.Venue
		var rules, place string
		if err := row.Scan(&v, &rules, &place); err != nil {
			return err
		}
		leaveLadder(tx, v, rules, p, place)
		return nil
	}, selectRatingsOf, p)
	tx.Queue(done, forgetOpponent, p, match.Left)
	tx.Queue(done, deleteRatedOf, p)
	return err
}

// Ladder is one page.
func (s *Store) Ladder(ctx context.Context, v match.Venue, rules game.Rules, where score.Where, own match.User) (p ladder.Page, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		p, err = ladderPage(ctx, tx, rung{venue: v, rules: rules.String()}, where, own)
		return err
	})
	return p, Named("ladder of %s", v).Wrap(err)
}

func ladderPage(ctx context.Context, tx Tx, on rung, where score.Where, own match.User) (ladder.Page, error) {
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
	err := tx.Row(ctx, selectRatingBucket, on.venue, on.rules, skipped, score.RowsOnAPage).Scan(&first, &before, &total)
	if errors.Is(err, sql.ErrNoRows) || err == nil && total == 0 {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.Pages = (total + score.RowsOnAPage - 1) / score.RowsOnAPage
	p.Page = min(page, p.Pages)
	skipped = (p.Page - 1) * score.RowsOnAPage
	p.Rows, err = List(ctx, tx, scanLadderRow, selectLadder, on.venue, on.rules, first, score.RowsOnAPage, skipped-before)
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
func ladderRowOf(ctx context.Context, tx Tx, on rung, p match.User) (*ladder.Row, int, error) {
	row, err := scanLadderRow(tx.Row(ctx, selectLadderRow, on.venue, on.rules, p))
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

// Ladders are all that somebody stands on, by venue and the names of the rule sets.
func (s *Store) Ladders(ctx context.Context) ([]ladder.Size, error) {
	return all(ctx, s.db, Named("ladders"), func(row column.Row) (l ladder.Size, err error) {
		err = row.Scan(&l.Venue, &l.Rules, &l.Players)
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

// Standings are those of a player in a venue, by the names of the rule sets.
func (s *Store) Standings(ctx context.Context, v match.Venue, p match.User) (map[string]ladder.Row, error) {
	rows := make(map[string]ladder.Row)
	err := s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		ladders, err := List(ctx, tx, Value[string], selectLaddersOf, v, p)
		if err != nil {
			return err
		}
		for _, rules := range ladders {
			row, _, err := ladderRowOf(ctx, tx, rung{venue: v, rules: rules}, p)
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
func (s *Store) Changes(ctx context.Context, id match.ID) ([]ladder.Change, error) {
	return all(ctx, s.db, Named("changes of match %s", id), scanChange, selectChanges, id)
}

// Pair is what is known of two players.
func (s *Store) Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (p ladder.Pair, err error) {
	p = ladder.Pair{A: rating.New(), B: rating.New()}
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		stand, err := List(ctx, tx, scanStanding, selectStandingsOf, v, rules.String(), texts([]match.User{a, b}))
		if err != nil {
			return err
		}
		for _, s := range stand {
			if s.Player == a {
				p.A = s.Rating
			} else {
				p.B = s.Rating
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

func scanChange(row column.Row) (c ladder.Change, err error) {
	var other rating.Rating
	var before rating.Rating
	err = row.Scan(&c.Player, &other.Value, &other.Deviation,
		&c.After.Value, &c.After.Deviation, &c.After.Volatility, (*column.Time)(&c.After.At),
		&before.Value, &before.Deviation, &before.Volatility, (*column.Time)(&before.At), &c.Stale)
	if before == (rating.Rating{}) {
		before = rating.New()
	}
	c.Before = before.On(c.After.At)
	c.Expected = rating.Expected(c.Before, other)
	return c, err
}

func scanRung(row column.Row) (r rung, err error) {
	err = row.Scan(&r.venue, &r.rules, (*column.Time)(&r.at), &r.match)
	return r, err
}

func (r rung) before(other rung) bool {
	return cmp.Or(r.at.Compare(other.at), cmp.Compare(r.match, other.match)) < 0
}
