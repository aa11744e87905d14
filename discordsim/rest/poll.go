package rest

import (
	"cmp"
	"encoding/json"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

// pollHours is the default duration of a poll.
const pollHours = 24

// pollBody is a poll in a bot's request.
type pollBody struct {
	Question    world.PollMedia    `json:"question"`
	Answers     []world.PollAnswer `json:"answers"`
	Hours       int                `json:"duration"`
	Multiselect bool               `json:"allow_multiselect"`
	Layout      int                `json:"layout_type"`
}

// poll returns the poll that starts at the given time.
func (b *pollBody) poll(now time.Time) *world.Poll {
	p := &world.Poll{
		Question: b.Question, Answers: b.Answers, Multiselect: b.Multiselect, Layout: cmp.Or(b.Layout, 1),
		Expiry:  world.Stamp(now.Add(time.Duration(cmp.Or(b.Hours, pollHours)) * time.Hour)),
		Results: world.PollResults{Counts: []json.RawMessage{}},
	}
	for i := range p.Answers {
		p.Answers[i].ID = i + 1
	}
	return p
}

// pollRefused returns an error for edits that polls do not allow: only the edit that
// completes a deferred reply can add a poll, and a message with a poll cannot be edited.
func (b messageBody) pollRefused(m *world.Message) error {
	switch {
	case m.Poll != nil:
		return check.ErrPollEdit
	case b.Poll != nil && m.Flags&world.FlagLoading == 0:
		return b.refused("poll", "BASE_TYPE_CHOICES", "A poll can only be added when editing a deferred interaction response")
	}
	return nil
}
