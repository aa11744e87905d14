package discordsim

import (
	"slices"
	"time"
)

// Discord limits the edits of messages that are older than an hour (30046) and
// does not say how. Here a channel takes so many in any hour.
const (
	oldMessage  = time.Hour
	maxOldEdits = 30
)

// oldEdits has the dates of the late edits of each channel, by the clock. Those
// made with the token of an interaction do not count.
type oldEdits map[string][]time.Time

// refused returns the refusal of one more edit, or nil.
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
