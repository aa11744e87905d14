package discordsim

import (
	"cmp"
	"encoding/json"
	"time"
)

// pollHours is how long a poll runs whose bot does not say it.
const pollHours = 24

// Poll is a question that a message asks. It is shown; nobody votes here.
type Poll struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Expiry      timestamp    `json:"expiry"`
	Multiselect bool         `json:"allow_multiselect"`
	Layout      int          `json:"layout_type"`
	Results     PollResults  `json:"results"`
}

// PollAnswer is one of the answers to choose from, numbered from 1.
type PollAnswer struct {
	ID    int       `json:"answer_id"`
	Media PollMedia `json:"poll_media"`
}

// PollMedia are the words of a question or of an answer, with its emoji.
type PollMedia struct {
	Text  string     `json:"text,omitempty"`
	Emoji *PollEmoji `json:"emoji,omitempty"`
}

// PollEmoji is the emoji of an answer: a character, or a custom one by its id.
type PollEmoji struct {
	ID   *snowflake `json:"id"`
	Name *string    `json:"name"`
}

// PollResults are the votes, of which there are none.
type PollResults struct {
	Counts    []json.RawMessage `json:"answer_counts"`
	Finalized bool              `json:"is_finalized"`
}

// pollBody is what a bot says of a poll.
type pollBody struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Hours       int          `json:"duration"`
	Multiselect bool         `json:"allow_multiselect"`
	Layout      int          `json:"layout_type"`
}

// poll returns the poll that begins at a time.
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

// pollRefused refuses what an edit cannot do with polls: only the edit that
// fills a deferred answer brings one, and a message with one is not edited.
func (m *Message) pollRefused(body messageBody) error {
	switch {
	case m.Poll != nil:
		return errPollEdit
	case body.Poll != nil && m.Flags&flagLoading == 0:
		return body.refused("poll", "BASE_TYPE_CHOICES", "A poll can only be added when editing a deferred interaction response")
	}
	return nil
}
