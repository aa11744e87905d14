package control

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"tictactoe/discordsim/check"
	"tictactoe/discordsim/people"
	"tictactoe/discordsim/world"
)

func (c *actionCalls) driveMessages(r *http.Request) (any, error) {
	query := r.URL.Query()
	messages, err := people.NewUser(c.w, query.Get("as")).Messages(query.Get("channel"))
	if last := query.Get("last"); err == nil && last != "" {
		n, err := strconv.Atoi(last)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("last is a number of messages, not %q", last)
		}
		messages = messages[max(0, len(messages)-n):]
	}
	if query.Has("first") {
		messages = messages[:min(1, len(messages))]
	}
	return messages, err
}

func (c *actionCalls) driveAwait(r *http.Request) (any, error) {
	return c.w.Interactions.Await(r.Context(), r.PathValue("interaction"))
}

// drive starts an interaction and, unless hold is set, waits until it is settled.
func (c *actionCalls) drive(ctx context.Context, hold bool, start func() (*world.Interaction, error)) (any, error) {
	held, err := c.w.Interactions.Start(start)
	if err != nil || hold {
		return held, err
	}
	return c.w.Interactions.Await(ctx, held.Interaction)
}

func (c *actionCalls) driveCommand(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Application string         `json:"application"`
		Channel     string         `json:"channel"`
		Name        string         `json:"name"`
		Target      string         `json:"target"`
		Options     map[string]any `json:"options"`
		Forge       bool           `json:"forge"`
		Hold        bool           `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).Using(in.Application).StartCommand(in.Channel, in.Name, in.Target, in.Options, in.Forge)
	})
}

func (c *actionCalls) driveAutocomplete(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Application string         `json:"application"`
		Channel     string         `json:"channel"`
		Name        string         `json:"name"`
		Options     map[string]any `json:"options"`
		Focused     string         `json:"focused"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	result, err := people.NewUser(c.w, in.As).Using(in.Application).Autocomplete(r.Context(), in.Channel, in.Name, in.Options, in.Focused)
	if err != nil {
		return nil, err
	}
	return struct {
		Interaction string         `json:"interaction"`
		Status      world.Status   `json:"status"`
		Choices     []world.Choice `json:"choices"`
		Error       *check.Error   `json:"error"`
	}{result.Interaction, result.Status, append([]world.Choice{}, result.Choices...), result.Error}, nil
}

func (c *actionCalls) driveClick(r *http.Request) (any, error) {
	var in struct {
		As       string `json:"as"`
		Message  string `json:"message"`
		CustomID string `json:"custom_id"`
		Label    string `json:"label"`
		Index    *int   `json:"index"`
		Forge    bool   `json:"forge"`
		Hold     bool   `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	button := people.Button{CustomID: in.CustomID, Label: in.Label, Forge: in.Forge}
	switch {
	case in.Index != nil:
		button.Index = *in.Index
	case in.CustomID == "" && in.Label == "":
		return nil, errors.New("a click names its button by custom_id, label or index")
	}
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).StartClick(in.Message, button)
	})
}

func (c *actionCalls) driveSelect(r *http.Request) (any, error) {
	var in struct {
		As       string   `json:"as"`
		Message  string   `json:"message"`
		CustomID string   `json:"custom_id"`
		Values   []string `json:"values"`
		Forge    bool     `json:"forge"`
		Hold     bool     `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).StartSelect(in.Message, in.CustomID, in.Values, in.Forge)
	})
}

func (c *actionCalls) driveModal(r *http.Request) (any, error) {
	var in struct {
		As          string         `json:"as"`
		Interaction string         `json:"interaction"`
		CustomID    string         `json:"custom_id"`
		Fields      map[string]any `json:"fields"`
		Forge       bool           `json:"forge"`
		Hold        bool           `json:"hold"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	if in.CustomID != "" && !in.Forge {
		return nil, errors.New("only a forged form can have a custom_id other than the opened form's")
	}
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).StartSubmit(in.Interaction, in.CustomID, in.Fields, in.Forge)
	})
}

func (c *actionCalls) driveMessage(r *http.Request) (any, error) {
	var in struct {
		As      string          `json:"as"`
		Channel string          `json:"channel"`
		Content string          `json:"content"`
		ReplyTo string          `json:"reply_to"`
		Files   []people.File   `json:"files"`
		Poll    *world.PollSpec `json:"poll"`
		Title   string          `json:"title"`
		Tags    []string        `json:"tags"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return people.NewUser(c.w, in.As).Send(in.Channel, people.Note{Content: in.Content, ReplyTo: in.ReplyTo, Files: in.Files, Poll: in.Poll, Title: in.Title, Tags: in.Tags})
}

func (c *actionCalls) driveEdit(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
		Content string `json:"content"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return people.NewUser(c.w, in.As).Edit(in.Message, in.Content)
}

func (c *actionCalls) driveVote(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
		Answers []int  `json:"answers"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, people.NewUser(c.w, in.As).Vote(in.Message, in.Answers...)
}

// driveEndPoll handles POST /sim/end-poll.
func (c *actionCalls) driveEndPoll(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, people.NewUser(c.w, in.As).EndPoll(in.Message)
}

// driveDelete handles POST /sim/delete. Without a person it deletes any message, as a moderator would.
func (c *actionCalls) driveDelete(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	if in.As == "" {
		return struct{}{}, c.w.Messages.Delete(in.Message)
	}
	return struct{}{}, people.NewUser(c.w, in.As).Delete(in.Message)
}

func (c *actionCalls) driveDismiss(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, people.NewUser(c.w, in.As).Dismiss(in.Message)
}

// driveReact handles POST /sim/react.
func (c *actionCalls) driveReact(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
		Emoji   string `json:"emoji"`
		Remove  bool   `json:"remove"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, people.NewUser(c.w, in.As).React(in.Message, in.Emoji, in.Remove)
}

// drivePin handles POST /sim/pin.
func (c *actionCalls) drivePin(r *http.Request) (any, error) {
	var in struct {
		As      string `json:"as"`
		Message string `json:"message"`
		Remove  bool   `json:"remove"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	return struct{}{}, people.NewUser(c.w, in.As).Pin(in.Message, in.Remove)
}

// driveLoad handles POST /sim/load.
func (c *actionCalls) driveLoad(r *http.Request) (any, error) {
	var in struct {
		Application string         `json:"application"`
		Command     string         `json:"command"`
		Options     map[string]any `json:"options"`
		Users       int            `json:"users"`
		Channels    int            `json:"channels"`
		PerSecond   int            `json:"per_second"`
		Seconds     int            `json:"seconds"`
	}
	if err := readJSON(r, &in); err != nil {
		return nil, err
	}
	if in.Command == "" {
		return nil, errors.New("a load needs a command for its users")
	}
	report, err := people.RunLoad(r.Context(), c.w, people.Load{
		Users: in.Users, Channels: in.Channels, PerSecond: in.PerSecond, For: time.Duration(in.Seconds) * time.Second,
		Act: func(ctx context.Context, u *people.User, channel string, _ int) (world.Result, error) {
			return u.Using(in.Application).Command(ctx, channel, in.Command, in.Options)
		},
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}
