// Package lease lets processes agree on which of them owns a resource, such as a shard. Each resource belongs to one
// process at a time, and to no process once its holder has not renewed the lease for a while.
package lease

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Lease is the right of a holder to the resource called Name.
type Lease struct{ Name, Holder string }

// Store keeps leases. Leases expire by the store's own clock: if processes run on several machines, by the clock of the
// database. Names and holders are arbitrary non-empty texts. A holder must stop using the resource before its lease
// expires.
type Store interface {
	// Acquire gives the lease of a name to a holder until ttl from now, and reports whether it did: it fails while another
	// holder has the lease. If the holder already has it, it is renewed.
	Acquire(ctx context.Context, name, holder string, ttl time.Duration) (bool, error)
	// Renew makes all leases of a holder expire ttl from now, and returns their names, sorted. A lease that has expired is
	// not renewed, even if it is free.
	Renew(ctx context.Context, holder string, ttl time.Duration) ([]string, error)
	// Release gives up the holder's leases of the given names.
	Release(ctx context.Context, holder string, names ...string) error
	// Leases returns all leases that have not expired, sorted by name.
	Leases(ctx context.Context) ([]Lease, error)
}

// Memory is a Store for one process. The zero value is ready for use.
type Memory struct {
	mu     sync.Mutex
	leases map[string]held
}

type held struct {
	holder  string
	expires time.Time
}

// Acquire implements Store.
func (m *Memory) Acquire(_ context.Context, name, holder string, ttl time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep()
	if l, taken := m.leases[name]; taken && l.holder != holder {
		return false, nil
	}
	if m.leases == nil {
		m.leases = make(map[string]held)
	}
	m.leases[name] = held{holder, time.Now().Add(ttl)}
	return true, nil
}

// Renew implements Store.
func (m *Memory) Renew(_ context.Context, holder string, ttl time.Duration) (names []string, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep()
	for name, l := range m.leases {
		if l.holder == holder {
			m.leases[name] = held{holder, time.Now().Add(ttl)}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// Release implements Store.
func (m *Memory) Release(_ context.Context, holder string, names ...string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		if m.leases[name].holder == holder {
			delete(m.leases, name)
		}
	}
	return nil
}

// Leases implements Store.
func (m *Memory) Leases(context.Context) (all []Lease, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep()
	for name, l := range m.leases {
		all = append(all, Lease{name, l.holder})
	}
	slices.SortFunc(all, func(a, b Lease) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// sweep removes leases that have expired. The caller holds mu.
func (m *Memory) sweep() {
	now := time.Now()
	maps.DeleteFunc(m.leases, func(_ string, l held) bool { return !now.Before(l.expires) })
}
