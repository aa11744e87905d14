package commands

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

func (c *Commands) play(ctx context.Context, in *bot.Interaction, a view.Play) (bot.Reply, error) {
	req, err := c.about(in, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.Play(ctx, req, a.Match, a.Ply, a.Square)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Update, m)
}

// askResign asks before a match is given up. The question says what it means at this moment; the answer carries the ply,
// so that nobody who wanted to call a match off resigns it.
func (c *Commands) askResign(ctx context.Context, in *bot.Interaction, a view.Resign) (bot.Reply, error) {
	m, err := c.Matches.Match(ctx, a.Match)
	if errors.Is(err, match.ErrNotFound) {
		return c.refuse(ctx, in, &match.Refusal{Reason: match.Unknown}, nil)
	}
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	switch {
	case m.Seats.Mark(match.User(in.User().ID)) == game.None:
		return c.refuse(ctx, in, &match.Refusal{Reason: match.Stranger, Match: &m}, nil)
	case m.Result.Over():
		return c.refuse(ctx, in, &match.Refusal{Reason: match.Finished, Match: &m}, nil)
	}
	words := c.private(in)
	title, question := view.AskResign(m)
	return bot.Reply{Kind: bot.Ask, Modal: &bot.Modal{
		CustomID:   customIDOf(view.Resign{Match: m.ID, Ply: m.Record.Len()}),
		Title:      words.Say(title, discordStyle{}),
		Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: words.Say(question, discordStyle{})}},
	}}, nil
}

func (c *Commands) resign(ctx context.Context, in *bot.Interaction, a view.Resign) (bot.Reply, error) {
	req, err := c.about(in, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.Resign(ctx, req, a.Match, a.Ply)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Update, m)
}

// rematch proposes a rematch in the message of the old match; agreeing to it posts the new one.
func (c *Commands) rematch(ctx context.Context, in *bot.Interaction, a view.Rematch) (bot.Reply, error) {
	req, err := c.about(in, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	m, next, err := c.Referee.AskRematch(ctx, req, a.Match, a.Version)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	if next == nil {
		return c.showMatch(ctx, in, bot.Update, m)
	}
	reply, err := c.showMatch(ctx, in, bot.Post, *next)
	if err != nil {
		return bot.Reply{}, err
	}
	// The old message follows once the new one has an id that it can link to.
	delivered := reply.Sent
	reply.Sent = func(r bot.Receipt) {
		delivered(r)
		c.Redraw.Enqueue(m.ID)
	}
	return reply, nil
}

func (c *Commands) declineRematch(ctx context.Context, in *bot.Interaction, a view.DeclineRematch) (bot.Reply, error) {
	req, err := c.about(in, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := c.Referee.DeclineRematch(ctx, req, a.Match)
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Update, m)
}
