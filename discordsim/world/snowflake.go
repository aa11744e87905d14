package world

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// discordEpoch is the Unix time in milliseconds at which snowflakes begin, 2015-01-01.
const discordEpoch = 1420070400000

// mint generates snowflakes: 42 bits of milliseconds, then 22 bits that distinguish ids of the same millisecond. Ids
// increase strictly, so their order is the order of creation.
type mint struct{ last uint64 }

func (m *mint) next(now time.Time) string {
	m.see(uint64(now.UnixMilli()-discordEpoch) << 22)
	id := m.last
	m.last++
	return strconv.FormatUint(id, 10)
}

// see ensures that all later snowflakes are at least id.
func (m *mint) see(id uint64) { m.last = max(m.last, id) }

// seen ensures that all later snowflakes are greater than the given id, which is in text form.
func (m *mint) seen(id string) {
	if n, err := strconv.ParseUint(id, 10, 64); err == nil {
		m.see(n + 1)
	}
}

// time returns the date of the newest snowflake.
func (m *mint) time() time.Time { return time.UnixMilli(int64(m.last>>22) + discordEpoch) }

// MintedAt returns the creation date in a snowflake.
func MintedAt(id string) time.Time {
	n, _ := strconv.ParseUint(id, 10, 64)
	return time.UnixMilli(int64(n>>22) + discordEpoch)
}

// CompareIDs orders snowflakes by age, the oldest first.
func CompareIDs(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}

// Snowflake is an id that a client may write with or without quotes.
type Snowflake string

// UnmarshalJSON accepts an id with or without quotes; null becomes an empty id.
func (s *Snowflake) UnmarshalJSON(text []byte) error {
	*s = Snowflake(bytes.Trim(text, `"`))
	if *s == "null" {
		*s = ""
	}
	return nil
}

// claim returns the id for a new object: the given id or, if it is empty, a new id. It returns an error for an id
// that is taken, and for an id in the future, because later ids would not be in order.
func (w *World) claim(id string) (string, error) {
	if id == "" {
		return w.NextID(), nil
	}
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil || n == 0 || strconv.FormatUint(n, 10) != id {
		return "", fmt.Errorf("the id %q is no snowflake, such as %s", id, FoundingID(1))
	}
	if date := MintedAt(id); date.After(w.Clock.Now()) {
		return "", fmt.Errorf("the id %s has the date %s, which is in the future", id, date.Format(time.DateOnly))
	}
	taken := w.State.Accounts[id] != nil || w.State.Channels[id] != nil
	for _, g := range w.State.Guilds {
		taken = taken || g.Role(id) != nil // @everyone has the server's id
	}
	if taken {
		return "", fmt.Errorf("the id %s is taken", id)
	}
	return id, nil
}

// IsSnowflake reports whether s can be an id.
func IsSnowflake(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

// FoundingID returns the id of the n-th object that every new simulator contains. It depends only on n, so it is the
// same in every simulator.
func FoundingID(n int) string {
	day := time.Date(2020, time.January, n, 12, 0, 0, 0, time.UTC)
	return fmt.Sprint(uint64(day.UnixMilli()-discordEpoch) << 22)
}
