package rest

import (
	"slices"
	"time"
)

// Discord limits the edits of messages older than an hour (30046) without
// documenting the limit. Here each channel has a limit per hour.
const (
	oldMessage  = time.Hour
	maxOldEdits = 30
)

// oldEdits has the dates of each channel's edits of old messages, by the
// simulator's clock. Edits with an interaction's token do not count.
type oldEdits map[string][]time.Time

// refused returns the error for one more edit, or nil if it is allowed.
func (o oldEdits) refused(channel string, now time.Time) error {
	o[channel] = slices.DeleteFunc(o[channel], func(at time.Time) bool { return now.Sub(at) >= time.Hour })
	if len(o[channel]) < maxOldEdits {
		return nil
	}
	return &limitedError{
		after: time.Hour - now.Sub(o[channel][0]), code: 30046,
		text: "Maximum number of edits to messages older than 1 hour reached. Try again later",
	}
}

func (o oldEdits) count(channel string, now time.Time) { o[channel] = append(o[channel], now) }
