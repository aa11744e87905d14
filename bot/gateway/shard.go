package gateway

import "fmt"

// Shard is one of the gateway sessions over which Discord distributes a bot's servers.
type Shard struct {
	ID int // from 0
	Of int // the number of shards
}

// String returns the shard as Discord writes it, counted from 0.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.ID, s.Of) }

// Shards says which sessions a process runs.
type Shards struct {
	// Of is the number of shards in all of the bot's processes, which must agree on it; 0 means 1.
	Of int
	// Recommended makes this process run all shards, as many as Discord recommends. It overrides Of and IDs.
	Recommended bool
	// IDs are the shards that this process runs; nil means all.
	IDs []int
	// Any distributes the shards over all processes by leases. Each process takes free shards up to its share, including shards of
	// processes that have ended.
	Any bool
}

// All returns the ids of the shards that this process runs if Any is not set.
func (s Shards) All() []int {
	if s.IDs != nil {
		return s.IDs
	}
	ids := make([]int, s.Of)
	for i := range ids {
		ids[i] = i
	}
	return ids
}
