package postgres_test

import (
	"sync"
	"testing"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

func noon() time.Time { return time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC) }

func after(seconds int) time.Time { return noon().Add(time.Duration(seconds) * time.Second) }

// begin returns a match that has just begun, with an hour for each move.
func begin(id match.ID, x, o match.User) match.Match {
	return match.Start(id, id, "home", game.Classic(), match.Seats{match.Human(x), match.Human(o)}, time.Hour, 1, noon())
}

func save(t testing.TB, s *postgres.Store, save match.Save) {
	t.Helper()
	if err := s.Save(t.Context(), save); err != nil {
		t.Fatal(err)
	}
}

func TestTheTimeSinceTheLastBotStoppedIsCredited(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	one, other := open(t, address), open(t, address)
	save(t, one, match.Save{Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}})
	save(t, one, match.Save{Seen: match.Seen{At: noon()}})
	one.Close()
	if n, err := other.Credit(t.Context(), match.Partition{}, clock.Span{From: noon(), To: noon().Add(4 * time.Second)}); err != nil || n != 1 {
		t.Errorf("%d deadlines moved (%v)", n, err)
	}
}

func TestBotsThatStartTogetherCreditMissedTimeOnce(t *testing.T) {
	t.Parallel()
	address := pgtest.Migrated(t)
	first := open(t, address)
	save(t, first, match.Save{Matches: []match.MatchChange{{To: begin("m", "alice", "bob")}}, Seen: match.Seen{At: noon()}})
	save(t, first, match.Save{Seen: match.Seen{At: noon(), Leaving: true}})
	const bots = 4
	var stores []*postgres.Store
	for range bots {
		stores = append(stores, open(t, address))
	}
	for _, gone := range []int{8, 1000} { // how many seconds no bot was running
		seen, err := first.LastSeen(t.Context(), match.Partition{})
		if err != nil {
			t.Fatal(err)
		}
		before, err := first.Match(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		at := seen.Add(time.Duration(gone) * time.Second)
		var mu sync.Mutex
		var all sync.WaitGroup
		moved := 0
		for _, s := range stores {
			all.Go(func() {
				// All stores read the time when players were last heard before any of them calls Credit.
				n, err := s.Credit(t.Context(), match.Partition{}, clock.Span{From: seen, To: seen.Add(at.Sub(seen))})
				mu.Lock()
				defer mu.Unlock()
				moved += n
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		m, err := first.Match(t.Context(), "m")
		if err != nil {
			t.Fatal(err)
		}
		if moved != 1 || !m.Deadline.Equal(before.Deadline.Add(at.Sub(seen))) || m.Version != before.Version+1 {
			t.Errorf("%d moved, from %v to %v", moved, before.Deadline, m.Deadline)
		}
		for _, s := range stores {
			save(t, s, match.Save{Seen: match.Seen{At: at, Leaving: true}})
		}
	}
}
