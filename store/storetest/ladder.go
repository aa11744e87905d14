package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// ratedMatch returns an ended match of two people that counts for the ladder of a venue.
func ratedMatch(s tester, id match.ID, x, o match.User, stakes rating.Stakes, at time.Time, squares []string) (begun, ended match.Match) {
	begun = match.Start(id, id, "home", game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Hour, 1, at)
	begun.Stakes = stakes
	return begun, play(s.t, begun, at, squares...)
}

func (s tester) playRated(id match.ID, x, o match.User, stakes rating.Stakes, at time.Time, squares []string) match.Match {
	s.t.Helper()
	begun, ended := ratedMatch(s, id, x, o, stakes, at, squares)
	s.create(begun)
	s.replace(begun, ended)
	return ended
}

// fewFriends tests who is ranked as a ladder grows.
func fewFriends(s tester) {
	friends, n := []match.User{"ann", "ben", "cid", "dan", "eve"}, 0
	meet := func(a, b match.User) {
		n++
		s.playRated(match.ID(fmt.Sprint("f", n)), a, b, rating.Full, after(n), drawn())
	}
	ranks := func(want ...int) {
		s.t.Helper()
		var got []int
		page := s.ladder(1, "")
		for _, row := range page.Rows {
			if row.Ranked() {
				got = append(got, row.Rank)
			}
			alone := must[map[string]ladder.Row](s.t)(s.Standings(s.ctx, home, season.Latest, row.Player))[game.Classic().String()]
			same(s.t, alone, row)
		}
		same(s.t, got, want)
		players, _, err := s.RatedAtLeast(s.ctx, home, game.Classic().String(), 1, 99)
		s.do(err)
		same(s.t, len(players), len(want))
	}
	for round := range 5 {
		for i, a := range friends {
			for _, b := range friends[:i] {
				meet(a, b)
			}
		}
		if round == 0 {
			ranks()
		}
	}
	ranks(1, 2, 3, 4, 5)
	meet("fay", "ann")
	ranks(1, 2, 3, 4, 5) // fay has no rank
	for i := range 4 {   // of ten players, a rank needs five opponents and a more certain rating
		meet(match.User(fmt.Sprint("guest", i)), "ann")
	}
	ranks()
}

// ratingOf returns a player's rating without the time of the last match.
func (s tester) ratingOf(p match.User) rating.Rating {
	s.t.Helper()
	return must[ladder.Pair](s.t)(s.Pair(s.ctx, home, game.Classic(), p, "nobody", after(1000))).A
}

// ladder returns a page of the ladder of the current season.
func (s tester) ladder(page int, own match.User) ladder.Page {
	s.t.Helper()
	return must[ladder.Page](s.t)(s.Ladder(s.ctx, home, game.Classic(), season.Latest, score.Where{Page: page}, own))
}

func testRatedMatches(t *testing.T, open opener) {
	t.Run("five friends have ranks, and one more player takes none of them away", func(t *testing.T) { fewFriends(start(t, open)) })
	s := start(t, open)
	t.Run("a match between two new players changes both ratings by the same amount", func(t *testing.T) {
		m := s.playRated("r1", "ann", "ben", rating.Full, after(1), xWins())
		ann, ben := s.ratingOf("ann"), s.ratingOf("ben")
		won, lost := rating.Match(rating.New(), rating.New(), rating.Win, 1, m.Ended)
		same(t, []rating.Rating{ann, ben}, []rating.Rating{won, lost})
		changes := must[[]ladder.Change](t)(s.Changes(s.ctx, "r1"))
		if len(changes) != 2 || changes[0].Player != "ann" || changes[0].Gain() != 162 || changes[1].Gain() != -162 || changes[0].Expected != 0.5 || changes[0].Stale {
			t.Errorf("the store reports the changes %+v", changes)
		}
	})
	t.Run("a match with half stakes changes ratings less", func(t *testing.T) {
		ann, ben := s.ratingOf("ann"), s.ratingOf("ben")
		m := s.playRated("r2", "ann", "ben", rating.Half, after(2), drawn())
		wantAnn, wantBen := rating.Match(ann, ben, rating.Draw, 0.5, m.Ended)
		same(t, s.ratingOf("ann"), wantAnn)
		same(t, s.ratingOf("ben"), wantBen)
	})
	for stakes, what := range map[rating.Stakes]string{
		rating.NoStakes: "a match of no ladder", rating.Casual: "a casual one", rating.Unranked: "one in a server without ratings",
		rating.TooOften: "one of a pair that plays too much", rating.TooFarApart: "one of a pair too far apart",
	} {
		t.Run(what+" changes no rating, and is stored with its stakes", func(t *testing.T) {
			before := s.ratingOf("ann")
			m := s.playRated(match.ID("none"+fmt.Sprint(stakes)), "ann", "ben", stakes, after(3), xWins())
			same(t, s.ratingOf("ann"), before)
			same(t, s.match(m.ID).Stakes, stakes)
			same(t, len(must[[]ladder.Change](t)(s.Changes(s.ctx, m.ID))), 0)
		})
	}
	t.Run("a draw by a moderator changes no rating", func(t *testing.T) {
		before := s.ratingOf("ann")
		begun, _ := ratedMatch(s, "called", "ann", "ben", rating.Full, after(4), xWins())
		s.create(begun)
		s.replace(begun, must[match.Match](t)(begun.CallDraw(after(4))))
		same(t, s.ratingOf("ann"), before)
	})
	t.Run("matches that end in the same millisecond are rated in the order of their ids", func(t *testing.T) {
		s := start(t, open)
		var all []match.Match
		for i, id := range []match.ID{"c", "a", "b"} {
			s.playRated(id, "ann", match.User(fmt.Sprint("opponent", i)), rating.Full, after(1).Add(time.Duration(100*(i+1))*time.Microsecond), xWins())
			all = append(all, s.match(id))
		}
		rows := ladderOf(all, nil, home, nil, nil).rows(0)
		same(t, s.ladder(1, "ann"), ladder.Page{Rows: rows, Own: ownRow(rows, "ann"), Page: 1, Pages: 1, Players: 4})
	})
	t.Run("a match that ends in the millisecond in which a season begins belongs to the season before", func(t *testing.T) {
		s := start(t, open)
		s.playRated("first", "ann", "ben", rating.Full, after(1), xWins())
		began := s.season(seasonOf(home, 1, 30)).Began
		s.playRated("second", "ann", "ben", rating.Full, began.Add(500*time.Microsecond-4*time.Second), xWins())
		rows := ladderOf([]match.Match{s.match("first"), s.match("second")}, nil, home, nil, []time.Time{began}).rows(0)
		same(t, must[ladder.Page](t)(s.Ladder(s.ctx, home, game.Classic(), 0, score.Where{Page: 1}, "")), ladder.Page{Rows: rows, Page: 1, Pages: 1, Players: 2})
	})
	t.Run("the matches of a pair within a day are counted, running matches too", func(t *testing.T) {
		played := func(at time.Time) int {
			t.Helper()
			return must[ladder.Pair](t)(s.Pair(s.ctx, home, game.Classic(), "ben", "ann", at)).Today
		}
		same(t, played(after(5)), 2)
		begun, _ := ratedMatch(s, "open", "ben", "ann", rating.Full, after(5), xWins())
		s.create(begun)
		same(t, played(after(5)), 3)
		same(t, played(after(5).Add(rating.PairDay)), 0)
	})
}

// Season plays n rated matches in one server and returns them. Their ids are m0000, m0001 and so on, in the order in which they
// end. With 1000 matches, the ladder is the largest that is recounted in one transaction.
func Season(t testing.TB, s Store, n int) (all []match.Match) {
	t.Helper()
	for some := range slices.Chunk(make([]int, n), 100) {
		var begun, ended match.Save
		for range some {
			i := len(all)
			m := begin(match.ID(fmt.Sprintf("m%04d", i)), match.User(fmt.Sprint("p", i%7)), match.User(fmt.Sprint("p", 7+i%5)), after(i))
			m.Stakes = rating.Full
			over := play(t, m, after(i), [][]string{xWins(), oWins(), drawn()}[i*i%7%3]...)
			begun.Matches = append(begun.Matches, match.MatchChange{To: m})
			ended.Matches = append(ended.Matches, match.MatchChange{From: m, To: over})
			all = append(all, over)
		}
		save(t, s, begun)
		save(t, s, ended)
	}
	return all
}

// testReplays tests a ladder with more matches than one transaction recounts, after the first match is voided.
func testReplays(t *testing.T, open opener) {
	s := start(t, open)
	const n = 1100 // each match has two rows
	all := Season(t, s, n)
	s.void(all[0], after(n))
	all = all[1:]

	stale := func(id match.ID) bool {
		changes := must[[]ladder.Change](s.t)(s.Changes(s.ctx, id))
		if len(changes) != 2 {
			s.t.Fatalf("match %s changed %+v", id, changes)
		}
		return changes[0].Stale
	}
	if !stale("m0001") || !stale("m1099") {
		s.t.Error("the ladder is not marked as stale after the void")
	}
	same(t, s.ladder(1, "").Stale, true)
	staleRow := func() bool {
		return must[map[string]ladder.Row](s.t)(s.Standings(s.ctx, home, season.Latest, "p0"))[game.Classic().String()].Stale
	}
	same(t, staleRow(), true)
	// A match that ends meanwhile is appended to the ladder.
	all = append(all, s.playRated("m9999", "p0", "p7", rating.Half, after(n), xWins()))
	for more := true; more; {
		more = must[bool](t)(s.Replay(s.ctx))
	}
	if stale("m1099") || stale("m9999") {
		s.t.Error("the ladder is still marked as stale")
	}
	same(t, staleRow(), false)
	rows := ladderOf(all, nil, home, nil, nil).rows(0)
	same(t, s.ladder(2, "p0"), ladder.Page{Rows: rows[10:], Own: ownRow(rows, "p0"), Page: 2, Pages: 2, Players: 12})
}

// testReplaysBesidePlay plays matches while a job recounts a large ladder.
func testReplaysBesidePlay(t *testing.T, open opener) {
	s := start(t, open)
	const n, rounds, matches = 1100, 6, 12
	all := Season(t, s, n)
	for round := range rounds {
		s.void(all[0], after(n))
		all = all[1:]
		ended := make(chan error, 1)
		go func() {
			var err error
			for more := true; more && err == nil; {
				more, err = s.Replay(s.ctx)
			}
			ended <- err
		}()
		for i := range matches {
			i += round * matches
			at, x, o := after(n+i), match.User(fmt.Sprint("p", i%6)), match.User(fmt.Sprint("p", 7+i%4))
			switch {
			case round%2 == 1 && i%5 == 0: // ends before other matches of the same players
				at = after(i * 10)
			case i%2 == 1: // ends before other matches, but after the matches of the same players
				at, x, o = after(n+i/2), "p6", "p11"
			}
			all = append(all, s.playRated(match.ID(fmt.Sprintf("n%04d", i)), x, o, rating.Half, at, xWins()))
		}
		s.do(<-ended)
		for more := true; more; {
			more = must[bool](t)(s.Replay(s.ctx))
		}
		same(t, s.ladder(1, "").Rows, ladderOf(all, nil, home, nil, nil).rows(0)[:10])
	}
}

func testCourses(t *testing.T, open opener) {
	subtest(t, open, "a course goes back so far and no further", func(t *testing.T, s tester) {
		const more = 3
		for i := 0; i < ladder.CourseLength+more; i += 100 {
			var begun, ended match.Save
			for j := i; j < min(i+100, ladder.CourseLength+more); j++ {
				b, e := ratedMatch(s, match.ID(fmt.Sprintf("m%04d", j)), alice, bob, rating.Full, after(10*j), xWins())
				begun.Matches = append(begun.Matches, match.MatchChange{To: b})
				ended.Matches = append(ended.Matches, match.MatchChange{From: b, To: e})
			}
			s.do(s.Save(s.ctx, begun))
			s.do(s.Save(s.ctx, ended))
		}
		course := must[[]ladder.Point](t)(s.Course(s.ctx, home, game.Classic(), alice, ladder.CourseLength))
		if n := len(course); n != ladder.CourseLength || course[0].Match != "m0003" || course[n-1].Match != "m1002" {
			t.Errorf("the course has %d points and begins with %s", n, course[0].Match)
		}
	})
}

func testResetLadders(t *testing.T, open opener) {
	s := start(t, open)
	s.playRated("before", "ann", "ben", rating.Full, after(1), xWins())
	s.do(s.ResetScores(s.ctx, resetOf("home", after(20))))
	same(s.t, s.ratingOf("ann"), rating.New())
	same(t, s.ladder(1, "ann"), ladder.Page{Page: 1, Pages: 1})
	s.playRated("late", "ann", "ben", rating.Full, after(10), xWins()) // the match ended before the reset, and is saved after it
	same(s.t, s.ratingOf("ann"), rating.New())
	s.playRated("after", "ann", "ben", rating.Full, after(21), xWins())
	same(t, s.ratingOf("ann").Points(), 1662)
}

// model is a ladder that a test has calculated from its first match on.
type model struct {
	standings map[match.User]ladder.Standing   // in the current season
	final     []map[match.User]ladder.Standing // one map for each season
	others    map[frozen]remains               // the opponents' ratings in the rows that are kept after an erasure
}

// frozen identifies a row of a ladder by its match and its player.
type frozen struct {
	match  match.ID
	player match.User
}

// remains holds the values of a stored row that follow from an opponent whose data was deleted.
type remains struct {
	other rating.Rating
	met   bool
}

// ladderOf calculates the ladder of a venue, whose seasons began at the given times, from all its matches and the remains of
// players who left. Each season moves a rating halfway back, like [rating.Rating.Into], and resets everything else; each reset
// resets everything.
func ladderOf(all []match.Match, left map[frozen]remains, v match.Venue, resets, began []time.Time) model {
	var counted []match.Match
	for _, m := range all {
		if m.Venue == v && ladder.Counts(m) {
			counted = append(counted, m)
		}
	}
	slices.SortFunc(counted, func(x, y match.Match) int {
		return cmp.Or(x.Ended.Compare(y.Ended), cmp.Compare(x.ID, y.ID))
	})
	w := modeller{
		model: model{make(map[match.User]ladder.Standing), make([]map[match.User]ladder.Standing, len(began)+1), make(map[frozen]remains)},
		left:  left, met: make(map[[2]match.User]bool),
		resets: slices.SortedFunc(slices.Values(resets), time.Time.Compare), began: began,
	}
	for _, m := range counted {
		w.follow(m.Ended)
		w.rate(m)
	}
	w.follow(after(1_000_000))
	w.final[w.now] = w.standings
	return w.model
}

// modeller calculates a model, from the first match to the last.
type modeller struct {
	model
	left   map[frozen]remains
	met    map[[2]match.User]bool // the pairs that have met in the current season
	now    int                    // the number of the current season
	resets []time.Time            // the resets after the current time
	began  []time.Time            // the beginnings of all seasons
}

// follow applies the resets and the beginnings of seasons before the given time.
func (w *modeller) follow(until time.Time) {
	for {
		reset, boundary := len(w.resets) > 0 && until.After(w.resets[0]), w.now < len(w.began) && until.After(w.began[w.now])
		switch {
		case reset && (!boundary || !w.resets[0].After(w.began[w.now])):
			for _, standings := range append(w.final[:w.now:w.now], w.standings) {
				clear(standings)
			}
			clear(w.met)
			w.resets = w.resets[1:]
		case boundary:
			w.final[w.now] = maps.Clone(w.standings)
			clear(w.met)
			for p, s := range w.standings {
				w.standings[p] = ladder.Standing{Player: p, Rating: s.Rating.Into(w.began[w.now])}
			}
			w.now++
		default:
			return
		}
	}
}

// rate updates the standings of the players of a match.
func (w *modeller) rate(m match.Match) {
	before := make(map[match.User]rating.Rating)
	for _, p := range m.Seats.Players() {
		before[p] = rating.New()
		if s, known := w.standings[p]; known {
			before[p] = s.Rating.On(m.Ended)
		}
	}
	for _, mark := range []game.Mark{game.X, game.O} {
		p, other := m.Seats.Of(mark).Player, m.Seats.Of(mark.Opponent()).Player
		if p == match.Left {
			continue
		}
		k := remains{before[other], !w.met[[2]match.User{p, other}]}
		k.other.Volatility, k.other.At = 0, time.Time{}
		if other == match.Left {
			var known bool
			if k, known = w.left[frozen{m.ID, p}]; !known {
				k = remains{rating.Rating{Value: rating.Start, Deviation: rating.StartDeviation}, true}
			}
		}
		w.met[[2]match.User{p, other}] = true
		w.others[frozen{m.ID, p}] = k
		s := w.standings[p]
		if s.Player == "" {
			s = ladder.Standing{Player: p, Rating: rating.New()}
		}
		s.Rating = s.Rating.Against(k.other, ladder.Score(m, mark), m.Stakes.Weight(), m.Ended)
		for _, e := range score.Of(m) {
			if e.Player == p {
				s.Tally = s.Tally.Plus(e.Outcome.Tally())
			}
		}
		if k.met {
			s.Opponents++
		}
		w.standings[p] = s
	}
}

// rows returns the whole ladder of a season: the players who have played in it.
func (w model) rows(season int) []ladder.Row {
	var rows []ladder.Row
	for _, s := range w.final[season] {
		if s.Wins+s.Draws+s.Losses > 0 {
			rows = append(rows, ladder.Row{Standing: s})
		}
	}
	size := min(len(rows), 10)
	opponents, deviation := []int{2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5}[size], []float64{110, 110, 110, 110, 110, 110, 103, 96, 89, 82, 75}[size]
	group := func(r ladder.Row) int {
		if r.Opponents >= opponents && r.Rating.Deviation <= deviation {
			return 0
		}
		return 1
	}
	compare := func(x, y ladder.Row) int {
		return cmp.Or(cmp.Compare(group(x), group(y)), cmp.Compare(math.Round(y.Rating.Low()*1000), math.Round(x.Rating.Low()*1000)))
	}
	slices.SortFunc(rows, func(x, y ladder.Row) int { return cmp.Or(compare(x, y), cmp.Compare(x.Player, y.Player)) })
	for i := range rows {
		rows[i].Players = len(rows)
		if rows[i].Rank = i + 1; i > 0 && compare(rows[i-1], rows[i]) == 0 {
			rows[i].Rank = rows[i-1].Rank
		}
	}
	return rows
}

func ownRow(rows []ladder.Row, p match.User) *ladder.Row {
	if i := slices.IndexFunc(rows, func(r ladder.Row) bool { return r.Player == p }); i >= 0 {
		return &rows[i]
	}
	return nil
}
