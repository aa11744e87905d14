package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"tictactoe/internal/ladder"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
	"tictactoe/internal/season"
	"tictactoe/store/internal/column"
)

const (
	// The matches that count for ladders, before the latest reset and after it; see [ladder.Counts].
	ratedMatches = `FROM matches WHERE stakes IN ('full', 'half') AND outcome IS NOT NULL AND cause <> 'moderator'
		AND x_player IS NOT NULL AND o_player IS NOT NULL AND venue <> ''`
	selectAllRatedMatches = `SELECT id, x_player, o_player, outcome, stakes, ended ` + ratedMatches + `
		AND venue = $1 AND rules = $2 ORDER BY ended, id`

	// The ladders that there are or should be, and how many matches each has.
	selectAllLadders = `SELECT venue, rules, max(matches) FROM (
			SELECT venue, rules, count(*) AS matches ` + ratedMatches + ` GROUP BY venue, rules
			UNION ALL SELECT DISTINCT venue, rules, 0 FROM rated
			UNION ALL SELECT DISTINCT venue, rules, 0 FROM standings WHERE leaderboard = 'rating') AS ladders
		GROUP BY venue, rules ORDER BY venue, rules`

	// In the order of the primary key, so that no other index is read beside it.
	selectAllRated     = `SELECT ` + ratedColumns + ` FROM rated AS r WHERE venue = $1 AND rules = $2 ORDER BY player, at, match`
	selectAllOnLadders = `SELECT season, player, place FROM standings WHERE venue = $1 AND rules = $2 AND leaderboard = 'rating'`

	deleteRatedRow = `DELETE FROM rated WHERE venue = $1 AND rules = $2 AND player = $3 AND at = $4 AND match = $5`
)

// ladderSize is a ladder and how many matches it has.
type ladderSize struct {
	rung
	matches int
}

func allLadders(ctx context.Context, tx Tx) (ladders []ladderSize, matches int, err error) {
	ladders, err = List(ctx, tx, func(row column.Row) (l ladderSize, err error) {
		err = row.Scan(&l.venue, &l.rules, &l.matches)
		return l, err
	}, selectAllLadders)
	for _, l := range ladders {
		matches += l.matches
	}
	return ladders, matches, err
}

// recount is a whole ladder, worked out from its matches alone, and what is stored otherwise.
type recount struct {
	on         rung
	due        []rung // from which match on it is being worked out again; what comes after may still be wrong
	boundaries season.Boundaries
	begun      breaks
	matches    []ratedMatch
	latest     map[match.User]ladder.Standing   // so far
	final      map[seasonPlayer]ladder.Standing // of every season
	met        map[seasonPair]bool              // since the ladder began anew

	// What differs, in the order of the matches.
	strays    []rated // they are of no match that counts
	wrong     []change[rated]
	standings []change[stood]

	stored [][2]keptRow                     // of each match, that of X and that of O
	kept   map[seasonPlayer]ladder.Standing // the latest as the stored rows say, where it is due
	tell   func(done int)
}

// seasonPlayer is a player in a season, seasonPair are two, in the order of their ids.
type (
	seasonPlayer struct {
		season int
		player match.User
	}
	seasonPair struct {
		season int
		first  match.User
		second match.User
	}
)

// change is what is stored and what should be; one of them is nil where there is only the other.
type change[T any] struct{ is, should *T }

// ratedMatch is what a ladder has to know of a match.
type ratedMatch struct {
	at            time.Time
	id            match.ID
	x, o          match.User
	score, weight float64 // the score is that of X
}

func scanRatedMatch(row column.Row) (m ratedMatch, err error) {
	var outcome, stakes string
	err = row.Scan(&m.id, &m.x, &m.o, &outcome, &stakes, (*column.Time)(&m.at))
	switch outcome {
	case "X":
		m.score = rating.Win
	case "O":
		m.score = rating.Loss
	case "draw":
		m.score = rating.Draw
	}
	m.weight = rating.Full.Weight()
	if stakes == "half" {
		m.weight = rating.Half.Weight()
	}
	return m, err
}

// recountLadder works a ladder out and compares. It tells how many of the matches are done.
func recountLadder(ctx context.Context, tx Tx, on rung, tell func(done int)) (*recount, error) {
	c := &recount{
		on: on, tell: tell, latest: make(map[match.User]ladder.Standing), met: make(map[seasonPair]bool),
		final: make(map[seasonPlayer]ladder.Standing), kept: make(map[seasonPlayer]ladder.Standing),
	}
	var err error
	if c.due, err = List(ctx, tx, scanRung, selectReplay, on.venue, on.rules); err != nil {
		return nil, err
	}
	if c.boundaries, err = boundariesOf(ctx, tx, on.venue); err != nil {
		return nil, err
	}
	if c.begun, err = breaksOf(ctx, tx, on.venue); err != nil {
		return nil, err
	}
	if c.matches, err = List(ctx, tx, scanRatedMatch, selectAllRatedMatches, on.venue, on.rules); err != nil {
		return nil, err
	}
	if err := c.read(ctx, tx); err != nil {
		return nil, err
	}
	for i := range c.matches {
		c.rate(i)
	}
	slices.SortFunc(c.strays, func(a, b rated) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.match, b.match), cmp.Compare(a.Player, b.Player))
	})
	return c, c.compareStandings(ctx, tx)
}

// before tells whether a match comes before another one on the ladder.
func (m ratedMatch) before(at time.Time, id match.ID) bool { return m.compare(at, id) < 0 }

func (m ratedMatch) compare(at time.Time, id match.ID) int {
	return cmp.Or(m.at.Compare(at), cmp.Compare(m.id, id))
}

// keptRow is a stored row, less what its match says too: a ladder may have millions of them.
type keptRow struct {
	opponent                       match.User // empty: there is no row
	value, deviation, volatility   float64
	otherValue, otherDeviation     float64
	wins, draws, losses, opponents int32
	score, weight                  float32
	met                            bool
}

func keptOf(r rated) keptRow {
	return keptRow{
		opponent: r.opponent, score: float32(r.score), weight: float32(r.weight), met: r.met,
		value: r.Rating.Value, deviation: r.Rating.Deviation, volatility: r.Rating.Volatility,
		otherValue: r.other.Value, otherDeviation: r.other.Deviation,
		wins: int32(r.Wins), draws: int32(r.Draws), losses: int32(r.Losses), opponents: int32(r.Opponents),
	}
}

// of is the row as it is stored, of a player of that match.
func (k keptRow) of(m ratedMatch, p match.User) rated {
	r := rated{at: m.at, match: m.id, opponent: k.opponent, score: float64(k.score), weight: float64(k.weight), met: k.met}
	r.other = rating.Rating{Value: k.otherValue, Deviation: k.otherDeviation}
	r.Player = p
	r.Rating = rating.Rating{Value: k.value, Deviation: k.deviation, Volatility: k.volatility, At: m.at}
	r.Tally = score.Tally{Wins: int(k.wins), Draws: int(k.draws), Losses: int(k.losses)}
	r.Opponents = int(k.opponents)
	return r
}

// read reads the stored rows, one player after the other, each in the order of the matches. Those of no match that counts are strays.
func (c *recount) read(ctx context.Context, tx Tx) error {
	c.stored = make([][2]keptRow, len(c.matches))
	played := c.played()
	var of match.User
	var ahead []int32 // the matches of that player that no row has come to yet
	return tx.Each(ctx, func(row column.Row) error {
		r, err := scanRated(row)
		if err != nil {
			return err
		}
		if r.Player != of {
			of = r.Player
			ahead = nil
			if by := played[of]; by != nil {
				ahead = by.matches
			}
		}
		for len(ahead) > 0 && c.matches[ahead[0]].before(r.at, r.match) {
			ahead = ahead[1:]
		}
		if len(ahead) == 0 || c.matches[ahead[0]].compare(r.at, r.match) != 0 {
			c.strays = append(c.strays, r)
		} else {
			m, side := &c.matches[ahead[0]], 0
			if m.o == r.Player {
				side = 1
			}
			if known, is := played[r.opponent]; is {
				r.opponent = known.id
			}
			c.stored[ahead[0]][side] = keptOf(r)
		}
		if len(c.due) > 0 {
			c.kept[seasonPlayer{c.boundaries.Number(r.at), r.Player}] = r.Standing
		}
		return nil
	}, selectAllRated, c.on.venue, c.on.rules)
}

// playedBy are the matches of a player, whose id is kept once however many rows it is in.
type playedBy struct {
	id      match.User
	matches []int32
}

// played are those of all players, in the order of the matches.
func (c *recount) played() map[match.User]*playedBy {
	all := make(map[match.User]*playedBy)
	for i := range c.matches {
		for _, p := range []*match.User{&c.matches[i].x, &c.matches[i].o} {
			by := all[*p]
			if by == nil {
				by = &playedBy{id: *p}
				all[*p] = by
			}
			*p = by.id
			by.matches = append(by.matches, int32(i))
		}
	}
	return all
}

// storedOf are the rows that are stored of a match.
func (c *recount) storedOf(i int) []rated {
	m, rows := c.matches[i], make([]rated, 0, 2)
	for side, p := range []match.User{m.x, m.o} {
		if k := c.stored[i][side]; k.opponent != "" {
			rows = append(rows, k.of(m, p))
		}
	}
	return rows
}

// rate works out a match and compares it with the rows that are stored of it.
func (c *recount) rate(i int) {
	m, stored := c.matches[i], c.storedOf(i)
	if i > 0 && !c.matches[i-1].at.After(c.begun.last(m.at)) {
		clear(c.met)
	}
	rows := c.rowsOf(m, stored)
	c.begun.carry(c.latest, rows)
	pending := len(c.due) > 0 && !m.before(c.due[0].at, c.due[0].match)
	changed := rateRows(c.latest, rows, c.boundaries)
	for _, r := range rows {
		c.final[seasonPlayer{c.boundaries.Number(m.at), r.Player}] = c.latest[r.Player]
	}
	for _, r := range changed {
		i := slices.IndexFunc(stored, func(is rated) bool { return is.Player == r.Player })
		if i < 0 {
			c.wrong = append(c.wrong, change[rated]{should: copied(r)})
			continue
		}
		is := stored[i]
		stored = slices.Delete(stored, i, i+1)
		if pending && is.opponent == r.opponent && is.score == r.score && is.weight == r.weight && is.met == r.met {
			continue
		}
		if is != r {
			c.wrong = append(c.wrong, change[rated]{copied(is), copied(r)})
		}
	}
	c.strays = append(c.strays, stored...)
	c.tell(i + 1)
}

// copied is a row that stays: nearly all do not, so that they need no memory of their own.
func copied(r rated) *rated { return &r }

// rowsOf are the rows that a match should have, not yet worked out. What was known of an opponent who has left is in no match; it
// stays as it is stored, and where nothing is, it is what is known of a newcomer.
func (c *recount) rowsOf(m ratedMatch, stored []rated) []rated {
	rows := make([]rated, 0, 2)
	pair := seasonPair{c.boundaries.Number(m.at), min(m.x, m.o), max(m.x, m.o)}
	met := !c.met[pair]
	for _, side := range []struct {
		player, opponent match.User
		score            float64
	}{{m.x, m.o, m.score}, {m.o, m.x, rating.Win - m.score}} {
		if side.player == match.Left {
			continue
		}
		r := rated{at: m.at, match: m.id, opponent: side.opponent, score: side.score, weight: m.weight, met: met}
		r.Player = side.player
		if side.opponent == match.Left {
			r.met, r.other = true, nobody()
			for _, is := range stored {
				if is.Player == r.Player {
					r.met, r.other = is.met, is.other
				}
			}
		}
		rows = append(rows, r)
	}
	if len(rows) == 2 {
		c.met[pair] = true
	}
	return rows
}

// compareStandings compares where everybody stands in a season with the last match of each in it since the ladder began anew. Of a ladder
// that is being worked out again that is the last one as it is stored, and who does not stand there yet may be on the way.
func (c *recount) compareStandings(ctx context.Context, tx Tx) error {
	should := c.final
	if len(c.due) > 0 {
		should = c.kept
	}
	last := c.begun.last(endOfTime)
	maps.DeleteFunc(should, func(_ seasonPlayer, s ladder.Standing) bool { return !s.Rating.At.After(last) })
	err := tx.Each(ctx, func(row column.Row) error {
		is := stood{ranking: c.on.in(0)}
		if err := row.Scan(&is.season, &is.player, &is.place); err != nil {
			return err
		}
		of := seasonPlayer{is.season, is.player}
		s, there := should[of]
		delete(should, of)
		if !there {
			c.standings = append(c.standings, change[stood]{is: &is})
		} else if place := s.Place(); is.place != place {
			at := is
			at.place = place
			c.standings = append(c.standings, change[stood]{&is, &at})
		}
		return nil
	}, selectAllOnLadders, c.on.venue, c.on.rules)
	for of, s := range should {
		if len(c.due) > 0 {
			break
		}
		at := c.on.in(of.season).nowhere(of.player)
		at.place = s.Place()
		c.standings = append(c.standings, change[stood]{should: &at})
	}
	return err
}

// corrections is how many rows are wrong.
func (c *recount) corrections() int { return len(c.strays) + len(c.wrong) + len(c.standings) }

// correct writes what differs.
func (c *recount) correct(ctx context.Context, tx Tx) error {
	done := Named("rebuild a ladder of %s", c.on.venue)
	queued := 0
	var err error
	queue := func(statement string, args ...any) {
		if statement == insertRated || statement == upsertStanding {
			tx.QueueRows(done, statement, args)
		} else {
			tx.Queue(done, statement, args...)
		}
		if queued++; queued%ReplayAtOnce == 0 && err == nil { // what waits takes memory
			err = tx.Flush(ctx)
		}
	}
	deleteRow := func(r rated) {
		queue(deleteRatedRow, c.on.venue, c.on.rules, r.Player, r.at.UnixMilli(), r.match)
	}
	for _, r := range c.strays {
		deleteRow(r)
	}
	for _, r := range c.wrong {
		if r.is != nil {
			deleteRow(*r.is)
		}
		queue(insertRated, append([]any{c.on.venue, c.on.rules}, r.should.columns()...)...)
	}
	for _, s := range c.standings {
		if s.should == nil {
			queue(deleteStanding, s.is.args(s.is.player)...)
		} else {
			queue(upsertStanding, s.should.args(s.should.player, s.should.place)...)
		}
	}
	if len(c.standings) > 0 {
		queue(deleteVenueBuckets, c.on.venue)
		queue(countVenueBuckets, c.on.venue)
	}
	return err
}

// rebuildLadders works all ladders out from their matches, each in a transaction of its own, and puts right what differs.
func (s *Store) rebuildLadders(ctx context.Context, progress column.Progress) (corrected int, err error) {
	var ladders []ladderSize
	var all int
	err = s.db.Read(ctx, func(ctx context.Context, tx Tx) error {
		ladders, all, err = allLadders(ctx, tx)
		return err
	})
	before := 0
	for _, l := range ladders {
		if err != nil {
			break
		}
		wrong := 0
		err = s.db.Write(ctx, Kind{Locks: []Lock{ofScores(l.venue)}, Long: true}, func(ctx context.Context, tx Tx) error {
			on := rung{venue: l.venue, rules: l.rules, at: endOfTime}
			for ended := false; !ended; {
				var err error
				if ended, err = replay(ctx, tx, on); err != nil {
					return err
				}
			}
			c, err := recountLadder(ctx, tx, on, func(done int) { progress.Say(before+done, all) })
			if err != nil {
				return err
			}
			wrong = c.corrections()
			return c.correct(ctx, tx)
		})
		before += l.matches
		corrected += wrong
	}
	return corrected, err
}

// maxWrongRows is how many rows of a ladder a report names: one match too many changes all that come after it.
const maxWrongRows = 100

// checkLadders compares all ladders with their matches.
func checkLadders(ctx context.Context, tx Tx, r *column.Report) error {
	ladders, _, err := allLadders(ctx, tx)
	if err != nil {
		return err
	}
	for _, l := range ladders {
		c, err := recountLadder(ctx, tx, l.rung, func(int) {})
		if err != nil {
			return err
		}
		c.report(r)
	}
	return nil
}

func (c *recount) report(r *column.Report) {
	name := fmt.Sprintf("%s in %s", c.on.rules, c.on.venue)
	told := 0
	found := func(where, what string, args ...any) {
		if told++; told <= maxWrongRows {
			r.Found(where+" on the ladder of "+name, column.RebuildScores, what, args...)
		}
	}
	for _, is := range c.strays {
		found(fmt.Sprintf("match %s", is.match), "player %s is rated by it, and it does not count", is.Player)
	}
	for _, row := range c.wrong {
		where := fmt.Sprintf("match %s", row.should.match)
		if row.is == nil {
			found(where, "it counts, and player %s is not rated by it", row.should.Player)
		} else {
			found(where, "for player %s it says: %s; the matches say: %s", row.should.Player, row.is.words(), row.should.words())
		}
	}
	for _, s := range c.standings {
		found(fmt.Sprintf("standing of player %s", s.either().player), "%s", wrongPlace(s, "matches"))
	}
	if more := told - maxWrongRows; more > 0 {
		r.Found("ladder of "+name, column.RebuildScores, "%d more of its rows are wrong", more)
	}
}

// words say what is in a row, all that may be wrong.
func (r rated) words() string {
	first := ""
	if r.met {
		first = " for the first time"
	}
	return fmt.Sprintf("%v of %v against %s (%v±%v)%s, then %s",
		r.score*r.weight, r.weight, r.opponent, r.other.Value, r.other.Deviation, first, words(r.Standing))
}

func words(s ladder.Standing) string {
	return fmt.Sprintf("%v±%v, volatility %v, %d won, %d drawn, %d lost, %d opponents",
		s.Rating.Value, s.Rating.Deviation, s.Rating.Volatility, s.Wins, s.Draws, s.Losses, s.Opponents)
}
