package storetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/game"
	"tictactoe/internal/ladder"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
	"tictactoe/internal/venue"
)

// Standings tests that every page of every leaderboard, and everybody's own row, are what counting the matches anew and
// sorting the sums leads to, whatever has happened before. It is not a part of [Run], because it
// takes as long as all of that.
func Standings(t *testing.T, open opener) {
	s := start(t, open)
	run := 0
	rapid.Check(t, func(r *rapid.T) {
		run++ // one store for all runs: each has venues and players of its own
		w := &season{tester: s, r: r, run: run, resets: make(map[match.Venue]time.Time), left: make(map[frozen]remains)}
		r.Repeat(map[string]func(*rapid.T){
			"play":       func(*rapid.T) { w.play() },
			"play on":    func(*rapid.T) { w.play() },
			"void":       func(*rapid.T) { w.void() },
			"reset":      func(*rapid.T) { w.reset() },
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
	players = 24 // three pages
)

// season is what happens at some venues, and what should come of it.
type season struct {
	tester
	r       *rapid.T
	run     int
	begun   int           // matches
	matches []match.Match // that have ended, and are there
	resets  map[match.Venue]time.Time
	left    map[frozen]remains // what stays of those who left, on the ladders of the others
}

func (w *season) venueOf(n int) match.Venue { return match.Venue(fmt.Sprintf("v%d-%d", w.run, n)) }

func (w *season) venue() match.Venue {
	return w.venueOf(rapid.IntRange(0, venues-1).Draw(w.r, "venue"))
}

// playerOf is one of a few, whose ids sort by their bytes and in no other way.
func (w *season) playerOf(n int) match.User {
	return match.User(fmt.Sprintf("%d-%s%d", w.run, []string{"p", "P", "é", "_"}[n%4], n/4*7))
}

func (w *season) player() match.User {
	return w.playerOf(rapid.IntRange(0, players-1).Draw(w.r, "player"))
}

// second is one of a few, so that many matches end in the same.
func (w *season) second() time.Time { return after(rapid.IntRange(0, 9).Draw(w.r, "second")) }

func (w *season) do(err error) {
	if err != nil {
		w.r.Fatal(err)
	}
}

func (w *season) play() {
	var begun, ended match.Save
	for range rapid.IntRange(1, 9).Draw(w.r, "matches") {
		w.begun++
		id, at := match.ID(fmt.Sprintf("%d-%d", w.run, w.begun)), w.second()
		m := computer(id, w.player(), rapid.SampledFrom([]string{"easy", "unbeatable"}).Draw(w.r, "level"), at)
		other := w.player()
		if person := match.Human(other); rapid.Bool().Draw(w.r, "people") && person != m.Seats[0] {
			m.Seats[1] = person
			m.Stakes = rapid.SampledFrom([]rating.Stakes{rating.Full, rating.Full, rating.Half, rating.Casual}).Draw(w.r, "stakes")
		}
		m.Venue = w.venue()
		over := play(w.t, m, at, rapid.SampledFrom([][]string{xWins(), oWins(), drawn()}).Draw(w.r, "squares")...)
		begun.Matches = append(begun.Matches, match.MatchChange{To: m})
		ended.Matches = append(ended.Matches, match.MatchChange{From: m, To: over})
		w.matches = append(w.matches, over)
	}
	w.do(w.Save(w.ctx, begun))
	w.do(w.Save(w.ctx, ended))
}

func (w *season) void() {
	if len(w.matches) == 0 {
		w.r.Skip("nothing was played")
	}
	i := rapid.IntRange(0, len(w.matches)-1).Draw(w.r, "match")
	stored, err := w.Match(w.ctx, w.matches[i].ID)
	if errors.Is(err, match.ErrNotFound) { // its player was erased
		return
	}
	w.do(err)
	if void, err := stored.Void(after(60)); err == nil {
		w.do(w.Save(w.ctx, match.Save{Matches: []match.MatchChange{{From: stored, To: void}}}))
		w.matches[i] = void
	}
}

func (w *season) reset() {
	reset := resetOf(w.venue(), w.second())
	w.do(w.ResetScores(w.ctx, reset))
	if before, known := w.resets[reset.Venue]; !known || reset.At.After(before) {
		w.resets[reset.Venue] = reset.At
	}
}

func (w *season) erase() {
	p := w.player()
	for n := range venues {
		for of, k := range w.ladder(w.venueOf(n)).others {
			w.left[of] = k
		}
	}
	_, err := w.Erase(w.ctx, p, after(60))
	w.do(err)
	for i := range w.matches {
		for side, seat := range w.matches[i].Seats {
			if seat == match.Human(p) {
				w.matches[i].Seats[side] = match.Human(match.Left)
			}
		}
	}
}

// beRemoved is the bot, for so long that everything is deleted.
func (w *season) beRemoved() {
	v := w.venue()
	w.do(w.Note(w.ctx, venue.News{Present: []match.Venue{v}}, after(60)))
	w.do(w.Note(w.ctx, venue.News{Gone: []match.Venue{v}}, after(60)))
	_, err := w.Prune(w.ctx, match.Partition{}, after(61), after(61))
	w.do(err)
	w.matches = slices.DeleteFunc(w.matches, func(m match.Match) bool { return m.Venue == v })
	delete(w.resets, v)
}

// ladder is that of a venue, from its first match on.
func (w *season) ladder(v match.Venue) model { return ladderOf(w.matches, w.left, v, w.resets[v]) }

// look asks for every page, and for everybody's own row.
func (w *season) look(v match.Venue) {
	w.lookAtLadder(v)
	for _, b := range []score.Leaderboard{score.People, score.Computers} {
		rows := w.sorted(v, b)
		pages := max(1, (len(rows)+score.RowsOnAPage-1)/score.RowsOnAPage)
		position := func(p match.User) int {
			return slices.IndexFunc(rows, func(r score.Row) bool { return r.Player == p })
		}
		for n := range players {
			own := w.playerOf(n)
			for _, where := range w.wheres(n, pages) {
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
					w.r.Fatalf("board %d, %+v, as %s sees it: -want +got:\n%s", b, where, own, diff)
				}
			}
		}
	}
}

// wheres are the pages that a player looks at: one by its number, their own, and that of another.
func (w *season) wheres(n, pages int) []score.Where {
	return []score.Where{{Page: n%pages + 1}, {Player: w.playerOf(n), Page: 99}, {Player: w.playerOf(players - 1 - n)}}
}

// pageOf is the number of the page that is asked for; position is that of a player, from 0, and negative for one who has no row.
func pageOf(where score.Where, position func(match.User) int) int {
	if where.Player == "" {
		return where.Page
	}
	return max(position(where.Player), 0)/score.RowsOnAPage + 1
}

// lookAtLadder asks for every page of a ladder, and for everybody's own row.
func (w *season) lookAtLadder(v match.Venue) {
	rows := w.ladder(v).rows()
	pages := max(1, (len(rows)+score.RowsOnAPage-1)/score.RowsOnAPage)
	position := func(p match.User) int {
		return slices.IndexFunc(rows, func(r ladder.Row) bool { return r.Player == p })
	}
	for n := range players {
		own := w.playerOf(n)
		for _, where := range w.wheres(n, pages) {
			p := pageOf(where, position)
			from := (p - 1) * score.RowsOnAPage
			want := ladder.Page{Rows: rows[from:min(from+score.RowsOnAPage, len(rows))], Own: ownRow(rows, own), Page: p, Pages: pages}
			if len(rows) == 0 {
				want.Rows = nil
			}
			got, err := w.Ladder(w.ctx, v, game.Classic(), where, own)
			w.do(err)
			if diff := differ(got, want); diff != "" {
				w.r.Fatalf("ladder, %+v, as %s sees it: -want +got:\n%s", where, own, diff)
			}
		}
	}
}

// sorted is a whole leaderboard.
func (w *season) sorted(v match.Venue, b score.Leaderboard) []score.Row {
	type sum struct {
		score.Row
		reached time.Time
	}
	byPlayer := make(map[match.User]*sum)
	for _, m := range w.matches {
		since, begunAnew := w.resets[v]
		if m.Venue != v || begunAnew && !m.Ended.After(since) {
			continue
		}
		for _, e := range score.Of(m) {
			if (e.Level != "") != (b == score.Computers) {
				continue
			}
			of := byPlayer[e.Player]
			if of == nil {
				of = &sum{Row: score.Row{Player: e.Player}}
				byPlayer[e.Player] = of
			}
			of.Tally = of.Plus(e.Tally)
			if e.Reached.After(of.reached) {
				of.reached = e.Reached
			}
			if b == score.Computers {
				of.Levels = plus(of.Levels, score.LevelTally{Level: e.Level, Tally: e.Tally})
			}
		}
	}
	var sums []*sum
	for _, of := range byPlayer {
		sums = append(sums, of)
	}
	slices.SortFunc(sums, func(x, y *sum) int {
		draws := cmp.Compare(y.Draws, x.Draws)
		if b == score.People {
			draws = 0
		}
		return cmp.Or(cmp.Compare(y.Wins, x.Wins), draws, cmp.Compare(x.Losses, y.Losses),
			x.reached.Compare(y.reached), cmp.Compare(x.Player, y.Player))
	})
	rows := make([]score.Row, len(sums))
	for i, of := range sums {
		rows[i] = of.Row
		rows[i].Rank = i + 1
	}
	return rows
}

// plus adds a tally to those of the levels.
func plus(levels []score.LevelTally, more score.LevelTally) []score.LevelTally {
	i, found := slices.BinarySearchFunc(levels, more, func(x, y score.LevelTally) int { return strings.Compare(x.Level, y.Level) })
	if !found {
		return slices.Insert(levels, i, more)
	}
	levels[i].Tally = levels[i].Plus(more.Tally)
	return levels
}
