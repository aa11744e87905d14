package world

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tictactoe/discordsim/check"
)

// Poll is the poll of a message.
type Poll struct {
	Question    PollMedia    `json:"question"`
	Answers     []PollAnswer `json:"answers"`
	Expiry      Timestamp    `json:"expiry"`
	Multiselect bool         `json:"allow_multiselect"`
	Layout      int          `json:"layout_type"`
	Results     PollResults  `json:"results"`
}

// pollHours is the default duration of a poll.
const pollHours = 24

// Start completes a new poll, which runs from now for a number of hours; 0 stands for 24.
func (poll *Poll) Start(hours int, now time.Time) {
	poll.Layout = cmp.Or(poll.Layout, 1)
	poll.Expiry = Stamp(now.Add(time.Duration(cmp.Or(hours, pollHours)) * time.Hour))
	poll.Results = PollResults{Counts: []PollCount{}}
	for i := range poll.Answers {
		poll.Answers[i].ID = i + 1
	}
}

// PollSpec describes a poll that a person asks.
type PollSpec struct {
	Question string   `json:"question"`
	Answers  []string `json:"answers"`
	// Hours is the duration; 24 when zero.
	Hours       int  `json:"duration"`
	Multiselect bool `json:"allow_multiselect"`
}

// Poll returns the described poll, started now, or an error if Discord refuses it.
func (s PollSpec) Poll(now time.Time) (*Poll, error) {
	if refused := check.Poll(s.Question, s.Answers, cmp.Or(s.Hours, pollHours)); refused != nil {
		return nil, fmt.Errorf("nobody can ask this poll: %w", refused)
	}
	poll := &Poll{Question: PollMedia{Text: s.Question}, Multiselect: s.Multiselect}
	for _, answer := range s.Answers {
		poll.Answers = append(poll.Answers, PollAnswer{Media: PollMedia{Text: answer}})
	}
	poll.Start(s.Hours, now)
	return poll, nil
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

// PollResults are the results of a poll. The counts are set only in copies made for a viewer.
type PollResults struct {
	Counts    []PollCount `json:"answer_counts"`
	Finalized bool        `json:"is_finalized"`
}

// PollCount is how many people chose an answer.
type PollCount struct {
	ID    int  `json:"id"`
	Count int  `json:"count"`
	Me    bool `json:"me_voted"` // set if the viewer chose it
}

// pollVote is one account's choice of an answer. A list of votes is replaced, never changed.
type pollVote struct {
	User   string `json:"user"`
	Answer int    `json:"answer"`
}

// counted returns the poll of a post with the vote counts as an account sees them. Answers without votes have no
// count.
func (p *Post) counted(viewer string) *Poll {
	poll := *p.Message.Poll
	poll.Results.Counts = []PollCount{}
	for _, answer := range poll.Answers {
		voters := p.Voters(answer.ID)
		if len(voters) > 0 {
			poll.Results.Counts = append(poll.Results.Counts, PollCount{answer.ID, len(voters), slices.Contains(voters, viewer)})
		}
	}
	return &poll
}

// Voters returns the accounts that chose an answer of the post's poll, by id.
func (p *Post) Voters(answer int) (users []string) {
	for _, v := range p.Votes {
		if v.Answer == answer {
			users = append(users, v.User)
		}
	}
	slices.SortFunc(users, CompareIDs)
	return users
}

// Vote sets the answers that an account chooses in a poll; without answers it withdraws the account's votes.
func (ms *Messages) Vote(p *Post, user string, answers ...int) error {
	poll := p.Message.Poll
	switch {
	case poll == nil:
		return fmt.Errorf("message %s has no poll", p.Message.ID)
	case poll.Results.Finalized:
		return fmt.Errorf("the poll of message %s has ended", p.Message.ID)
	case len(answers) > 1 && !poll.Multiselect:
		return fmt.Errorf("the poll of message %s takes one answer, not %d", p.Message.ID, len(answers))
	}
	for i, id := range answers {
		if id < 1 || id > len(poll.Answers) || slices.Contains(answers[:i], id) {
			return fmt.Errorf("the poll of message %s has %d answers, each to be chosen once, and no answer %d", p.Message.ID, len(poll.Answers), id)
		}
	}
	changed := *p
	changed.Votes = nil
	var before []int
	for _, v := range p.Votes {
		if v.User == user {
			before = append(before, v.Answer)
		} else {
			changed.Votes = append(changed.Votes, v)
		}
	}
	for _, id := range answers {
		changed.Votes = append(changed.Votes, pollVote{user, id})
	}
	ms.Replace(&changed)
	for _, id := range before {
		if !slices.Contains(answers, id) {
			ms.w.Events.PollVote("REMOVE", p, user, id)
		}
	}
	for _, id := range answers {
		if !slices.Contains(before, id) {
			ms.w.Events.PollVote("ADD", p, user, id)
		}
	}
	return nil
}

// EndPoll ends a poll, makes its counts final and posts the result as Discord does.
func (ms *Messages) EndPoll(p *Post) *Post {
	m := *p.Message
	poll := *m.Poll
	poll.Results.Finalized = true
	if now := ms.w.Clock.Now(); poll.Expiry.After(now) {
		poll.Expiry = Stamp(now)
	}
	m.Poll = &poll
	ended := p.With(&m)
	ms.Replace(ended)
	ms.w.Events.Message("MESSAGE_UPDATE", ended)
	if p.Viewer == "" {
		ms.Post(&Post{Message: ms.pollResult(ended)})
	}
	return ended
}

// pollResult returns the message with the result of a poll. Its embed names a winner unless the first place is tied.
func (ms *Messages) pollResult(p *Post) *Message {
	ch := ms.w.State.Channels[p.Message.ChannelID]
	m := ms.Draft(p.Message.Author, ch, MessagePollResult)
	m.MessageReference = &MessageReference{MessageID: p.Message.ID, ChannelID: ch.ID, GuildID: ch.GuildID}
	fields := []map[string]any{}
	add := func(name string, value any) {
		fields = append(fields, map[string]any{"name": name, "value": fmt.Sprint(value), "inline": false})
	}
	most, total, winners := 0, 0, []PollAnswer{}
	for _, answer := range p.Message.Poll.Answers {
		n := len(p.Voters(answer.ID))
		total += n
		switch {
		case n > most:
			most, winners = n, []PollAnswer{answer}
		case n == most && n > 0:
			winners = append(winners, answer)
		}
	}
	add("poll_question_text", p.Message.Poll.Question.Text)
	add("victor_answer_votes", most)
	add("total_votes", total)
	if len(winners) == 1 {
		add("victor_answer_id", winners[0].ID)
		add("victor_answer_text", winners[0].Media.Text)
	}
	m.Embeds = append(m.Embeds, MustJSON(map[string]any{"type": "poll_result", "fields": fields}))
	return m
}

// endPolls ends the polls that have expired.
func (ms *Messages) endPolls() {
	now := ms.w.Clock.Now()
	var due []*Post
	for _, p := range ms.w.State.PostByID {
		if poll := p.Message.Poll; poll != nil && !poll.Results.Finalized && !poll.Expiry.After(now) {
			due = append(due, p)
		}
	}
	slices.SortFunc(due, func(a, b *Post) int { return CompareIDs(a.Message.ID, b.Message.ID) })
	for _, p := range due {
		ms.EndPoll(p)
	}
}

// ResumePolls sets the timers of the running polls again after a restart. It takes the lock.
func (ms *Messages) ResumePolls() {
	ms.w.Lock()
	defer ms.w.Unlock()
	for _, p := range ms.w.State.PostByID {
		if poll := p.Message.Poll; poll != nil && !poll.Results.Finalized {
			ms.AwaitPoll(poll)
		}
	}
}

// AwaitPoll ends a poll when its expiry is reached in real time; Advance ends the polls whose expiry it passes.
func (ms *Messages) AwaitPoll(poll *Poll) {
	ms.w.Later(time.Until(poll.Expiry.Add(-ms.w.Clock.Offset()))+time.Millisecond, ms.endPolls)
}
