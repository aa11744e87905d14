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

func (c *actionCalls) driveCommand(r *http.Request, in *struct {
	As, Application, Channel, Name, Target string
	Options                                map[string]any
	Forge, Hold                            bool
}) (any, error) {
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).Using(in.Application).StartCommand(in.Channel, in.Name, in.Target, in.Options, in.Forge)
	})
}

func (c *actionCalls) driveAutocomplete(r *http.Request, in *struct {
	As, Application, Channel, Name string
	Options                        map[string]any
	Focused                        string
}) (any, error) {
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

func (c *actionCalls) driveClick(r *http.Request, in *struct {
	As, Message string
	CustomID    string `json:"custom_id"`
	Label       string
	Index       *int
	Forge, Hold bool
}) (any, error) {
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

func (c *actionCalls) driveSelect(r *http.Request, in *struct {
	As, Message string
	CustomID    string `json:"custom_id"`
	Values      []string
	Forge, Hold bool
}) (any, error) {
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).StartSelect(in.Message, in.CustomID, in.Values, in.Forge)
	})
}

func (c *actionCalls) driveModal(r *http.Request, in *struct {
	As, Interaction string
	CustomID        string `json:"custom_id"`
	Fields          map[string]any
	Forge, Hold     bool
}) (any, error) {
	if in.CustomID != "" && !in.Forge {
		return nil, errors.New("only a forged form can have a custom_id other than the opened form's")
	}
	return c.drive(r.Context(), in.Hold, func() (*world.Interaction, error) {
		return people.NewUser(c.w, in.As).StartSubmit(in.Interaction, in.CustomID, in.Fields, in.Forge)
	})
}

func (c *actionCalls) driveMessage(_ *http.Request, in *struct {
	As, Channel, Content string
	ReplyTo              string `json:"reply_to"`
	Files                []people.File
	Poll                 *world.PollSpec
	Title                string
	Tags                 []string
}) (any, error) {
	return people.NewUser(c.w, in.As).Send(in.Channel, people.Note{Content: in.Content, ReplyTo: in.ReplyTo, Files: in.Files, Poll: in.Poll, Title: in.Title, Tags: in.Tags})
}

func (c *actionCalls) driveEdit(_ *http.Request, in *struct{ As, Message, Content string }) (any, error) {
	return people.NewUser(c.w, in.As).Edit(in.Message, in.Content)
}

func (c *actionCalls) driveVote(_ *http.Request, in *struct {
	As, Message string
	Answers     []int
}) (any, error) {
	return struct{}{}, people.NewUser(c.w, in.As).Vote(in.Message, in.Answers...)
}

// driveEndPoll handles POST /sim/end-poll.
func (c *actionCalls) driveEndPoll(_ *http.Request, in *struct{ As, Message string }) (any, error) {
	return struct{}{}, people.NewUser(c.w, in.As).EndPoll(in.Message)
}

// driveDelete handles POST /sim/delete. Without a person it deletes any message, as a moderator would.
func (c *actionCalls) driveDelete(_ *http.Request, in *struct{ As, Message string }) (any, error) {
	if in.As == "" {
		return struct{}{}, c.w.Messages.Delete(in.Message)
	}
	return struct{}{}, people.NewUser(c.w, in.As).Delete(in.Message)
}

func (c *actionCalls) driveDismiss(_ *http.Request, in *struct{ As, Message string }) (any, error) {
	return struct{}{}, people.NewUser(c.w, in.As).Dismiss(in.Message)
}

// driveReact handles POST /sim/react.
func (c *actionCalls) driveReact(_ *http.Request, in *struct {
	As, Message, Emoji string
	Remove             bool
}) (any, error) {
	return struct{}{}, people.NewUser(c.w, in.As).React(in.Message, in.Emoji, in.Remove)
}

// drivePin handles POST /sim/pin.
func (c *actionCalls) drivePin(_ *http.Request, in *struct {
	As, Message string
	Remove      bool
}) (any, error) {
	return struct{}{}, people.NewUser(c.w, in.As).Pin(in.Message, in.Remove)
}

// driveLoad handles POST /sim/load.
func (c *actionCalls) driveLoad(r *http.Request, in *struct {
	Application, Command string
	Options              map[string]any
	Users, Channels      int
	PerSecond            int `json:"per_second"`
	Seconds              int
}) (any, error) {
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
