package sqlstore

import (
	"context"
	"database/sql"
	"hash/crc32"
	"math"
	"slices"
	"sync/atomic"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

// What is ranked are standings: a player on a leaderboard, with a place. Places are texts that sort as the leaderboard does. Standings
// that follow each other are counted together in rank buckets, on two levels: a bucket of level 0 counts some hundred standings, and one
// of level 1 all standings of some hundred buckets of level 0. Ranks and pages are found by adding up some hundred lengths instead of
// counting a million rows. On each level the first bucket of a leaderboard begins before all places, each other with the place of one of
// its standings.
const (
	ofRanking = `venue = $1 AND season = $2 AND rules = $3 AND leaderboard = $4`
	inBuckets = ` FROM rank_buckets WHERE ` + ofRanking + ` AND level = 0`
	inOuter   = ` FROM rank_buckets WHERE ` + ofRanking + ` AND level = 1`

	// What has led to a place on a ladder. Places on other leaderboards follow from scores, and have none of this.
	leadingColumns = `coalesce(value, 0), coalesce(deviation, 0), coalesce(volatility, 0), at,
		coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), coalesce(opponents, 0)`

	upsertStanding = `INSERT INTO standings (venue, season, rules, leaderboard, player, place,
			value, deviation, volatility, at, wins, draws, losses, opponents)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)}
		{postgres:SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[],
			$7::float8[], $8::float8[], $9::float8[], $10::bigint[], $11::integer[], $12::integer[], $13::integer[], $14::integer[])}
		ON CONFLICT (venue, player, season, rules, leaderboard) DO UPDATE SET place = excluded.place,
			value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility, at = excluded.at,
			wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, opponents = excluded.opponents`
	deleteStanding = `DELETE FROM standings WHERE ` + ofRanking + ` AND player = $5`

	// The rank buckets of the place $5.
	bucketAt     = `(SELECT max(first)` + inBuckets + ` AND first <= $5)`
	outerAt      = `(SELECT max(first)` + inOuter + ` AND first <= $5)`
	firstBuckets = `INSERT` + intoBuckets + `
		VALUES ($1, $2, $3, $4, 0, '', 0), ($1, $2, $3, $4, 1, '', 0) ON CONFLICT DO NOTHING`
	countBuckets = `UPDATE rank_buckets SET length = length + $6
		WHERE ` + ofRanking + ` AND (level = 0 AND first = ` + bucketAt + ` OR level = 1 AND first = ` + outerAt + `)`
	// Buckets that begin with a place which nobody has any more are gone if they are empty, and else begin with the next one.
	dropBuckets  = `DELETE FROM rank_buckets WHERE ` + ofRanking + ` AND level IN (0, 1) AND first = $5 AND length <= 0`
	beginBuckets = `UPDATE rank_buckets SET first = next.place FROM (SELECT min(place) AS place FROM standings WHERE ` + ofRanking + ` AND place > $5) AS next
		WHERE ` + ofRanking + ` AND level IN (0, 1) AND first = $5 AND next.place IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM rank_buckets AS b WHERE ` + ofRanking + ` AND b.level = rank_buckets.level AND b.first = next.place)`
	// A bucket that has become longer than $6 is halved, one of level 0 if more than $7 stand on the leaderboard, and one of level 1 where a
	// bucket of level 0 begins.
	halveBucket = `INSERT` + intoBuckets + `SELECT $1, $2, $3, $4, 0, CASE WHEN low THEN first ELSE min(place) END, count(*) FROM (
			SELECT b.first, s.place, row_number() OVER (ORDER BY s.place) <= b.length / 2 AS low
			FROM rank_buckets AS b JOIN standings AS s ON ` + bucketOfStanding + ` AND s.place >= b.first
				AND s.place < coalesce((SELECT min(first)` + inBuckets + ` AND first > b.first), '~')
			WHERE ` + halved + `0 AND b.first = ` + bucketAt + ` AND (SELECT length` + inBuckets + ` AND first = ` + bucketAt + `) > $6
				AND (SELECT sum(length)` + inOuter + `) > $7) AS halves
		WHERE true GROUP BY first, low ` + orItsLength
	halveOuter = `INSERT` + intoBuckets + `SELECT $1, $2, $3, $4, 1, CASE WHEN low THEN outer_first ELSE min(first) END, sum(length) FROM (
			SELECT b.first AS outer_first, i.first, i.length, sum(i.length) OVER (ORDER BY i.first) <= b.length / 2 AS low
			FROM rank_buckets AS b JOIN rank_buckets AS i ON i.venue = b.venue AND i.season = b.season AND i.rules = b.rules
				AND i.leaderboard = b.leaderboard AND i.level = 0 AND i.first >= b.first
				AND i.first < coalesce((SELECT min(first)` + inOuter + ` AND first > b.first), '~')
			WHERE ` + halved + `1 AND b.first = ` + outerAt + ` AND (SELECT length` + inOuter + ` AND first = ` + outerAt + `) > $6) AS halves
		WHERE true GROUP BY outer_first, low ` + orItsLength
	intoBuckets = ` INTO rank_buckets (venue, season, rules, leaderboard, level, first, length) `
	halved      = `b.venue = $1 AND b.season = $2 AND b.rules = $3 AND b.leaderboard = $4 AND b.level = `
	orItsLength = `ON CONFLICT (venue, season, rules, leaderboard, level, first) DO UPDATE SET length = excluded.length`

	// Where players stand, and where the rank bucket begins in which that is, and the next one.
	selectStoodOf = `SELECT s.venue, s.season, s.rules, s.leaderboard, s.player, s.place, ` + bucketBounds + `, ` + leadingColumns + `
		FROM standings AS s WHERE s.venue = $1 AND s.player ` + oneOf2
	selectStoodOn = selectStoodOf + ` AND s.season = $3 AND s.rules = $4 AND s.leaderboard = $5`
	bucketBounds  = `coalesce((SELECT max(first) FROM rank_buckets AS b WHERE ` + bucketOfStanding + ` AND b.level = 0 AND b.first <= s.place), '~'),
			coalesce((SELECT min(first) FROM rank_buckets AS b WHERE ` + bucketOfStanding + ` AND b.level = 0 AND b.first > s.place), '~')`
	bucketOfStanding     = `b.venue = s.venue AND b.season = s.season AND b.rules = s.rules AND b.leaderboard = s.leaderboard`
	deleteVenueBuckets   = `DELETE FROM rank_buckets WHERE venue = $1`
	deleteVenueStandings = `DELETE FROM standings WHERE venue = $1`
	deleteRanking        = `DELETE FROM standings WHERE ` + ofRanking
	deleteRankingBuckets = `DELETE FROM rank_buckets WHERE ` + ofRanking
	// 128 standings to a bucket of level 0, and 256 of these to one of level 1. Those that are read together stand together.
	countVenueBuckets = `INSERT` + intoBuckets + `SELECT $1, season, rules, leaderboard, level, CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
		FROM (SELECT season, rules, leaderboard, place, level, CASE WHEN total > 2048 THEN preceding / size ELSE 0 END AS n
			FROM (SELECT season, rules, leaderboard, place, count(*) OVER (PARTITION BY season, rules, leaderboard) AS total,
					row_number() OVER (PARTITION BY season, rules, leaderboard ORDER BY place) - 1 AS preceding
				FROM standings WHERE venue = $1) AS numbered CROSS JOIN (SELECT 0 AS level, 128 AS size UNION ALL SELECT 1, 32768) AS levels) AS counted
		GROUP BY season, rules, leaderboard, level, n ORDER BY season, rules, leaderboard, level, n`

	// The page that begins after $5 standings, or the last page. Each row starts with how many standings precede the page, from which the
	// ranks follow, and how many there are. The page is looked up in the rank bucket in which it begins.
	selectPage = `WITH outermost AS (SELECT first, skipped, skipped - (upto - length) AS inside, total
			FROM (SELECT first, length, sum(length) OVER (ORDER BY first) AS upto` + inOuter + `) AS b,
				(SELECT total, {sqlite:min}{postgres:least}(CAST($5 AS bigint), (total - 1) / $6 * $6) AS skipped
					FROM (SELECT sum(length) AS total` + inOuter + `) AS counted) AS asked
			WHERE upto > skipped ORDER BY first LIMIT 1),
		bucket AS (SELECT first, skipped, inside - (upto - length) AS inside, total
			FROM (SELECT first, length, sum(length) OVER (ORDER BY first) AS upto` + inBuckets + ` AND first >= (SELECT first FROM outermost)
					AND first < coalesce((SELECT min(first)` + inOuter + ` AND first > (SELECT first FROM outermost)), '~')) AS b,
				(SELECT skipped, inside, total FROM outermost) AS asked
			WHERE upto > inside ORDER BY first LIMIT 1)
		SELECT (SELECT skipped FROM bucket), (SELECT total FROM bucket), player, ` + shownName + `, ` + leadingColumns + ` FROM standings WHERE ` + ofRanking + `
			AND place >= (SELECT place FROM standings WHERE ` + ofRanking + ` AND place >= (SELECT first FROM bucket)
				ORDER BY place LIMIT 1 OFFSET coalesce((SELECT inside FROM bucket), 0))
		ORDER BY place LIMIT $6`
	selectLongestOfAll = `SELECT venue, season, rules, leaderboard FROM rank_buckets WHERE level = 1
		GROUP BY venue, season, rules, leaderboard ORDER BY sum(length) DESC LIMIT 1`
	selectOwn = `SELECT player, ` + shownName + `, ` + leadingColumns + `, 1 + (SELECT coalesce(sum(length), 0)` + inOuter + ` AND first < outermost)
			+ (SELECT coalesce(sum(length), 0)` + inBuckets + ` AND first >= outermost AND first < bucket)
			+ (SELECT count(*) FROM standings WHERE ` + ofRanking + ` AND place >= bucket AND place < own.place)
		FROM (SELECT standings.*, (SELECT max(first)` + inOuter + ` AND first <= place) AS outermost,
				(SELECT max(first)` + inBuckets + ` AND first <= place) AS bucket
			FROM standings WHERE ` + ofRanking + ` AND player = $5) AS own`
)

const (
	// A leaderboard of up to so many players is one rank bucket. Nobody moves to another one then, which would slow the end of a match down.
	undivided int64 = 2048
	// The length above which a bucket of level 0 is halved on a longer leaderboard. For level 1 it is the square of that.
	longestBucket int64 = 256
	// One of so many movements has the bucket to which it leads halved if that is too long. Asking takes as long as the movement itself.
	looksAtLength = 16
	// So many looks touch most of what other looks need too: the upper pages of the indexes, and the rank buckets.
	warmingLooks = 64
)

var shortened atomic.Int64

// ShortenBuckets halves a rank bucket that is longer than that, of however many players the leaderboard is, and each time it is entered;
// 0 ends that. It is for tests: in short ones a few players do what else only many would.
func ShortenBuckets(longest int64) { shortened.Store(longest) }

// byRating is the leaderboard that is the order of a ladder. Its places come of rated matches, those of all others of scores.
const byRating score.Leaderboard = "rating"

// ranking is a leaderboard.
type ranking struct {
	venue  match.Venue
	season int
	rules  string // empty: all boards together
	of     score.Leaderboard
}

func (r ranking) args(more ...any) []any {
	return append([]any{r.venue, r.season, r.rules, string(r.of)}, more...)
}

// stood is where a player stands, and the rank bucket of that place: where it begins, and where the next one does.
type stood struct {
	ranking
	player       match.User
	place        string
	led          ladder.Standing // on a ladder, what has led there; not read when a match is saved
	bucket, next string
}

// nowhere is a player who does not stand on it.
func (r ranking) nowhere(p match.User) stood { return stood{ranking: r, player: p} }

// onLadder tells whether the leaderboard is the order of a ladder.
func (s stood) onLadder() bool { return s.of == byRating }

func scanStood(row column.Row) (s stood, err error) {
	err = row.Scan(append([]any{&s.venue, &s.season, &s.rules, &s.of, &s.player, &s.place, &s.bucket, &s.next}, leading(&s.led)...)...)
	if s.onLadder() {
		s.led.Player = s.player
	}
	return s, err
}

// movement is a player of a leaderboard who stands at another place from now on, or nowhere if that is empty.
type movement struct {
	from stood // its place is empty if the player has stood nowhere
	to   string
	led  ladder.Standing // on a ladder, what leads there
}

// left tells whether the player stood there before.
func (m movement) left() bool { return m.from.place != "" }

// stays tells whether all rank buckets are left as they are: it is the same place, or one in the same bucket, which does not begin with the
// place that is left.
func (m movement) stays() bool {
	return m.from.place == m.to || m.left() && m.to != "" && m.from.place != m.from.bucket && m.from.bucket <= m.to && m.to < m.from.next
}

// row is the standing to which it leads, as the columns have it.
func (m movement) row() []any {
	s, there := m.led, m.led.Player != ""
	real := func(v float64) any { return sql.Null[float64]{V: v, Valid: there} }
	whole := func(v int) any { return sql.Null[int]{V: v, Valid: there} }
	return m.from.args(m.from.player, m.to, real(s.Rating.Value), real(s.Rating.Deviation), real(s.Rating.Volatility), column.Time(s.Rating.At),
		whole(s.Wins), whole(s.Draws), whole(s.Losses), whole(s.Opponents))
}

// leading are where the columns of what has led to a place on a ladder are read to.
func leading(s *ladder.Standing) []any {
	return []any{&s.Rating.Value, &s.Rating.Deviation, &s.Rating.Volatility, (*column.Time)(&s.Rating.At),
		(*column.Int)(&s.Wins), (*column.Int)(&s.Draws), (*column.Int)(&s.Losses), (*column.Int)(&s.Opponents)}
}

// move carries movements out, and changes the rank buckets with them. Buckets are counted while they begin where they began when the
// movements were found. After that, some of them are made to begin elsewhere, or are halved.
func move(tx Tx, done Outcome, all []movement) {
	all = slices.DeleteFunc(all, func(m movement) bool { return m.from.place == m.to && m.from.led == m.led })
	var standing [][]any
	for _, m := range all {
		if m.to != "" {
			standing = append(standing, m.row())
		}
	}
	tx.QueueRows(done, upsertStanding, standing...)
	all = slices.DeleteFunc(all, movement.stays)
	queue := func(m movement, when bool, statement string, more ...any) {
		if when {
			tx.Queue(done, statement, m.from.args(more...)...)
		}
	}
	for _, m := range all {
		queue(m, m.to == "", deleteStanding, m.from.player)
		queue(m, !m.left(), firstBuckets)
		queue(m, m.left(), countBuckets, m.from.place, -1)
		queue(m, m.to != "", countBuckets, m.to, 1)
	}
	for _, m := range all {
		begins := m.left() && m.from.place == m.from.bucket
		queue(m, begins, dropBuckets, m.from.place)
		queue(m, begins, beginBuckets, m.from.place)
	}
	longest, undivided := longestBucket, undivided
	if n := shortened.Load(); n > 0 {
		longest, undivided = n, n
	}
	for _, m := range all {
		looks := m.to != "" && (longest < longestBucket || crc32.ChecksumIEEE([]byte(m.to))%looksAtLength == 0)
		queue(m, looks, halveBucket, m.to, longest, undivided)
		queue(m, looks, halveOuter, m.to, longest*longest)
	}
}

// Warm looks at pages of the longest leaderboard that are far from each other, as the first visitors would. A database may plan a query
// when it is first asked it, and read what it has not read before, which takes longer than a page does.
func (s *Store) Warm(ctx context.Context) error {
	err := s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		r, there, err := ifAny(scanRanking(tx.Row(ctx, selectLongestOfAll)))
		if !there || err != nil {
			return err
		}
		ignored := func(column.Row) error { return nil }
		tx.QueueEach(Named("what is stale"), ignored, selectStale, r.venue)
		tx.QueueEach(Named("what is stale"), ignored, selectStaleLadder, r.venue, r.rules)
		p, own := score.Page{Pages: 1}, match.User("nobody")
		for n := 0; n < min(p.Pages, warmingLooks); n++ {
			where := score.Where{Page: 1 + n*p.Pages/min(p.Pages, warmingLooks)}
			if err := r.queuePage(ctx, tx, where, own, &p, nil); err != nil {
				return err
			}
			if err := tx.Flush(ctx); err != nil {
				return err
			}
			if len(p.Rows) > 0 {
				own = p.Rows[0].Player
			}
			r.queueFeats(tx, &p)
		}
		return nil
	})
	return Named("longest leaderboard").Wrap(err)
}

// queuePage asks for a page of a leaderboard: its rows, and that of own, which may be one of them, without what they have achieved. On a ladder
// what has led there goes to led, by player.
func (r ranking) queuePage(ctx context.Context, tx Tx, where score.Where, own match.User, p *score.Page, led map[match.User]ladder.Standing) error {
	*p = score.Page{Page: 1, Pages: 1}
	clear(led)
	if where.Player != "" {
		where.Page = 1
		row, stands, err := ifAny(scanRow(tx.Row(ctx, selectOwn, r.args(where.Player)...)))
		if err != nil {
			return err
		}
		if stands {
			where.Page = score.PageOf(row.Rank)
		}
	}
	found := func(row placedRow) {
		if led != nil {
			led[row.Player] = row.led
		}
	}
	if own != "" {
		r.queueRow(tx, own, func(row placedRow) {
			p.Own = &row.Row
			found(row)
		})
	}
	skipped := (min(max(where.Page, 1), math.MaxInt32) - 1) * score.RowsOnAPage
	tx.QueueEach(Named("page of a leaderboard"), func(row column.Row) error {
		var next placedRow
		var skipped, total int
		err := row.Scan(append([]any{&skipped, &total}, next.dest()...)...)
		next.led.Player = next.Player
		next.Rank = skipped + len(p.Rows) + 1
		p.Rows = append(p.Rows, next.Row)
		p.Page, p.Pages = skipped/score.RowsOnAPage+1, (total+score.RowsOnAPage-1)/score.RowsOnAPage
		found(next)
		return err
	}, selectPage, r.args(skipped, score.RowsOnAPage)...)
	return nil
}

// placedRow is a row of a leaderboard, and on a ladder what has led there.
type placedRow struct {
	score.Row
	led ladder.Standing
}

// dest are where the columns of a row are read to, but for its rank.
func (r *placedRow) dest() []any {
	return append([]any{&r.Player, &r.Name, &r.Hidden}, leading(&r.led)...)
}

// queueRow asks for the row of a player, if there is one.
func (r ranking) queueRow(tx Tx, p match.User, found func(placedRow)) {
	tx.QueueEach(Named("row of player %s", p), func(row column.Row) error {
		own, err := scanRow(row)
		found(own)
		return err
	}, selectOwn, r.args(p)...)
}

func scanRanking(row column.Row) (r ranking, err error) {
	err = row.Scan(&r.venue, &r.season, &r.rules, &r.of)
	return r, err
}

func scanRow(row column.Row) (r placedRow, err error) {
	err = row.Scan(append(r.dest(), &r.Rank)...)
	r.led.Player = r.Player
	return r, err
}
