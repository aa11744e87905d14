package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/internal/column"
)

// A ladder consists of the rated matches of all seasons. The table rated has a row for each player of a match, with the opponent, the
// score and the player's rating after the match. The standing of a player in a season follows from the player's latest row in the
// season, unless the venue was reset since: a reset deletes no row, but all players start as newcomers. The standings and their order
// are stored like other leaderboards; see [ranking].
//
// On Postgres, an index of rated finds the rows of a ladder in their order. On SQLite, an index of matches finds them: an index of
// rated would have two rows for each match, and take long to write. With an index of matches, Postgres would often read all rows of a
// ladder.
const (
	// The time of the latest reset of a venue.
	latestReset1 = `coalesce((SELECT max(s.at) FROM score_resets AS s WHERE s.venue = $1), ` + beginningOfTime + `)`

	upsertRated = `INSERT INTO rated (venue, rules, player, at, match, opponent, score, weight, met, other_value, other_deviation,
			value, deviation, volatility, wins, draws, losses, opponents)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
		ON CONFLICT (venue, rules, player, at, match) DO UPDATE SET opponent = excluded.opponent, score = excluded.score,
			weight = excluded.weight, met = excluded.met, other_value = excluded.other_value, other_deviation = excluded.other_deviation,
			value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility,
			wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, opponents = excluded.opponents`

	// The standings of the players $3 and $4 after their latest matches. In each season the two players meet for the first time once; the
	// query also returns the latest time of these first meetings.
	selectRivals = `SELECT ` + lastColumns + `, (SELECT max(m.at) FROM rated AS m {sqlite:INDEXED BY rated_met}
			WHERE m.venue = $1 AND m.rules = $2 AND m.player = $3 AND m.opponent = $4 AND m.met)
		FROM (SELECT * FROM rated WHERE venue = $1 AND rules = $2 AND player = $3` + latestFirst + `) AS r
		UNION ALL SELECT ` + lastColumns + `, NULL
		FROM (SELECT * FROM rated WHERE venue = $1 AND rules = $2 AND player = $4` + latestFirst + `) AS r`
	latestFirst = ` ORDER BY at DESC, match DESC LIMIT 1`
	lastColumns = `r.player, r.value, r.deviation, r.volatility, r.at, r.wins, r.draws, r.losses, r.opponents`

	beginningOfTime = `-9223372036854775807`

	// The condition for a match to have rows in rated.
	rateable = `stakes IN ('full', 'half') AND outcome IS NOT NULL`
	// The key of a row of a match.
	sameMatch = `r.venue = m.venue AND r.rules = m.rules AND r.at = m.ended AND r.match = m.id`

	selectNumber = `SELECT count(*) FROM seasons WHERE venue = $1`
	// The number of the current season, and whether a ladder is stale.
	selectStaleLadder = `SELECT (SELECT count(*) FROM seasons WHERE venue = $1), EXISTS (SELECT 1 FROM replays WHERE venue = $1 AND rules = $2)`
	selectAllSizes    = `SELECT venue, rules, season, count(*) FROM standings WHERE leaderboard = 'rating'
		GROUP BY venue, rules, season ORDER BY venue, rules, season`
	// The players of a venue with a given name or id.
	selectCalled = `SELECT DISTINCT s.player, coalesce(p.name, '') FROM scores AS s LEFT JOIN players AS p ON p.id = s.player
		WHERE s.venue = $1 AND (s.player = $2 OR p.name = $2) ORDER BY s.player`
	// The ladders of a player in a season, and whether each is stale.
	selectLaddersOf = `SELECT s.rules, EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = $1 AND p.rules = s.rules) FROM standings AS s
		WHERE s.venue = $1 AND s.player = $2 AND s.season = $3 AND s.leaderboard = 'rating' ORDER BY s.rules`

	selectCourse = `SELECT * FROM (SELECT match, opponent, score, value, deviation, volatility, at FROM rated
		WHERE venue = $1 AND rules = $2 AND player = $3 AND at > ` + latestReset1 + `
		ORDER BY at DESC, match DESC LIMIT $4) AS latest ORDER BY at, match`

	// The rows of a match.
	selectChanges = `SELECT r.venue, r.rules, r.player, r.other_value, r.other_deviation, r.value, r.deviation, r.volatility, r.at,
			EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = r.venue AND p.rules = r.rules AND p.at <= r.at)
		FROM matches AS m CROSS JOIN (SELECT 'X' AS mark UNION ALL SELECT 'O') AS side JOIN rated AS r ON ` + sameMatch + `
			AND r.player = CASE mark WHEN 'X' THEN m.x_player ELSE m.o_player END
		WHERE m.id = $1 ORDER BY mark DESC`
	// The rating of a player before a match.
	selectBefore = `SELECT value, deviation, volatility, at FROM rated
		WHERE venue = $1 AND rules = $2 AND player = $3 AND (at, match) < ($4, $5)` + latestFirst

	countPair = `SELECT count(*) FROM matches WHERE id IN (
			SELECT id FROM matches WHERE x_player = $3 AND o_player = $4 AND (ended IS NULL OR ended >= $5)
			UNION ALL SELECT id FROM matches WHERE x_player = $4 AND o_player = $3 AND (ended IS NULL OR ended >= $5))
		AND venue = $1 AND rules = $2 AND created > $5 AND stakes IN ('full', 'half')
		AND coalesce(cause NOT IN ('aborted', 'voided', 'no show', 'moderator'), true)`

	// The stale ladders. The column match is not used.
	selectAllReplays = `SELECT venue, rules FROM replays ORDER BY venue, rules`
	upsertReplay     = `INSERT INTO replays (venue, rules, at, match) VALUES ($1, $2, $3, '')
		ON CONFLICT (venue, rules) DO UPDATE SET at = CASE WHEN excluded.at < replays.at THEN excluded.at ELSE replays.at END`
	deleteReplay    = `DELETE FROM replays WHERE venue = $1 AND rules = $2`
	countAllReplays = `SELECT count(*) FROM replays`

	// The ladders of a venue with matches after a given time; selectLaddersIn adds all ladders with players.
	laddersSince       = `SELECT rules FROM matches WHERE venue = $1 AND ended > $2 AND ` + rateable
	selectLaddersSince = laddersSince + ` GROUP BY rules ORDER BY rules`
	selectLaddersIn    = laddersSince + ` UNION SELECT rules FROM standings WHERE venue = $1 AND leaderboard = 'rating' ORDER BY rules`
	deleteRatedIn      = `DELETE FROM rated WHERE venue = $1`
	deleteReplays      = `DELETE FROM replays WHERE venue = $1`

	// The opponents of an erased player keep their rows, with the rating of that player.
	forgetX       = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.x_player = $1 AND m.created < $3 AND r.player = m.o_player AND ` + sameMatch
	forgetO       = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.o_player = $1 AND m.created < $3 AND r.player = m.x_player AND ` + sameMatch
	deleteRatedOf = `DELETE FROM rated WHERE player = $1
		AND venue IN (SELECT venue FROM matches WHERE x_player = $1 UNION SELECT venue FROM matches WHERE o_player = $1)
		AND rules IN (SELECT rules FROM matches WHERE x_player = $1 UNION SELECT rules FROM matches WHERE o_player = $1)
		AND match NOT IN (SELECT id FROM matches WHERE x_player = $1 AND created >= $2 UNION ALL SELECT id FROM matches WHERE o_player = $1 AND created >= $2)`
)

// ReplayAtOnce is the largest number of rows of a ladder that is recounted in the transaction that makes it stale. [Store.Replay]
// recounts larger ladders, so that the person who made the change does not wait.
const ReplayAtOnce = 2000

// ladderOf returns the ladder of a match.
func ladderOf(m match.Match) ladderKey {
	return ladderKey{m.Venue, m.Position().Rules().String()}
}

// readRivals returns a rater with the ratings of both players before a match that counts from now on.
func readRivals(ctx context.Context, tx Tx, m match.Match) (r rater, err error) {
	of, players := ladderOf(m), m.Seats.Players()
	r = newRater()
	if err = tx.Each(ctx, r.calendar.read, selectCalendar, of.venue); err == nil {
		err = tx.Each(ctx, r.readRival([2]match.User(players)), selectRivals, of.venue, of.rules, players[0], players[1])
	}
	return r, err
}

// readRival returns a function that adds a row of selectRivals for two players.
func (r *rater) readRival(players [2]match.User) func(column.Row) error {
	return func(row column.Row) error {
		var s ladder.Standing
		var met time.Time
		err := row.Scan(append(append([]any{&s.Player}, leading(&s)...), (*column.Time)(&met))...)
		r.latest[s.Player] = s
		if !met.IsZero() {
			r.met[pairOf(players)] = met
		}
		return err
	}
}

// rate adds a match that counts from now on to the ladder, and returns the new standings of its players. If it is not the latest match
// of its players, the ladder is recounted.
func rate(ctx context.Context, tx Tx, m match.Match, then *entriesThen) (changes []change[standing], err error) {
	if !ladder.Counts(m) {
		return nil, nil
	}
	done := Named("rate match %s", m.ID)
	r, err := readRivals(ctx, tx, m)
	if err != nil {
		return nil, done.Wrap(err)
	}
	of, ended := ladderOf(m), m.Ended.Truncate(time.Millisecond) // the precision of the store
	late := then.begunAnew
	for _, s := range r.latest {
		late = late || !s.Rating.At.Before(ended)
	}
	if late {
		return nil, makeStale(ctx, tx, of, ended)
	}
	rows := r.rate(ratedMatch{m.ID, ended, [2]match.User(m.Seats.Players()), ladder.Score(m, game.X), m.Stakes.Weight()})
	ratedTable(of).queue(tx, done, missing(rows))
	for _, row := range rows {
		changes = append(changes, change[standing]{should: ratedStanding(of.in(then.season), row.Standing)})
	}
	return changes, nil
}

// CountReplays returns the number of stale ladders.
func (s *Store) CountReplays(ctx context.Context) (n int, err error) {
	return readRow(ctx, s.db, Named("count what has to be worked out again"), Value[int], countAllReplays)
}

// Replay recounts a stale ladder in one transaction, and reports whether there are more.
func (s *Store) Replay(ctx context.Context) (more bool, err error) {
	done := Named("work out a ladder again")
	due, err := readRows(ctx, s.db, done, scanLadderKey, selectAllReplays)
	if err != nil || len(due) == 0 {
		return false, err
	}
	kind := Kind{Locks: []Lock{ofScores(due[0].venue)}, Long: true, Bulk: true}
	err = s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
		var season int
		var stale bool
		err := tx.Row(ctx, selectStaleLadder, due[0].venue, due[0].rules).Scan(&season, &stale)
		if err == nil && stale { // otherwise another bot has recounted it
			_, err = rebuildLadder(ctx, tx, due[0], func() {})
		}
		return err
	})
	return len(due) > 1, done.Wrap(err)
}

// makeStale recounts a ladder whose rows may be wrong from a time on: at once if it is small, and by [Store.Replay] otherwise.
func makeStale(ctx context.Context, tx Tx, of ladderKey, from time.Time) error {
	done := Named("work out a ladder of %s again", of.venue)
	tx.Queue(done, upsertReplay, of.venue, of.rules, from.UnixMilli())
	matches, err := Value[int](tx.Row(ctx, countAllRatedMatches, of.venue, of.rules, ReplayAtOnce/2+1))
	if err == nil && matches <= ReplayAtOnce/2 {
		_, err = rebuildLadder(ctx, tx, of, func() {})
	}
	return done.Wrap(err)
}

// makeStaleSince recounts the ladders of a venue that a query selects, after a season or a reset was added or removed.
func makeStaleSince(ctx context.Context, tx Tx, v match.Venue, after time.Time, selectLadders string) error {
	done := Named("move the ladders of %s", v)
	ladders, err := ScanRows(ctx, tx, Value[string], selectLadders, v, after.UnixMilli())
	for _, rules := range ladders {
		if err == nil {
			err = makeStale(ctx, tx, ladderKey{v, rules}, after.Add(time.Millisecond))
		}
	}
	return done.Wrap(err)
}

// Ladder returns a page of a ladder.
func (s *Store) Ladder(
	ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User,
) (p ladder.Page, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		on := ranking{v, number, rules.String(), byRating}
		var latest int
		var stale bool
		if err := tx.Row(ctx, selectStaleLadder, on.venue, on.rules).Scan(&latest, &stale); err != nil {
			return err
		}
		if number == season.Latest {
			on.season = latest
		}
		p, err = readLadder(ctx, tx, on, where, own)
		p.Stale = stale
		return err
	})
	return p, Named("ladder of %s", v).Wrap(err)
}

func readLadder(ctx context.Context, tx Tx, on ranking, where score.Where, own match.User) (p ladder.Page, err error) {
	var found score.Page
	led := make(map[match.User]ladder.Standing)
	if p.Players, err = on.readPage(ctx, tx, where, own, &found, led); err != nil {
		return p, err
	}
	ranked := func(row score.Row) ladder.Row {
		return ladder.Row{Rank: row.Rank, Name: row.Name, Hidden: row.Hidden, Players: p.Players, Standing: led[row.Player]}
	}
	p.Page, p.Pages, p.Out = found.Page, found.Pages, found.Out
	for _, row := range found.Rows {
		p.Rows = append(p.Rows, ranked(row))
	}
	if found.Own != nil {
		row := ranked(*found.Own)
		p.Own = &row
	}
	p.RankSmall()
	return p, nil
}

// Ladders returns the sizes of all ladders, sorted by venue, rule set and season number.
func (s *Store) Ladders(ctx context.Context) ([]ladder.Size, error) {
	return readRows(ctx, s.db, Named("ladders"), func(row column.Row) (l ladder.Size, err error) {
		err = row.Scan(&l.Venue, &l.Rules, &l.Season, &l.Players)
		return l, err
	}, selectAllSizes)
}

// Called returns the players of a venue whose name or id is the given text.
func (s *Store) Called(ctx context.Context, v match.Venue, name string) ([]match.Name, error) {
	return readRows(ctx, s.db, Named("players called %s", name), func(row column.Row) (n match.Name, err error) {
		err = row.Scan(&n.Player, &n.Name)
		return n, err
	}, selectCalled, v, name)
}

// Standings returns the standings of a player in a season of a venue, by the names of the rule sets.
func (s *Store) Standings(ctx context.Context, v match.Venue, number int, p match.User) (map[string]ladder.Row, error) {
	return readSnapshot(ctx, s.db, Named("standings of player %s", p), func(ctx context.Context, tx Tx) (map[string]ladder.Row, error) {
		of := number
		if number == season.Latest {
			var err error
			if of, err = Value[int](tx.Row(ctx, selectNumber, v)); err != nil {
				return nil, err
			}
		}
		stale := make(map[string]bool)
		err := tx.Each(ctx, func(row column.Row) error {
			var rules string
			var again bool
			err := row.Scan(&rules, &again)
			stale[rules] = again
			return err
		}, selectLaddersOf, v, p, of)
		if err != nil {
			return nil, err
		}
		rows := make(map[string]ladder.Row, len(stale))
		for rules, again := range stale {
			page, err := readLadder(ctx, tx, ladderKey{v, rules}.in(of), score.Where{Page: 1}, p)
			if err != nil {
				return nil, err
			}
			if page.Own != nil {
				page.Own.Stale = again
				rows[rules] = *page.Own
			}
		}
		return rows, nil
	})
}

// Course returns a player's rating after each of the player's latest matches, the earliest first. It returns at most the given
// number of ratings.
func (s *Store) Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User, latest int) ([]ladder.Point, error) {
	return readRows(ctx, s.db, Named("course of player %s", p), scanPoint, selectCourse, v, rules.String(), p, latest)
}

// Changes returns the rating changes of a match, X first. There are none for an unrated match, and none for a player whose data was
// deleted.
func (s *Store) Changes(ctx context.Context, id match.ID) ([]ladder.Change, error) {
	return readSnapshot(ctx, s.db, Named("changes of match %s", id), func(ctx context.Context, tx Tx) ([]ladder.Change, error) {
		var of ladderKey
		var others []rating.Rating
		changes, err := ScanRows(ctx, tx, func(row column.Row) (c ladder.Change, err error) {
			var other rating.Rating
			err = row.Scan(append([]any{&of.venue, &of.rules, &c.Player, &other.Value, &other.Deviation}, append(ratingColumns(&c.After), &c.Stale)...)...)
			others = append(others, other)
			return c, err
		}, selectChanges, id)
		if err != nil || len(changes) == 0 {
			return nil, err
		}
		calendar, err := calendarOf(ctx, tx, of.venue)
		if err != nil || !calendar.counts(changes[0].After.At) {
			return nil, err
		}
		for i := range changes {
			c := &changes[i]
			row := tx.Row(ctx, selectBefore, of.venue, of.rules, c.Player, c.After.At.UnixMilli(), id)
			if err := row.Scan(ratingColumns(&c.Before)...); err != nil && !errors.Is(err, sql.ErrNoRows) {
				return nil, err
			}
			c.Before = calendar.until(ladder.Standing{Rating: c.Before}, c.After.At).Rating.On(c.After.At)
			c.Expected = rating.Expected(c.Before, others[i])
		}
		return changes, nil
	})
}

// Pair returns the ratings of two players, and the number of their recent matches against each other.
func (s *Store) Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (ladder.Pair, error) {
	return readSnapshot(ctx, s.db, Named("ratings of a pair"), func(ctx context.Context, tx Tx) (p ladder.Pair, err error) {
		r := newRater()
		if r.calendar, err = calendarOf(ctx, tx, v); err != nil {
			return p, err
		}
		if err := tx.Each(ctx, r.readRival([2]match.User{a, b}), selectRivals, v, rules.String(), a, b); err != nil {
			return p, err
		}
		p.A, p.B = r.calendar.until(r.latest[a], now).Rating, r.calendar.until(r.latest[b], now).Rating
		p.Today, err = Value[int](tx.Row(ctx, countPair, v, rules.String(), a, b, now.Add(-rating.PairDay).UnixMilli()))
		return p, err
	})
}

func scanPoint(row column.Row) (p ladder.Point, err error) {
	err = row.Scan(append([]any{&p.Match, &p.Opponent, &p.Score}, ratingColumns(&p.Rating)...)...)
	return p, err
}
