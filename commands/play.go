package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

func (c *Commands) play(ctx context.Context, in *bot.Interaction, a view.Play) (bot.Reply, error) {
	m, err := c.Referee.Play(ctx, c.about(in, a.Match), a.Match, a.Ply, a.Square)
	reply, err := c.showSaved(ctx, in, bot.Update, m, err)
	return c.teaching(ctx, in, m, reply), err
}

// askResign asks for confirmation before a player resigns. The question says whether the match would be lost or aborted now. The
// form holds the ply, so that a player who wanted to abort never resigns.
func (c *Commands) askResign(ctx context.Context, in *bot.Interaction, _ view.Resign, m match.Match) (bot.Reply, error) {
	switch {
	case m.Seats.Mark(match.User(in.User().ID)) == game.None:
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	case m.Result.Over():
		return bot.Reply{}, &match.Refusal{Reason: match.Finished, Match: &m}
	}
	title, question := view.AskResign(m)
	return c.ask(ctx, in, view.Resign{Match: m.ID, Ply: m.Record.Len()}, title, []view.Text{question}), nil
}

func (c *Commands) resign(ctx context.Context, in *bot.Interaction, a view.Resign) (bot.Reply, error) {
	m, err := c.Referee.Resign(ctx, c.about(in, a.Match), a.Match, a.Ply)
	return c.showSaved(ctx, in, bot.Update, m, err)
}

// rematch proposes a rematch in the message of the old match; agreeing to it posts the new one.
func (c *Commands) rematch(ctx context.Context, in *bot.Interaction, a view.Rematch) (bot.Reply, error) {
	language, err := c.rematchLanguage(ctx, in, a.Match)
	if err != nil {
		return bot.Reply{}, err
	}
	m, next, err := c.Referee.AskRematch(ctx, creating(in, c.about(in, a.Match), language), a.Match, a.Version)
	if err != nil || next == nil {
		return c.showSaved(ctx, in, bot.Update, m, err)
	}
	reply, err := c.showSaved(ctx, in, bot.Post, *next, nil)
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

// rematchLanguage is that of the board of a rematch: the server's, else that of the board before.
func (c *Commands) rematchLanguage(ctx context.Context, in *bot.Interaction, before match.ID) (string, error) {
	language, err := c.serverLanguage(ctx, in)
	if err != nil || language != "" {
		return language, err
	}
	b, err := c.boardOf(ctx, before)
	return b.Locale, err
}

func (c *Commands) declineRematch(ctx context.Context, in *bot.Interaction, a view.DeclineRematch) (bot.Reply, error) {
	m, err := c.Referee.DeclineRematch(ctx, c.about(in, a.Match), a.Match)
	return c.showSaved(ctx, in, bot.Update, m, err)
}
