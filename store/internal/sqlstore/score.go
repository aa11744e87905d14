package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

// Scores are what the ended matches add up to; where players stand follows from their scores. Each match counts on its board, and on
// all boards together, which are called "".
const (
	entryColumns = `venue, player, season, rules, level, wins, draws, losses, nullif(reached, 0),
		beaten, fewest, fewest_at, run, longest, longest_at, latest`

	// The entries of the players of a match that has ended, in its season, for its board and for all boards together, and their places
	// there, in one round trip. There is always a row that is no standing: it says which season that is, and whether the scores were reset
	// since.
	selectEntriesOf = `SELECT coalesce(venue, $1), coalesce(player, ''), now.season, coalesce(rules, ''), coalesce(level, ''),
			coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), nullif(reached, 0),
			beaten, coalesce(fewest, 0), fewest_at, coalesce(run, 0), coalesce(longest, 0), longest_at, latest, now.reset, '', ''
		FROM (SELECT ` + seasonThen + ` AS season, EXISTS (SELECT 1 FROM score_resets WHERE venue = $1 AND at >= $2) AS reset) AS now
			LEFT JOIN scores AS s ON s.venue = $1 AND s.player ` + oneOf3 + ` AND s.season = now.season AND s.rules IN ('', $4)
		UNION ALL SELECT s.venue, s.player, s.season, s.rules, '', 0, 0, 0, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, false,
			s.leaderboard, s.place
		FROM {sqlite:standings AS s}
			{postgres:unnest($3::text[]) AS e (value) CROSS JOIN LATERAL (SELECT * FROM standings AS s WHERE s.venue = $1 AND s.player = e.value OFFSET 0) AS s}
		WHERE s.venue = $1 AND s.player ` + oneOf3 + ` AND s.season = ` + seasonThen + ` AND s.rules IN ('', $4)`
	seasonThen = `(SELECT count(*) FROM seasons WHERE venue = $1 AND began < $2)`

	selectEntriesIn = `SELECT ` + entryColumns + ` FROM scores WHERE venue = $1 AND player ` + oneOf2
	selectPageOf    = selectEntriesIn + ` AND season = $3 AND rules = $4`

	selectAllEntriesOf = `SELECT ` + entryColumns + ` FROM scores WHERE player = $1 ORDER BY level, venue, season, rules`

	// Those of one venue and level, over all seasons.
	selectOwnEntries = `SELECT venue, player, 0, '', level, sum(wins), sum(draws), sum(losses), nullif(max(reached), 0),
			NULL, 0, NULL, 0, 0, NULL, NULL
		FROM scores WHERE player = $1 AND rules = '' GROUP BY venue, player, level ORDER BY level, venue`

	upsertEntry = `INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached,
			beaten, fewest, fewest_at, run, longest, longest_at, latest)
		{sqlite:VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)}
		{postgres:SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[], $6::integer[], $7::integer[], $8::integer[],
			$9::bigint[], $10::bigint[], $11::integer[], $12::bigint[], $13::integer[], $14::integer[], $15::bigint[], $16::bigint[])}
		ON CONFLICT (venue, player, season, rules, level) DO UPDATE SET wins = excluded.wins, draws = excluded.draws, losses = excluded.losses,
			reached = excluded.reached, beaten = excluded.beaten, fewest = excluded.fewest, fewest_at = excluded.fewest_at,
			run = excluded.run, longest = excluded.longest, longest_at = excluded.longest_at, latest = excluded.latest`
	deleteEntry = `DELETE FROM scores WHERE venue = $1 AND player = $2 AND season = $3 AND rules = $4 AND level = $5`

	// What those who have played at a venue did there, in the order in which it ended; moves matter in wins over the computer alone.
	playedColumns = `rules, outcome, cause, ended, id, helped,
		CASE WHEN outcome <> 'draw' AND (x_level IS NOT NULL OR o_level IS NOT NULL)
			THEN (SELECT count(*) FROM moves WHERE match = matches.id) ELSE 0 END`
	selectPlayed = `SELECT x_player, coalesce(o_level, ''), 'X', ` + playedColumns + `
			FROM matches WHERE x_player = $2 AND {sqlite:+}venue = $1 AND ` + counts + `
		UNION ALL SELECT o_player, coalesce(x_level, ''), 'O', ` + playedColumns + `
			FROM matches WHERE o_player = $2 AND {sqlite:+}venue = $1 AND ` + counts + `
		ORDER BY 7, 8`
	counts = `outcome IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = matches.venue AND r.at >= matches.ended)`

	insertReset = `INSERT INTO score_resets (venue, at, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	selectReset = `SELECT at FROM score_resets WHERE venue = $1 AND id = $2`
	deleteReset = `DELETE FROM score_resets WHERE venue = $1 AND id = $2`

	// The scores of all who have played since a time have to be counted again.
	markSince = `INSERT INTO recounts (venue, player)
		SELECT venue, x_player FROM matches WHERE venue = $1 AND ended > $2 AND x_player <> 'left'
		UNION SELECT venue, o_player FROM matches WHERE venue = $1 AND ended > $2 AND o_player <> 'left'
		ON CONFLICT DO NOTHING`
	selectRecounts       = `SELECT player FROM recounts WHERE venue = $1 ORDER BY player LIMIT $2`
	selectAllDueRecounts = `SELECT venue FROM recounts ORDER BY venue, player LIMIT 1`
	// The season that goes on, and whether some of the scores have to be counted anew.
	selectStale         = `SELECT (SELECT count(*) FROM seasons WHERE venue = $1), EXISTS (SELECT 1 FROM recounts WHERE venue = $1)`
	deleteRecount       = `DELETE FROM recounts WHERE venue = $1 AND player = $2`
	deleteVenueRecounts = `DELETE FROM recounts WHERE venue = $1`
	deleteVenueScores   = `DELETE FROM scores WHERE venue = $1`
	deleteScoresOf      = `DELETE FROM scores WHERE player = $1`
	deleteRecountsOf    = `DELETE FROM recounts WHERE player = $1`
	// Who is to be counted anew may stand on a ladder and have no scores.
	selectVenuesOfScores = `SELECT venue FROM scores WHERE player = $1 AND venue <> '' UNION SELECT venue FROM recounts WHERE player = $1 AND venue <> ''`
)

// RecountAtOnce is how many results are counted anew in one transaction: clicks are not to wait for long. A transaction ends after the player
// with whom that many are reached.
const RecountAtOnce = 2000

// Leaderboard is one page. The venue of direct messages has none: its page is empty.
func (s *Store) Leaderboard(ctx context.Context, v match.Venue, b score.Board, where score.Where, own match.User) (p score.Page, err error) {
	err = s.db.ReadTogether(ctx, func(ctx context.Context, tx Tx) error {
		r := ranking{v, b.Season, rulesName(b.Rules), b.Of}
		var stale bool
		var latest int
		if err := tx.Row(ctx, selectStale, v).Scan(&latest, &stale); err != nil {
			return err
		}
		if b.Season == season.Latest {
			r.season = latest
		}
		if err := r.queuePage(ctx, tx, where, own, &p, nil); err != nil {
			return err
		}
		p.Stale = stale
		if err := tx.Flush(ctx); err != nil {
			return err
		}
		r.queueFeats(tx, &p)
		return nil
	})
	for _, row := range rowsByPlayer(&p) {
		slices.SortFunc(row.Levels, func(a, b score.LevelTally) int {
			return cmp.Or(cmp.Compare(score.Strength(a.Level), score.Strength(b.Level)), cmp.Compare(a.Level, b.Level))
		})
	}
	return p, Named("leaderboard").Wrap(err)
}

// rulesName is the name of a rule set as rows have it: empty for all of them together.
func rulesName(rules game.Rules) string {
	if rules == (game.Rules{}) {
		return ""
	}
	return rules.String()
}

// rowsByPlayer are the rows of a page, and the own row, which is the one of the page if it is there.
func rowsByPlayer(p *score.Page) map[match.User]*score.Row {
	rows := make(map[match.User]*score.Row, len(p.Rows)+1)
	for i := range p.Rows {
		rows[p.Rows[i].Player] = &p.Rows[i]
	}
	if p.Own != nil {
		if onPage := rows[p.Own.Player]; onPage != nil {
			p.Own = onPage
		}
		rows[p.Own.Player] = p.Own
	}
	return rows
}

// queueFeats asks for what the players of a page have done, and adds it to their rows.
func (r ranking) queueFeats(tx Tx, p *score.Page) {
	rows := rowsByPlayer(p)
	if len(rows) == 0 {
		return
	}
	tx.QueueEach(Named("scores of a leaderboard"), func(row column.Row) error {
		e, err := scanEntry(row)
		if err != nil || (e.Level == "") != (r.of == score.People) {
			return err
		}
		of := rows[e.Player]
		of.Tally = of.Plus(e.Tally)
		if e.Level != "" {
			of.Levels = append(of.Levels, score.LevelTally{Level: e.Level, Tally: e.Tally, Fewest: e.Fewest, Longest: e.Longest})
		}
		return nil
	}, selectPageOf, r.venue, texts(slices.Collect(maps.Keys(rows))), r.season, r.rules)
}

// Own are the entries of a player on all boards together, of every venue and all seasons together, people first, then by level.
func (s *Store) Own(ctx context.Context, p match.User) ([]score.Entry, error) {
	return all(ctx, s.db, Named("scores of player %s", p), scanEntry, selectOwnEntries, p)
}

// keepScores lets the scores and the ladder follow a match that has changed.
func keepScores(ctx context.Context, tx Tx, from, to match.Match) error {
	switch {
	case !from.Result.Counts() && to.Result.Counts():
		return addMatch(ctx, tx, to)
	case from.Result.Counts() && !to.Result.Counts():
		for _, r := range score.Of(from) {
			if _, err := recountPlayer(ctx, tx, to.Venue, r.Player); err != nil {
				return err
			}
		}
		return unrate(ctx, tx, from)
	}
	return nil
}

// addMatch adds a match that counts from now on. It is stored as what counts already.
func addMatch(ctx context.Context, tx Tx, m match.Match) error {
	done, results := Named("scores of match %s", m.ID), score.Of(m)
	if len(results) == 0 {
		return nil
	}
	rivals := queueRivals(tx, m)
	then, err := readEntries(ctx, tx, m, results)
	if err != nil {
		return done.Wrap(err)
	}
	var all []movement
	if !then.begunAnew {
		if all, err = addScores(ctx, tx, done, m, results, then); err != nil {
			return err
		}
	}
	onLadder, err := rate(ctx, tx, m, *rivals, then)
	if err != nil {
		return err
	}
	move(tx, done, append(all, onLadder...))
	return nil
}

// entriesThen are the entries of the players of a match that has ended, in its season, of its board and of all boards together, and
// where they stand there.
type entriesThen struct {
	season    int
	begunAnew bool // the scores of the venue have since
	entries   []score.Entry
	before    []stood
}

func readEntries(ctx context.Context, tx Tx, m match.Match, results []score.Result) (*entriesThen, error) {
	players := make([]match.User, len(results))
	for i, r := range results {
		players[i] = r.Player
	}
	then := new(entriesThen)
	err := tx.Each(ctx, func(row column.Row) error {
		var at stood
		var reset bool
		e, err := scanEntryWith(row, &reset, &at.of, &at.place)
		if at.of != "" {
			at.venue, at.season, at.rules, at.player = e.Venue, e.Season, e.Rules, e.Player
			then.before = append(then.before, at)
			return err
		}
		then.season, then.begunAnew = e.Season, reset
		if e.Player != "" {
			then.entries = append(then.entries, e)
		}
		return err
	}, selectEntriesOf, m.Venue, m.Ended.UnixMilli(), texts(players), results[0].Rules)
	return then, err
}

// stoodOn is where a player stands on a leaderboard.
func (t *entriesThen) stoodOn(r ranking, p match.User) stood {
	for _, s := range t.before {
		if s.ranking == r && s.player == p {
			return s
		}
	}
	return r.nowhere(p)
}

// addScores adds the results of a match to the scores, and says who stands elsewhere then.
func addScores(ctx context.Context, tx Tx, done Outcome, m match.Match, results []score.Result, then *entriesThen) ([]movement, error) {
	entries := then.entries
	var changed []score.Entry
	for _, r := range results {
		for _, rules := range []string{"", r.Rules} {
			e := entryIn(&entries, score.Entry{Venue: m.Venue, Season: then.season, Rules: rules, Player: r.Player, Level: r.Level})
			if e.Late(r) { // it is against the computer, so it has no other result
				_, err := recountPlayer(ctx, tx, m.Venue, r.Player)
				return nil, err
			}
			e.Add(r)
			changed = append(changed, *e)
		}
	}
	writeEntries(tx, done, changed...)
	if m.Venue == "" {
		return nil, nil
	}
	before := slices.DeleteFunc(slices.Clone(then.before), func(s stood) bool {
		return s.onLadder() || s.season != then.season || s.rules != "" && s.rules != results[0].Rules
	})
	return movementsTo(before, entries), nil
}

// entryIn is the entry of the same player, season, board and level, which is added if it is not there.
func entryIn(entries *[]score.Entry, like score.Entry) *score.Entry {
	i := slices.IndexFunc(*entries, func(e score.Entry) bool {
		return e.Player == like.Player && e.Season == like.Season && e.Rules == like.Rules && e.Level == like.Level
	})
	if i < 0 {
		i = len(*entries)
		*entries = append(*entries, like)
	}
	return &(*entries)[i]
}

// movementsTo are those of players of a venue who have stood there before, to where all their entries of some seasons and boards lead to.
func movementsTo(before []stood, entries []score.Entry) (all []movement) {
	to := placesOf(entries)
	for _, from := range before {
		at := from.nowhere(from.player)
		all = append(all, movement{from: from, to: to[at]})
		delete(to, at)
	}
	for at, place := range to {
		all = append(all, movement{from: at, to: place})
	}
	return all
}

// placesOf are the places that all entries of some players lead to, by what they are places of.
func placesOf(entries []score.Entry) map[stood]string {
	byBoard := make(map[stood][]score.Entry)
	for _, e := range entries {
		at := stood{ranking: ranking{venue: e.Venue, season: e.Season, rules: e.Rules}, player: e.Player}
		byBoard[at] = append(byBoard[at], e)
	}
	places := make(map[stood]string)
	for at, entries := range byBoard {
		for _, s := range score.Standings(at.player, entries) {
			at.of = s.Of
			places[at] = s.Place
		}
	}
	return places
}

// millis is a time in Unix milliseconds, 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func writeEntries(tx Tx, done Outcome, entries ...score.Entry) {
	rows := make([][]any, len(entries))
	for i, e := range entries {
		rows[i] = []any{
			e.Venue, e.Player, e.Season, e.Rules, e.Level, e.Wins, e.Draws, e.Losses, millis(e.Reached),
			column.Time(e.Beaten), e.Fewest, column.Time(e.FewestAt), e.Run, e.Longest, column.Time(e.LongestAt), column.Time(e.Latest),
		}
	}
	tx.QueueRows(done, upsertEntry, rows...)
}

// recountPlayer counts what a player has at a venue anew from the matches, of all seasons and boards, and says how many there are.
func recountPlayer(ctx context.Context, tx Tx, v match.Venue, p match.User) (results int, err error) {
	done := Named("count the scores of player %s anew", p)
	began, err := boundariesOf(ctx, tx, v)
	if err != nil {
		return 0, done.Wrap(err)
	}
	stored, err := List(ctx, tx, scanEntry, selectEntriesIn, v, texts([]match.User{p}))
	if err != nil {
		return 0, done.Wrap(err)
	}
	var entries []score.Entry
	err = tx.Each(ctx, func(row column.Row) error {
		results++
		r, err := scanResult(row)
		for _, rules := range []string{"", r.Rules} {
			entryIn(&entries, score.Entry{Venue: v, Season: began.Number(r.Ended), Rules: rules, Player: p, Level: r.Level}).Add(r)
		}
		return err
	}, selectPlayed, v, p)
	if err != nil {
		return 0, done.Wrap(err)
	}
	replaceEntries(tx, done, stored, entries)
	if v == "" {
		return results, nil
	}
	before, err := List(ctx, tx, scanStood, selectStoodOf, v, texts([]match.User{p}))
	if err != nil {
		return 0, done.Wrap(err)
	}
	before = slices.DeleteFunc(before, stood.onLadder)
	move(tx, done, movementsTo(before, entries))
	return results, nil
}

// replaceEntries writes what differs.
func replaceEntries(tx Tx, done Outcome, stored, entries []score.Entry) {
	for _, e := range stored {
		if !slices.ContainsFunc(entries, func(f score.Entry) bool { return keyOf(f) == keyOf(e) }) {
			tx.Queue(done, deleteEntry, e.Venue, e.Player, e.Season, e.Rules, e.Level)
		}
	}
	writeEntries(tx, done, slices.DeleteFunc(slices.Clone(entries), func(e score.Entry) bool { return slices.Contains(stored, e) })...)
}

// keyOf is an entry without what it says.
func keyOf(e score.Entry) score.Entry {
	return score.Entry{Venue: e.Venue, Season: e.Season, Rules: e.Rules, Player: e.Player, Level: e.Level}
}

// resetScores leaves of a venue's scores and ladders what has ended later than the entry says.
func resetScores(ctx context.Context, tx Tx, e policy.AuditEntry) error {
	done := Named("reset %s", e.Venue)
	tx.Queue(done, insertReset, e.Venue, e.At.UnixMilli(), e.ID)
	deleteScoresIn(tx, done, e.Venue)
	if err := recountSince(ctx, tx, e.Venue, e.At); err != nil {
		return err
	}
	return moveLadders(ctx, tx, e.Venue, e.At)
}

// undoReset undoes a reset: matches count again that no other reset excludes.
func undoReset(ctx context.Context, tx Tx, v match.Venue, id match.ID) error {
	done := Named("undo the reset of %s", v)
	at, err := scanTime(tx.Row(ctx, selectReset, v, id))
	if errors.Is(err, sql.ErrNoRows) {
		err = &match.Refusal{Reason: match.Undone}
	}
	if err != nil {
		return done.Wrap(err)
	}
	tx.Queue(done, deleteReset, v, id)
	begun, err := breaksOf(ctx, tx, v)
	if err != nil {
		return done.Wrap(err)
	}
	from := begun.last(at)
	if err := recountSince(ctx, tx, v, from); err != nil {
		return err
	}
	return moveLadders(ctx, tx, v, from)
}

// recountSince counts anew the scores of all who have played at a venue since then: at once as many as may be, and the others by
// [Store.Recount].
func recountSince(ctx context.Context, tx Tx, v match.Venue, at time.Time) error {
	tx.Queue(Named("count scores of %s anew", v), markSince, v, at.UnixMilli())
	_, err := recountSome(ctx, tx, v)
	return err
}

// recountSome counts anew those of a venue who are due, up to [RecountAtOnce] results, and reports whether there may be more.
func recountSome(ctx context.Context, tx Tx, v match.Venue) (more bool, err error) {
	players, err := List(ctx, tx, Value[match.User], selectRecounts, v, RecountAtOnce+1)
	if err != nil {
		return false, err
	}
	results := 0
	for _, p := range players {
		n, err := recountPlayer(ctx, tx, v, p)
		if err != nil {
			return false, err
		}
		tx.Queue(Named("scores of player %s", p), deleteRecount, v, p)
		if results += n + 1; results > RecountAtOnce {
			return true, nil
		}
	}
	return false, nil
}

// Recount counts anew what has to be, a part at a time, and reports whether there is more.
func (s *Store) Recount(ctx context.Context) (more bool, err error) {
	done := Named("count scores anew")
	due, err := all(ctx, s.db, done, Value[match.Venue], selectAllDueRecounts)
	if err != nil || len(due) == 0 {
		return false, err
	}
	err = s.db.Write(ctx, Kind{Locks: []Lock{ofScores(due[0])}, Long: true}, func(ctx context.Context, tx Tx) error {
		_, err := recountSome(ctx, tx, due[0])
		return err
	})
	return err == nil, done.Wrap(err)
}

func deleteScoresIn(tx Tx, done Outcome, v match.Venue) {
	for _, statement := range []string{deleteVenueStandings, deleteVenueScores, deleteVenueRecounts} {
		tx.Queue(done, statement, v)
	}
}

// eraseScores deletes the scores of a player.
func eraseScores(ctx context.Context, tx Tx, done Outcome, p match.User) error {
	venues, err := List(ctx, tx, Value[match.Venue], selectVenuesOfScores, p)
	if err != nil {
		return err
	}
	for _, v := range venues {
		before, err := List(ctx, tx, scanStood, selectStoodOf, v, texts([]match.User{p}))
		if err != nil {
			return err
		}
		move(tx, done, movementsTo(before, nil))
	}
	tx.Queue(done, deleteScoresOf, p)
	tx.Queue(done, deleteRecountsOf, p)
	return nil
}

func scanEntry(row column.Row) (score.Entry, error) { return scanEntryWith(row) }

// scanEntryWith reads an entry, and what a query has beside it.
func scanEntryWith(row column.Row, more ...any) (e score.Entry, err error) {
	err = row.Scan(append([]any{&e.Venue, &e.Player, &e.Season, &e.Rules, &e.Level, &e.Wins, &e.Draws, &e.Losses, (*column.Time)(&e.Reached),
		(*column.Time)(&e.Beaten), &e.Fewest, (*column.Time)(&e.FewestAt), &e.Run, &e.Longest, (*column.Time)(&e.LongestAt), (*column.Time)(&e.Latest)}, more...)...)
	return e, err
}

func scanResult(row column.Row) (r score.Result, err error) {
	var mark, outcome, cause string
	var id match.ID
	var moves int
	err = row.Scan(&r.Player, &r.Level, &mark, &r.Rules, &outcome, &cause, (*column.Time)(&r.Ended), &id, &r.Helped, &moves)
	side := game.X
	if mark == game.O.String() {
		side = game.O
	}
	settle(&r, side, outcome, cause, moves)
	return r, err
}
