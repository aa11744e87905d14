package commands

import (
	"context"
	"errors"
	"maps"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/board"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// refusing lets a handler return the error of a request that was turned down.
func (c *Commands) refusing(handle bot.Handler) bot.Handler {
	return func(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
		if _, err := idOf(in.ID); err != nil { // what an interaction creates has its id
			return bot.Reply{}, err
		}
		reply, err := handle(ctx, in)
		if err != nil {
			return c.refuse(ctx, in, err)
		}
		return reply, nil
	}
}

// refuse answers a request that was turned down. A click on something that is gone is answered by saying so in its place. A player whose
// board was behind gets the true board and no word, or, if it has moved, where it is. Anything else is said privately and leaves the
// board alone.
func (c *Commands) refuse(ctx context.Context, in *bot.Interaction, err error) (reply bot.Reply, _ error) {
	switch {
	case in.Saved: // nothing was turned down: what was saved cannot be shown
		return bot.Reply{}, err
	case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved):
		return c.Apology(in, "", err), nil
	case errors.Is(err, board.ErrMoved):
		id, _ := parseCustomID(in.CustomID()) // its handler has read it
		return c.moved(ctx, in, id.about)
	}
	refusal, is := errors.AsType[*match.Refusal](err)
	if !is {
		return bot.Reply{}, err
	}
	defer func() { reply.Refusal = string(refusal.Reason) }()
	by := match.User(in.User().ID)
	if in.Message != nil {
		switch refusal.Reason {
		case match.Unknown:
			return c.publicly(ctx, in, bot.Update, view.Gone(), c.style(nil))
		case match.Stale, match.Finished, match.TimeUp, match.ChallengeOver:
			id := refusedOn(refusal)
			if b, err := c.Boards.Board(ctx, id); err == nil && b.Message != "" && b.Message != in.Message.ID {
				return c.moved(ctx, in, id)
			}
			if m := refusal.Match; m != nil && m.Seats.Mark(by) != game.None {
				return c.showMatch(ctx, in, bot.Update, *m)
			}
			if ch := refusal.Challenge; ch != nil && refusal.Match == nil {
				return c.showChallenge(ctx, in, bot.Update, *ch)
			}
		}
	}
	names, err := c.Matches.Names(ctx, locale.Players(refusal)...)
	if err != nil {
		return bot.Reply{}, err
	}
	maps.Copy(names, resolvedNames(in)) // which are not saved with a request that is refused
	reply = c.notice(ctx, in, locale.Refusal(refusal, by, names), instead(refusal.Reason)...)
	if id, _ := parseCustomID(in.CustomID()); in.Message != nil && id.about != "" { // its handler has read it
		reply.Sent = c.Asides.Replied(c.aside(in, id.about))
	}
	return reply, nil
}

// refusedOn is the id of the match or challenge that a refusal is about, empty if it is about none.
func refusedOn(r *match.Refusal) match.ID {
	if r.Match != nil {
		return r.Match.ID
	}
	if r.Challenge != nil {
		return r.Challenge.ID
	}
	return ""
}

// moved is the answer to a click on a message that does not show its board any more: where that is now.
func (c *Commands) moved(ctx context.Context, in *bot.Interaction, id match.ID) (bot.Reply, error) {
	boards, err := c.Boards.Boards(ctx, id)
	if err != nil {
		return bot.Reply{}, err
	}
	words := c.Book.In(boards[id].Locale)
	return bot.Reply{Kind: bot.Update, Components: encode(view.Moved(id), words, c.style(boards))}, nil
}

// instead is what a refused player can do at once.
func instead(reason match.Reason) []view.Button {
	switch reason {
	case match.SelfChallenge, match.TooManyTheirs, match.NotTaking, match.TooSoon, match.MissedMatches:
		return []view.Button{offerComputer(game.Classic())}
	}
	return nil
}

func offerComputer(rules game.Rules) view.Button { return view.OfferComputer(climb, rules) }
