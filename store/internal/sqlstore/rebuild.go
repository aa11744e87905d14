package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
	"tictactoe/store/internal/column"
)

const (
	// The boards that do not know which version they have to show, which is the later of their challenge's and their match's.
	versionOfBoard = `(SELECT max(version) FROM (
			SELECT version FROM matches WHERE id = boards.id UNION ALL SELECT version FROM challenges WHERE id = boards.id) AS versions)`
	selectAllWrongBoards = `SELECT 'board ' || id FROM boards WHERE latest <> ` + versionOfBoard
	correctAllBoards     = `UPDATE boards SET latest = ` + versionOfBoard + ` WHERE latest <> ` + versionOfBoard
	// Other bots wait with saving: a version must not change between being read and being written to its board.
	lockBoards = `{postgres:LOCK TABLE boards IN SHARE ROW EXCLUSIVE MODE}`

	// The venues that have scores, or should have some.
	selectAllScoredVenues = `SELECT DISTINCT venue FROM matches WHERE outcome IS NOT NULL UNION SELECT DISTINCT venue FROM scores
		UNION SELECT DISTINCT venue FROM standings ORDER BY venue`

	selectAllPlayed = `SELECT coalesce(x_player, ''), coalesce(o_player, ''), coalesce(x_level, o_level, ''), ` + playedColumns + `
		FROM matches WHERE venue = $1 AND ` + counts + ` ORDER BY ended, id`
	countAllScored     = `SELECT count(*) FROM matches WHERE ` + counts
	selectAllEntries   = `SELECT ` + entryColumns + ` FROM scores WHERE venue = $1 ORDER BY player, season, rules, level`
	selectAllStandings = `SELECT season, rules, leaderboard, player, place FROM standings WHERE venue = $1 AND leaderboard <> 'rating' ORDER BY season, rules, leaderboard, place`
	selectAllRecounts  = `SELECT player FROM recounts WHERE venue = $1`
)

// scoreRecount is what is wrong with the scores of a venue, compared with its matches. Those who are due to be counted anew are
// passed over.
type scoreRecount struct {
	venue     match.Venue
	due       map[match.User]bool
	should    map[entryKey]*score.Entry
	entries   []change[score.Entry]
	standings []change[stood]
}

// recountScores counts the scores of a venue anew and compares. It tells how many matches more are done.
func recountScores(ctx context.Context, tx Tx, v match.Venue, tell func(matches int)) (*scoreRecount, error) {
	c := &scoreRecount{venue: v, due: make(map[match.User]bool), should: make(map[entryKey]*score.Entry)}
	due, err := List(ctx, tx, Value[match.User], selectAllRecounts, v)
	if err != nil {
		return nil, err
	}
	for _, p := range due {
		c.due[p] = true
	}
	if err := c.count(ctx, tx, tell); err != nil {
		return nil, err
	}
	standings := c.shouldStand()
	if err := c.compareEntries(ctx, tx); err != nil {
		return nil, err
	}
	return c, c.compareStandings(ctx, tx, standings)
}

// count adds up the matches.
func (c *scoreRecount) count(ctx context.Context, tx Tx, tell func(matches int)) error {
	began, err := boundariesOf(ctx, tx, c.venue)
	if err != nil {
		return err
	}
	var players [2]match.User
	var outcome, cause, id string
	var moves int
	var r score.Result
	columns := []any{(*string)(&players[0]), (*string)(&players[1]), &r.Level, &r.Rules, &outcome, &cause, (*column.Time)(&r.Ended), &id,
		&r.Helped, (*column.Int)(&moves)}
	return tx.Each(ctx, func(row column.Row) error {
		err := row.Scan(columns...)
		for i, mark := range []game.Mark{game.X, game.O} {
			r.Player = players[i]
			if r.Player == "" || r.Player == match.Left || c.due[r.Player] {
				continue
			}
			settle(&r, mark, outcome, cause, moves)
			for _, rules := range []string{"", r.Rules} {
				c.entry(entryKey{r.Player, began.Number(r.Ended), rules, r.Level}).Add(r)
			}
		}
		tell(1)
		return err
	}, selectAllPlayed, c.venue)
}

// entryKey is what tells the scores of a venue apart.
type entryKey struct {
	player match.User
	season int
	rules  string
	level  string
}

// entry is what the matches so far add up to.
func (c *scoreRecount) entry(k entryKey) *score.Entry {
	e := c.should[k]
	if e == nil {
		e = &score.Entry{Venue: c.venue, Season: k.season, Rules: k.rules, Player: k.player, Level: k.level}
		c.should[k] = e
	}
	return e
}

// settle says what a match was for the player with that mark.
func settle(r *score.Result, mark game.Mark, outcome, cause string, moves int) {
	r.Called = cause == "moderator"
	r.Moves = score.OwnMoves(moves, mark)
	switch outcome {
	case mark.String():
		r.Outcome = score.Win
	case "draw":
		r.Outcome = score.Draw
	default:
		r.Outcome = score.Loss
	}
}

// shouldStand says where everybody should stand. In direct messages nobody does.
func (c *scoreRecount) shouldStand() map[stood]string {
	if c.venue == "" {
		return nil
	}
	var entries []score.Entry
	for _, e := range c.should {
		entries = append(entries, *e)
	}
	return placesOf(entries)
}

func (c *scoreRecount) compareEntries(ctx context.Context, tx Tx) error {
	err := tx.Each(ctx, func(row column.Row) error {
		is, err := scanEntry(row)
		if err != nil || c.due[is.Player] {
			return err
		}
		key := entryKey{is.Player, is.Season, is.Rules, is.Level}
		should := c.should[key]
		delete(c.should, key)
		if should == nil || *should != is {
			c.entries = append(c.entries, change[score.Entry]{&is, should})
		}
		return nil
	}, selectAllEntries, c.venue)
	for _, missing := range c.should {
		c.entries = append(c.entries, change[score.Entry]{nil, missing})
	}
	return err
}

func (c *scoreRecount) compareStandings(ctx context.Context, tx Tx, should map[stood]string) error {
	err := tx.Each(ctx, func(row column.Row) error {
		is := stood{ranking: ranking{venue: c.venue}}
		err := row.Scan(&is.season, &is.rules, &is.of, &is.player, &is.place)
		if err != nil || c.due[is.player] {
			return err
		}
		at := is
		at.place = ""
		place, there := should[at]
		delete(should, at)
		if is.place != place {
			wrong := change[stood]{is: &is}
			if there {
				at.place = place
				wrong.should = &at
			}
			c.standings = append(c.standings, wrong)
		}
		return nil
	}, selectAllStandings, c.venue)
	for at, place := range should {
		at.place = place
		c.standings = append(c.standings, change[stood]{should: &at})
	}
	return err
}

// corrections is how many rows are wrong.
func (c *scoreRecount) corrections() int { return len(c.entries) + len(c.standings) }

// correct writes what differs.
func (c *scoreRecount) correct(ctx context.Context, tx Tx) error {
	done := Named("rebuild the scores of %s", c.venue)
	err := inParts(ctx, tx, c.entries, func(e change[score.Entry]) {
		if e.should == nil {
			tx.Queue(done, deleteEntry, e.is.Venue, e.is.Player, e.is.Season, e.is.Rules, e.is.Level)
		} else {
			writeEntries(tx, done, *e.should)
		}
	})
	if err != nil {
		return err
	}
	return correctStandings(ctx, tx, done, c.standings)
}

func correctStandings(ctx context.Context, tx Tx, done Outcome, wrong []change[stood]) error {
	return inParts(ctx, tx, wrong, func(s change[stood]) { correctStanding(tx, done, s) })
}

func correctStanding(tx Tx, done Outcome, s change[stood]) {
	if s.should == nil {
		tx.Queue(done, deleteStanding, s.is.args(s.is.player)...)
	} else {
		tx.QueueRows(done, upsertStanding, movement{*s.should, s.should.place, s.should.led}.row())
	}
}

// RebuildBoards lets boards know which version they have to show where they do not, so that they are redrawn, and reports how many did not: none,
// unless something other than a store has written to the database, or a version of this program that forgot them when players left.
func (s *Store) RebuildBoards(ctx context.Context) (corrected int, err error) {
	done := Named("rebuild the boards")
	return written(ctx, s.db, Kind{Long: true}, done, func(ctx context.Context, tx Tx) (int, error) {
		tx.Queue(done, lockBoards)
		return tx.Exec(ctx, correctAllBoards)
	})
}

// RebuildScores compares all scores and ladders with the ended matches, and counts those of a venue anew where they differ. Reviews
// that cannot be right are forgotten, so that they are made again. It reports how many rows did: none, unless something other than a
// store has written to the database. Other processes wait with saving meanwhile; nothing must be saved through the same
// store. The progress counts matches. One that is rated counts in three parts: when its score is counted, when it is rated, and when its rows
// are written or found right.
func (s *Store) RebuildScores(ctx context.Context, progress column.Progress) (corrected int, err error) {
	done := Named("rebuild the scores")
	err = s.db.Write(ctx, Kind{Long: true}, func(ctx context.Context, tx Tx) error {
		corrected, err = tx.Exec(ctx, forgetAllWrongVerdicts)
		return err
	})
	if err != nil {
		return 0, done.Wrap(err)
	}
	ladders, matches, parts, err := s.toRebuild(ctx)
	var telling sync.Mutex
	told := 0
	tell := func(n int) {
		telling.Lock()
		defer telling.Unlock()
		told = min(told+n, parts) // a transaction that is run again tells again
		progress.Say(matches*told/max(parts, 1), matches)
	}
	for _, v := range slices.Sorted(maps.Keys(ladders)) {
		if err != nil {
			break
		}
		var wrong int
		wrong, err = s.rebuildVenue(ctx, v, ladders[v], tell)
		corrected += wrong
	}
	return corrected, done.Wrap(err)
}

// toRebuild returns the venues that have scores or should have some, with their ladders; how many matches count for scores; and in how many parts
// the work on them is told.
func (s *Store) toRebuild(ctx context.Context) (ladders map[match.Venue][]ladderSize, matches, parts int, err error) {
	err = s.db.ReadLong(ctx, func(ctx context.Context, tx Tx) error {
		ladders = make(map[match.Venue][]ladderSize)
		venues, err := List(ctx, tx, Value[match.Venue], selectAllScoredVenues)
		if err != nil {
			return err
		}
		for _, v := range venues {
			ladders[v] = nil
		}
		sizes, rated, err := allLadders(ctx, tx)
		if err != nil {
			return err
		}
		for _, l := range sizes {
			ladders[l.venue] = append(ladders[l.venue], l)
		}
		matches, err = Value[int](tx.Row(ctx, countAllScored))
		parts = matches + 2*rated
		return err
	})
	return ladders, matches, parts, err
}

// rebuildVenue puts right what differs in a venue. The scores are counted while the ladders are worked out.
func (s *Store) rebuildVenue(ctx context.Context, v match.Venue, ladders []ladderSize, tell func(matches int)) (corrected int, err error) {
	kind := Kind{Locks: []Lock{ofScores(v)}, Long: true, Bulk: true}
	err = s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) (err error) { // it has to be committed before the other connection looks
		for more := true; more && err == nil; {
			more, err = recountSome(ctx, tx, v)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	err = s.db.Write(ctx, kind, func(ctx context.Context, tx Tx) error {
		if err := tx.Flush(ctx); err != nil { // from now on the scores stay as the other connection sees them
			return err
		}
		var scores *scoreRecount
		var counting errgroup.Group
		counting.Go(func() error {
			return s.db.ReadLong(ctx, func(ctx context.Context, tx Tx) (err error) {
				scores, err = recountScores(ctx, tx, v, tell)
				return err
			})
		})
		wrong, err := rebuildLadders(ctx, tx, ladders, tell)
		if err := cmp.Or(counting.Wait(), err); err != nil {
			return err
		}
		if err := scores.correct(ctx, tx); err != nil {
			return err
		}
		corrected = wrong + scores.corrections()
		return nil
	})
	return corrected, err
}

// rebuildLadders works ladders out from their matches, and puts right what differs.
func rebuildLadders(ctx context.Context, tx Tx, ladders []ladderSize, tell func(matches int)) (corrected int, err error) {
	for _, l := range ladders {
		wrong, err := rebuildLadder(ctx, tx, l, tell)
		if err != nil {
			return corrected, err
		}
		corrected += wrong
	}
	return corrected, nil
}

// rebuildLadder works a ladder out from its matches, and puts right what differs. It tells of all matches twice.
func rebuildLadder(ctx context.Context, tx Tx, l ladderSize, tell func(matches int)) (corrected int, err error) {
	c, err := recountLadder(ctx, tx, l, tell)
	if err != nil {
		return 0, err
	}
	corrected = c.corrections()
	told := 0
	for n := 0; n < corrected; n += queuedAtOnce {
		c.queue(tx, n, n+queuedAtOnce)
		if err := tx.Flush(ctx); err != nil {
			return 0, err
		}
		share := len(c.matches) * min(n+queuedAtOnce, corrected) / corrected
		tell(share - told)
		told = share
	}
	tell(len(c.matches) - told)
	tx.Queue(Named("rebuild a ladder of %s", l.venue), deleteReplay, l.venue, l.rules)
	return corrected, nil
}

// checkScores compares all scores with their matches.
func checkScores(ctx context.Context, tx Tx, r *column.Report) error {
	venues, err := List(ctx, tx, Value[match.Venue], selectAllScoredVenues)
	if err != nil {
		return err
	}
	for _, v := range venues {
		c, err := recountScores(ctx, tx, v, func(int) {})
		if err != nil {
			return err
		}
		c.report(r)
	}
	return nil
}

func (c *scoreRecount) report(r *column.Report) {
	slices.SortFunc(c.entries, func(a, b change[score.Entry]) int { return strings.Compare(nameOf(a.either()), nameOf(b.either())) })
	for _, e := range c.entries {
		r.Found(nameOf(e.either()), column.RebuildScores, "%s", differenceOf(e))
	}
	slices.SortFunc(c.standings, func(a, b change[stood]) int {
		x, y := a.either(), b.either()
		return cmp.Or(x.compare(y.ranking), cmp.Compare(x.player, y.player))
	})
	for _, s := range c.standings {
		r.Found(fmt.Sprintf("standing of player %s on %s", s.either().player, s.either().name()), column.RebuildScores, "%s", wrongPlace(s, "scores"))
	}
}

// wrongPlace says in which way a standing differs from what the matches or scores lead to.
func wrongPlace(s change[stood], leaders string) string {
	switch {
	case s.should == nil:
		return fmt.Sprintf("the %s do not lead to it", leaders)
	case s.is == nil:
		return fmt.Sprintf("it is missing; the %s lead to place %s", leaders, s.should.place)
	case s.is.place == s.should.place:
		return fmt.Sprintf("it says: %s; the %s say: %s", words(s.is.led), leaders, words(s.should.led))
	default:
		return fmt.Sprintf("it is at place %s; the %s lead to place %s", s.is.place, leaders, s.should.place)
	}
}

// either is what should be, or else what is.
func (c change[T]) either() T {
	if c.should != nil {
		return *c.should
	}
	return *c.is
}

// differenceOf says in which way a score is wrong.
func differenceOf(e change[score.Entry]) string {
	var is, should score.Entry
	if e.should != nil {
		should = *e.should
	}
	if e.is == nil {
		return fmt.Sprintf("it is missing; the matches say %d won, %d drawn, %d lost", should.Wins, should.Draws, should.Losses)
	}
	is = *e.is
	what := fmt.Sprintf("%d won, %d drawn, %d lost; the matches say %d, %d and %d",
		is.Wins, is.Draws, is.Losses, should.Wins, should.Draws, should.Losses)
	switch {
	case is.Tally != should.Tally:
	case !is.Reached.Equal(should.Reached):
		what += ", reached at another time"
	default:
		what += fmt.Sprintf("; fewest moves %s, longest run of draws %s", feats(is), feats(should))
	}
	return what
}

func feats(e score.Entry) string {
	return fmt.Sprintf("%d at %d, %d at %d, now %d at %d, beaten at %d",
		e.Fewest, millis(e.FewestAt), e.Longest, millis(e.LongestAt), e.Run, millis(e.Latest), millis(e.Beaten))
}

// nameOf names a score.
func nameOf(e score.Entry) string {
	name := "score of player " + string(e.Player)
	if e.Level != "" {
		name += " against " + e.Level
	}
	if e.Rules != "" {
		name += " on " + e.Rules
	}
	if e.Venue != "" {
		name += " in " + string(e.Venue)
	}
	if e.Season > 0 {
		name += fmt.Sprintf(", season %d", e.Season)
	}
	return name
}

// name names a leaderboard.
func (r ranking) name() string {
	name := fmt.Sprintf("leaderboard %s of %s", r.of, r.venue)
	if r.rules != "" {
		name += " on " + r.rules
	}
	if r.season > 0 {
		name += fmt.Sprintf(", season %d", r.season)
	}
	return name
}

func (r ranking) compare(s ranking) int {
	return cmp.Or(cmp.Compare(r.season, s.season), cmp.Compare(r.rules, s.rules), cmp.Compare(r.of, s.of))
}
