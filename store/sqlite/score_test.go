package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
	"tictactoe/store/sqlite"
)

func TestRebuildScores(t *testing.T) {
	path := newPath(t)
	s := open(t, path)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		playOut(t, s, random, match.ID(fmt.Sprint(n)))
		switch random.IntN(30) {
		case 0: // some time in what has been played, or before or after it
			at := noon().Add(time.Duration(random.IntN(2e5)) * time.Millisecond)
			save(t, s, score.Reset{Venue: []match.Venue{"home", "away"}[random.IntN(2)], At: at})
		case 1, 2, 3:
			m := load(t, s, match.ID(fmt.Sprint(random.IntN(n+1))))
			if void, err := m.Void(noon()); err == nil {
				save(t, s, match.UpdateMatch{From: m, To: void})
			}
		}
	}
	kept := scores(t, path)
	if len(kept) < 30 {
		t.Fatalf("only %d scores", len(kept))
	}

	rebuild := func(t *testing.T) int {
		t.Helper()
		n, err := s.RebuildScores(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	t.Run("the scores are what the matches add up to", func(t *testing.T) {
		if n := rebuild(t); n != 0 {
			t.Errorf("%d scores were wrong", n)
		}
		same(t, scores(t, path), kept)
	})
	for name, damage := range map[string]string{
		"a wrong score":        "UPDATE scores SET wins = wins + 1 WHERE player = 'p1' AND level = '' AND venue = 'home'",
		"a wrong time":         "UPDATE scores SET reached = reached + 1 WHERE player = 'p1' AND reached > 0",
		"missing scores":       "DELETE FROM scores WHERE level <> 'easy'",
		"a score from nowhere": "INSERT INTO scores VALUES ('home', 'cheat', 'easy', 999, 0, 0, 1)",
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

// playOut saves a match between some of a few players, or against a computer, and plays it in some way to some end.
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
	save(t, s, match.CreateMatch{Match: m})
	for !m.Result.Over() {
		at = at.Add(time.Second)
		next, err := turn(m, random, at)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, match.UpdateMatch{From: m, To: next})
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

func player(n int) match.Player { return match.Player(fmt.Sprintf("p%d", n)) }

// scores are all scores, and the sums over the levels.
func scores(t *testing.T, path string) map[string]score.Tally {
	t.Helper()
	rows, err := raw(t, path).QueryContext(context.Background(),
		`SELECT venue || '/' || player || '/' || level || '/' || reached, wins, draws, losses FROM scores
		UNION ALL SELECT venue || '/' || player || '/all/' || reached, wins, draws, losses FROM computer_scores`)
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
