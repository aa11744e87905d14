package match_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/match/clock"
	"tictactoe/store/sqlite"
	"tictactoe/store/sqlite/sqlitetest"
)

// probed is an SQLite store that can fail on demand, can let another writer act first, and records the saves.
type probed struct {
	*sqlite.Store
	mu     sync.Mutex
	ids    []match.ID  // the ids of all values ever saved
	given  match.Given // the consent of players, in addition to the database
	calls  int
	saves  int
	extras []match.Extra            // extras of a front end, which only these tests know
	ended  map[match.ID]int         // how often each match was seen to end; each end changes a score
	plies  map[string]int           // by "match ply", how often the ply was written and not taken back
	policy func(match.Permit) error // the policy of the venues, in addition to the database; nil permits everything
	fail   func(string) error       // returns the error of a method, by its name; may be nil
	before func()                   // called once, without the lock, before the next Save reads versions, to act as another writer
}

// newStore opens a database for one test, in memory if the system has a folder for that. These tests save as often as a bot does in
// days, and do not test the disk.
func newStore(t interface {
	Helper()
	Fatal(...any)
	Cleanup(func())
}) *probed {
	t.Helper()
	memory := "/dev/shm"
	if info, err := os.Stat(memory); err != nil || !info.IsDir() {
		memory = ""
	}
	folder, err := os.MkdirTemp(memory, "match-test-")
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlitetest.Open(context.Background(), filepath.Join(folder, "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), os.RemoveAll(folder)); err != nil {
			t.Fatal(err)
		}
	})
	return &probed{Store: s, ended: map[match.ID]int{}, plies: map[string]int{}}
}

// enter counts a call, and returns the error that the test has set for the method.
func (s *probed) enter(method string) error {
	s.mu.Lock()
	fail := s.fail
	if s.calls++; s.calls > 500_000 {
		panic("the store is asked without end") // in a bubble of synctest nothing else would end the test
	}
	s.mu.Unlock()
	if fail == nil {
		return nil
	}
	if err := fail(method); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}

func (s *probed) failing(fail func(string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *probed) Match(ctx context.Context, id match.ID) (match.Match, error) {
	if err := s.enter("Match"); err != nil {
		return match.Match{}, err
	}
	return s.Store.Match(ctx, id)
}

func (s *probed) Challenge(ctx context.Context, id match.ID) (match.Challenge, error) {
	if err := s.enter("Challenge"); err != nil {
		return match.Challenge{}, err
	}
	return s.Store.Challenge(ctx, id)
}

func (s *probed) Find(ctx context.Context, id match.ID) (match.Found, error) {
	if err := s.enter("Find"); err != nil {
		return match.Found{}, err
	}
	return s.Store.Find(ctx, id)
}

func (s *probed) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) ([]match.ID, error) {
	if err := s.enter("TakeDue"); err != nil {
		return nil, err
	}
	return s.Store.TakeDue(ctx, p, now, limit, until)
}

func (s *probed) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	if err := s.enter("NextDeadline"); err != nil {
		return time.Time{}, err
	}
	return s.Store.NextDeadline(ctx, p, after)
}

func (s *probed) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	if err := s.enter("LastSeen"); err != nil {
		return time.Time{}, err
	}
	return s.Store.LastSeen(ctx, p)
}

func (s *probed) Credit(ctx context.Context, p match.Partition, span clock.Span) (int, error) {
	if err := s.enter("Credit"); err != nil {
		return 0, err
	}
	return s.Store.Credit(ctx, p, span)
}

func (s *probed) Save(ctx context.Context, save match.Save) error {
	s.mu.Lock()
	before := s.before
	s.before = nil
	s.mu.Unlock()
	if before != nil {
		before()
	}
	if err := s.enter("Save"); err != nil {
		return err
	}
	if c := save.Consent; c.Other != "" {
		if err := c.Refuse(s.given); err != nil {
			return err
		}
	}
	if save.Permit.Venue != "" && s.policy != nil {
		if err := s.policy(save.Permit); err != nil {
			return err
		}
	}
	extras := save.Extras
	save.Extras = slices.DeleteFunc(slices.Clone(extras), func(e match.Extra) bool { _, is := e.(note); return is })
	if err := s.Store.Save(ctx, save); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saves++
	s.extras = append(s.extras, extras...)
	s.note(save)
	return nil
}

// note records a save. The caller holds the lock.
func (s *probed) note(save match.Save) {
	if id := save.Challenge.To.ID; id != "" {
		s.ids = append(s.ids, id)
	}
	for _, c := range save.Matches {
		s.ids = append(s.ids, c.To.ID)
		for ply := c.From.Record.Len(); ply < c.To.Record.Len(); ply++ {
			s.plies[fmt.Sprint(c.To.ID, " ", ply)]++
		}
		for ply := c.To.Record.Len(); ply < c.From.Record.Len(); ply++ {
			s.plies[fmt.Sprint(c.To.ID, " ", ply)]-- // it was taken back
		}
		if c.To.Result.Over() && !c.From.Result.Over() {
			s.ended[c.To.ID]++
		}
	}
	slices.Sort(s.ids)
	s.ids = slices.Compact(s.ids)
}

// stored returns all matches and challenges in the store.
func (s *probed) stored(t interface{ Fatal(...any) }) (matches map[match.ID]match.Match, challenges map[match.ID]match.Challenge) {
	s.mu.Lock()
	ids := slices.Clone(s.ids)
	s.mu.Unlock()
	matches, challenges = map[match.ID]match.Match{}, map[match.ID]match.Challenge{}
	for _, id := range ids {
		m, err := s.Store.Match(context.Background(), id)
		if err == nil {
			matches[id] = m
		} else if !errors.Is(err, match.ErrNotFound) {
			t.Fatal(err)
		}
		c, err := s.Store.Challenge(context.Background(), id)
		if err == nil {
			challenges[id] = c
		} else if !errors.Is(err, match.ErrNotFound) {
			t.Fatal(err)
		}
	}
	return matches, challenges
}

// count returns the number of matches and challenges in the store.
func (s *probed) count(t testing.TB) int {
	t.Helper()
	matches, challenges := s.stored(t)
	return len(matches) + len(challenges)
}

// always returns a function that always returns the given time.
func always(at time.Time) func() time.Time { return func() time.Time { return at } }

// put saves values directly; each replaces the value with the same id.
func (s *probed) put(values ...any) {
	for _, v := range values {
		var save match.Save
		switch v := v.(type) {
		case match.Match:
			old, _ := s.Store.Match(context.Background(), v.ID)
			save.Matches = []match.MatchChange{{From: old, To: v}}
		case match.Challenge:
			old, _ := s.Store.Challenge(context.Background(), v.ID)
			save.Challenge = match.ChallengeChange{From: old, To: v}
		}
		if err := s.Store.Save(context.Background(), save); err != nil {
			panic(err)
		}
		s.mu.Lock()
		for _, c := range save.Matches {
			s.ids = append(s.ids, c.To.ID)
		}
		if id := save.Challenge.To.ID; id != "" {
			s.ids = append(s.ids, id)
		}
		s.mu.Unlock()
	}
}

func (s *probed) match(t testing.TB, id match.ID) match.Match {
	t.Helper()
	m, err := s.Store.Match(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (s *probed) challenge(t testing.TB, id match.ID) match.Challenge {
	t.Helper()
	c, err := s.Store.Challenge(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// saved returns the number of saves, and when the bot was last seen.
func (s *probed) saved() (times int, seen time.Time) {
	seen, err := s.Store.LastSeen(context.Background(), match.Partition{})
	if err != nil {
		panic(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saves, seen
}
