package commands

import (
	"context"
	"errors"
	"strings"

	"tictactoe/bot"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/show/view"
)

func (c *People) privacy(ctx context.Context, in *interaction) (bot.Reply, error) {
	held, err := c.Players.Held(ctx, in.by)
	return c.privately(ctx, in, view.Privacy(held, c.Pages), err)
}

// handleData handles the buttons under /tictactoe privacy: it exports or erases the data of the user who pressed the button.
func (c *People) handleData(ctx context.Context, in *interaction, a view.PersonalData) (bot.Reply, error) {
	if a.Request == view.ExportData {
		return c.export(ctx, in)
	}
	return c.askErase(ctx, in)
}

// eraseInput is the id of the text input in which a user confirms that all data is to be deleted. That cannot be undone.
const eraseInput = "word"

func eraseWord() view.Args { return view.Args{"Word": view.T("privacy.ask.word", nil)} }

// askErase opens the form in which a word must be typed to delete all data.
func (c *People) askErase(ctx context.Context, in *interaction) (bot.Reply, error) {
	held, err := c.Players.Held(ctx, in.by)
	if err != nil {
		return bot.Reply{}, err
	}
	title, question := view.AskErase(held)
	label := c.private(ctx, in).Say(view.T("privacy.ask.label", eraseWord()), discordStyle{})
	return c.ask(ctx, in, view.PersonalData{Request: view.EraseData}, title, question,
		labeled{label: label, input: textInput{id: eraseInput, required: true, most: 20}}), nil
}

// erase deletes all data about the user who has typed the word.
func (c *People) erase(ctx context.Context, in *interaction, a view.PersonalData) (bot.Reply, error) {
	if a.Request != view.EraseData {
		return c.unknown(ctx, in)
	}
	want := c.private(ctx, in).Say(view.T("privacy.ask.word", nil), discordStyle{})
	if !strings.EqualFold(strings.TrimSpace(in.Inputs[eraseInput]), want) {
		return bot.Reply{}, refused("refusal.privacy.word", eraseWord())
	}
	ended, err := c.Players.Erase(ctx, in.by, in.Received, in.ID)
	switch {
	case errors.Is(err, claim.ErrTaken): // delivered again after a kill, and the user may have played since
		return c.privately(ctx, in, view.Erased(), nil)
	case err != nil:
		return bot.Reply{}, err
	}
	in.Saved = true
	for _, id := range ended {
		c.Redraw.Enqueue(id)
	}
	return c.privately(ctx, in, view.Erased(), nil)
}
