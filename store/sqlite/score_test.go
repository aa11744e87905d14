package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/server/policy"
	"tictactoe/store/sqlite"
)

// reset resets the leaderboards of a venue.
func reset(t *testing.T, s *sqlite.Store, id match.ID, v match.Venue, at time.Time) {
	t.Helper()
	err := s.ResetScores(t.Context(), policy.AuditEntry{ID: id, Venue: v, By: "carol", At: at, Kind: policy.ResetScores})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRebuildScores(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := open(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		playOut(t, s, random, match.ID(fmt.Sprint(n)))
		switch random.IntN(30) {
		case 0: // a time during, before or after the matches of the history
			at := noon().Add(time.Duration(random.IntN(2e5)) * time.Millisecond)
			reset(t, s, match.ID(fmt.Sprint("reset", n)), []match.Venue{"home", "away"}[random.IntN(2)], at)
		case 1, 2, 3:
			m := load(t, s, match.ID(fmt.Sprint(random.IntN(n+1))))
			if void, err := m.Void(noon()); err == nil {
				save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: void}}})
			}
		}
	}
	kept := scores(t, path)
	if len(kept) < 30 {
		t.Fatalf("only %d scores", len(kept))
	}

	rebuild := func(t *testing.T) int {
		t.Helper()
		n, err := s.RebuildScores(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Run("the scores are the sums of the matches", func(t *testing.T) {
		if n := rebuild(t); n != 0 {
			t.Errorf("%d scores were wrong", n)
		}
		same(t, scores(t, path), kept)
	})
	for name, damage := range map[string]string{
		"a wrong score":        "UPDATE scores SET wins = wins + 1 WHERE player = 'p1' AND level = '' AND venue = 'home'",
		"a wrong time":         "UPDATE scores SET reached = reached + 1 WHERE player = 'p1' AND reached > 0",
		"missing scores":       "DELETE FROM scores WHERE level <> 'easy'",
		"a missing standing":   "DELETE FROM standings WHERE venue = 'away' AND player = 'p2'",
		"a wrong run of draws": "UPDATE scores SET longest = longest + 1 WHERE level = 'unbeatable'",
		"a standing elsewhere": "UPDATE standings SET place = '0' || place WHERE player = 'p1' AND leaderboard = 'levels'",
		"a score from nowhere": "INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached) VALUES ('home', 'cheat', 0, '', 'easy', 999, 0, 0, 1)",
	} {
		t.Run(name+" is corrected", func(t *testing.T) {
			run(t, raw(t, path), damage)
			if n := rebuild(t); n == 0 {
				t.Error("nothing was found")
			}
			same(t, scores(t, path), kept)
			if n := rebuild(t); n != 0 {
				t.Errorf("%d scores are still wrong", n)
			}
		})
	}
}

func TestStandingsOfManyPlayers(t *testing.T) {
	t.Parallel()
	const players = 12_000
	path := newPath(t)
	s := open(t, path)
	// Some players have only draws, so that only their ids decide their order.
	alter(t, path, fmt.Sprintf(`PRAGMA synchronous = OFF; BEGIN;
		INSERT INTO scores (venue, player, season, rules, level, wins, draws, losses, reached)
			WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %[1]d)
			SELECT 'home', printf('%%05d', i * 7919 %% 100000), 0, '', '', wins, 1, losses, (i %% 50 + 1) * (wins + losses > 0)
			FROM (SELECT i, i %% 3 * (i %% 20) AS wins, i %% 3 * (i %% 7) AS losses FROM n);
		INSERT INTO standings (venue, player, season, rules, leaderboard, place) SELECT venue, player, 0, '', 'people', printf('%%010d%%010d%%015d', 9999999999 - wins, losses, reached) || player FROM scores;
		COMMIT`, players))
	random := rand.New(rand.NewPCG(5, 6))
	some := column(t, raw(t, path), `SELECT player FROM scores`)
	for n := range 60 {
		x := random.IntN(len(some))
		m := match.Start(match.ID(fmt.Sprint(n)), "s", "home", game.Classic(),
			match.Seats{match.Human(match.User(some[x])), match.Human(match.User(fmt.Sprint("new", n)))}.Swapped(), time.Minute, 1, noon().Add(time.Duration(n)*time.Hour))
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
		over, _ := m.Expire(m.Deadline)
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
	}
	const inOrder = ` FROM scores WHERE rules = '' ORDER BY wins DESC, losses, reached, player`
	sorted := column(t, raw(t, path), `SELECT player`+inOrder)
	ranks := column(t, raw(t, path), `SELECT rank() OVER (ORDER BY wins DESC, losses)`+inOrder)
	pages := (len(sorted) + score.RowsOnAPage - 1) / score.RowsOnAPage
	for page := range pages {
		if page%7 != 0 && page != pages-1 {
			continue // there are more than a thousand
		}
		own := len(sorted) - 1 - page*score.RowsOnAPage
		p, err := s.Leaderboard(t.Context(), "home", score.Board{Of: score.People, Season: season.Latest}, score.Where{Page: page + 1}, match.User(sorted[own]))
		if err != nil {
			t.Fatal(err)
		}
		from := page * score.RowsOnAPage
		for i, row := range p.Rows {
			if fmt.Sprint(row.Rank) != ranks[from+i] || string(row.Player) != sorted[from+i] {
				t.Fatalf("page %d: row %d is %d. %s", p.Page, i, row.Rank, row.Player)
			}
		}
		same(t, []int{p.Page, p.Pages, len(p.Rows)}, []int{page + 1, pages, min(len(sorted)-from, score.RowsOnAPage)})
		same(t, fmt.Sprint(p.Own.Rank), ranks[own])
	}

	// The reset of so many players is done in portions. Leaderboards are marked as stale meanwhile.
	reset(t, s, "reset", "home", noon().Add(1000*time.Hour))
	for more := true; more; {
		p, err := s.Leaderboard(t.Context(), "home", score.Board{Of: score.People, Season: season.Latest}, score.Where{Page: 1}, "")
		if err != nil || p.Stale != (len(scores(t, path)) > 0) {
			t.Fatalf("stale: %v with %d scores, %v", p.Stale, len(scores(t, path)), err)
		}
		if more, err = s.Recount(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	same(t, len(scores(t, path)), 0)
}

func TestALadderOfManyPlayers(t *testing.T) {
	const players = 5000
	path := newPath(t)
	s := open(t, path)
	alter(t, path, fmt.Sprintf(`PRAGMA synchronous = OFF; BEGIN;
		INSERT INTO standings (venue, player, season, rules, leaderboard, place) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT 'home', printf('p%%04d', i), 0, '3x3x3', 'rating', printf('1%%09dp%%04d', 498000000 + i * 7919 %% 5003 * 400, i) FROM n;
		COMMIT`, players))
	random := rand.New(rand.NewPCG(3, 4))
	look := func(t *testing.T) {
		sorted := column(t, raw(t, path), `SELECT player FROM standings WHERE leaderboard = 'rating' ORDER BY place`)
		for range 20 {
			page, own := random.IntN(len(sorted)/score.RowsOnAPage), random.IntN(len(sorted))
			p, err := s.Ladder(t.Context(), "home", game.Classic(), season.Latest, score.Where{Page: page + 1}, match.User(sorted[own]))
			if err != nil || p.Own == nil || string(p.Own.Player) != sorted[own] {
				t.Fatalf("page %d: own row %+v, %v", page+1, p.Own, err)
			}
			for i, row := range p.Rows {
				if string(row.Player) != sorted[page*score.RowsOnAPage+i] {
					t.Fatalf("page %d: row %d is %s", p.Page, i, row.Player)
				}
			}
		}
	}
	look(t)
	for n := range 60 {
		x := random.IntN(players/2) + 1
		m := match.Start(match.ID(fmt.Sprint(n)), "s", "home", game.Classic(), match.Seats{
			match.Human(match.User(fmt.Sprintf("p%04d", x))), match.Human(match.User(fmt.Sprintf("p%04d", x+players/2*(1+n%2*2)))),
		}, time.Minute, 1, noon().Add(time.Duration(n)*time.Hour))
		m.Stakes = rating.Full
		save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
		over, _ := m.Expire(m.Deadline)
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: over}}})
	}
	look(t)
	if _, err := s.RebuildScores(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	// No player has played except in the 60 matches, so only their players stay on the ladder.
	same(t, checked(t, path).Findings, []sqlite.Finding{})
}

// playOut saves a match between some of a few players, or against a computer, and plays random moves until it ends in one of
// several ways.
func playOut(t *testing.T, s *sqlite.Store, random *rand.Rand, id match.ID) {
	t.Helper()
	at := noon().Add(time.Duration(random.IntN(1e6)) * time.Millisecond)
	first := random.IntN(5)
	seats := match.Seats{match.Human(player(first)), match.Human(player((first + 1 + random.IntN(4)) % 5))}
	if random.IntN(3) == 0 {
		seats[random.IntN(2)] = match.Computer([]string{"easy", "unbeatable"}[random.IntN(2)])
	}
	venue := []match.Venue{"home", "away", ""}[random.IntN(3)]
	m := match.Start(id, id, venue, game.Classic(), seats, time.Minute, 1, at)
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	for !m.Result.Over() {
		at = at.Add(time.Second)
		next, err := turn(m, random, at)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: next}}})
		m = next
	}
}

func turn(m match.Match, random *rand.Rand, at time.Time) (match.Match, error) {
	switch random.IntN(20) {
	case 2:
		return m.CallDraw(at)
	case 0:
		return m.Resign(m.Seats.Players()[0], m.Record.Len(), at)
	case 1:
		late, _ := m.Expire(m.Deadline)
		return late, nil
	}
	var free []game.Square
	for square := range m.Position().Legal().All() {
		free = append(free, square)
	}
	square := free[random.IntN(len(free))]
	if m.Turn().IsComputer() {
		return m.Answer(square, at)
	}
	return m.Play(m.Turn().Player, m.Record.Len(), square, at)
}

func player(n int) match.User { return match.User(fmt.Sprintf("p%d", n)) }

// scores returns all scores and standings.
func scores(t *testing.T, path string) map[string]score.Tally {
	t.Helper()
	rows, err := raw(t, path).QueryContext(context.Background(),
		`SELECT venue || '/' || player || '/' || season || rules || '/' || level || '/' || reached || '/' || longest, wins, draws, losses FROM scores
		UNION ALL SELECT 'standing ' || venue || rules || leaderboard || place, 0, 0, 0 FROM standings`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := make(map[string]score.Tally)
	for rows.Next() {
		var key string
		var tally score.Tally
		if err := rows.Scan(&key, &tally.Wins, &tally.Draws, &tally.Losses); err != nil {
			t.Fatal(err)
		}
		all[key] = tally
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRebuildForgetsReviewsThatCannotBeRight tests that matches with impossible reviews are due for review again, and that all
// other reviews stay.
func TestRebuildForgetsReviewsThatCannotBeRight(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	everything(t, s)
	due := func() int {
		t.Helper()
		matches, err := s.Unreviewed(t.Context(), 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(matches)
	}
	before := due()
	for _, test := range []struct {
		alter     string
		corrected int
	}{{"UPDATE matches SET o_critical = 4 WHERE id = 'm-first'", 0}, {"UPDATE matches SET o_critical = 5 WHERE id = 'm-first'", 1}} {
		alter(t, path, test.alter)
		if n, err := s.RebuildScores(t.Context(), nil); err != nil || n != test.corrected || due() != before+test.corrected {
			t.Errorf("%s: %d corrected, %v; %d reviews are due, before the rebuild %d", test.alter, n, err, due(), before)
		}
	}
}
