package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tictactoe/internal/longtest"
	"tictactoe/internal/match"
	"tictactoe/store/postgres"
	"tictactoe/store/postgres/pgtest"
)

const workers = 8

// lots inserts n matches, spread over the given number of servers. Their deadlines have passed by one hour after noon. It does not
// use a store, which would be slower.
func lots(t testing.TB, address string, n, servers int) {
	t.Helper()
	run(t, address, fmt.Sprintf(`INSERT INTO tictactoe.matches
		(id, series, venue, rules, x_player, o_player, turn_ms, deadline, created, version)
		SELECT 'm' || n, 'm' || n, 'home' || n %% %d, '3x3x3', 'x' || n, 'o' || n, 3600000, %d + n, %d, 1 FROM generate_series(1, %d) AS n;
		ANALYZE`, servers, noon().UnixMilli(), noon().UnixMilli(), n))
}

// takeAll lets bots take all due deadlines and act on them, each bot with one of the stores, and returns how often each id was
// taken.
func takeAll(t testing.TB, stores []*postgres.Store, act func(s *postgres.Store, ids []match.ID) error) map[match.ID]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	takes := map[match.ID]int{}
	for _, s := range stores {
		all.Go(func() {
			for {
				ids, err := s.TakeDue(context.Background(), match.Partition{}, after(3600), 100, after(3630))
				if err == nil && len(ids) > 0 {
					err = act(s, ids)
				}
				if err != nil {
					t.Error(err)
				}
				if err != nil || len(ids) == 0 {
					return
				}
				mu.Lock()
				for _, id := range ids {
					takes[id]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return takes
}

// expire acts on the deadlines of matches, as a scheduler does.
func expire(s *postgres.Store, ids []match.ID) error {
	referee := match.Referee{Store: s}
	for _, id := range ids {
		if changed, err := referee.Expire(context.Background(), id, func() time.Time { return after(3600) }); err != nil || !changed {
			return fmt.Errorf("match %s was expired twice: %w", id, err)
		}
	}
	return nil
}

func stores(t testing.TB, address string) (all []*postgres.Store) {
	for range workers {
		all = append(all, open(t, address))
	}
	return all
}

func TestEveryDeadlineIsTakenOnce(t *testing.T) { takeOnce(t, 100) }

func TestEveryDeadlineOfManyIsTakenOnce(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	takeOnce(t, 1000)
}

func takeOnce(t *testing.T, n int) {
	t.Helper()
	address := pgtest.Migrated(t)
	lots(t, address, n, 1)
	takes := takeAll(t, stores(t, address), expire)
	if len(takes) != n {
		t.Errorf("took %d of %d deadlines", len(takes), n)
	}
	for id, times := range takes {
		if times != 1 {
			t.Errorf("match %s was taken %d times", id, times)
		}
	}
}

// BenchmarkTakeDue measures how long eight bots take to act on 100,000 deadlines that are due at the same time, each exactly once.
// Matches that end in the same server are saved one after the other, because they change the same leaderboards.
func BenchmarkTakeDue(b *testing.B) {
	for _, servers := range []int{1, 1000} {
		b.Run(fmt.Sprint(servers, " servers"), func(b *testing.B) {
			address := pgtest.Migrated(b)
			all := stores(b, address)
			const n = 100_000
			for b.Loop() {
				b.StopTimer()
				run(b, address, "DELETE FROM tictactoe.moves; DELETE FROM tictactoe.matches")
				lots(b, address, n, servers)
				var acted atomic.Int64
				b.StartTimer()
				takes := takeAll(b, all, func(s *postgres.Store, ids []match.ID) error {
					acted.Add(int64(len(ids)))
					return expire(s, ids)
				})
				if len(takes) != n || acted.Load() != n {
					b.Fatalf("%d taken, %d acted on", len(takes), acted.Load())
				}
			}
			b.ReportMetric(float64(n*b.N)/b.Elapsed().Seconds(), "deadlines/s")
		})
	}
}
