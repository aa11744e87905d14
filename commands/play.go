package commands

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/boards/messages"
	"tictactoe/internal/match"
	"tictactoe/internal/replica/claim"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// Play has the handlers with which users start and play matches.
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
		component("open", c.open, func(f *fields, a *view.Open) { f.id(&a.Challenge) }),
		command(slashCommands, "tictactoe crowd", c.crowd).needs(policy.Crowd),
		component("resign", ofMatch(c.Replies, c.askResign), func(f *fields, a *view.Resign) { f.id(&a.Match); f.number(&a.Ply) }),
		modal("resign", ofMatch(c.Replies, c.resign)),
		component("easier", ofMatch(c.Replies, c.ease), func(f *fields, a *view.Ease) { f.id(&a.Match); f.number(&a.Version) }),
		component("wish", c.wish, func(f *fields, a *view.Wish) {
			f.id(&a.Match)
			f.number(&a.Ply)
			oneOf(f, &a.Do, view.OfferDraw, view.TakeBack, view.AgreeWish, view.DeclineWish)
		}),
		component("rematch", c.rematch, func(f *fields, a *view.Rematch) { f.id(&a.Match); f.number(&a.Version) }),
		component("next", ofMatch(c.Replies, c.next), func(f *fields, a *view.NextGame) { f.id(&a.Match) }),
		component("norematch", c.declineRematch, func(f *fields, a *view.DeclineRematch) { f.id(&a.Match); f.number(&a.Version) }),
		component("show", ofMatch(c.Replies, c.show), func(f *fields, a *view.Show) { f.id(&a.Match) }),
		command(slashCommands, "tictactoe arena", c.arena).needs(policy.Arenas),
		modal("newarena", c.announce).needs(policy.Arenas),
		component("newarena", c.askArena, func(f *fields, a *view.OpenArena) {
			rated := "casual"
			if a.Rated {
				rated = "rated"
			}
			oneOf(f, &rated, "casual", "rated")
			a.Rated = rated == "rated"
			if f.more(a.Board != "") {
				for _, chosen := range []*string{&a.Board, &a.Lasts, &a.Clock} {
					text(f, chosen, rulesPattern)
				}
				f.typed(&a.Starts)
				f.typed(&a.Name)
			}
		}).needs(policy.Arenas),
		component("arena", c.inArena, func(f *fields, a *view.Arena) {
			f.id(&a.Arena)
			oneOf(f, &a.Do, view.JoinArena, view.PauseArena, view.LeaveArena, view.ArenaStandings, view.CallOffArena)
			if f.more(a.Page > 0) {
				f.number(&a.Page)
			}
		}),
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

// askResign opens a form in which a player confirms to resign. The form says whether the match would now be lost or aborted. It contains
// the ply, so that a player who meant to abort does not resign after a move.
func (c *Play) askResign(ctx context.Context, in *interaction, _ view.Resign, m match.Match) (bot.Reply, error) {
	if m.Result.Over() {
		return bot.Reply{}, &match.Refusal{Reason: match.Finished, Match: &m}
	}
	if err := c.mayLeave(ctx, in, m); err != nil {
		return bot.Reply{}, err
	}
	title, question := view.AskResign(m)
	return c.ask(ctx, in, view.Resign{Match: m.ID, Ply: m.Record.Len()}, title, []view.Text{question}), nil
}

func (c *Play) resign(ctx context.Context, in *interaction, a view.Resign, m match.Match) (bot.Reply, error) {
	if m.Seats.HasCrowd() {
		if err := c.mayLeave(ctx, in, m); err != nil {
			return bot.Reply{}, err
		}
		m, err := c.Referee.Stop(ctx, c.about(in, a.Match), a.Match)
		return c.showSaved(ctx, in, bot.Update, m, err)
	}
	m, err := c.Referee.Resign(ctx, c.about(in, a.Match), a.Match, a.Ply)
	return c.showSaved(ctx, in, bot.Update, m, err)
}

// wish asks the other player for a draw or to take back a move, or answers.
func (c *Play) wish(ctx context.Context, in *interaction, a view.Wish) (_ bot.Reply, err error) {
	var m match.Match
	var notes []view.Text
	switch req := c.about(in, a.Match); a.Do {
	case view.OfferDraw:
		m, err = c.Referee.AskWish(ctx, req, a.Match, a.Ply, match.WishDraw)
	case view.TakeBack:
		m, err = c.Referee.AskWish(ctx, req, a.Match, a.Ply, match.WishBack)
	default:
		before, _ := c.Matches.Match(ctx, a.Match) // without it the note is missing
		m, err = c.Referee.AnswerWish(ctx, req, a.Match, a.Ply, a.Do == view.AgreeWish)
		notes = view.TakenBack(before, m)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	c.outdated(m)
	return c.showMatch(ctx, in, bot.Update, m, notes...)
}

// rematch proposes a rematch in the message of the old match, or accepts one, which posts the board of the new match. The language of the
// new board is the server's or, if the server has none, the language of the old board.
func (c *Play) rematch(ctx context.Context, in *interaction, a view.Rematch) (bot.Reply, error) {
	if !in.policy.Has(policy.Crowd) {
		m, err := c.storedMatch(ctx, a.Match, &match.Refusal{Reason: match.Unknown})
		if err == nil && m.Seats.HasCrowd() {
			err = refusal{text: view.OffHere(policy.Crowd)}
		}
		if err != nil {
			return bot.Reply{}, err
		}
	}
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
	// The old message is redrawn when the new one has an id, so that the old one can link to it.
	delivered := reply.Sent
	reply.Sent = func(r messages.Receipt) {
		delivered(r)
		c.Redraw.Enqueue(m.ID)
	}
	return reply, nil
}

func (c *Play) declineRematch(ctx context.Context, in *interaction, a view.DeclineRematch) (bot.Reply, error) {
	m, err := c.Referee.DeclineRematch(ctx, c.about(in, a.Match), a.Match)
	return c.showSaved(ctx, in, bot.Update, m, err)
}

// teaching returns the reply to a move against a teacher. Once the reply is shown, the player's private line shows what the teacher says
// about the move.
func (c *Play) teaching(ctx context.Context, in *interaction, m match.Match, reply bot.Reply) bot.Reply {
	if !view.Teaches(m) {
		return reply
	}
	delivered, draw := reply.Sent, c.lesson(ctx, in, m)
	reply.Sent = func(r messages.Receipt) {
		if delivered != nil {
			delivered(r)
		}
		if r.Err == nil {
			c.Asides.Say(c.aside(in, m.ID), draw)
		}
	}
	return reply
}

// lesson returns a function that draws the teacher's remark on the latest move of the acting user. If there is no time to judge the move,
// the remark says so.
func (c *Play) lesson(ctx context.Context, in *interaction, m match.Match) messages.Draw {
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

// show moves the board of an open match to a new message in the channel where a player asks for it. So players get back a board whose
// message was deleted or can no longer be redrawn. The old message, if it still exists, links to the new one.
func (c *Play) show(ctx context.Context, in *interaction, _ view.Show, m match.Match) (bot.Reply, error) {
	b, err := c.boardOf(ctx, m.ID)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case m.Seats.Mark(in.by) == game.None && !m.Seats.HasCrowd():
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	case m.Result.Over():
		return bot.Reply{}, refused("refusal.finished", nil)
	case m.Seats.HasCrowd() && m.Place != in.ChannelID, m.Seats.People() && !inReach(in, m, b):
		return bot.Reply{}, refused("refusal.show", nil)
	}
	if err := refuseMatches(in); err != nil {
		return bot.Reply{}, err
	}
	return c.bringUp(ctx, in, m, b)
}

// next brings up the newest game of a series where the bot cannot post it by itself. If both players press the button, one press does so, and
// the other shows the finished board, which then links to the new one.
func (c *Play) next(ctx context.Context, in *interaction, _ view.NextGame, m match.Match) (bot.Reply, error) {
	if m.Seats.Mark(in.by) == game.None {
		return bot.Reply{}, &match.Refusal{Reason: match.Stranger, Match: &m}
	}
	latest, err := c.latestGame(ctx, m)
	if err != nil {
		return bot.Reply{}, err
	}
	b, err := c.boardOf(ctx, latest.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	button := claim.Claim{Interaction: "next " + string(latest.ID), By: rand.Text(), Until: in.Received.Add(postedFor)}
	if latest.ID != m.ID && b.Message == "" {
		err = c.Claims.Claim(ctx, button)
	}
	if latest.ID == m.ID || b.Message != "" || errors.Is(err, claim.ErrTaken) {
		return c.showMatch(ctx, in, bot.Update, m)
	}
	if err != nil {
		return bot.Reply{}, err
	}
	reply, err := c.bringUp(ctx, in, latest, b)
	if err != nil {
		return bot.Reply{}, err
	}
	delivered := reply.Sent
	reply.Sent = func(r messages.Receipt) {
		delivered(r)
		_ = c.Redraw.Again(context.WithoutCancel(ctx), m.ID) // the link is worth no apology; another press shows it, too
	}
	return reply, nil
}

// bringUp moves a board to the reply to an interaction.
func (c *Play) bringUp(ctx context.Context, in *interaction, m match.Match, b board.Board) (bot.Reply, error) {
	if err := c.countPost(ctx, in, in.ID); err != nil {
		return bot.Reply{}, err
	}
	if err := c.Redraw.SaveReceipts(ctx); err != nil { // the receipt of the old message may not be saved yet
		return bot.Reply{}, err
	}
	allowed := permitOf(in) // without the level, which the server may not offer any more
	if err := c.Boards.Move(ctx, allowed, reference(in, m.ID, "", b.Locale)); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.showMatch(ctx, in, bot.Post, m)
}

// inReach reports whether the opponent, too, can play if the board is shown where the interaction comes from. That is so in the server of
// the match, or outside of servers in the same chat.
func inReach(in *interaction, m match.Match, b board.Board) bool {
	if onlyPrivate(in) || in.GuildID != string(m.Venue) {
		return false
	}
	return in.GuildID != "" || in.ChannelID == b.Channel
}
