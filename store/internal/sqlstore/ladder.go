package sqlstore

import (
	"context"
	"math"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/internal/column"
)

// A ladder consists of the rated matches of all seasons. The table rated has a row for each player of a match, which says what was played
// and how the player stood after it. How a player stands in a season follows from the latest row of its time, unless the venue was reset
// since: a reset deletes no row, but all players start as newcomers. That and the order of a ladder are stored like other leaderboards, as
// standings; see [ranking].
//
// The rows of a ladder in their order are found by an index of rated on Postgres. On SQLite they are found by their matches, of which it has an
// index: an index of rated has two rows for each match, and takes long to write. By the matches Postgres would often read all rows of a ladder.
const (
	selectResets = `SELECT at FROM score_resets WHERE venue = $1 ORDER BY at`
	// The time of the latest reset of a venue.
	latestReset1 = `coalesce((SELECT max(s.at) FROM score_resets AS s WHERE s.venue = $1), ` + beginningOfTime + `)`

	ratedColumns = `r.at, r.match, r.player, r.opponent, r.score, r.weight, r.met, r.other_value, r.other_deviation,
		r.value, r.deviation, r.volatility, r.at, r.wins, r.draws, r.losses, r.opponents`

	insertRated = `INSERT ` + intoRated + ` DO NOTHING`
	// Where there is a row, the columns that say what was played keep their values, so that SQLite does not write the index of first meetings again.
	rateAgain = `INSERT ` + intoRated + ` DO UPDATE SET other_value = excluded.other_value, other_deviation = excluded.other_deviation,
		value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility,
		wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, opponents = excluded.opponents`
	intoRated = `INTO rated (venue, rules, at, match, player, opponent, score, weight, met, other_value, other_deviation,
			value, deviation, volatility, wins, draws, losses, opponents)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)}
		{postgres:SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::float8[],
			$9::boolean[], $10::float8[], $11::float8[], $12::float8[], $13::float8[], $14::float8[],
			$15::integer[], $16::integer[], $17::integer[], $18::integer[])}
		ON CONFLICT (venue, rules, player, at, match)`

	// How two players stood after their latest match since the ladder began anew; whether a season has begun between that and the time $4;
	// and whether the first of them, $5, has met the other one in the season of that time.
	selectRivals = `SELECT ` + lastColumns + `, ` + rivalColumns + lastOf + ` AND b.at > ` + latestReset1 + lastRow
	rivalColumns = `EXISTS (SELECT 1 FROM seasons AS s WHERE s.venue = $1 AND s.began >= r.at AND s.began < $4),
			r.player = $5 AND EXISTS (SELECT 1 FROM rated AS m {sqlite:INDEXED BY rated_met}
				WHERE m.venue = $1 AND m.rules = $2 AND m.player = $5 AND m.opponent = $6 AND m.met AND m.at > ` + latestReset1 + ` AND m.at > coalesce(
					(SELECT max(began) FROM seasons AS s WHERE s.venue = $1 AND began < $4), ` + beginningOfTime + `))`
	beginningOfTime  = `-9223372036854775807`
	selectBoundaries = `SELECT began FROM seasons WHERE venue = $1 ORDER BY number`

	// What tells that a match may have rows.
	rateable = `stakes IN ('full', 'half') AND outcome IS NOT NULL`
	// Both sides of matches, and the key of the row of a side, which follows from the match.
	sides        = `matches AS m CROSS JOIN (SELECT 'X' AS mark UNION ALL SELECT 'O') AS side`
	playerOfSide = `CASE mark WHEN 'X' THEN m.x_player ELSE m.o_player END`
	rowOfSide    = sameMatch + ` AND r.player = ` + playerOfSide
	sameMatch    = `r.venue = m.venue AND r.rules = m.rules AND r.at = m.ended AND r.match = m.id`

	// The last rows of players, each found by the key. Conditions stand between lastOf and lastRow.
	lastColumns = `r.player, r.value, r.deviation, r.volatility, r.at, r.wins, r.draws, r.losses, r.opponents`
	lastOf      = ` FROM
		{sqlite:json_each($3) AS e CROSS JOIN rated AS r ON r.venue = $1 AND r.rules = $2 AND r.player = e.value AND (r.at, r.match) = (
			SELECT b.at, b.match FROM rated AS b}
		{postgres:unnest($3::text[]) AS e (value) CROSS JOIN LATERAL (SELECT * FROM rated AS b}
		WHERE b.venue = $1 AND b.rules = $2 AND b.player = e.value`
	lastRow = ` ORDER BY b.at DESC, b.match DESC LIMIT 1) {postgres:AS r}`

	selectNumber = `SELECT count(*) FROM seasons WHERE venue = $1`
	// The season that goes on, and whether a ladder is being worked out again.
	selectStaleLadder = `SELECT (SELECT count(*) FROM seasons WHERE venue = $1), EXISTS (SELECT 1 FROM replays WHERE venue = $1 AND rules = $2)`
	selectAllSizes    = `SELECT venue, rules, season, count(*) FROM standings WHERE leaderboard = 'rating'
		GROUP BY venue, rules, season ORDER BY venue, rules, season`
	// Those who have played somewhere, by their name or id.
	selectCalled = `SELECT DISTINCT s.player, coalesce(p.name, '') FROM scores AS s LEFT JOIN players AS p ON p.id = s.player
		WHERE s.venue = $1 AND (s.player = $2 OR p.name = $2) ORDER BY s.player`
	// The ladders on which a player stands in a season, and whether they are being worked out again.
	selectLaddersOf = `SELECT s.rules, EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = $1 AND p.rules = s.rules) FROM standings AS s
		WHERE s.venue = $1 AND s.player = $2 AND s.season = $3 AND s.leaderboard = 'rating' ORDER BY s.rules`

	selectCourse = `SELECT * FROM (SELECT match, opponent, score, value, deviation, volatility, at FROM rated
		WHERE venue = $1 AND rules = $2 AND player = $3 AND at > ` + latestReset1 + `
		ORDER BY at DESC, match DESC LIMIT $4) AS latest ORDER BY at, match`

	selectChanges = `SELECT r.player, r.other_value, r.other_deviation, r.value, r.deviation, r.volatility, r.at,
			coalesce(b.value, 0), coalesce(b.deviation, 0), coalesce(b.volatility, 0), b.at, r.venue,
			EXISTS (SELECT 1 FROM seasons AS s WHERE s.venue = r.venue AND s.began >= b.at AND s.began < r.at),
			EXISTS (SELECT 1 FROM replays AS p WHERE p.venue = r.venue AND p.rules = r.rules AND p.at <= r.at)
		FROM ` + sides + ` JOIN rated AS r ON ` + rowOfSide + ` LEFT JOIN
			{sqlite:rated AS b ON b.venue = r.venue AND b.rules = r.rules AND b.player = r.player AND (b.at, b.match) = (SELECT c.at, c.match}
			{postgres:LATERAL (SELECT c.value, c.deviation, c.volatility, c.at}
			FROM rated AS c WHERE c.venue = r.venue AND c.rules = r.rules AND c.player = r.player
				AND (c.at, c.match) < (r.at, r.match)
				AND NOT EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = r.venue AND s.at >= c.at) ORDER BY c.at DESC, c.match DESC LIMIT 1) {postgres:AS b ON true}
		WHERE m.id = $1 AND NOT EXISTS (SELECT 1 FROM score_resets AS s WHERE s.venue = r.venue AND s.at >= r.at)
		ORDER BY mark DESC`

	countPair = `SELECT count(*) FROM matches WHERE id IN (
			SELECT id FROM matches WHERE x_player = $3 AND o_player = $4 AND (ended IS NULL OR ended >= $5)
			UNION ALL SELECT id FROM matches WHERE x_player = $4 AND o_player = $3 AND (ended IS NULL OR ended >= $5))
		AND venue = $1 AND rules = $2 AND created > $5 AND stakes IN ('full', 'half')
		AND coalesce(cause NOT IN ('aborted', 'voided', 'no show', 'moderator'), true)`

	// The ladders that have to be worked out again, and from which time on their rows may be wrong. While one of them is being worked out, match
	// is a text that nothing else has written: it is emptied by all that would make what was read of the ladder outdated, but not by matches
	// that come after all others.
	selectAllReplays = `SELECT venue, rules, at FROM replays ORDER BY venue, rules`
	upsertReplay     = `INSERT INTO replays (venue, rules, at, match) VALUES ($1, $2, $3, '')
		ON CONFLICT (venue, rules) DO UPDATE SET at = {sqlite:min}{postgres:least}(replays.at, excluded.at), match = ''`
	beginReplay       = `UPDATE replays SET match = $3 WHERE venue = $1 AND rules = $2`
	selectBegunReplay = `SELECT EXISTS (SELECT 1 FROM replays WHERE venue = $1 AND rules = $2 AND match = $3)`
	outdateAllReplays = `UPDATE replays SET match = ''`
	outdateReplays    = outdateAllReplays + ` WHERE venue = $1`
	outdateLate       = outdateReplays + ` AND rules = $2 AND EXISTS (SELECT 1 FROM
		{postgres:rated AS r WHERE r.venue = $1 AND r.rules = $2 AND (r.at, r.match) > ($3, $4)}
		{sqlite:matches AS m WHERE m.venue = $1 AND m.rules = $2 AND (m.ended, m.id) > ($3, $4) AND ` + rateable + `})`
	deleteReplay    = `DELETE FROM replays WHERE venue = $1 AND rules = $2`
	countAllReplays = `SELECT count(*) FROM replays`

	countRated         = `SELECT count(*) FROM (SELECT 1 FROM rated WHERE venue = $1 AND rules = $2 LIMIT $3) AS counted`
	selectLaddersSince = `SELECT DISTINCT rules FROM matches WHERE venue = $1 AND ended > $2 AND ` + rateable + ` ORDER BY rules`
	deleteRatedIn      = `DELETE FROM rated WHERE venue = $1`
	deleteReplays      = `DELETE FROM replays WHERE venue = $1`

	// Opponents of whoever is erased keep their rows, and what they were judged by.
	forgetX       = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.x_player = $1 AND m.created < $3 AND r.player = m.o_player AND ` + sameMatch
	forgetO       = `UPDATE rated AS r SET opponent = $2 FROM matches AS m WHERE m.o_player = $1 AND m.created < $3 AND r.player = m.x_player AND ` + sameMatch
	deleteRatedOf = `DELETE FROM rated WHERE player = $1
		AND venue IN (SELECT venue FROM matches WHERE x_player = $1 UNION SELECT venue FROM matches WHERE o_player = $1)
		AND rules IN (SELECT rules FROM matches WHERE x_player = $1 UNION SELECT rules FROM matches WHERE o_player = $1)
		AND match NOT IN (SELECT id FROM matches WHERE x_player = $1 AND created >= $2 UNION ALL SELECT id FROM matches WHERE o_player = $1 AND created >= $2)`
)

// ReplayAtOnce is how many rows a ladder has at most that is worked out again at once, in the transaction that requires it. [Store.Replay] works
// out larger ones, and writes that many rows in one transaction: clicks are not to wait for long.
const ReplayAtOnce = 2000

// rung is a match on a ladder, whose matches are in the order of the time when they ended, and of their ids.
type rung struct {
	venue match.Venue
	rules string
	at    time.Time
	match match.ID
}

// rungOf is where a match stands that has ended: by the time as it is stored, since that is what it is compared with.
func rungOf(m match.Match) rung {
	return rung{m.Venue, m.Position().Rules().String(), m.Ended.Truncate(time.Millisecond), m.ID}
}

// in is the order of the ladder in a season.
func (r rung) in(number int) ranking { return ranking{r.venue, number, r.rules, byRating} }

func boundariesOf(ctx context.Context, tx Tx, v match.Venue) (season.Boundaries, error) {
	return List(ctx, tx, scanTime, selectBoundaries, v)
}

// queueRivals queues the query for how the players of a match that counts from now on stand on the ladder, so that rate needs no round trip
// of its own.
func queueRivals(tx Tx, m match.Match) *[]rival {
	rivals := new([]rival)
	if ladder.Counts(m) {
		at, players := rungOf(m), m.Seats.Players()
		tx.QueueEach(Named("rate match %s", m.ID), func(row column.Row) error {
			r, err := scanRival(row)
			*rivals = append(*rivals, r)
			return err
		}, selectRivals, at.venue, at.rules, texts(players), at.at.UnixMilli(), players[0], players[1])
	}
	return rivals
}

// rate adds a match that counts from now on to the ladder, and returns who moves on it. If it is not the latest match of its players, the
// ladder is worked out again.
func rate(ctx context.Context, tx Tx, m match.Match, rivals []rival, then *entriesThen) ([]movement, error) {
	if !ladder.Counts(m) {
		return nil, nil
	}
	at, done := rungOf(m), Named("rate match %s", m.ID)
	late, crosses, met := then.begunAnew, false, false
	standings := make(map[match.User]*ladder.Standing, 2)
	for _, r := range rivals {
		late = late || !r.Rating.At.Before(at.at)
		crosses = crosses || r.crosses
		met = met || r.met
		standings[r.Player] = &r.Standing
	}
	var boundaries season.Boundaries
	if crosses {
		var err error
		if boundaries, err = boundariesOf(ctx, tx, at.venue); err != nil {
			return nil, done.Wrap(err)
		}
	}
	rows := rowsOf(m, at.at, !met)
	rateRows(rows, standingsOf(standings, rows), boundaries)
	insertRows(tx, done, at, rows)
	if late {
		return nil, workOutAgain(ctx, tx, at)
	}
	tx.Queue(done, outdateLate, at.venue, at.rules, at.at.UnixMilli(), at.match)
	moved := make([]movement, len(rows))
	for i, r := range rows {
		moved[i] = movement{then.stoodOn(at.in(then.season), r.Player), r.Place(), r.Standing}
	}
	return moved, nil
}

// insertRows writes the rows of a match: of both players, or of the one who has not left.
func insertRows(tx Tx, done Outcome, at rung, rows []rated) {
	columns := make([][]any, len(rows))
	for i, r := range rows {
		columns[i] = at.row(r)
	}
	tx.QueueRows(done, insertRated, columns...)
}

// row are all columns of a row of the ladder.
func (at rung) row(r rated) []any { return append([]any{string(at.venue), at.rules}, r.columns()...) }

// rowsOf are the rows of a rated match that ended at that time, before the ratings are computed. An opponent who has left counts as a
// newcomer.
func rowsOf(m match.Match, ended time.Time, met bool) (rows []rated) {
	for _, mark := range []game.Mark{game.X, game.O} {
		r := rated{at: ended, match: m.ID, opponent: m.Seats.Of(mark.Opponent()).Player, score: ladder.Score(m, mark), weight: m.Stakes.Weight(), met: met}
		r.Player = m.Seats.Of(mark).Player
		if r.Player == match.Left {
			continue
		}
		if r.opponent == match.Left {
			r.met, r.other = true, nobody()
		}
		rows = append(rows, r)
	}
	return rows
}

// rival is how a player stood after the latest match.
type rival struct {
	ladder.Standing
	crosses bool // a season has begun since
	met     bool // the first of two has met the other one in this season
}

func scanRival(row column.Row) (r rival, err error) {
	err = row.Scan(append(append([]any{&r.Player}, leading(&r.Standing)...), &r.crosses, &r.met)...)
	return r, err
}

// unrate takes a match back, and works out again what came after it.
func unrate(ctx context.Context, tx Tx, m match.Match) error {
	if !ladder.Counts(m) {
		return nil
	}
	at := rungOf(m)
	for _, p := range m.Seats.Players() {
		tx.Queue(Named("take match %s off the ladder", m.ID), deleteRatedRow, at.venue, at.rules, p, at.at.UnixMilli(), at.match)
	}
	return workOutAgain(ctx, tx, at)
}

// CountReplays is how many ladders have to be worked out again.
func (s *Store) CountReplays(ctx context.Context) (n int, err error) {
	return one(ctx, s.db, Named("count what has to be worked out again"), Value[int], countAllReplays)
}

// endOfTime comes after all matches.
var endOfTime = time.UnixMilli(math.MaxInt64)

// workOutAgain works out again a ladder whose rows may be wrong from a match on: at once if it is small, and by [Store.Replay] otherwise.
func workOutAgain(ctx context.Context, tx Tx, from rung) error {
	done := Named("work out a ladder of %s again", from.venue)
	tx.Queue(done, upsertReplay, from.venue, from.rules, from.at.UnixMilli())
	rows, err := Value[int](tx.Row(ctx, countRated, from.venue, from.rules, ReplayAtOnce+1))
	if err == nil && rows <= ReplayAtOnce {
		_, err = rebuildLadder(ctx, tx, ladderSize{rung: from}, func(int) {})
	}
	return done.Wrap(err)
}

// moveLadders works out again the ladders of a venue where a season or reset has come or gone, if matches ended after that time.
func moveLadders(ctx context.Context, tx Tx, v match.Venue, after time.Time) error {
	done := Named("move the ladders of %s", v)
	tx.Queue(done, outdateReplays, v)
	ladders, err := List(ctx, tx, Value[string], selectLaddersSince, v, after.UnixMilli())
	for _, rules := range ladders {
		if err == nil {
			err = workOutAgain(ctx, tx, rung{venue: v, rules: rules, at: after.Add(time.Millisecond)})
		}
	}
	return done.Wrap(err)
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

// carry prepares players for the rating of a match that ended at that time: those who have not played since the last reset before it are
// newcomers.
func (b breaks) carry(players []*ladder.Standing, at time.Time) {
	begun := b.last(at)
	for _, s := range players {
		if !s.Rating.At.After(begun) {
			*s = *newcomer(s.Player)
		}
	}
}

// newcomer is a player who has not played yet.
func newcomer(p match.User) *ladder.Standing {
	return &ladder.Standing{Player: p, Rating: rating.New()}
}

// nobody is the rating of an unknown opponent.
func nobody() rating.Rating {
	return rating.Rating{Value: rating.Start, Deviation: rating.StartDeviation}
}

// standingsOf are the players of the rows of a match, in their order. Who is not known yet is a newcomer from then on.
func standingsOf(known map[match.User]*ladder.Standing, rows []rated) []*ladder.Standing {
	players := make([]*ladder.Standing, len(rows))
	for i, r := range rows {
		if known[r.Player] == nil {
			known[r.Player] = newcomer(r.Player)
		}
		players[i] = known[r.Player]
	}
	return players
}

// rateRows rates one match by its rows, and updates the standings of their players, in the same order. Each is judged by the opponent's
// rating before the match; if the opponent has left, by the one in the row.
func rateRows(rows []rated, players []*ladder.Standing, boundaries season.Boundaries) {
	var before [2]rating.Rating
	for i, s := range players {
		*s = s.Until(rows[i].at, boundaries)
		before[i] = s.Rating.On(rows[i].at)
	}
	for i, s := range players {
		r := &rows[i]
		if r.opponent != match.Left && len(rows) == 2 {
			r.other = rating.Rating{Value: before[1-i].Value, Deviation: before[1-i].Deviation}
		}
		s.Rating = s.Rating.Against(r.other, r.score, r.weight, r.at)
		s.Tally = s.Tally.Plus(tallyOf(r.score))
		if r.met {
			s.Opponents++
		}
		r.Standing = *s
	}
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

// Ladder is one page.
func (s *Store) Ladder(ctx context.Context, v match.Venue, rules game.Rules, number int, where score.Where, own match.User) (p ladder.Page, err error) {
	var found score.Page
	led := make(map[match.User]ladder.Standing)
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		on := ranking{v, number, rules.String(), byRating}
		var latest int
		if err := tx.Row(ctx, selectStaleLadder, on.venue, on.rules).Scan(&latest, &p.Stale); err != nil {
			return err
		}
		if number == season.Latest {
			on.season = latest
		}
		return on.queuePage(ctx, tx, where, own, &found, led)
	})
	if err != nil {
		return ladder.Page{}, Named("ladder of %s", v).Wrap(err)
	}
	p.Page, p.Pages = found.Page, found.Pages
	for _, row := range found.Rows {
		p.Rows = append(p.Rows, ladderRow(row, led[row.Player]))
	}
	if found.Own != nil {
		row := ladderRow(*found.Own, led[own])
		p.Own = &row
	}
	return p, nil
}

// ladderRow is a row of a ladder with what has led there. The position of whoever has no rank yet is not told.
func ladderRow(found score.Row, led ladder.Standing) ladder.Row {
	row := ladder.Row{Rank: found.Rank, Name: found.Name, Hidden: found.Hidden, Standing: led}
	if !row.Ranked() {
		row.Rank = 0
	}
	return row
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
	return together(ctx, s.db, Named("standings of player %s", p), func(ctx context.Context, tx Tx) (map[string]ladder.Row, error) {
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
		rows := make(map[string]ladder.Row, len(stale))
		for rules, again := range stale {
			ranking{v, of, rules, byRating}.queueRow(tx, selectOwn, p, func(found placedRow) {
				row := ladderRow(found.Row, found.led)
				row.Stale = again
				rows[rules] = row
			})
		}
		return rows, err
	})
}

// Course is a player's rating over time, after at most that many of the latest matches, the earliest first.
func (s *Store) Course(ctx context.Context, v match.Venue, rules game.Rules, p match.User, latest int) ([]ladder.Point, error) {
	return all(ctx, s.db, Named("course of player %s", p), scanPoint, selectCourse, v, rules.String(), p, latest)
}

// Changes are what a match has changed, X first; none if it changed nothing. Of one who has left there is none.
func (s *Store) Changes(ctx context.Context, id match.ID) ([]ladder.Change, error) {
	return together(ctx, s.db, Named("changes of match %s", id), func(ctx context.Context, tx Tx) ([]ladder.Change, error) {
		found, err := List(ctx, tx, scanChange, selectChanges, id)
		changes := make([]ladder.Change, len(found))
		var boundaries season.Boundaries
		for i, c := range found {
			if c.crosses && boundaries == nil && err == nil {
				boundaries, err = boundariesOf(ctx, tx, c.venue)
			}
			changes[i] = c.since(boundaries)
		}
		return changes, err
	})
}

// Pair is what is known of two players.
func (s *Store) Pair(ctx context.Context, v match.Venue, rules game.Rules, a, b match.User, now time.Time) (ladder.Pair, error) {
	return together(ctx, s.db, Named("ratings of a pair"), func(ctx context.Context, tx Tx) (ladder.Pair, error) {
		p := ladder.Pair{A: rating.New(), B: rating.New()}
		stand, err := List(ctx, tx, scanRival, selectRivals, v, rules.String(), texts([]match.User{a, b}), now.UnixMilli(), a, b)
		if err != nil {
			return p, err
		}
		var boundaries season.Boundaries
		for _, s := range stand {
			if s.crosses && boundaries == nil {
				if boundaries, err = boundariesOf(ctx, tx, v); err != nil {
					return p, err
				}
			}
			if s.Player == a {
				p.A = s.Until(now, boundaries).Rating
			} else {
				p.B = s.Until(now, boundaries).Rating
			}
		}
		p.Today, err = Value[int](tx.Row(ctx, countPair, v, rules.String(), a, b, now.Add(-rating.PairDay).UnixMilli()))
		return p, err
	})
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
	return append([]any{r.at.UnixMilli(), string(r.match), string(r.Player), string(r.opponent), r.score, r.weight, r.met}, r.stood()...)
}

// stood is what working out a match has led to, as the columns have it.
func (r rated) stood() []any {
	return []any{r.other.Value, r.other.Deviation, r.Rating.Value, r.Rating.Deviation, r.Rating.Volatility,
		int64(r.Wins), int64(r.Draws), int64(r.Losses), int64(r.Opponents)}
}

// dest are where the columns of a row are read to.
func (r *rated) dest() []any {
	return append([]any{(*column.Time)(&r.at), (*string)(&r.match), (*string)(&r.Player), (*string)(&r.opponent), &r.score, &r.weight, &r.met,
		&r.other.Value, &r.other.Deviation}, leading(&r.Standing)...)
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

func scanRung(row column.Row) (r rung, err error) {
	err = row.Scan(&r.venue, &r.rules, (*column.Time)(&r.at))
	return r, err
}
