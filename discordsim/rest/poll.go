package rest

import (
	"strconv"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/world"
)

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
	p := &world.Poll{Question: b.Question, Answers: b.Answers, Multiselect: b.Multiselect, Layout: b.Layout}
	p.Start(b.Hours, now)
	return p
}

// pollRefused returns an error for edits that polls do not allow: a message with a poll cannot be edited, and only
// the edit that completes a deferred reply can add a poll.
func (b messageBody) pollRefused(m *world.Message) error {
	switch {
	case m.Poll != nil:
		return check.ErrPollEdit
	case b.Poll != nil && m.Flags&world.FlagLoading == 0:
		return b.refused("poll", "BASE_TYPE_CHOICES", "A poll can only be added when editing a deferred interaction response")
	}
	return nil
}

var pollRoutes = []route{
	{pattern: "GET /channels/{channel}/polls/{message}/answers/{answer}", serve: pollVoters, limit: readBudget},
	{pattern: "POST /channels/{channel}/polls/{message}/expire", serve: pollExpire, limit: messageBudget},
}

// pollVoters lists the people who chose an answer of a poll.
func pollVoters(c *call) (a answer, err error) {
	limit, after, err := pageOf(c.URL.Query(), 25, 100)
	if err != nil {
		return a, err
	}
	err = c.w.Locked(func() error {
		p, err := postOf(c)
		if err != nil {
			return err
		}
		id, err := strconv.Atoi(c.PathValue("answer"))
		if p.Message.Poll == nil || err != nil || id < 1 || id > len(p.Message.Poll.Answers) {
			return check.ErrNoRoute
		}
		users := []world.Profile{}
		for _, voter := range p.Voters(id) {
			if len(users) < limit && (after == "" || world.CompareIDs(voter, after) > 0) {
				users = append(users, c.w.State.Accounts[voter].Profile)
			}
		}
		a = ok(map[string]any{"users": users})
		return nil
	})
	return a, err
}

// pollExpire ends a poll that the bot asked.
func pollExpire(c *call) (a answer, err error) {
	err = c.w.Locked(func() error {
		p, err := postOf(c)
		switch {
		case err != nil:
			return err
		case p.Message.Poll == nil:
			return check.ErrNoPoll
		case p.Message.Author.ID != c.App:
			return check.ErrForeignMessage
		case p.Message.Poll.Results.Finalized:
			return check.ErrPollOver
		}
		a = ok(c.w.State.MessageFor(c.w.Messages.EndPoll(p), c.App))
		return nil
	})
	return a, err
}
