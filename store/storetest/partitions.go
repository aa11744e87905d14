package storetest

import (
	"testing"
	"time"

	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/server/venue"
)

// These ids have the format of Discord's server ids: the number above the lowest 22 bits decides the partition.
const (
	first  match.Venue = "175928847299117064"  // in partition 0 of 4, and 0 of 2
	second match.Venue = "1041370313711583241" // in partition 1 of 4, and 1 of 2
	third  match.Venue = "41771983423143970"   // in partition 2 of 4, and 0 of 2
)

func partition(index, of int) match.Partition { return match.Partition{Index: index, Of: of} }

func everywhere() []match.Venue { return []match.Venue{"", first, second, third} }

// playing saves a match in each of the venues, with a deadline at 60 s, and a challenge that expires at 300 s.
func (s tester) playing() {
	s.t.Helper()
	for _, v := range everywhere() {
		m := in(v, begin("m"+match.ID(v), alice, bob, noon()))
		c := invite(s.t, "c"+match.ID(v), alice, bob, noon())
		c.Venue = v
		s.save(match.Save{Challenge: match.ChallengeChange{To: c}, Matches: []match.MatchChange{{To: m}}, Extras: []match.Extra{board.Reference{ID: m.ID, Guild: string(v), Channel: "1", Message: "m" + string(v)}}})
	}
}

func testPartitionOf(t *testing.T, open opener) {
	t.Run("the venues belong to the partitions that these tests assume", func(t *testing.T) {
		for v, want := range map[match.Venue]int{"": 0, first: 0, second: 1, third: 2, "no number": 0} {
			same(t, match.PartitionOf(v, 4), partition(want, 4))
			same(t, match.PartitionOf(v, 2), partition(want%2, 2))
			same(t, match.PartitionOf(v, 0), partition(0, 1))
		}
	})
}

// testPartitionDeadlines tests that deadlines and boards belong to a partition.
func testPartitionDeadlines(t *testing.T, open opener) {
	subtest(t, open, "only the deadlines of a partition are found, and direct messages are in the first partition", func(t *testing.T, s tester) {
		s.playing()
		for i, want := range [][]match.ID{{"m", "m" + match.ID(first)}, {"m" + match.ID(second)}, {"m" + match.ID(third)}, nil} {
			same(t, must[[]match.ID](t)(s.TakeDue(s.ctx, partition(i, 4), after(60), 9, after(90))), want)
			next := must[time.Time](t)(s.NextDeadline(s.ctx, partition(i, 4), after(59)))
			same(t, next, map[bool]time.Time{true: after(60)}[want != nil])
			next = must[time.Time](t)(s.NextDeadline(s.ctx, partition(i, 4), after(60)))
			same(t, next, map[bool]time.Time{true: after(300)}[want != nil])
		}
		same(t, len(must[[]match.ID](t)(s.TakeDue(s.ctx, match.Partition{}, after(60), 9, after(90)))), 4)
	})
	subtest(t, open, "time is given back to a part, and to no other", func(t *testing.T, s tester) {
		s.playing()
		same(t, s.credit(partition(1, 4), missed(after(30), time.Minute)), 2)
		for _, v := range everywhere() {
			m, c := s.match("m"+match.ID(v)), s.challenge("c"+match.ID(v))
			want := []time.Time{after(60), after(300)}
			if v == second {
				want = []time.Time{after(120), after(360)}
			}
			same(t, []time.Time{m.Deadline, c.Deadline}, want)
		}
	})
	subtest(t, open, "after a brief time away the boards of the part are still right, and of no other", func(t *testing.T, s tester) {
		s.playing()
		for _, v := range everywhere() {
			s.do(s.SaveShown(s.ctx, board.Shown{ID: "m" + match.ID(v), Version: 1}))
		}
		s.credit(partition(1, 4), missed(after(30), time.Second))
		same(t, must[board.Board](t)(s.Board(s.ctx, "m"+match.ID(second))).Shown, 2)
		same(t, must[board.Board](t)(s.Board(s.ctx, "m"+match.ID(first))).Shown, 1)
	})
	subtest(t, open, "only the outdated boards of a partition are found", func(t *testing.T, s tester) {
		s.playing()
		for i, want := range [][]match.ID{{"m", "m" + match.ID(first)}, {"m" + match.ID(second)}, {"m" + match.ID(third)}, nil} {
			same(t, must[[]match.ID](t)(s.Behind(s.ctx, partition(i, 4), "", 9)), want)
		}
	})
}

// testPartitionsSeen tests when players of each partition were last heard, also after the venues are divided into another number of
// partitions.
func testPartitionsSeen(t *testing.T, open opener) {
	subtest(t, open, "each part was seen at its own time", func(t *testing.T, s tester) {
		s.see(partition(0, 4), after(10))
		s.see(partition(2, 4), after(30))
		s.see(partition(2, 4), after(20))
		for i, want := range []time.Time{after(10), {}, after(30), {}} {
			same(t, s.lastSeen(partition(i, 4)), want)
		}
		s.credit(partition(2, 4), missed(after(30), -time.Second))
		same(t, s.lastSeen(partition(2, 4)), after(29))
		same(t, s.lastSeen(partition(0, 4)), after(10))
	})
	for name, arrive := range map[string]func(s tester) error{
		"Seen": func(s tester) error {
			return s.Save(s.ctx, match.Save{Seen: match.Seen{Partition: partition(1, 3), At: after(40)}})
		},
		"Credit": func(s tester) error {
			_, err := s.Credit(s.ctx, partition(1, 3), missed(after(10), 30*time.Second))
			return err
		},
	} {
		subtest(t, open, "after another dealing each part was seen when the earliest of the old ones was, by "+name, func(t *testing.T, s tester) {
			s.see(partition(0, 2), after(10))
			s.see(partition(1, 2), after(20))
			for i := range 3 {
				same(t, s.lastSeen(partition(i, 3)), after(10))
			}
			s.do(arrive(s))
			for i, want := range []time.Time{after(10), after(40), after(10)} {
				same(t, s.lastSeen(partition(i, 3)), want)
			}
			// The row of the old partition was deleted. It must not come back, because newer times were recorded since.
			same(t, s.lastSeen(partition(0, 2)), after(10))
			s.see(partition(0, 3), after(50))
			s.see(partition(2, 3), after(50))
			same(t, s.lastSeen(match.Partition{}), after(40))
		})
	}
}

func testPartitionsPresent(t *testing.T, open opener) {
	subtest(t, open, "all servers of a part are known by its list, and others are not left by it", func(t *testing.T, s tester) {
		s.playing()
		for _, v := range everywhere()[1:] {
			s.finish(in(v, begin("over"+match.ID(v), alice, carol, noon())), noon(), xWins())
		}
		s.note(venue.News{Present: []match.Venue{first, second, third}}, noon())
		s.note(venue.News{Partition: partition(1, 4), All: true}, noon())
		for i, want := range [][]match.Venue{{first}, nil, {third}, nil} {
			same(t, must[[]match.Venue](t)(s.Present(s.ctx, partition(i, 4))), want)
		}
		same(t, must[int](t)(s.Prune(s.ctx, partition(0, 4), after(1), after(1))), 0)
		same(t, must[int](t)(s.Prune(s.ctx, partition(1, 4), after(1), after(1))), 1)
		same(t, must[int](t)(s.Prune(s.ctx, match.Partition{}, after(1), after(1))), 0)
	})
}
