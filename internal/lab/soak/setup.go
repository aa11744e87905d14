package soak

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Setup describes how the bot is run.
type Setup struct {
	Replicas int    `json:"replicas"` // the number of the bot's processes
	Shards   int    `json:"shards"`   // the number of shards, which the replicas share
	HTTP     bool   `json:"http"`     // interactions come over HTTP, through a proxy, instead of the gateway
	DB       string `json:"-"`        // empty for a file, "postgres" for a server that the soak test starts, or the address of an empty database
}

// Check returns an error if the setup is inconsistent.
func (s Setup) Check() error {
	switch {
	case s.Replicas < 1 || s.Replicas > 16:
		return fmt.Errorf("--replicas: %d; from 1 to 16", s.Replicas)
	case s.Shards < 1 || s.Shards > 64:
		return fmt.Errorf("--shards: %d; from 1 to 64", s.Shards)
	case s.HTTP && s.Shards > 1:
		return errors.New("--shards are for the gateway: with --http there are none")
	case s.Replicas > 1 && s.DB == "":
		return errors.New("--replicas: several need a database that they can share: --db postgres")
	case s.Replicas > s.Shards && !s.HTTP:
		return fmt.Errorf("--replicas: %d have nothing to share without as many --shards, or --http", s.Replicas)
	case s.DB != "" && s.DB != ownServer && !strings.HasPrefix(s.DB, "postgres://") && !strings.HasPrefix(s.DB, "postgresql://"):
		return fmt.Errorf("--db: %q is neither postgres nor the address of a Postgres", s.DB)
	}
	return nil
}

// ownServer is the value of DB for a database server that is started for the run.
const ownServer = "postgres"

// String returns the setup in words.
func (s Setup) String() string {
	parts := []string{"1 process"}
	if s.Replicas > 1 {
		parts[0] = fmt.Sprintf("%d replicas", s.Replicas)
	}
	if s.HTTP {
		parts = append(parts, "over HTTP")
	}
	if s.Shards > 1 {
		parts = append(parts, fmt.Sprintf("with %d shards", s.Shards))
	}
	if s.DB == "" {
		return strings.Join(append(parts, "on SQLite"), " ")
	}
	return strings.Join(append(parts, "on Postgres"), " ")
}

func (s Setup) has(n need) bool {
	switch n {
	case ofGateway:
		return !s.HTTP
	case ofHTTP:
		return s.HTTP
	case ofSharing:
		return s.sharing()
	case ofFile:
		return s.DB == ""
	default:
		return s.DB == ownServer
	}
}

// common reports whether replicas share a clock, which means that they take dates from the database and not from their machines.
func (s Setup) common() bool { return s.DB != "" }

// sharing reports whether several processes share the gateway's shards.
func (s Setup) sharing() bool { return s.Replicas > 1 && !s.HTTP }

// shardOf returns the shard that receives the events of a server, by Discord's rule.
func (s Setup) shardOf(guild string) int {
	id, _ := strconv.ParseUint(guild, 10, 64)
	return int(id >> 22 % uint64(max(s.Shards, 1)))
}
