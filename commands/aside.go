package commands

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/boards"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// aside is the private line that whoever acts has under the board of a match or challenge.
func (c *Commands) aside(in *bot.Interaction, id match.ID) boards.Line {
	return boards.Line{Board: id, User: match.User(in.User().ID), Token: in.Token, Expires: in.Received.Add(bot.TokenLife)}
}

// outdated deletes the private lines of the players, because they are about the board as it was. A lesson stays until the next one
// replaces it.
func (c *Commands) outdated(m match.Match) {
	if !view.Teaches(m) {
		c.Asides.Outdated(m.ID, m.Seats.Players()...)
	}
}

// teaching makes the private line of a player who has moved against a teacher show the lesson about that move, once the reply is
// shown.
func (c *Commands) teaching(ctx context.Context, in *bot.Interaction, m match.Match, reply bot.Reply) bot.Reply {
	if !view.Teaches(m) {
		return reply
	}
	delivered, draw := reply.Sent, c.lesson(ctx, in, m)
	reply.Sent = func(r bot.Receipt) {
		if delivered != nil {
			delivered(r)
		}
		if r.Err == nil {
			c.Asides.Say(c.aside(in, m.ID), draw)
		}
	}
	return reply
}

// lesson draws what there is to say about the latest move of whoever has moved. Where there is no time to judge it, it says so.
func (c *Commands) lesson(ctx context.Context, in *bot.Interaction, m match.Match) bot.Draw {
	words, player := c.private(ctx, in), match.User(in.User().ID)
	return func(ctx context.Context) ([]discordgo.MessageComponent, error) {
		names, err := c.Matches.Names(ctx, m.Seats.Players()...)
		if err != nil {
			return nil, err
		}
		review, err := c.Review(ctx, m.Record)
		if err != nil && !errors.Is(err, match.ErrBusy) {
			return nil, err
		}
		return encode(view.OfLesson(m, player, review, names), words, discordStyle{}), nil
	}
}
