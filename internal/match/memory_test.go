package match_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"tictactoe/internal/clock"
	"tictactoe/internal/match"
)

// memory is a store that can be told to fail, and that another writer can be let into. TestLaws holds it against a real one.
type memory struct {
	mu         sync.Mutex
	matches    map[match.ID]match.Match
	challenges map[match.ID]match.Challenge
	names      map[match.User]string
	seen       map[match.Partition]time.Time
	given      match.Given // what players have said about being asked; the back-offs are the store's own
	backOffs   map[[2]match.User]match.BackOff
	calls      int
	saves      int
	extras     []match.Extra            // that the core does not look into
	ended      map[match.ID]int         // how often a match was seen to end: a score would change then
	plies      map[string]int           // how often a ply was written, by "match ply"
	policy     func(match.Permit) error // of the venues; nil: everything is permitted
	fail       func(string) error       // by the name of the method; nil or a nil error: it works
	before     func()                   // called once before the next Save looks at versions, without the lock: another writer
}

func newMemory() *memory {
	return &memory{
		matches: map[match.ID]match.Match{}, challenges: map[match.ID]match.Challenge{}, names: map[match.User]string{},
		seen:     map[match.Partition]time.Time{},
		backOffs: map[[2]match.User]match.BackOff{}, ended: map[match.ID]int{}, plies: map[string]int{},
	}
}

func (s *memory) enter(ctx context.Context, method string) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%s: %w: %w", method, match.ErrBusy, err)
	}
	s.mu.Lock()
	fail := s.fail
	if s.calls++; s.calls > 500_000 {
		panic("the store is asked without end") // in a bubble nothing else would end the test
	}
	s.mu.Unlock()
	if fail != nil {
		if err := fail(method); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
	}
	s.mu.Lock()
	return nil
}

func (s *memory) failing(fail func(string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}

func (s *memory) Match(ctx context.Context, id match.ID) (match.Match, error) {
	if err := s.enter(ctx, "Match"); err != nil {
		return match.Match{}, err
	}
	defer s.mu.Unlock()
	m, ok := s.matches[id]
	if !ok {
		return m, fmt.Errorf("match %s: %w", id, match.ErrNotFound)
	}
	return m, nil
}

func (s *memory) Challenge(ctx context.Context, id match.ID) (match.Challenge, error) {
	if err := s.enter(ctx, "Challenge"); err != nil {
		return match.Challenge{}, err
	}
	defer s.mu.Unlock()
	c, ok := s.challenges[id]
	if !ok {
		return c, fmt.Errorf("challenge %s: %w", id, match.ErrNotFound)
	}
	return c, nil
}

func (s *memory) Find(ctx context.Context, id match.ID) (match.Found, error) {
	if err := s.enter(ctx, "Find"); err != nil {
		return match.Found{}, err
	}
	defer s.mu.Unlock()
	if m, ok := s.matches[id]; ok {
		return match.Found{Match: &m}, nil
	}
	if c, ok := s.challenges[id]; ok {
		return match.Found{Challenge: &c}, nil
	}
	return match.Found{}, fmt.Errorf("match or challenge %s: %w", id, match.ErrNotFound)
}

// list are the matches that pass, oldest first; the lock is held.
func (s *memory) list(pass func(match.Match) bool) []match.Match {
	all := slices.DeleteFunc(slices.Collect(maps.Values(s.matches)), func(m match.Match) bool { return !pass(m) })
	slices.SortFunc(all, func(a, b match.Match) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return all
}

func (s *memory) OpenMatches(ctx context.Context, p match.User) ([]match.Match, error) {
	if err := s.enter(ctx, "OpenMatches"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.list(func(m match.Match) bool { return !m.Result.Over() && m.Seats.Mark(p) != 0 }), nil
}

func (s *memory) EndedMatches(ctx context.Context, p match.User, since time.Time) ([]match.Match, error) {
	if err := s.enter(ctx, "EndedMatches"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return s.list(func(m match.Match) bool {
		return m.Result.Over() && m.Seats.Mark(p) != 0 && !m.Ended.Before(since)
	}), nil
}

func (s *memory) PendingChallenges(ctx context.Context, p match.User) ([]match.Challenge, error) {
	if err := s.enter(ctx, "PendingChallenges"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var all []match.Challenge
	for _, id := range slices.Sorted(maps.Keys(s.challenges)) {
		if c := s.challenges[id]; c.Status == match.Pending && (c.From == p || c.To == p) {
			all = append(all, c)
		}
	}
	return all, nil
}

func (s *memory) Series(ctx context.Context, series match.ID) ([]match.Past, error) {
	if err := s.enter(ctx, "Series"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var past []match.Past
	for _, m := range s.list(func(m match.Match) bool { return m.Series == series && m.Result.Over() }) {
		past = append(past, match.Past{Seats: m.Seats, Result: m.Result, Count: 1})
	}
	return past, nil
}

func (s *memory) Names(ctx context.Context, players ...match.User) (map[match.User]string, error) {
	if err := s.enter(ctx, "Names"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return maps.Clone(s.names), nil
}

func (s *memory) Save(ctx context.Context, save match.Save) error {
	s.mu.Lock()
	before := s.before
	s.before = nil
	s.mu.Unlock()
	if before != nil {
		before()
	}
	if err := s.enter(ctx, "Save"); err != nil {
		return err
	}
	defer s.mu.Unlock()
	// All is judged before anything is written: one transaction.
	if err := s.judge(save); err != nil {
		return err
	}
	s.saves++
	s.write(save)
	return nil
}

func (s *memory) judge(save match.Save) error {
	if c := save.Challenge; c.Replaces() {
		if s.challenges[c.From.ID].Version != c.From.Version {
			return match.ErrConflict
		}
		if c.To.Version <= c.From.Version {
			return fmt.Errorf("challenge %s: version %d after %d", c.From.ID, c.To.Version, c.From.Version)
		}
	}
	for _, c := range save.Matches {
		switch {
		case c.Creates():
		case s.matches[c.From.ID].Version != c.From.Version:
			return match.ErrConflict
		case c.To.Version <= c.From.Version:
			return fmt.Errorf("match %s: version %d after %d", c.From.ID, c.To.Version, c.From.Version)
		}
	}
	if save.Permit.Venue != "" && s.policy != nil {
		if err := s.policy(save.Permit); err != nil {
			return err
		}
	}
	if c := save.Consent; c.Other != "" {
		given := s.given
		given.LeftAlone = s.backOffs[[2]match.User{c.By, c.Other}].Until
		if err := c.Refuse(given); err != nil {
			return err
		}
	}
	if q := save.Quota; q.By != "" {
		if err := q.Refuse(s.occupied(q)); err != nil {
			return err
		}
	}
	if _, taken := s.challenges[save.Challenge.To.ID]; taken && save.Challenge.Creates() {
		return match.ErrExists
	}
	for _, c := range save.Matches {
		if _, taken := s.matches[c.To.ID]; taken && c.Creates() {
			return match.ErrExists
		}
	}
	return nil
}

// occupied counts what is stored; the lock is held.
func (s *memory) occupied(r match.Quota) match.Usage {
	var o match.Usage
	for _, m := range s.matches {
		by, other := m.Seats.Mark(r.By) != 0, m.Seats.Mark(r.Other) != 0
		switch {
		case m.Result.Over():
			continue
		case by && other:
			o.Pair++
		}
		if by {
			o.Yours++
		}
		if other {
			o.Theirs++
		}
	}
	for _, id := range slices.Backward(slices.Sorted(maps.Keys(s.challenges))) {
		c := s.challenges[id]
		if c.Status != match.Pending || !c.Deadline.After(r.At) {
			continue
		}
		if c.From == r.By {
			o.Sent++
		}
		if c.From == r.By && c.To == r.Other || c.From == r.Other && c.To == r.By {
			o.Between = &c
		}
	}
	return o
}

func (s *memory) write(save match.Save) {
	if c := save.Challenge; c.To.ID != "" {
		s.challenges[c.To.ID] = c.To
		if !c.At.IsZero() {
			pair := [2]match.User{c.To.From, c.To.To}
			s.backOffs[pair] = s.backOffs[pair].After(c.To.Status, c.At)
		}
	}
	for _, c := range save.Matches {
		s.record(c.From, c.To)
	}
	for _, n := range save.Names {
		s.names[n.Player] = n.Name
	}
	if seen := save.Seen; !seen.At.IsZero() {
		s.see(seen.Partition, seen.At)
	}
	s.extras = append(s.extras, save.Extras...)
}

func (s *memory) record(from, to match.Match) {
	for ply := from.Record.Len(); ply < to.Record.Len(); ply++ {
		s.plies[fmt.Sprint(to.ID, " ", ply)]++
	}
	if to.Result.Over() && !from.Result.Over() {
		s.ended[to.ID]++
	}
	s.matches[to.ID] = to
}

func (s *memory) deadlines(p match.Partition) map[match.ID]time.Time {
	due := map[match.ID]time.Time{}
	for id, c := range s.challenges {
		if !c.Deadline.IsZero() && p.Has(c.Venue) {
			due[id] = c.Deadline
		}
	}
	for id, m := range s.matches {
		if at := m.Due(); !at.IsZero() && p.Has(m.Venue) {
			due[id] = at
		}
	}
	return due
}

func (s *memory) TakeDue(ctx context.Context, p match.Partition, now time.Time, limit int, _ time.Time) ([]match.ID, error) {
	if err := s.enter(ctx, "TakeDue"); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	due := s.deadlines(p)
	maps.DeleteFunc(due, func(_ match.ID, at time.Time) bool { return at.After(now) })
	ids := slices.SortedFunc(maps.Keys(due), func(a, b match.ID) int { return cmp.Or(due[b].Compare(due[a]), cmp.Compare(a, b)) })
	return ids[:min(limit, len(ids))], nil
}

func (s *memory) NextDeadline(ctx context.Context, p match.Partition, after time.Time) (time.Time, error) {
	if err := s.enter(ctx, "NextDeadline"); err != nil {
		return time.Time{}, err
	}
	defer s.mu.Unlock()
	var next time.Time
	for _, at := range s.deadlines(p) {
		if at.After(after) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next, nil
}

func (s *memory) LastSeen(ctx context.Context, p match.Partition) (time.Time, error) {
	if err := s.enter(ctx, "LastSeen"); err != nil {
		return time.Time{}, err
	}
	defer s.mu.Unlock()
	return s.lastSeen(p), nil
}

func (s *memory) lastSeen(p match.Partition) (seen time.Time) {
	for known, at := range s.seen {
		if known == spelt(p) {
			return at
		}
		if known.Of != p.Count() && (seen.IsZero() || at.Before(seen)) {
			seen = at
		}
	}
	return seen
}

// deal makes the record one of so many parts; the lock is held.
func (s *memory) deal(p match.Partition) {
	of := p.Count()
	seen := s.lastSeen(match.Partition{Index: -1, Of: of})
	if seen.IsZero() {
		return
	}
	clear(s.seen)
	for i := range of {
		s.seen[match.Partition{Index: i, Of: of}] = seen
	}
}

func (s *memory) Credit(ctx context.Context, p match.Partition, span clock.Span) (int, error) {
	if err := s.enter(ctx, "Credit"); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	from, by := span.Credit(s.lastSeen(p), false)
	s.deal(p)
	if by == 0 {
		s.see(p, span.Heard())
		return 0, nil
	}
	n := 0
	for id, c := range s.challenges {
		if p.Has(c.Venue) && c.Deadline.After(from) {
			c.Deadline, c.Version = c.Deadline.Add(by), c.Version+1
			s.challenges[id], n = c, n+1
		}
	}
	for id, m := range s.matches {
		switch {
		case !p.Has(m.Venue):
			continue
		case m.Deadline.After(from):
			m.Deadline = m.Deadline.Add(by)
		case m.Rematch.Deadline.After(from):
			m.Rematch.Deadline = m.Rematch.Deadline.Add(by)
		default:
			continue
		}
		m.Version++
		s.matches[id], n = m, n+1
	}
	s.seen[spelt(p)] = span.Heard()
	return n, nil
}

// see records when a part was heard, which does not go back; the lock is held.
func (s *memory) see(p match.Partition, at time.Time) {
	s.deal(p)
	if p := spelt(p); at.After(s.seen[p]) {
		s.seen[p] = at
	}
}

// the rest are conveniences of tests.

// always is a clock that stands still.
func always(at time.Time) func() time.Time { return func() time.Time { return at } }

func (s *memory) put(values ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		switch v := v.(type) {
		case match.Match:
			s.matches[v.ID] = v
		case match.Challenge:
			s.challenges[v.ID] = v
		}
	}
}

func (s *memory) match(t testing.TB, id match.ID) match.Match {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	m, ok := s.matches[id]
	if !ok {
		t.Fatalf("no match %s", id)
	}
	return m
}

func (s *memory) challenge(t testing.TB, id match.ID) match.Challenge {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.challenges[id]
	if !ok {
		t.Fatalf("no challenge %s", id)
	}
	return c
}

// saved is how often something was saved, and when the bot was last seen.
func (s *memory) saved() (times int, seen time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saves, s.seen[match.Partition{Of: 1}]
}

// spelt is the partition as a key: the zero value is the same as one of one.
func spelt(p match.Partition) match.Partition { return match.Partition{Index: p.Index, Of: p.Count()} }
