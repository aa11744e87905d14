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
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/internal/column"
)

// Scores are sums over the ended matches; the places of players on leaderboards follow from their scores. Each match counts for its
// rule set, and for all rule sets together, which are stored as an empty text.
const (
	entryColumns = `venue, player, season, rules, level, wins, draws, losses, nullif(reached, 0),
		beaten, fewest, fewest_at, run, longest, longest_at, latest`

	// The entries of the players of a match that has ended, in its season, for its rule set and for all rule sets together, and
	// their places there, in one round trip. The result always includes a row without a standing, which holds the number of the
	// season and whether the scores were reset after the match.
	selectEntriesOf = `SELECT coalesce(venue, $1), coalesce(player, ''), now.season, coalesce(rules, ''), coalesce(level, ''),
			coalesce(wins, 0), coalesce(draws, 0), coalesce(losses, 0), nullif(reached, 0),
			beaten, coalesce(fewest, 0), fewest_at, coalesce(run, 0), coalesce(longest, 0), longest_at, latest, now.reset, '', ''
		FROM (SELECT ` + seasonThen + ` AS season, EXISTS (SELECT 1 FROM score_resets WHERE venue = $1 AND at >= $2) AS reset) AS now
			LEFT JOIN scores AS s ON s.venue = $1 AND s.player IN ($3, $4) AND s.season = now.season AND s.rules IN ('', $5)
		UNION ALL SELECT s.venue, s.player, s.season, s.rules, '', 0, 0, 0, NULL, NULL, 0, NULL, 0, 0, NULL, NULL, false,
			s.leaderboard, ltrim(s.place, '~')
		FROM standings AS s WHERE s.venue = $1 AND s.player IN ($3, $4) AND s.season = ` + seasonThen + ` AND s.rules IN ('', $5)
			AND s.leaderboard <> 'rating'`
	seasonThen = `(SELECT count(*) FROM seasons WHERE venue = $1 AND began < $2)`

	entriesIn             = `SELECT ` + entryColumns + ` FROM scores WHERE venue = $1`
	selectEntriesOfPlayer = entriesIn + ` AND player = $2`
	selectPageOf          = entriesIn + ` AND player ` + oneOf2 + ` AND season = $3 AND rules = $4`

	selectAllEntriesOf = `SELECT ` + entryColumns + ` FROM scores WHERE player = $1 ORDER BY level, venue, season, rules`

	// The entries of a player, summed over all seasons.
	selectOwnEntries = `SELECT venue, player, 0, '', level, sum(wins), sum(draws), sum(losses), nullif(max(reached), 0),
			NULL, 0, NULL, 0, 0, NULL, NULL
		FROM scores WHERE player = $1 AND rules = '' GROUP BY venue, player, level ORDER BY level, venue`

	upsertEntry = `INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached,
			beaten, fewest, fewest_at, run, longest, longest_at, latest)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
		ON CONFLICT (venue, player, season, rules, level) DO UPDATE SET wins = excluded.wins, draws = excluded.draws, losses = excluded.losses,
			reached = excluded.reached, beaten = excluded.beaten, fewest = excluded.fewest, fewest_at = excluded.fewest_at,
			run = excluded.run, longest = excluded.longest, longest_at = excluded.longest_at, latest = excluded.latest`
	deleteEntry = `DELETE FROM scores WHERE venue = $1 AND player = $2 AND season = $3 AND rules = $4 AND level = $5`

	// The columns of matches that count, in the order in which the matches ended. The moves are needed only for wins over the
	// computer.
	playedColumns = `coalesce(x_player, ''), coalesce(o_player, ''), coalesce(x_level, o_level, ''), rules, outcome, cause, ended, helped,
			CASE WHEN outcome <> 'draw' AND (x_level IS NOT NULL OR o_level IS NOT NULL)
				THEN (SELECT count(*) FROM moves WHERE match = matches.id) ELSE 0 END
		FROM matches WHERE ` + counts
	playedInOrder = ` ORDER BY ended, id`
	selectPlayed  = `SELECT ` + playedColumns + ` AND {sqlite:+}venue = $1
		AND id IN (SELECT id FROM matches WHERE x_player = $2 UNION ALL SELECT id FROM matches WHERE o_player = $2)` + playedInOrder
	selectPlayedBetween = `SELECT ` + playedColumns + ` AND venue = $1 AND ended >= $2 AND ended < $3` + playedInOrder
	counts              = `outcome IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM score_resets AS r WHERE r.venue = matches.venue AND r.at >= matches.ended)`

	insertReset = `INSERT INTO score_resets (venue, at, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	selectReset = `SELECT at FROM score_resets WHERE venue = $1 AND id = $2`
	deleteReset = `DELETE FROM score_resets WHERE venue = $1 AND id = $2`

	// Marks the players of matches since a time for a recount.
	markSince = `INSERT INTO recounts (venue, player)
		SELECT venue, x_player FROM matches WHERE venue = $1 AND ended > $2 AND x_player <> 'left'
		UNION SELECT venue, o_player FROM matches WHERE venue = $1 AND ended > $2 AND o_player <> 'left'
		ON CONFLICT DO NOTHING`
	// Marks the players who have scores for a recount.
	markScored           = `INSERT INTO recounts (venue, player) SELECT DISTINCT venue, player FROM scores WHERE venue = $1 ON CONFLICT DO NOTHING`
	selectRecounts       = `SELECT player FROM recounts WHERE venue = $1 ORDER BY player LIMIT $2`
	selectAllDueRecounts = `SELECT venue FROM recounts ORDER BY venue, player LIMIT 1`
	// The number of the current season, and whether players await a recount.
	selectStale         = `SELECT (SELECT count(*) FROM seasons WHERE venue = $1), EXISTS (SELECT 1 FROM recounts WHERE venue = $1)`
	deleteRecount       = `DELETE FROM recounts WHERE venue = $1 AND player = $2`
	deleteVenueRecounts = `DELETE FROM recounts WHERE venue = $1`
	deleteVenueScores   = `DELETE FROM scores WHERE venue = $1`
	deleteScoresOf      = `DELETE FROM scores WHERE player = $1`
	deleteRecountsOf    = `DELETE FROM recounts WHERE player = $1`
	// A player awaiting a recount can be on a ladder without having scores.
	deleteStandingsOf = `DELETE FROM standings WHERE player = $1
		AND venue IN (SELECT venue FROM scores WHERE player = $1 UNION SELECT venue FROM recounts WHERE player = $1)`
)

// RecountAtOnce is the number of results after which a recount ends its transaction, so that players do not wait for long. The
// transaction completes the player whose results reach the number.
const RecountAtOnce = 500

// Leaderboard returns one page of a leaderboard. The page is empty in direct messages.
func (s *Store) Leaderboard(
	ctx context.Context, v match.Venue, b score.Board, where score.Where, own match.User,
) (p score.Page, err error) {
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
		if _, err := r.readPage(ctx, tx, where, own, &p, nil); err != nil {
			return err
		}
		p.Stale = stale
		return r.readFeats(ctx, tx, &p)
	})
	sortLevels(rowsByPlayer(&p))
	return p, Named("leaderboard").Wrap(err)
}

// Between returns the first rows of the leaderboard that follows from the matches of a time.
func (s *Store) Between(ctx context.Context, v match.Venue, of score.Leaderboard, from, to time.Time, limit int) ([]score.Row, error) {
	played := make(entries)
	off, err := readRows(ctx, s.db, Named("players off the leaderboards of %s", v), Value[match.User], selectUnrankedIn, v)
	if err != nil {
		return nil, err
	}
	off = append(off, "", match.Left)
	matches, err := readRows(ctx, s.db, Named("results in %s", v), scanResults, selectPlayedBetween, v, from.UnixMilli(), to.UnixMilli())
	for _, results := range matches {
		for _, r := range results {
			if !slices.Contains(off, r.Player) && !score.Adapts(r.Level) {
				played.entryFor(r, v, 0, "").Add(r)
			}
		}
	}
	standings := slices.SortedFunc(maps.Values(played.standings()), func(a, b *standing) int { return cmp.Compare(a.place, b.place) })
	standings = slices.DeleteFunc(standings, func(s *standing) bool { return s.of != of })
	var p score.Page
	last := ""
	for i, s := range standings[:min(len(standings), limit)] {
		row := score.Row{Rank: i + 1, Player: s.player}
		if tie := s.tie(placedRow{Row: row, place: s.place}); tie == last {
			row.Rank = p.Rows[i-1].Rank
		} else {
			last = tie
		}
		p.Rows = append(p.Rows, row)
	}
	rows := rowsByPlayer(&p)
	for _, e := range played {
		addEntry(rows, of, *e)
	}
	sortLevels(rows)
	return p.Rows, err
}

// rulesName returns the stored name of a rule set, which is empty for all rule sets together.
func rulesName(rules game.Rules) string {
	if rules == (game.Rules{}) {
		return ""
	}
	return rules.String()
}

// rowsByPlayer returns the rows of a page and the row p.Own, by player. If the page includes the player of p.Own, rowsByPlayer sets
// p.Own to the row on the page.
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

// readFeats adds the achievements of the players of a page to their rows.
func (r ranking) readFeats(ctx context.Context, tx Tx, p *score.Page) error {
	rows := rowsByPlayer(p)
	return tx.Each(ctx, func(row column.Row) error {
		e, err := scanEntry(row)
		if err == nil {
			addEntry(rows, r.of, e)
		}
		return err
	}, selectPageOf, r.venue, texts(slices.Collect(maps.Keys(rows))), r.season, r.rules)
}

// addEntry adds an entry to the row of its player, if the leaderboard counts such entries and has the row.
func addEntry(rows map[match.User]*score.Row, of score.Leaderboard, e score.Entry) {
	row := rows[e.Player]
	if row == nil || (e.Level == "") != (of == score.People) {
		return
	}
	row.Tally = row.Plus(e.Tally)
	if e.Level != "" {
		row.Levels = append(row.Levels, score.LevelTally{Level: e.Level, Tally: e.Tally, Fewest: e.Fewest, Longest: e.Longest})
	}
}

// sortLevels sorts the tallies of each row by level, the weakest first.
func sortLevels(rows map[match.User]*score.Row) {
	for _, row := range rows {
		slices.SortFunc(row.Levels, func(a, b score.LevelTally) int {
			return cmp.Or(cmp.Compare(score.Strength(a.Level), score.Strength(b.Level)), cmp.Compare(a.Level, b.Level))
		})
	}
}

// Own returns the entries of a player for all rule sets together, of every venue and all seasons, entries against people first,
// then by level.
func (s *Store) Own(ctx context.Context, p match.User) ([]score.Entry, error) {
	return readRows(ctx, s.db, Named("scores of player %s", p), scanEntry, selectOwnEntries, p)
}

// keepScores updates the scores and the ladder after a match has changed.
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
		if ladder.Counts(from) {
			return makeStale(ctx, tx, ladderOf(from), from.Ended)
		}
	}
	return nil
}

// addMatch adds a stored match, which counts from now on, to the scores and the ladder.
func addMatch(ctx context.Context, tx Tx, m match.Match) error {
	done, results := Named("scores of match %s", m.ID), score.Of(m)
	if len(results) == 0 {
		return nil
	}
	then, err := readEntries(ctx, tx, m, results)
	if err != nil {
		return done.Wrap(err)
	}
	var changes []change[standing]
	if !then.begunAnew {
		if changes, err = addScores(ctx, tx, done, m, results, then); err != nil {
			return err
		}
	}
	onLadder, err := rate(ctx, tx, m, then)
	if err != nil {
		return err
	}
	standingsTable().queue(tx, done, append(changes, onLadder...))
	return nil
}

// entries are scores by their keys.
type entries map[entryKey]*score.Entry

// entryKey is the key of a score within a venue.
type entryKey struct {
	player match.User
	season int
	rules  string
	level  string
}

func keyOfEntry(e score.Entry) entryKey { return entryKey{e.Player, e.Season, e.Rules, e.Level} }

// entryFor returns the entry to which a result is added. If there is none, it adds an empty entry.
func (es entries) entryFor(r score.Result, v match.Venue, season int, rules string) *score.Entry {
	key := entryKey{r.Player, season, rules, r.Level}
	if es[key] == nil {
		es[key] = &score.Entry{Venue: v, Season: season, Rules: rules, Player: r.Player, Level: r.Level}
	}
	return es[key]
}

// standings returns the standings that follow from all entries of some players at a venue. Direct messages have no standings.
func (es entries) standings() map[standingKey]*standing {
	byBoard := make(map[standingKey][]score.Entry)
	for _, e := range es {
		if e.Venue != "" {
			key := standingKey{ranking{venue: e.Venue, season: e.Season, rules: e.Rules}, e.Player}
			byBoard[key] = append(byBoard[key], *e)
		}
	}
	standings := make(map[standingKey]*standing)
	for key, entries := range byBoard {
		for _, s := range score.Standings(key.player, entries) {
			key.of = s.Of
			standings[key] = &standing{standingKey: key, place: s.Place}
		}
	}
	return standings
}

// entriesThen holds the entries of the players of an ended match, in its season, for its rule set and for all rule sets together,
// and their standings there.
type entriesThen struct {
	season    int
	begunAnew bool // the scores of the venue were reset after the match
	entries   entries
	standings []standing // without standings on ladders
}

func readEntries(ctx context.Context, tx Tx, m match.Match, results []score.Result) (*entriesThen, error) {
	then := &entriesThen{entries: make(entries)}
	err := tx.Each(ctx, func(row column.Row) error {
		var at standing
		var reset bool
		e, err := scanEntryWith(row, &reset, &at.of, &at.place)
		if at.of != "" {
			at.venue, at.season, at.rules, at.player = e.Venue, e.Season, e.Rules, e.Player
			then.standings = append(then.standings, at)
			return err
		}
		then.season, then.begunAnew = e.Season, reset
		if e.Player != "" {
			then.entries[keyOfEntry(e)] = &e
		}
		return err
	}, selectEntriesOf, m.Venue, m.Ended.UnixMilli(), results[0].Player, results[len(results)-1].Player, results[0].Rules)
	return then, err
}

// addScores adds the results of a match to the scores, and returns the changes of standings.
func addScores(
	ctx context.Context, tx Tx, done Outcome, m match.Match, results []score.Result, then *entriesThen,
) ([]change[standing], error) {
	var changes []change[score.Entry]
	for _, r := range results {
		for _, rules := range r.RuleSets() {
			e := then.entries.entryFor(r, m.Venue, then.season, rules)
			if e.Late(r) { // the match is against the computer, so it has no other result
				_, err := recountPlayer(ctx, tx, m.Venue, r.Player)
				return nil, err
			}
			e.Add(r)
			changes = append(changes, change[score.Entry]{should: e})
		}
	}
	scoresTable().queue(tx, done, changes)
	standings := comparison[standingKey, standing]{should: then.entries.standings(), key: standing.keyOf}
	for _, s := range then.standings {
		standings.add(s)
	}
	return standings.finish(), nil
}

// millis returns a time in Unix milliseconds, 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func scoresTable() table[score.Entry] {
	return table[score.Entry]{upsertEntry, deleteEntry, func(e score.Entry) []any {
		return []any{e.Venue, e.Player, e.Season, e.Rules, e.Level, e.Wins, e.Draws, e.Losses, millis(e.Reached),
			column.Time(e.Beaten), e.Fewest, column.Time(e.FewestAt), e.Run, e.Longest, column.Time(e.LongestAt), column.Time(e.Latest)}
	}}
}

// recountPlayer recounts the scores of a player at a venue from the matches, of all seasons and rule sets, and returns the number
// of matches.
func recountPlayer(ctx context.Context, tx Tx, v match.Venue, p match.User) (matches int, err error) {
	done := Named("count the scores of player %s anew", p)
	c, err := recountScores(ctx, tx, v, p, func() {})
	if err != nil {
		return 0, done.Wrap(err)
	}
	scoresTable().queue(tx, done, c.entries)
	standingsTable().queue(tx, done, c.standings)
	return c.matches, nil
}

// resetScores resets the scores and ladders of a venue: only matches that ended after the audit entry count. Players whose scores are not
// recounted here await their recount, because deleting the scores of 100,000 players at once would let all other writes wait.
func resetScores(ctx context.Context, tx Tx, e policy.AuditEntry) error {
	done := Named("reset %s", e.Venue)
	tx.Queue(done, insertReset, e.Venue, e.At.UnixMilli(), e.ID)
	tx.Queue(done, markScored, e.Venue)
	if err := recountSince(ctx, tx, e.Venue, e.At); err != nil {
		return err
	}
	return makeStaleSince(ctx, tx, e.Venue, e.At, selectLaddersIn)
}

// undoReset undoes a reset: matches before it count again, unless another reset excludes them.
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
	calendar, err := calendarOf(ctx, tx, v)
	if err != nil {
		return done.Wrap(err)
	}
	from, _ := calendar.resets.Span(calendar.resets.Number(at))
	if err := recountSince(ctx, tx, v, from); err != nil {
		return err
	}
	return makeStaleSince(ctx, tx, v, from, selectLaddersSince)
}

// recountSince recounts the scores of all players who have played at a venue since the given time. It recounts as many players as
// one transaction may, and leaves the others to [Store.Recount].
func recountSince(ctx context.Context, tx Tx, v match.Venue, at time.Time) error {
	tx.Queue(Named("count scores of %s anew", v), markSince, v, at.UnixMilli())
	_, err := recountSome(ctx, tx, v)
	return err
}

// recountSome recounts players of a venue who await a recount, up to [RecountAtOnce] results, and reports whether there may be more.
func recountSome(ctx context.Context, tx Tx, v match.Venue) (more bool, err error) {
	players, err := ScanRows(ctx, tx, Value[match.User], selectRecounts, v, RecountAtOnce+1)
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

// Recount recounts some of the players who await a recount, and reports whether there are more.
func (s *Store) Recount(ctx context.Context) (more bool, err error) {
	done := Named("count scores anew")
	due, err := readRows(ctx, s.db, done, Value[match.Venue], selectAllDueRecounts)
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

func scanEntry(row column.Row) (score.Entry, error) { return scanEntryWith(row) }

// scanEntryWith reads an entry, and scans the further columns of a query into more.
func scanEntryWith(row column.Row, more ...any) (e score.Entry, err error) {
	err = row.Scan(append([]any{&e.Venue, &e.Player, &e.Season, &e.Rules, &e.Level, &e.Wins, &e.Draws, &e.Losses, (*column.Time)(&e.Reached),
		(*column.Time)(&e.Beaten), &e.Fewest, (*column.Time)(&e.FewestAt), &e.Run, &e.Longest, (*column.Time)(&e.LongestAt), (*column.Time)(&e.Latest)}, more...)...)
	return e, err
}
