package storetest

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/venue"
)

// Standings tests that after any history every page of every leaderboard, and the row that each player sees as their own, equals the
// sorted sums of an independent count of the matches. It is not a part of [Run], because it takes as long as all of Run. It makes the
// given number of runs on one store, unless -rapid.checks sets another number.
func Standings(t *testing.T, runs int, open opener) {
	checks := flag.Lookup("rapid.checks")
	if before := checks.Value.String(); before == checks.DefValue { // rapid's own default would take minutes
		if err := checks.Value.Set(strconv.Itoa(runs)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = checks.Value.Set(before) })
	}
	s := start(t, open)
	run := 0
	rapid.Check(t, func(r *rapid.T) {
		run++ // all runs use one store, each with separate venues and players
		w := &year{
			tester: s, r: r, run: run, resets: make(map[match.ID]policy.AuditEntry), left: make(map[frozen]remains),
			began: make(map[match.Venue][]season.Season),
		}
		r.Repeat(map[string]func(*rapid.T){
			"play":       func(*rapid.T) { w.play() },
			"play on":    func(*rapid.T) { w.play() },
			"void":       func(*rapid.T) { w.void() },
			"restore":    func(*rapid.T) { w.restore() },
			"reset":      func(*rapid.T) { w.reset() },
			"begin":      func(*rapid.T) { w.beginSeason() },
			"end":        func(*rapid.T) { w.endSeasons() },
			"undo":       func(*rapid.T) { w.undoSeason() },
			"undo reset": func(*rapid.T) { w.undoReset() },
			"erase":      func(*rapid.T) { w.erase() },
			"be removed": func(*rapid.T) { w.beRemoved() },
			"look":       func(*rapid.T) { w.look(w.venue()) },
		})
		for n := range venues {
			w.look(w.venueOf(n))
		}
	})
}

const (
	venues  = 2
	players = 24 // fill three pages
)

// year is a history of some venues, and its expected results.
type year struct {
	tester
	r       *rapid.T
	run     int
	begun   int                            // the number of matches that began
	matches []match.Match                  // the ended matches that are stored
	resets  map[match.ID]policy.AuditEntry // the resets that have not been undone
	left    map[frozen]remains             // the remains of players who left, on the ladders of the others
	began   map[match.Venue][]season.Season
}

func (w *year) venueOf(n int) match.Venue { return match.Venue(fmt.Sprintf("v%d-%d", w.run, n)) }

func (w *year) venue() match.Venue {
	return w.venueOf(rapid.IntRange(0, venues-1).Draw(w.r, "venue"))
}

// playerOf returns one of a few players. Their ids have a different order if they are not compared byte by byte.
func (w *year) playerOf(n int) match.User {
	return match.User(fmt.Sprintf("%d-%s%d", w.run, []string{"p", "P", "é", "_"}[n%4], n/4*7))
}

func (w *year) player() match.User {
	return w.playerOf(rapid.IntRange(0, players-1).Draw(w.r, "player"))
}

// second returns one of a few times, so that several matches end at the same time.
func (w *year) second() time.Time { return after(rapid.IntRange(0, 9).Draw(w.r, "second")) }

func (w *year) do(err error) {
	if err != nil {
		w.r.Fatal(err)
	}
}

func (w *year) play() {
	var begun, ended match.Save
	for range rapid.IntRange(1, 9).Draw(w.r, "matches") {
		w.begun++
		id, at := match.ID(fmt.Sprintf("%d-%d", w.run, w.begun)), w.second().Add(time.Duration(rapid.IntRange(0, 999).Draw(w.r, "microsecond"))*time.Microsecond)
		m := computer(id, w.player(), rapid.SampledFrom([]string{"easy", "hard", "unbeatable"}).Draw(w.r, "level"), at)
		rules := rapid.SampledFrom(boards()).Draw(w.r, "rules")
		m = match.Start(id, id, home, rules, m.Seats, time.Hour, 1, at)
		other := w.player()
		if person := match.Human(other); rapid.Bool().Draw(w.r, "people") && person != m.Seats[0] {
			m.Seats[1] = person
			if rules == game.Classic() {
				m.Stakes = rapid.SampledFrom([]rating.Stakes{rating.Full, rating.Full, rating.Half, rating.Casual}).Draw(w.r, "stakes")
			}
		}
		if rapid.Bool().Draw(w.r, "swapped") {
			m.Seats = m.Seats.Swapped()
		}
		m.Venue = w.venue()
		over := play(w.t, m, at, rapid.SampledFrom([][]string{xWins(), xWinsLate(), oWins(), drawn(), drawn(), {"a1"}}).Draw(w.r, "squares")...)
		if !over.Result.Over() {
			over = must[match.Match](w.t)(over.CallDraw(at))
		}
		begun.Matches = append(begun.Matches, match.MatchChange{To: m})
		ended.Matches = append(ended.Matches, match.MatchChange{From: m, To: over})
		over.Ended = over.Ended.Truncate(time.Millisecond) // the precision of the store
		w.matches = append(w.matches, over)
	}
	w.do(w.Save(w.ctx, begun))
	w.do(w.Save(w.ctx, ended))
}

func (w *year) void() {
	if len(w.matches) == 0 {
		w.r.Skip("nothing was played")
	}
	i := rapid.IntRange(0, len(w.matches)-1).Draw(w.r, "match")
	stored, err := w.Match(w.ctx, w.matches[i].ID)
	if errors.Is(err, match.ErrNotFound) { // the match was deleted because its player was erased
		return
	}
	w.do(err)
	if void, err := stored.Void(after(60)); err == nil {
		w.do(w.Save(w.ctx, match.Save{Matches: []match.MatchChange{{From: stored, To: void}}}))
		w.matches[i] = void
		for _, p := range void.Seats.Players() { // the remains of a player who has left are deleted with the match
			delete(w.left, frozen{void.ID, p})
		}
	}
}

// restore restores a voided match.
func (w *year) restore() {
	var voided []int
	for i, m := range w.matches {
		if m.Result.Cause == match.ByVoid {
			voided = append(voided, i)
		}
	}
	if len(voided) == 0 {
		w.r.Skip("nothing was voided")
	}
	i := rapid.SampledFrom(voided).Draw(w.r, "match")
	stored, err := w.Match(w.ctx, w.matches[i].ID)
	if errors.Is(err, match.ErrNotFound) {
		return
	}
	w.do(err)
	restored, err := stored.Restore()
	w.do(err)
	w.do(w.Save(w.ctx, match.Save{Matches: []match.MatchChange{{From: stored, To: restored}}}))
	w.matches[i] = restored
}

func (w *year) reset() {
	reset := resetOf(w.venue(), w.second())
	w.do(w.ResetScores(w.ctx, reset))
	w.resets[reset.ID] = reset
}

func (w *year) undoReset() {
	if len(w.resets) == 0 {
		w.r.Skip("nothing was reset")
	}
	reset := w.resets[rapid.SampledFrom(slices.Sorted(maps.Keys(w.resets))).Draw(w.r, "reset")]
	w.do(w.UndoReset(w.ctx, undoOf(reset)))
	delete(w.resets, reset.ID)
}

// resetsOf returns the times of the resets of a venue.
func (w *year) resetsOf(v match.Venue) (at []time.Time) {
	for _, reset := range w.resets {
		if reset.Venue == v {
			at = append(at, reset.At)
		}
	}
	return at
}

// beginSeason begins a season at a time in the middle of the history, so that matches have ended before it,
// at it and after it.
func (w *year) beginSeason() {
	v := w.venue()
	next := season.Season{Venue: v, Number: len(w.began[v]) + 1, Name: "Winter", Began: w.second(), By: carol}
	if rapid.Bool().Draw(w.r, "planned") {
		next.Ends = next.Began.Add(time.Duration(rapid.IntRange(1, 9).Draw(w.r, "length")) * time.Second)
	}
	if n := len(w.began[v]); n > 0 && next.Began.Before(w.began[v][n-1].Began) {
		w.r.Skip("the last one began later")
	}
	w.do(w.BeginSeason(w.ctx, next, seasonEntry(v, policy.BeginSeason, next.Began)))
	w.began[v] = append(w.began[v], next)
}

// endSeasons ends the seasons that are planned to end by some time.
func (w *year) endSeasons() {
	now := w.second()
	_, err := w.EndSeasons(w.ctx, now)
	w.do(err)
	for v, all := range w.began {
		if n := len(all); n > 0 && !all[n-1].Ends.IsZero() && !all[n-1].Ends.After(now) {
			w.began[v] = append(all, season.Season{Venue: v, Number: n + 1, Began: all[n-1].Ends})
		}
	}
}

func (w *year) undoSeason() {
	v, now := w.venue(), w.second()
	last := len(w.began[v]) - 1
	if last < 0 {
		w.r.Skip("there is no season")
	}
	w.do(w.UndoSeason(w.ctx, w.began[v][last], seasonEntry(v, policy.Undo, now)))
	w.began[v] = w.began[v][:last]
	if last > 0 && !w.began[v][last-1].Ends.After(now) {
		w.began[v][last-1].Ends = time.Time{}
	}
}

func (w *year) erase() {
	p := w.player()
	for n := range venues {
		for of, k := range w.ladder(w.venueOf(n)).others {
			w.left[of] = k
		}
	}
	_, err := w.Erase(w.ctx, p, after(60), "")
	w.do(err)
	for i := range w.matches {
		for side, seat := range w.matches[i].Seats {
			if seat == match.Human(p) {
				w.matches[i].Seats[side] = match.Human(match.Left)
			}
		}
	}
}

// beRemoved removes the bot from a server for so long that all data of the server is deleted.
func (w *year) beRemoved() {
	v := w.venue()
	w.do(w.Note(w.ctx, venue.News{Present: []match.Venue{v}}, after(60)))
	w.do(w.Note(w.ctx, venue.News{Gone: []match.Venue{v}}, after(60)))
	_, err := w.Prune(w.ctx, match.Partition{}, after(61), after(61))
	w.do(err)
	w.matches = slices.DeleteFunc(w.matches, func(m match.Match) bool { return m.Venue == v })
	maps.DeleteFunc(w.resets, func(_ match.ID, e policy.AuditEntry) bool { return e.Venue == v })
	delete(w.began, v)
}

// ladder returns the expected ladder of a venue, calculated from its first match on.
func (w *year) ladder(v match.Venue) model {
	return ladderOf(w.matches, w.left, v, w.resetsOf(v), w.boundaries(v))
}

// boundaries returns the times at which the seasons of a venue began.
func (w *year) boundaries(v match.Venue) (all season.Boundaries) {
	for _, s := range w.began[v] {
		all = append(all, s.Began)
	}
	return all
}

// look compares every page of the leaderboards of a venue, and each player's own row, with the expected pages and rows.
func (w *year) look(v match.Venue) {
	w.lookAtLadders(v)
	for _, of := range []score.Leaderboard{score.People, score.Computers, score.Levels, score.Draws, score.Moves} {
		for _, rules := range append(boards(), game.Rules{}) {
			for number := range len(w.began[v]) {
				w.lookAt(v, score.Board{Of: of, Rules: rules, Season: number})
			}
			w.lookAt(v, score.Board{Of: of, Rules: rules, Season: season.Latest})
		}
	}
}

// boards returns the rule sets of the matches. In one of them, a line loses, and in another one the side that begins can force a win.
func boards() []game.Rules {
	misere, _ := game.OnOffer("misere")
	infinite, _ := game.OnOffer("infinite")
	return []game.Rules{game.Classic(), misere, infinite}
}

func (w *year) lookAt(v match.Venue, b score.Board) {
	rows := w.sorted(v, b)
	pages := max(1, (len(rows)+score.RowsOnAPage-1)/score.RowsOnAPage)
	position := func(p match.User) int {
		return slices.IndexFunc(rows, func(r score.Row) bool { return r.Player == p })
	}
	for n := range players {
		own := w.playerOf(n)
		where := w.wheres(n, pages)[n%3]
		p := pageOf(where, position)
		from := (p - 1) * score.RowsOnAPage
		want := score.Page{Rows: rows[from:min(from+score.RowsOnAPage, len(rows))], Page: p, Pages: pages}
		if len(rows) == 0 {
			want.Rows = nil
		}
		if i := position(own); i >= 0 {
			want.Own = &rows[i]
		}
		got, err := w.Leaderboard(w.ctx, v, b, where, own)
		w.do(err)
		if diff := differ(got, want); diff != "" {
			w.r.Fatalf("%s of season %d on %v, %+v, as %s sees it: -want +got:\n%s", b.Of, b.Season, b.Rules, where, own, diff)
		}
	}
}

// wheres returns the requests of a player: a page by its number, the player's own page, and the page of another player.
func (w *year) wheres(n, pages int) []score.Where {
	return []score.Where{{Page: n%pages + 1}, {Player: w.playerOf(n), Page: 99}, {Player: w.playerOf(players - 1 - n)}}
}

// pageOf returns the number of the requested page. The function position returns the position of a player, from 0, or a negative number
// for a player without a row.
func pageOf(where score.Where, position func(match.User) int) int {
	if where.Player == "" {
		return where.Page
	}
	return max(position(where.Player), 0)/score.RowsOnAPage + 1
}

// lookAtLadders compares every page of the ladder of each season, and each player's own row, with the expected pages and rows.
func (w *year) lookAtLadders(v match.Venue) {
	model := w.ladder(v)
	for number := range model.final {
		w.lookAtLadder(v, number, model.rows(number))
	}
	for n := range players {
		s := model.standings[w.playerOf(n)]
		pair, err := w.Pair(w.ctx, v, game.Classic(), w.playerOf(n), "nobody", after(100))
		w.do(err)
		if s.Player == "" {
			s.Rating = rating.New()
		}
		if diff := differ(pair.A, s.Rating); diff != "" {
			w.r.Fatalf("%s begins a match with another rating: -want +got:\n%s", w.playerOf(n), diff)
		}
	}
}

func (w *year) lookAtLadder(v match.Venue, number int, rows []ladder.Row) {
	pages := max(1, (len(rows)+score.RowsOnAPage-1)/score.RowsOnAPage)
	position := func(p match.User) int {
		return slices.IndexFunc(rows, func(r ladder.Row) bool { return r.Player == p })
	}
	for n := range players {
		own := w.playerOf(n)
		for _, where := range w.wheres(n, pages) {
			p := pageOf(where, position)
			from := (p - 1) * score.RowsOnAPage
			want := ladder.Page{Rows: rows[from:min(from+score.RowsOnAPage, len(rows))], Own: ownRow(rows, own), Page: p, Pages: pages, Players: len(rows)}
			if len(rows) == 0 {
				want.Rows = nil
			}
			got, err := w.Ladder(w.ctx, v, game.Classic(), w.asked(v, number), where, own)
			w.do(err)
			if diff := differ(got, want); diff != "" {
				w.r.Fatalf("ladder, %+v, as %s sees it: -want +got:\n%s", where, own, diff)
			}
		}
	}
}

// asked returns the number under which a season is requested: for the current season, its number and season.Latest in turn.
func (w *year) asked(v match.Venue, number int) int {
	if w.run%2 == 0 && number == len(w.began[v]) {
		return season.Latest
	}
	return number
}

// played holds everything that a player has done on a leaderboard.
type played struct {
	score.Row
	levels  []level // the strongest level first
	reached time.Time
}

// level holds the achievements of a player against a level of the computer.
type level struct {
	score.LevelTally
	beaten, fewest, longest time.Time // the times of the first win, the win with the fewest moves, and the longest run of draws
	run                     int
}

// sorted returns a whole leaderboard, counted and sorted without code of the stores.
func (w *year) sorted(v match.Venue, b score.Board) []score.Row {
	resets := w.resetsOf(v)
	began, number := w.boundaries(v), b.Season
	if number == season.Latest {
		number = len(began)
	}
	matches := slices.DeleteFunc(slices.Clone(w.matches), func(m match.Match) bool {
		rules := m.Position().Rules()
		return m.Venue != v || slices.ContainsFunc(resets, func(at time.Time) bool { return !m.Ended.After(at) }) || !m.Result.Counts() || began.Number(m.Ended) != number ||
			b.Rules != (game.Rules{}) && b.Rules != rules
	})
	slices.SortFunc(matches, func(x, y match.Match) int { return cmp.Or(x.Ended.Compare(y.Ended), cmp.Compare(x.ID, y.ID)) })
	byPlayer := make(map[match.User]*played)
	for _, m := range matches {
		for side, seat := range m.Seats {
			forced := m.Seats.Level() != "" && m.Position().Rules().Keep() > 0 && side == 0 && m.Result.Outcome == game.XWins
			if seat.Player == "" || seat.Player == match.Left || (m.Seats.Level() == "") != (b.Of == score.People) ||
				forced && b.Rules == (game.Rules{}) {
				continue
			}
			if byPlayer[seat.Player] == nil {
				byPlayer[seat.Player] = &played{Row: score.Row{Player: seat.Player}}
			}
			byPlayer[seat.Player].add(m, []game.Mark{game.X, game.O}[side])
		}
	}
	all := slices.DeleteFunc(slices.Collect(maps.Values(byPlayer)), func(p *played) bool {
		return b.Of == score.Draws && p.best("unbeatable").Longest == 0 || (b.Of == score.Levels || b.Of == score.Moves) && len(p.beaten()) == 0
	})
	slices.SortFunc(all, func(x, y *played) int {
		return cmp.Or(x.compare(y, b.Of), x.reachedFor(b.Of).Compare(y.reachedFor(b.Of)), cmp.Compare(x.Player, y.Player))
	})
	rows := make([]score.Row, len(all))
	for i, p := range all {
		rows[i] = p.Row
		if rows[i].Rank = i + 1; i > 0 && p.compare(all[i-1], b.Of) == 0 {
			rows[i].Rank = rows[i-1].Rank
		}
		for _, l := range slices.Backward(p.levels) {
			rows[i].Levels = append(rows[i].Levels, l.LevelTally)
		}
	}
	return rows
}

func (p *played) add(m match.Match, mark game.Mark) {
	var tally score.Tally
	winner := m.Result.Outcome.Winner()
	switch winner {
	case game.None:
		tally.Draws = 1
	case mark:
		tally.Wins = 1
	default:
		tally.Losses = 1
	}
	p.Tally = p.Plus(tally)
	if winner != game.None {
		p.reached = m.Ended
	}
	if m.Seats.Level() == "" {
		return
	}
	order := func(name string) int { return slices.Index([]string{"unbeatable", "hard", "easy"}, name) }
	i, found := slices.BinarySearchFunc(p.levels, m.Seats.Level(), func(l level, name string) int { return order(l.Level) - order(name) })
	if !found {
		p.levels = slices.Insert(p.levels, i, level{LevelTally: score.LevelTally{Level: m.Seats.Level()}})
	}
	l := &p.levels[i]
	l.Tally = l.Plus(tally)
	if tally.Wins == 1 {
		moves := 0
		for ply := range m.Record.Len() {
			if (ply%2 == 0) == (mark == game.X) {
				moves++
			}
		}
		if l.Wins == 1 {
			l.beaten = m.Ended
		}
		if l.Fewest == 0 || moves < l.Fewest {
			l.Fewest, l.fewest = moves, m.Ended
		}
	}
	if m.Seats.Level() != "unbeatable" || m.Result.Cause == match.ByModerator {
		return
	}
	if l.run += tally.Draws; tally.Losses == 1 {
		l.run = 0
	}
	if l.run > l.Longest {
		l.Longest, l.longest = l.run, m.Ended
	}
}

func (p *played) best(name string) level {
	for _, l := range p.levels {
		if l.Level == name {
			return l
		}
	}
	return level{}
}

// beaten returns the levels that were beaten, the strongest first.
func (p *played) beaten() []level {
	return slices.DeleteFunc(slices.Clone(p.levels), func(l level) bool { return l.Wins == 0 })
}

func (p *played) compare(q *played, of score.Leaderboard) int {
	switch of {
	case score.People:
		return cmp.Or(cmp.Compare(q.Wins, p.Wins), cmp.Compare(p.Losses, q.Losses))
	case score.Computers:
		var x, y level // zero if no level was beaten
		if len(p.beaten()) > 0 {
			x = p.beaten()[0]
		}
		if len(q.beaten()) > 0 {
			y = q.beaten()[0]
		}
		return cmp.Or(cmp.Compare(score.Strength(y.Level), score.Strength(x.Level)), cmp.Compare(y.Wins, x.Wins),
			cmp.Compare(q.Draws, p.Draws), cmp.Compare(p.Losses, q.Losses))
	case score.Draws:
		return cmp.Compare(q.best("unbeatable").Longest, p.best("unbeatable").Longest)
	case score.Moves:
		x, y := p.beaten()[0], q.beaten()[0]
		return cmp.Or(cmp.Compare(score.Strength(y.Level), score.Strength(x.Level)), cmp.Compare(x.Fewest, y.Fewest))
	}
	for _, name := range []string{"unbeatable", "hard", "easy"} {
		if x, y := p.best(name).Wins > 0, q.best(name).Wins > 0; x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
	}
	return 0
}

// reachedFor returns the time of the results of a player. Of equal players, the player with the earlier time is listed first.
func (p *played) reachedFor(of score.Leaderboard) (at time.Time) {
	switch of {
	case score.People, score.Computers:
		return p.reached
	case score.Draws:
		return p.best("unbeatable").longest
	case score.Moves:
		return p.beaten()[0].fewest
	}
	for _, l := range p.beaten() {
		if l.beaten.After(at) {
			at = l.beaten
		}
	}
	return at
}
