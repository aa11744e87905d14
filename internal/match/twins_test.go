package match_test

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
	"tictactoe/store/sqlite"
)

// twins are the fake store of these tests and a real one, which have to agree on everything that they are asked to save. So
// what the tests learn with the fake holds for a database as well.
type twins struct {
	*memory
	real *sqlite.Store
	t    *rapid.T
}

// newTwins opens a database that only this test knows.
func newTwins(t *testing.T, check *rapid.T) twins {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "twin.db"))
	if err != nil {
		t.Fatal(err)
	}
	check.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return twins{newMemory(), s, check}
}

func (s twins) Save(ctx context.Context, save match.Save) error {
	fake := s.memory.Save(ctx, save)
	s.agree("Save", outcomeOf(fake), outcomeOf(s.real.Save(ctx, save)))
	s.stored(ctx, save.Challenge.To.ID)
	for _, c := range save.Matches {
		s.stored(ctx, c.To.ID)
	}
	return fake
}

func (s twins) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, until time.Time) ([]match.ID, error) {
	due, err := s.memory.TakeDue(ctx, p, now, limit, until)
	real, failed := s.real.TakeDue(ctx, p, now, limit, until)
	s.agree("TakeDue", due, real)
	return due, errors.Join(err, failed)
}

func (s twins) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	next, err := s.memory.NextDeadline(ctx, p, after)
	real, failed := s.real.NextDeadline(ctx, p, after)
	s.agree("NextDeadline", next, real)
	return next, errors.Join(err, failed)
}

func (s twins) Credit(ctx context.Context, p match.Partition, span clock.Span) (int, error) {
	n, err := s.memory.Credit(ctx, p, span)
	real, failed := s.real.Credit(ctx, p, span)
	s.agree("Credit", n, real)
	s.stored(ctx, slices.Collect(maps.Keys(s.deadlines(p)))...)
	return n, errors.Join(err, failed)
}

// stored compares what is stored under some ids.
func (s twins) stored(ctx context.Context, ids ...match.ID) {
	for _, id := range ids {
		fake, _ := s.memory.Find(ctx, id)
		real, err := s.real.Find(ctx, id)
		if !errors.Is(err, match.ErrNotFound) {
			s.agree("find "+string(id), nil, err)
		}
		s.agree("find "+string(id), fake, real)
	}
}

func (s twins) agree(what string, fake, real any) {
	if d := diff(real, fake); d != "" {
		s.t.Fatalf("%s: the fake store answers otherwise than a real one: -real +fake\n%s", what, d)
	}
}

// outcomeOf is what a caller decides by: the refusal, or which error of a store it is.
func outcomeOf(err error) any {
	if refusal := (*match.Refusal)(nil); errors.As(err, &refusal) {
		return *refusal
	}
	for _, known := range []error{match.ErrConflict, match.ErrExists} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return err
}
