package postgres_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rating"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

func TestStandingsThatChangeFromManySides(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	address := pgtest.Migrated(t)
	all := stores(t, address)
	var sides sync.WaitGroup
	for i, s := range all {
		sides.Go(func() {
			for n := range 2 * rounds {
				x, o := match.User(fmt.Sprint("x", n%7)), match.User(fmt.Sprint("o", (n+i)%11))
				m := begin(match.ID(fmt.Sprint(i, "-", n)), x, o)
				save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
				save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: won(t, m)}}})
			}
		})
	}
	sides.Wait()
	lawful(t, address)
}

func TestScoresChangedByAnotherProgramAreFoundAndRecounted(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	address := pgtest.Migrated(t)
	s := open(t, address)
	m := begin("m", "x", "o")
	m.Stakes = rating.Full
	save(t, s, match.Save{Matches: []match.MatchChange{{To: m}}})
	save(t, s, match.Save{Matches: []match.MatchChange{{From: m, To: won(t, m)}}})
	save(t, s, match.Save{Matches: []match.MatchChange{{To: begin("open", "x", "o")}}}) // a running match has no score
	for _, test := range []struct{ damage, where, what string }{
		{"UPDATE tictactoe.scores SET wins = 7 WHERE player = 'x'", "scores venue=home player=x season=0 rules= level=", "wins is 7 and should be 1"},
		{"UPDATE tictactoe.scores SET reached = 1 WHERE player = 'x'", "scores venue=home player=x season=0 rules= level=", "reached is 1 and should be "},
		{"DELETE FROM tictactoe.scores WHERE player = 'o'", "scores venue=home player=o season=0 rules= level=", "it is missing"},
		{"INSERT INTO tictactoe.scores VALUES ('home', 'z', 0, '', 'easy', 9, 0, 0, 1)", "scores venue=home player=z season=0 rules= level=easy", "the matches do not lead to it"},
		{"DELETE FROM tictactoe.standings WHERE player = 'o'", "standings venue=home season=0 rules= leaderboard=people player=o", "it is missing"},
		{"DELETE FROM tictactoe.rated WHERE player = 'o'", "rated venue=home rules=3x3x3 player=o at=1772366404000 match=m", "it is missing"},
		{"UPDATE tictactoe.rated SET weight = 0.5 WHERE player = 'x'", "rated venue=home rules=3x3x3 player=x at=1772366404000 match=m", "weight is 0.5 and should be 1"},
		{"UPDATE tictactoe.standings SET place = '0' WHERE player = 'o' AND leaderboard = 'rating'", "standings venue=home season=0 rules=3x3x3 leaderboard=rating player=o", "place is 0 and should be 1"},
	} {
		t.Run(test.damage, func(t *testing.T) {
			run(t, address, test.damage)
			r, err := postgres.Check(t.Context(), address, nil)
			if err != nil || len(r.Findings) == 0 {
				t.Fatalf("%+v, %v", r, err)
			}
			if found := r.Findings[0]; found.Where != test.where || !strings.Contains(found.What, test.what) {
				t.Errorf("%+v", found)
			}
			var told, all int
			n, err := s.RebuildScores(t.Context(), func(done, of int) {
				if done < told {
					t.Errorf("the reported progress falls from %d to %d", told, done)
				}
				told, all = done, of
			})
			if n == 0 || err != nil {
				t.Errorf("%d corrected, %v", n, err)
			}
			if told == 0 || told < all {
				t.Errorf("the progress ends at %d of %d", told, all)
			}
			if r, err := postgres.Check(t.Context(), address, nil); err != nil || len(r.Findings) > 0 {
				t.Errorf("afterwards: %+v, %v", r, err)
			}
		})
	}
}

// A rebuild may compute for minutes between two statements of a transaction.
func TestALongTransactionMayAlsoBeIdle(t *testing.T) {
	t.Parallel()
	limits, err := open(t, pgtest.Migrated(t)).LongLimits(t.Context())
	want := map[string]string{"statement_timeout": "5min", "idle_in_transaction_session_timeout": "5min", "lock_timeout": "2s"}
	if err != nil || !maps.Equal(limits, want) {
		t.Errorf("%v, %v", limits, err)
	}
}
