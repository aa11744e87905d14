package sqlstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/store/internal/column"
)

const (
	// The matches that count for ladders, before the latest reset and after it; see [ladder.Counts].
	ratedMatches = `FROM matches WHERE ` + rateable + ` AND cause <> 'moderator'
		AND x_player IS NOT NULL AND o_player IS NOT NULL AND venue <> ''`
	selectAllRatedMatches = `SELECT id, x_player, o_player, outcome, stakes, ended ` + ratedMatches + `
		AND venue = $1 AND rules = $2 AND (ended, id) > ($3, $4) ORDER BY ended, id`

	// The ladders that there are or should be, and how many matches each has.
	selectAllLadders = `SELECT venue, rules, max(matches) FROM (
			SELECT venue, rules, count(*) AS matches ` + ratedMatches + ` GROUP BY venue, rules
			UNION ALL SELECT DISTINCT venue, rules, 0 FROM rated
			UNION ALL SELECT DISTINCT venue, rules, 0 FROM standings WHERE leaderboard = 'rating') AS ladders
		GROUP BY venue, rules ORDER BY venue, rules`

	// In the order of the primary key, so that no other index is read beside it.
	selectAllRated     = `SELECT ` + ratedColumns + ` FROM rated AS r WHERE venue = $1 AND rules = $2 ORDER BY player, at, match`
	selectAllOnLadders = `SELECT season, player, place, ` + leadingColumns + ` FROM standings WHERE venue = $1 AND rules = $2 AND leaderboard = 'rating'`

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

// recount is a whole ladder, worked out from its matches alone, and how the stored rows differ. A million matches have two million rows, so
// players are numbers, and what is kept of each row has no pointer: that spares the garbage collector.
type recount struct {
	on         rung
	boundaries season.Boundaries
	begun      breaks
	people     people
	players    []match.User // those of the matches, by their numbers: while they are rated, the stored rows may name more people
	matches    []ratedMatch
	latest     []ladder.Standing                // so far, by the numbers of the players
	final      map[seasonPlayer]ladder.Standing // of every season
	met        map[uint64]bool                  // pairs that have met in this season and since the ladder began anew; the smaller number is the upper half

	stored [][2]keptRow  // of each match, that of X and that of O
	read   chan struct{} // closed when all stored rows have been read
	should [][2]keptRow  // as they should be
	tell   func(matches int)

	// What differs, in the order of the matches.
	strays    []rated // they are of no match that counts
	wrong     []rowOfMatch
	inOrder   []uint64 // the wrong ones as they are written; see wrongByPlayer
	standings []change[stood]
}

// rowOfMatch is the row of the player on that side of a match.
type rowOfMatch struct{ match, side int32 }

// seasonPlayer is a player in a season.
type seasonPlayer struct {
	season int
	player match.User
}

// change is what is stored and what should be; one of them is nil where there is only the other.
type change[T any] struct{ is, should *T }

// people are players, who have numbers from 0 on in the order in which they have come. The first is [match.Left].
type people struct {
	ids     []match.User
	numbers map[match.User]int32
}

// left is the number of [match.Left].
const left = 0

func newPeople() people {
	return people{ids: []match.User{match.Left}, numbers: map[match.User]int32{match.Left: left}}
}

func (p *people) number(id match.User) int32 {
	n, known := p.numbers[id]
	if !known {
		n = int32(len(p.ids))
		p.ids = append(p.ids, id)
		p.numbers[id] = n
	}
	return n
}

// ratedMatch is what a ladder has to know of a match.
type ratedMatch struct {
	ended   int64 // in unix milliseconds
	id      match.ID
	players [2]int32 // X and O
	score   float32  // that of X
	weight  float32
}

func (m *ratedMatch) at() time.Time { return time.UnixMilli(m.ended).UTC() }

// compare is how a match and another one follow each other on the ladder.
func (m *ratedMatch) compare(ended int64, id match.ID) int {
	return cmp.Or(cmp.Compare(m.ended, ended), cmp.Compare(m.id, id))
}

// readMatches reads the matches that count, those that come after the ones that have been read.
func (c *recount) readMatches(ctx context.Context, tx Tx) error {
	after, last := int64(math.MinInt64+1), match.ID("")
	if n := len(c.matches); n > 0 {
		after, last = c.matches[n-1].ended, c.matches[n-1].id
	}
	var m ratedMatch
	var x, o match.User
	var outcome, stakes string
	columns := []any{(*string)(&m.id), (*string)(&x), (*string)(&o), &outcome, &stakes, &m.ended}
	return tx.Each(ctx, func(row column.Row) error {
		err := row.Scan(columns...)
		m.players = [2]int32{c.people.number(x), c.people.number(o)}
		switch outcome {
		case "X":
			m.score = rating.Win
		case "O":
			m.score = rating.Loss
		case "draw":
			m.score = rating.Draw
		}
		m.weight = float32(rating.Full.Weight())
		if stakes == "half" {
			m.weight = float32(rating.Half.Weight())
		}
		c.matches = append(c.matches, m)
		return err
	}, selectAllRatedMatches, c.on.venue, c.on.rules, after, last)
}

// recountLadder works a ladder out and compares. It tells how many matches more are done.
func recountLadder(ctx context.Context, tx Tx, of ladderSize, tell func(matches int)) (*recount, error) {
	on := of.rung
	c := &recount{
		on: on, tell: tell, matches: make([]ratedMatch, 0, of.matches), people: newPeople(), met: make(map[uint64]bool),
		final: make(map[seasonPlayer]ladder.Standing), read: make(chan struct{}),
	}
	var err error
	if c.boundaries, err = boundariesOf(ctx, tx, on.venue); err != nil {
		return nil, err
	}
	if c.begun, err = breaksOf(ctx, tx, on.venue); err != nil {
		return nil, err
	}
	if err := c.readMatches(ctx, tx); err != nil {
		return nil, err
	}
	c.stored, c.should = make([][2]keptRow, len(c.matches)), make([][2]keptRow, len(c.matches))
	c.players = c.people.ids
	var rate sync.WaitGroup
	rate.Go(c.rateAll)
	err = c.readRows(ctx, tx)
	rate.Wait()
	if err != nil {
		return nil, err
	}
	c.compareRows()
	c.inOrder = c.wrongByPlayer()
	slices.SortFunc(c.strays, func(a, b rated) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.match, b.match), cmp.Compare(a.Player, b.Player))
	})
	return c, c.compareStandings(ctx, tx)
}

// keptRow is a row of a match, less what its match says too.
type keptRow struct {
	there                          bool
	met                            bool
	score, weight                  float32
	opponent                       int32
	wins, draws, losses, opponents int32
	value, deviation, volatility   float64
	otherValue, otherDeviation     float64
}

func keptOf(r *rated, opponent int32) keptRow {
	return keptRow{
		there: true, opponent: opponent, score: float32(r.score), weight: float32(r.weight), met: r.met,
		value: r.Rating.Value, deviation: r.Rating.Deviation, volatility: r.Rating.Volatility,
		otherValue: r.other.Value, otherDeviation: r.other.Deviation,
		wins: int32(r.Wins), draws: int32(r.Draws), losses: int32(r.Losses), opponents: int32(r.Opponents),
	}
}

// sameMatch tells whether rows say the same of what was played.
func (k keptRow) sameMatch(l keptRow) bool {
	return k.opponent == l.opponent && k.score == l.score && k.weight == l.weight && k.met == l.met
}

// in is what is kept of a row in one of the two lists.
func (r rowOfMatch) in(rows [][2]keptRow) *keptRow { return &rows[r.match][r.side] }

// row is a row of the table; nil if there is none.
func (c *recount) row(of rowOfMatch, k *keptRow) *rated {
	if !k.there {
		return nil
	}
	m := &c.matches[of.match]
	r := &rated{at: m.at(), match: m.id, opponent: c.people.ids[k.opponent], score: float64(k.score), weight: float64(k.weight), met: k.met}
	r.other = rating.Rating{Value: k.otherValue, Deviation: k.otherDeviation}
	r.Player = c.people.ids[m.players[of.side]]
	r.Rating = rating.Rating{Value: k.value, Deviation: k.deviation, Volatility: k.volatility, At: r.at}
	r.Tally = score.Tally{Wins: int(k.wins), Draws: int(k.draws), Losses: int(k.losses)}
	r.Opponents = int(k.opponents)
	return r
}

// change is a wrong row as it is and as it should be.
func (c *recount) change(w rowOfMatch) change[rated] {
	return change[rated]{c.row(w, w.in(c.stored)), c.row(w, w.in(c.should))}
}

// readRows reads the stored rows, one player after the other, each in the order of the matches. Those of no match that counts are strays.
func (c *recount) readRows(ctx context.Context, tx Tx) error {
	defer close(c.read)
	played := c.played()
	var of match.User
	var number int32
	var ahead []int32 // the matches of that player that no row has come to yet
	var r rated
	columns := r.dest()
	return tx.Each(ctx, func(row column.Row) error {
		if err := row.Scan(columns...); err != nil {
			return err
		}
		if r.Player != of {
			of, number, ahead = r.Player, c.people.number(r.Player), nil
			if int(number) < len(played) {
				ahead = played[number]
			}
		}
		ended, order := r.at.UnixMilli(), -1
		for len(ahead) > 0 {
			if order = c.matches[ahead[0]].compare(ended, r.match); order >= 0 {
				break
			}
			ahead = ahead[1:]
		}
		if order != 0 {
			c.strays = append(c.strays, r)
		} else {
			side := 0
			if c.matches[ahead[0]].players[1] == number {
				side = 1
			}
			c.stored[ahead[0]][side] = keptOf(&r, c.people.number(r.opponent))
		}
		return nil
	}, selectAllRated, c.on.venue, c.on.rules)
}

// played are the matches of each player, in their order. Of one who has left there are none.
func (c *recount) played() [][]int32 {
	all := make([][]int32, len(c.people.ids))
	for i := range c.matches {
		for _, p := range c.matches[i].players {
			if p != left {
				all[p] = append(all[p], int32(i))
			}
		}
	}
	return all
}

// rateAll works the matches out one after the other.
func (c *recount) rateAll() {
	c.latest = make([]ladder.Standing, len(c.players))
	for i, id := range c.players {
		c.latest[i] = *newcomer(id)
	}
	for i := range c.matches {
		c.rate(int32(i))
		c.tell(1)
	}
	for i := range c.latest {
		c.finish(&c.latest[i])
	}
}

// finish notes how a player stands at the end of the season of the latest match, if there is one.
func (c *recount) finish(s *ladder.Standing) {
	if !s.Rating.At.IsZero() {
		c.final[seasonPlayer{c.boundaries.Number(s.Rating.At), s.Player}] = *s
	}
}

// rate works out a match.
func (c *recount) rate(i int32) {
	m := &c.matches[i]
	at := m.at()
	if i > 0 {
		before := c.matches[i-1].at()
		if !before.After(c.begun.last(at)) || len(c.boundaries.Between(before, at)) > 0 {
			clear(c.met)
		}
	}
	var rows [2]rated
	var players [2]*ladder.Standing
	var sides [2]int32
	n := 0
	first := c.firstTime(m.players)
	for side, p := range m.players {
		if p == left {
			continue
		}
		players[n], sides[n] = &c.latest[p], int32(side)
		rows[n] = c.rowOf(i, side, first)
		if len(c.boundaries.Between(players[n].Rating.At, at)) > 0 {
			c.finish(players[n])
		}
		n++
	}
	c.begun.carry(players[:n], at)
	rateRows(rows[:n], players[:n], c.boundaries)
	for j := range n {
		c.should[i][sides[j]] = keptOf(&rows[j], m.players[1-sides[j]])
	}
}

// compareRows finds the stored rows that are wrong.
func (c *recount) compareRows() {
	for i := range c.matches {
		for side := range c.should[i] {
			is, should := &c.stored[i][side], &c.should[i][side]
			if *is != *should {
				c.wrong = append(c.wrong, rowOfMatch{int32(i), int32(side)})
			}
		}
	}
}

// firstTime tells whether two meet for the first time, and notes that they have. Of those who have left nobody knows who is who.
func (c *recount) firstTime(players [2]int32) bool {
	low, high := min(players[0], players[1]), max(players[0], players[1])
	pair := uint64(low)<<32 | uint64(high)
	if low == left || c.met[pair] {
		return false
	}
	c.met[pair] = true
	return true
}

// rowOf is the row that a player on that side of a match should have, not yet rated. The rating of an opponent who has left cannot be
// worked out: it is that of the stored row, or of a newcomer if there is none.
func (c *recount) rowOf(i int32, side int, first bool) rated {
	m := &c.matches[i]
	r := rated{at: m.at(), match: m.id, opponent: c.players[m.players[1-side]], score: float64(m.score), weight: float64(m.weight), met: first}
	r.Player = c.players[m.players[side]]
	if side == 1 {
		r.score = rating.Win - r.score
	}
	if m.players[1-side] == left {
		<-c.read // readRows runs beside
		r.met, r.other = true, nobody()
		if stored := &c.stored[i][side]; stored.there {
			r.met, r.other = stored.met, rating.Rating{Value: stored.otherValue, Deviation: stored.otherDeviation}
		}
	}
	return r
}

// compareStandings compares the standings of each season with the last match of each player in it since the last reset.
func (c *recount) compareStandings(ctx context.Context, tx Tx) error {
	should := c.final
	last := c.begun.last(endOfTime)
	maps.DeleteFunc(should, func(_ seasonPlayer, s ladder.Standing) bool { return !s.Rating.At.After(last) })
	err := tx.Each(ctx, func(row column.Row) error {
		is := stood{ranking: c.on.in(0)}
		if err := row.Scan(append([]any{&is.season, &is.player, &is.place}, leading(&is.led)...)...); err != nil {
			return err
		}
		is.led.Player = is.player
		of := seasonPlayer{is.season, is.player}
		s, there := should[of]
		delete(should, of)
		if !there {
			c.standings = append(c.standings, change[stood]{is: &is})
		} else if place := s.Place(); is.place != place || is.led != s {
			at := is
			at.place, at.led = place, s
			c.standings = append(c.standings, change[stood]{&is, &at})
		}
		return nil
	}, selectAllOnLadders, c.on.venue, c.on.rules)
	for of, s := range should {
		c.standings = append(c.standings, change[stood]{should: c.stood(of, s)})
	}
	return err
}

// corrections is how many rows are wrong.
func (c *recount) corrections() int { return len(c.strays) + len(c.wrong) + len(c.standings) }

// wrongByPlayer are the wrong rows in the order of the primary key: where millions are missing, each page of the table is written once so.
// Each is the rank of its player, and behind it, in the lower 32 bits, which of the wrong rows it is: numbers are sorted in a tenth of the
// time.
func (c *recount) wrongByPlayer() []uint64 {
	ranks := make([]uint64, len(c.people.ids))
	for rank, id := range slices.Sorted(slices.Values(c.people.ids)) {
		ranks[c.people.numbers[id]] = uint64(rank)
	}
	order := make([]uint64, len(c.wrong))
	for i, w := range c.wrong {
		order[i] = ranks[c.matches[w.match].players[w.side]]<<32 | uint64(i)
	}
	slices.Sort(order)
	return order
}

// queue queues the corrections from one up to another: of strays, then of wrong rows, then of standings.
func (c *recount) queue(tx Tx, from, to int) {
	done := Named("correct a ladder of %s", c.on.venue)
	deleteRow := func(r rated) {
		tx.Queue(done, deleteRatedRow, c.on.venue, c.on.rules, r.Player, r.at.UnixMilli(), r.match)
	}
	var rows [][]any
	for n := from; n < min(to, c.corrections()); n++ {
		strays, rated := len(c.strays), len(c.strays)+len(c.wrong)
		switch {
		case n < strays:
			deleteRow(c.strays[n])
		case n < rated:
			w := c.wrong[uint32(c.inOrder[n-strays])]
			if is := w.in(c.stored); is.there && !is.sameMatch(*w.in(c.should)) {
				deleteRow(*c.row(w, is))
			}
			rows = append(rows, c.on.row(*c.row(w, w.in(c.should))))
		default:
			correctStanding(tx, done, c.standings[n-rated])
		}
	}
	tx.QueueRows(done, rateAgain, rows...)
}

// catchUp adds the matches that came after all others since the ladder was read, and queues what follows from them.
func (c *recount) catchUp(ctx context.Context, tx Tx) error {
	known := len(c.matches)
	if err := c.readMatches(ctx, tx); err != nil {
		return err
	}
	c.players = c.people.ids
	c.stored, c.should = slices.Grow(c.stored, len(c.matches)-known)[:len(c.matches)], slices.Grow(c.should, len(c.matches)-known)[:len(c.matches)]
	for _, id := range c.players[len(c.latest):] {
		c.latest = append(c.latest, *newcomer(id))
	}
	clear(c.final)
	var rows [][]any
	for i := known; i < len(c.matches); i++ {
		c.rate(int32(i))
		for side, p := range c.matches[i].players {
			if w := (rowOfMatch{int32(i), int32(side)}); p != left {
				rows = append(rows, c.on.row(*c.row(w, w.in(c.should))))
				c.finish(&c.latest[p])
			}
		}
	}
	done := Named("correct a ladder of %s", c.on.venue)
	tx.QueueRows(done, rateAgain, rows...)
	for of, s := range c.final {
		correctStanding(tx, done, change[stood]{should: c.stood(of, s)})
	}
	return nil
}

// stood is where a player should stand in a season.
func (c *recount) stood(of seasonPlayer, s ladder.Standing) *stood {
	at := c.on.in(of.season).nowhere(of.player)
	at.place, at.led = s.Place(), s
	return &at
}

// maxWrongRows is how many rows of a ladder a report names: one match too many changes all that come after it.
const maxWrongRows = 100

// checkLadders compares all ladders with their matches.
func checkLadders(ctx context.Context, tx Tx, r *column.Report) error {
	ladders, _, err := allLadders(ctx, tx)
	if err != nil {
		return err
	}
	due, err := List(ctx, tx, scanRung, selectAllReplays)
	if err != nil {
		return err
	}
	for _, l := range ladders {
		if slices.ContainsFunc(due, func(d rung) bool { return d.venue == l.venue && d.rules == l.rules }) {
			continue // its rows may be wrong until it has been worked out again
		}
		c, err := recountLadder(ctx, tx, l, func(int) {})
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
	for _, w := range c.wrong {
		row := c.change(w)
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
