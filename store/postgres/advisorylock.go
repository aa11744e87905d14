package postgres

import (
	"cmp"
	"hash/fnv"
	"slices"

	"tictactoe/store/internal/sqlstore"
)

// lock is an advisory lock that a transaction holds until it ends. Locks are taken in the order of their keys, before any
// row is locked, so that there are no deadlocks. Two names may share a key; then they wait for each other, which costs
// time and nothing else.
//
// [sqlstore.Lock] says which transactions hold which locks.
type lock struct {
	key    int64
	shared bool
}

// The kinds of locks, in the order in which they are taken.
const (
	lockMigration = iota + 1
	lockPresence  // the first [sqlstore.LockKind]
)

func lockOf(kind int, name string) lock {
	sum := fnv.New64a()
	sum.Write([]byte(name))
	return lock{key: int64(kind)<<56 | int64(sum.Sum64()>>8)}
}

// statement returns the statement that takes the lock.
func (l lock) statement() string {
	if l.shared {
		return "SELECT pg_advisory_xact_lock_shared($1)"
	}
	return "SELECT pg_advisory_xact_lock($1)"
}

// locksOf converts locks of sqlstore, in the order in which to take them. Of two with the same key it keeps the stronger one.
func locksOf(some []sqlstore.Lock) []lock {
	all := make([]lock, len(some))
	for i, l := range some {
		all[i] = lockOf(lockPresence+int(l.Kind), l.Name)
		all[i].shared = l.Shared
	}
	slices.SortFunc(all, func(a, b lock) int {
		if order := cmp.Compare(a.key, b.key); order != 0 || a.shared == b.shared {
			return order
		}
		if a.shared {
			return 1
		}
		return -1
	})
	return slices.CompactFunc(all, func(a, b lock) bool { return a.key == b.key })
}
