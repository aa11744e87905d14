package sqlstore

import (
	"context"
	"math"
	"sync/atomic"

	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/store/internal/column"
)

// What is ranked are standings: a player on a leaderboard, with a place. Places are texts that sort as the leaderboard does. Standings
// that follow each other are counted together in rank buckets, the table stretches: ranks and pages are found by adding up some
// hundred lengths instead of counting a million rows. The first bucket of a leaderboard begins before all places, each other with the
// place of one of its standings.
const (
	ofRanking = `venue = $1 AND season = $2 AND rules = $3 AND leaderboard = $4`
	inBuckets = ` FROM stretches WHERE ` + ofRanking

	upsertStanding = `INSERT INTO standings (venue, season, rules, leaderboard, player, place)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6)}
		{postgres:SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])}
		ON CONFLICT (venue, player, season, rules, leaderboard) DO UPDATE SET place = excluded.place`
	deleteStanding = `DELETE FROM standings WHERE ` + ofRanking + ` AND player = $5`

	// The rank buckets of the places $5 and $6, the old and the new one of a move.
	bucketAt    = `(SELECT max(first)` + inBuckets + ` AND first <= $5)`
	bucketNow   = `(SELECT max(first)` + inBuckets + ` AND first <= $6)`
	firstBucket = `INSERT INTO stretches (venue, season, rules, leaderboard, first, length) VALUES ($1, $2, $3, $4, '', 0) ON CONFLICT DO NOTHING`
	enterBucket = `UPDATE stretches SET length = length + 1 WHERE ` + ofRanking + ` AND first = ` + bucketAt
	leaveBucket = `UPDATE stretches SET length = length - 1 WHERE ` + ofRanking + ` AND first = ` + bucketAt
	moveBucket  = `UPDATE stretches SET length = length + CASE WHEN first = ` + bucketNow + ` THEN 1 ELSE -1 END
		WHERE ` + ofRanking + ` AND first IN (` + bucketAt + `, ` + bucketNow + `) AND ` + bucketAt + ` <> ` + bucketNow
	// A bucket that begins with a place which nobody has any more is gone if it is empty, and else begins with the next one.
	dropBucket  = `DELETE FROM stretches WHERE ` + ofRanking + ` AND first = $5 AND length <= 0`
	beginBucket = `UPDATE stretches SET first = next.place FROM (SELECT min(place) AS place FROM standings WHERE ` + ofRanking + ` AND place > $5) AS next
		WHERE ` + ofRanking + ` AND first = $5 AND next.place NOT IN (SELECT first` + inBuckets + ` AND first > $5)`
	// A bucket that has become long is halved.
	halveBucket = `INSERT INTO stretches (venue, season, rules, leaderboard, first, length)
		SELECT $1, $2, $3, $4, CASE WHEN low THEN first ELSE min(place) END, count(*) FROM (
			SELECT b.first, s.place, row_number() OVER (ORDER BY s.place) <= b.length / 2 AS low
			FROM stretches AS b JOIN standings AS s ON ` + bucketOfStanding + ` AND s.place >= b.first
				AND s.place < coalesce((SELECT min(first)` + inBuckets + ` AND first > b.first), '~')
			WHERE b.venue = $1 AND b.season = $2 AND b.rules = $3 AND b.leaderboard = $4 AND b.first = ` + bucketAt + `
				AND (SELECT length` + inBuckets + ` AND first = ` + bucketAt + `) > $6) AS halves
		WHERE true GROUP BY first, low
		ON CONFLICT (venue, season, rules, leaderboard, first) DO UPDATE SET length = excluded.length`

	// Where players stand, and where the rank bucket begins in which that is, and the next one.
	selectStoodOf = `SELECT s.season, s.rules, s.leaderboard, s.player, s.place, ` + bucketBounds + `
		FROM standings AS s WHERE s.venue = $1 AND s.player ` + oneOf2
	selectStoodOn = selectStoodOf + ` AND s.season = $3 AND s.rules = $4 AND s.leaderboard = $5`
	bucketBounds  = `coalesce((SELECT max(first) FROM stretches AS b WHERE ` + bucketOfStanding + ` AND b.first <= s.place), '~'),
			coalesce((SELECT min(first) FROM stretches AS b WHERE ` + bucketOfStanding + ` AND b.first > s.place), '~')`
	bucketOfStanding     = `b.venue = s.venue AND b.season = s.season AND b.rules = s.rules AND b.leaderboard = s.leaderboard`
	deleteVenueBuckets   = `DELETE FROM stretches WHERE venue = $1`
	deleteVenueStandings = `DELETE FROM standings WHERE venue = $1`
	deleteRanking        = `DELETE FROM standings WHERE ` + ofRanking
	deleteRankingBuckets = `DELETE FROM stretches WHERE ` + ofRanking
	// A thousand standings to a bucket.
	countVenueBuckets = `INSERT INTO stretches (venue, season, rules, leaderboard, first, length)
		SELECT $1, season, rules, leaderboard, CASE WHEN n = 0 THEN '' ELSE min(place) END, count(*)
		FROM (SELECT season, rules, leaderboard, place,
				(row_number() OVER (PARTITION BY season, rules, leaderboard ORDER BY place) - 1) / 1024 AS n
			FROM standings WHERE venue = $1) AS numbered
		GROUP BY season, rules, leaderboard, n`

	// The page that begins after $5 standings, or the last page. Each row starts with how many standings precede the page, from which the
	// ranks follow, and how many there are. The page is looked up in the rank bucket in which it begins.
	selectPage = `WITH bucket AS (SELECT first, skipped, skipped - (upto - length) AS inside, total
			FROM (SELECT first, length, sum(length) OVER (ORDER BY first) AS upto` + inBuckets + `) AS b,
				(SELECT total, {sqlite:min}{postgres:least}(CAST($5 AS bigint), (total - 1) / $6 * $6) AS skipped
					FROM (SELECT sum(length) AS total` + inBuckets + `) AS counted) AS asked
			WHERE upto > skipped ORDER BY first LIMIT 1)
		SELECT (SELECT skipped FROM bucket), (SELECT total FROM bucket), player, ` + shownName + ` FROM standings WHERE ` + ofRanking + `
			AND place >= (SELECT place FROM standings WHERE ` + ofRanking + ` AND place >= (SELECT first FROM bucket)
				ORDER BY place LIMIT 1 OFFSET coalesce((SELECT inside FROM bucket), 0))
		ORDER BY place LIMIT $6`
	selectLongestOfAll = `SELECT venue, season, rules, leaderboard FROM stretches
		GROUP BY venue, season, rules, leaderboard ORDER BY count(*) DESC LIMIT 1`
	selectOwn = `SELECT player, ` + shownName + `,
			1 + (SELECT coalesce(sum(length), 0)` + inBuckets + ` AND first < bucket) +
			(SELECT count(*) FROM standings WHERE ` + ofRanking + ` AND place >= bucket AND place < own.place)
		FROM (SELECT player, place, (SELECT max(first)` + inBuckets + ` AND first <= place) AS bucket
			FROM standings WHERE ` + ofRanking + ` AND player = $5) AS own`
)

// longestBucket is how many standings a rank bucket has at most, less what a test has taken off.
const longestBucket = 2048

var shortened atomic.Int64

// ShortenBuckets lets no rank bucket be longer than that, and returns how long they may be otherwise. It is for tests: in short ones
// a few players do what else only many would.
func ShortenBuckets(longest int64) (before int64) {
	return longestBucket - shortened.Swap(longestBucket-longest)
}

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
	bucket, next string
}

// nowhere is a player who does not stand on it.
func (r ranking) nowhere(p match.User) stood { return stood{ranking: r, player: p} }

// onLadder tells whether the leaderboard is the order of a ladder.
func (s stood) onLadder() bool { return s.of == byRating }

func scanStood(v match.Venue) func(row column.Row) (stood, error) {
	return func(row column.Row) (s stood, err error) {
		s.venue = v
		err = row.Scan(&s.season, &s.rules, &s.of, &s.player, &s.place, &s.bucket, &s.next)
		return s, err
	}
}

// stays tells whether a move to that place leaves all rank buckets as they are: the place is in the same bucket, and that does not begin
// with the place which is left.
func (s stood) stays(place string) bool {
	return s.place != s.bucket && s.bucket <= place && place < s.next
}

// movement is a player of a leaderboard who stands at another place from now on, or nowhere if that is empty.
type movement struct {
	from stood // its place is empty if the player has stood nowhere
	to   string
}

// move carries movements out, and changes the rank buckets with them. Whoever stays in a bucket goes first: all of them are written
// by one statement, and their buckets are still where they were found.
func move(tx Tx, done Outcome, all []movement) {
	var stay [][]any
	var leave []movement
	for _, m := range all {
		switch {
		case m.from.place == m.to:
		case m.from.place != "" && m.to != "" && m.from.stays(m.to):
			stay = append(stay, m.from.args(m.from.player, m.to))
		default:
			leave = append(leave, m)
		}
	}
	tx.QueueRows(done, upsertStanding, stay...)
	for _, m := range leave {
		m.change(tx, done)
	}
}

// change moves a player from one rank bucket to another.
func (m movement) change(tx Tx, done Outcome) {
	r, from, to := m.from.ranking, m.from.place, m.to
	queue := func(when bool, statement string, more ...any) {
		if when {
			tx.Queue(done, statement, r.args(more...)...)
		}
	}
	left, entered := from != "", to != ""
	if entered {
		tx.QueueRows(done, upsertStanding, r.args(m.from.player, to))
	}
	queue(!entered, deleteStanding, m.from.player)
	queue(!left, firstBucket)
	queue(left && entered, moveBucket, from, to)
	queue(left && !entered, leaveBucket, from)
	queue(!left && entered, enterBucket, to)
	queue(left, dropBucket, from)
	queue(left, beginBucket, from)
	queue(entered, halveBucket, to, longestBucket-shortened.Load())
}

// Warm looks at the longest leaderboard as the first visitors would. A database may plan a query when it is first asked it, and read what
// it has not read before, which takes longer than a page does.
func (s *Store) Warm(ctx context.Context) error {
	err := s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		r, _, err := ifAny(scanRanking(tx.Row(ctx, selectLongestOfAll)))
		if err != nil {
			return err
		}
		ignored := func(column.Row) error { return nil }
		tx.QueueEach(Named("what is stale"), ignored, selectStale, r.venue)
		tx.QueueEach(Named("what is stale"), ignored, selectStaleLadder, r.venue, r.rules)
		var p score.Page
		own := match.User("nobody")
		for _, page := range []int{1, math.MaxInt32} {
			if p, err = r.page(ctx, tx, score.Where{Page: page}, own); err != nil {
				return err
			}
			if len(p.Rows) > 0 {
				own = p.Rows[0].Player
			}
		}
		p.Own = &score.Row{Player: own}
		r.queueFeats(tx, &p)
		r.queueStandings(tx, []match.User{own})
		return nil
	})
	return Named("longest leaderboard").Wrap(err)
}

// page is a page of a leaderboard: its rows, and that of own, which may be one of them, without what they have achieved.
func (r ranking) page(ctx context.Context, tx Tx, where score.Where, own match.User) (score.Page, error) {
	p := score.Page{Page: 1, Pages: 1}
	if where.Player != "" {
		where.Page = 1
		row, stands, err := ifAny(scanRow(tx.Row(ctx, selectOwn, r.args(where.Player)...)))
		if err != nil {
			return p, err
		}
		if stands {
			where.Page = score.PageOf(row.Rank)
		}
	}
	if own != "" {
		r.queueRow(tx, own, func(row score.Row) { p.Own = &row })
	}
	skipped := (min(max(where.Page, 1), math.MaxInt32) - 1) * score.RowsOnAPage
	err := tx.Each(ctx, func(row column.Row) error {
		var found score.Row
		var skipped, total int
		err := row.Scan(&skipped, &total, &found.Player, &found.Name, &found.Hidden)
		found.Rank = skipped + len(p.Rows) + 1
		p.Rows = append(p.Rows, found)
		p.Page, p.Pages = skipped/score.RowsOnAPage+1, (total+score.RowsOnAPage-1)/score.RowsOnAPage
		return err
	}, selectPage, r.args(skipped, score.RowsOnAPage)...)
	for i := range p.Rows {
		if p.Rows[i].Player == own {
			p.Own = &p.Rows[i]
		}
	}
	return p, err
}

// queueRow asks for the row of a player, if there is one.
func (r ranking) queueRow(tx Tx, p match.User, found func(score.Row)) {
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

func scanRow(row column.Row) (r score.Row, err error) {
	err = row.Scan(&r.Player, &r.Name, &r.Hidden, &r.Rank)
	return r, err
}
