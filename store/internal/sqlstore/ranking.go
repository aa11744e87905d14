package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

// A leaderboard ranks standings. A standing is a player on a leaderboard, with a place. Places are texts that sort like the
// leaderboard, so a rank is a count of index entries. The stored place of a player who is not ranked in a server begins with ~, and so no
// leaderboard has it; see markUnranked.
const (
	ofRanking     = onLeaderboard + ` AND place < '~'`
	onLeaderboard = `venue = $1 AND season = $2 AND rules = $3 AND leaderboard = $4`

	// The values that determine a place on a ladder. Standings on other leaderboards, whose places follow from scores, do not have
	// them.
	leadingColumns = `coalesce(value, 0), coalesce(deviation, 0), coalesce(volatility, 0), at,
		coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), coalesce(opponents, 0)`

	upsertStanding = `INSERT INTO standings (venue, season, rules, leaderboard, player, place,
			value, deviation, volatility, at, wins, draws, losses, opponents)
		VALUES ($1, $2, $3, $4, $5, CASE WHEN EXISTS (SELECT 1 FROM unranked WHERE venue = $1 AND player = $5) THEN '~' ELSE '' END || $6,
			$7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (venue, player, season, rules, leaderboard) DO UPDATE SET place = excluded.place,
			value = excluded.value, deviation = excluded.deviation, volatility = excluded.volatility, at = excluded.at,
			wins = excluded.wins, draws = excluded.draws, losses = excluded.losses, opponents = excluded.opponents`
	deleteStanding = `DELETE FROM standings WHERE ` + onLeaderboard + ` AND player = $5`

	standingsIn = `SELECT venue, season, rules, leaderboard, player, ltrim(place, '~'), ` + leadingColumns + ` FROM standings WHERE venue = $1`
	// The standings that follow from scores, of all players or of one player.
	selectAllStandings   = standingsIn + ` AND leaderboard <> 'rating'`
	selectStandingsOf    = selectAllStandings + ` AND player = $2`
	deleteVenueStandings = `DELETE FROM standings WHERE venue = $1`

	// The numbers of standings with places before $5 and from $5 on, and the number of standings between two places. Each index entry is
	// counted once.
	selectCounts = `SELECT (SELECT ` + countPlaces + ` AND place < $5), (SELECT ` + countPlaces + ` AND place >= $5)`
	selectTied   = `SELECT ` + countPlaces + ` AND place >= $5 AND place < $6`
	countPlaces  = `count(*) FROM standings WHERE ` + ofRanking
	// The page that begins after $5 standings, and the page that begins with the standing that comes after $5 other standings.
	selectPage     = placedRows + ` AND place >= (` + places + ` LIMIT 1 OFFSET $5)` + onPage
	selectPageBack = placedRows + ` AND place >= (` + places + ` DESC LIMIT 1 OFFSET $5)` + onPage
	places         = `SELECT place FROM standings WHERE ` + ofRanking + ` ORDER BY place`
	placedRows     = `SELECT player, ` + shownName + `, place, ` + leadingColumns + ` FROM standings WHERE ` + ofRanking
	onPage         = ` ORDER BY place LIMIT $6`
	selectPageOwn  = placedRows + ` AND player = $5`
	selectPosition = `SELECT 1 + (SELECT ` + countPlaces + ` AND place < own.place) FROM standings AS own WHERE ` + ofRanking + ` AND player = $5`
)

// byRating is the leaderboard that sorts a ladder. Its places follow from rated matches, the places of all other leaderboards from
// scores.
const byRating score.Leaderboard = "rating"

// ranking identifies a leaderboard.
type ranking struct {
	venue  match.Venue
	season int
	rules  string // empty: all rule sets together
	of     score.Leaderboard
}

func (r ranking) args(more ...any) []any {
	return append([]any{r.venue, r.season, r.rules, string(r.of)}, more...)
}

// standingKey names a player on a leaderboard.
type standingKey struct {
	ranking
	player match.User
}

// standing is the place of a player on a leaderboard.
type standing struct {
	standingKey
	place string
	led   ladder.Standing // the values that determine the place on a ladder; zero on other leaderboards, and not read when a match is saved
}

func standingsTable() table[standing] {
	return table[standing]{upsertStanding, deleteStanding, standing.row}
}

func (s standing) keyOf() standingKey { return s.standingKey }

func scanStanding(row column.Row) (s standing, err error) {
	err = row.Scan(append([]any{&s.venue, &s.season, &s.rules, &s.of, &s.player, &s.place}, leading(&s.led)...)...)
	if s.of == byRating {
		s.led.Player = s.player
	}
	return s, err
}

// row returns all columns of a standing.
func (s standing) row() []any {
	led, there := s.led, s.led.Player != ""
	real := func(v float64) any { return sql.Null[float64]{V: v, Valid: there} }
	whole := func(v int) any { return sql.Null[int]{V: v, Valid: there} }
	return s.args(s.player, s.place, real(led.Rating.Value), real(led.Rating.Deviation), real(led.Rating.Volatility), column.Time(led.Rating.At),
		whole(led.Wins), whole(led.Draws), whole(led.Losses), whole(led.Opponents))
}

// leading returns the scan targets for leadingColumns.
func leading(s *ladder.Standing) []any {
	return append(ratingColumns(&s.Rating), &s.Wins, &s.Draws, &s.Losses, &s.Opponents)
}

// ratingColumns returns the scan targets for the columns value, deviation, volatility and at.
func ratingColumns(r *rating.Rating) []any {
	return []any{&r.Value, &r.Deviation, &r.Volatility, (*column.Time)(&r.At)}
}

// readPage reads a page of a leaderboard without the feats: its rows, and the row of the player who asks for the page. On a ladder it
// also writes the values that determine the places into the map led, by player. It returns the number of rows of all pages.
func (r ranking) readPage(
	ctx context.Context, tx Tx, where score.Where, own match.User, p *score.Page, led map[match.User]ladder.Standing,
) (total int, err error) {
	*p = score.Page{Page: 1, Pages: 1}
	clear(led)
	if where.Player != "" {
		if where.Page, err = r.pageOf(ctx, tx, where.Player); err != nil {
			return 0, err
		}
	}
	found := func(row placedRow) {
		if led != nil {
			led[row.Player] = row.led
		}
	}
	tie := ""
	if own != "" {
		row, stands, err := optional(scanRow(tx.Row(ctx, selectPageOwn, r.args(own)...)))
		if err != nil {
			return 0, err
		}
		if stands {
			p.Own, tie = &row.Row, r.tie(row)
			found(row)
		} else if p.Out, err = Value[bool](tx.Row(ctx, selectIsUnranked, r.venue, own)); err != nil {
			return 0, err
		}
	}
	var before, others int
	if err := tx.Row(ctx, selectCounts, r.args(tie)...).Scan(&before, &others); err != nil {
		return 0, err
	}
	if p.Own != nil {
		p.Own.Rank = before + 1
	}
	total = before + others
	p.Pages = score.PageOf(max(total, 1))
	p.Page = min(max(where.Page, 1), p.Pages)
	skipped := (p.Page - 1) * score.RowsOnAPage
	statement, offset := selectPage, skipped
	if 2*skipped > total { // the way from the end is shorter
		statement, offset = selectPageBack, total-1-skipped
	}
	var first, last placedRow
	err = tx.Each(ctx, func(row column.Row) error {
		next, err := scanRow(row)
		if next.Rank = skipped + len(p.Rows) + 1; len(p.Rows) == 0 {
			first = next
		} else if r.tie(next) == r.tie(last) {
			next.Rank = last.Rank
		}
		last = next
		p.Rows = append(p.Rows, next.Row)
		found(next)
		return err
	}, statement, r.args(offset, score.RowsOnAPage)...)
	if err != nil || skipped == 0 {
		return total, err
	}
	earlier, err := Value[int](tx.Row(ctx, selectTied, r.args(r.tie(first), first.place)...)) // on earlier pages, with equal results
	for i := range p.Rows {
		if p.Rows[i].Rank == first.Rank {
			p.Rows[i].Rank -= earlier
		}
	}
	return total, err
}

// pageOf returns the number of the page that shows a player; 1 if no page does.
func (r ranking) pageOf(ctx context.Context, tx Tx, p match.User) (int, error) {
	position, stands, err := optional(Value[int](tx.Row(ctx, selectPosition, r.args(p)...)))
	if !stands {
		return 1, err
	}
	return score.PageOf(position), nil
}

// tie returns the beginning of a place that all players with equal results have. The rest is the time of the results, except on a ladder,
// and the player.
func (r ranking) tie(row placedRow) string {
	tie := strings.TrimSuffix(row.place, string(row.Player))
	if r.of != byRating {
		tie = tie[:max(0, len(tie)-score.TimeDigits)]
	}
	return tie
}

// placedRow is a row of a leaderboard. On a ladder it includes the values that determine the place.
type placedRow struct {
	score.Row
	place string
	led   ladder.Standing
}

func scanRow(row column.Row) (r placedRow, err error) {
	err = row.Scan(append([]any{&r.Player, &r.Name, &r.Hidden, &r.place}, leading(&r.led)...)...)
	r.led.Player = r.Player
	return r, err
}
