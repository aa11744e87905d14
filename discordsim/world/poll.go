package world

import "encoding/json"

// Poll is a question in a message. It is displayed, but nobody can vote here.
type Poll struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Expiry      Timestamp    `json:"expiry"`
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
	ID       *Snowflake `json:"id"`
	Name     *string    `json:"name"`
	Animated bool       `json:"animated,omitempty"`
}

// PollResults are the votes, which are always empty.
type PollResults struct {
	Counts    []json.RawMessage `json:"answer_counts"`
	Finalized bool              `json:"is_finalized"`
}
