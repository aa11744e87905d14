package commands

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/bot/rest"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/view"
)

// Play has the handlers that start matches and play them.
type Play struct {
	*Replies
	Referee *match.Referee
	// IsSelf reports whether a user is this bot.
	IsSelf func(userID string) bool
}

func (c *Play) routes() []route {
	return []route{
		command(slashCommands, "tictactoe challenge", c.challenge),
		command(userMenus, challengeMenu, c.challengeFromMenu),
		command(slashCommands, "tictactoe ai", c.ai),
		command(slashCommands, "tictactoe move", c.move).moving(),
		command(suggestions, "tictactoe move", c.suggestMove),
		component("play", c.play, func(f *fields, a *view.Play) {
			f.id(&a.Match)
			f.number(&a.Ply)
			text(f, &a.Square, squarePattern)
		}).moving(),
		component("accept", c.accept, func(f *fields, a *view.Accept) { f.id(&a.Challenge) }),
		component("decline", c.decline, func(f *fields, a *view.Decline) { f.id(&a.Challenge) }),
		component("withdraw", c.withdraw, func(f *fields, a *view.Withdraw) { f.id(&a.Challenge) }),
		component("resign", ofMatch(c.Replies, c.askResign), func(f *fields, a *view.Resign) { f.id(&a.Match); f.number(&a.Ply) }),
		modal("resign", c.resign),
		component("easier", ofMatch(c.Replies, c.ease), func(f *fields, a *view.Ease) { f.id(&a.Match); f.number(&a.Version) }),
		component("rematch", c.rematch, func(f *fields, a *view.Rematch) { f.id(&a.Match); f.number(&a.Version) }),
		component("norematch", c.declineRematch, func(f *fields, a *view.DeclineRematch) { f.id(&a.Match); f.number(&a.Version) }),
		component("show", ofMatch(c.Replies, c.show), func(f *fields, a *view.Show) { f.id(&a.Match) }),
		component("computer", c.playComputer, func(f *fields, a *view.PlayComputer) {
			text(f, &a.Level, wordPattern)
			if f.more(a.Rules != "") {
				text(f, &a.Rules, rulesPattern)
			}
		}),
	}
}

func (c *Play) play(ctx context.Context, in *interaction, a view.Play) (bot.Reply, error) {
	m, err := c.Referee.Play(ctx, c.about(in, a.Match), a.Match, a.Ply, a.Square)
	reply, err := c.showSaved(ctx, in, bot.Update, m, err)
	return c.teaching(ctx, in, m, reply), err
}

// askResign asks for confirmation before a player resigns. The question says whether the match would be lost or aborted now. The
// form holds the ply, so that a player who wanted to abort never resigns.
func (c *Play) askResign(ctx context.Context, in *interaction, _ view.Resign, m match.Match) (bot.Reply, error) {
	switch {
	case m.Seats.Mark(in.by) == game.None:
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	case m.Result.Over():
		return bot.Reply{}, &match.Refusal{Reason: match.Finished, Match: &m}
	}
	title, question := view.AskResign(m)
	return c.ask(ctx, in, view.Resign{Match: m.ID, Ply: m.Record.Len()}, title, []view.Text{question}), nil
}

func (c *Play) resign(ctx context.Context, in *interaction, a view.Resign) (bot.Reply, error) {
	m, err := c.Referee.Resign(ctx, c.about(in, a.Match), a.Match, a.Ply)
	return c.showSaved(ctx, in, bot.Update, m, err)
}

// rematch proposes a rematch in the message of the old match; agreeing to it posts the new one. Its language is the server's, else the
// language of the old board.
func (c *Play) rematch(ctx context.Context, in *interaction, a view.Rematch) (bot.Reply, error) {
	language := in.serverLanguage()
	if language == "" {
		b, err := c.boardOf(ctx, a.Match)
		if err != nil {
			return bot.Reply{}, err
		}
		language = b.Locale
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

func (c *Play) declineRematch(ctx context.Context, in *interaction, a view.DeclineRematch) (bot.Reply, error) {
	m, err := c.Referee.DeclineRematch(ctx, c.about(in, a.Match), a.Match)
	return c.showSaved(ctx, in, bot.Update, m, err)
}

// teaching makes the private line of a player who has moved against a teacher show the lesson about that move, once the reply is
// shown.
func (c *Play) teaching(ctx context.Context, in *interaction, m match.Match, reply bot.Reply) bot.Reply {
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

// lesson returns the drawing of a remark on the latest move of the acting user. If there is no time to judge the move, the remark says so.
func (c *Play) lesson(ctx context.Context, in *interaction, m match.Match) rest.Draw {
	words, player := c.private(ctx, in), in.by
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

// show posts the board of an open match where a player asks for it, and makes that its place: the message that was deleted
// or that nothing redraws any more is replaced, and an old message that is still there links to the new one.
func (c *Play) show(ctx context.Context, in *interaction, _ view.Show, m match.Match) (bot.Reply, error) {
	b, err := c.boardOf(ctx, m.ID)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case m.Seats.Mark(in.by) == game.None:
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	case m.Result.Over():
		return bot.Reply{}, refused("refusal.finished", nil)
	case m.Seats.Level() == "" && !inReach(in, m, b):
		return bot.Reply{}, refused("refusal.show", nil)
	}
	if err := c.Redraw.SaveReceipts(ctx); err != nil { // the receipt of the old message may be new
		return bot.Reply{}, err
	}
	allowed := match.Permit{Venue: in.venue, Places: placesOf(in)} // not its level, which may no longer be offered
	if err := c.Boards.Move(ctx, allowed, reference(in, m.ID, "", b.Locale)); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Post, m)
}

// inReach reports whether the opponent can find a board that is shown where the interaction comes from: in the server of the
// match, or outside of servers in the same chat. A player must not move a match to where the other cannot play.
func inReach(in *interaction, m match.Match, b board.Board) bool {
	if onlyPrivate(in) || in.GuildID != string(m.Venue) {
		return false
	}
	return in.GuildID != "" || in.ChannelID == b.Channel
}
