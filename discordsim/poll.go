package discordsim

import (
	"cmp"
	"encoding/json"
	"time"
)

// pollHours is the default duration of a poll.
const pollHours = 24

// Poll is a question in a message. It is displayed, but nobody can vote here.
type Poll struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Expiry      timestamp    `json:"expiry"`
	Multiselect bool         `json:"allow_multiselect"`
	Layout      int          `json:"layout_type"`
	Results     PollResults  `json:"results"`
}

// PollAnswer is one of the answers of a poll, numbered from 1.
type PollAnswer struct {
	ID    int       `json:"answer_id"`
	Media PollMedia `json:"poll_media"`
}

// PollMedia is the text of a question or an answer, with its emoji.
type PollMedia struct {
	Text  string     `json:"text,omitempty"`
	Emoji *PollEmoji `json:"emoji,omitempty"`
}

// PollEmoji is the emoji of an answer: a Unicode emoji by name, or a custom emoji by id.
type PollEmoji struct {
	ID   *snowflake `json:"id"`
	Name *string    `json:"name"`
}

// PollResults are the votes, which are always empty.
type PollResults struct {
	Counts    []json.RawMessage `json:"answer_counts"`
	Finalized bool              `json:"is_finalized"`
}

// pollBody is a poll in a bot's request.
type pollBody struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Hours       int          `json:"duration"`
	Multiselect bool         `json:"allow_multiselect"`
	Layout      int          `json:"layout_type"`
}

// poll returns the poll that starts at the given time.
func (b *pollBody) poll(now time.Time) *Poll {
	p := &Poll{
		Question: b.Question, Answers: b.Answers, Multiselect: b.Multiselect, Layout: cmp.Or(b.Layout, 1),
		Expiry:  stamp(now.Add(time.Duration(cmp.Or(b.Hours, pollHours)) * time.Hour)),
		Results: PollResults{Counts: []json.RawMessage{}},
	}
	for i := range p.Answers {
		p.Answers[i].ID = i + 1
	}
	return p
}

// pollRefused returns an error for edits that polls do not allow: only the edit that
// completes a deferred reply can add a poll, and a message with a poll cannot be edited.
func (b messageBody) pollRefused(m *Message) error {
	switch {
	case m.Poll != nil:
		return errPollEdit
	case b.Poll != nil && m.Flags&flagLoading == 0:
		return b.refused("poll", "BASE_TYPE_CHOICES", "A poll can only be added when editing a deferred interaction response")
	}
	return nil
}
