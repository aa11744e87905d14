package commands

import (
	"context"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// show posts the board of an open match where a player asks for it, and makes that its place: the message that was deleted
// or that nothing redraws any more is replaced, one that is still there says where the board is now.
func (c *Play) show(ctx context.Context, in *bot.Interaction, _ view.Show, m match.Match) (bot.Reply, error) {
	b, err := c.boardOf(ctx, m.ID)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case m.Seats.Mark(match.User(in.User().ID)) == game.None:
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	case m.Result.Over():
		return c.notice(ctx, in, view.T("refusal.finished", nil)), nil
	case m.Seats.Level() == "" && !inReach(in, m, b):
		return c.notice(ctx, in, view.T("refusal.show", nil)), nil
	}
	if err := c.Redraw.SaveReceipts(ctx); err != nil { // the receipt of the old message may be new
		return bot.Reply{}, err
	}
	allowed := match.Permit{Venue: match.Venue(in.GuildID), Places: placesOf(in)} // not its level, which may no longer be offered
	if err := c.Boards.Move(ctx, allowed, reference(in, m.ID, "", b.Locale)); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Post, m)
}

// inReach reports whether the opponent can find a board that is shown where the interaction comes from: in the server of the
// match, or outside of servers in the same chat. A player must not move a match to where the other cannot play.
func inReach(in *bot.Interaction, m match.Match, b board.Board) bool {
	if onlyPrivate(in) || in.GuildID != string(m.Venue) {
		return false
	}
	return in.GuildID != "" || in.ChannelID == b.Channel
}
