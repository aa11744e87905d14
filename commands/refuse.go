package commands

import (
	"context"
	"errors"
	"maps"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/boards/board"
	"tictactoe/internal/match"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// refusal is an error with the private text by which a request is refused, and buttons for what the user can do instead.
type refusal struct {
	text    view.Text
	buttons []view.Button
}

func (r refusal) Error() string { return r.text.Key }

func refused(key string, args view.Args, buttons ...view.Button) error {
	return refusal{view.T(key, args), buttons}
}

// refuse returns the reply to a request that was refused with err. If the match or challenge no longer exists, the clicked message is
// redrawn to say so. If the clicked board was behind, it is redrawn without a text, or the reply is a link if the board has moved. Any
// other refusal is a private text, and the board stays as it is.
func (c *Replies) refuse(ctx context.Context, in *interaction, err error) (reply bot.Reply, _ error) {
	if r, is := errors.AsType[refusal](err); is {
		return c.notice(ctx, in, r.text, r.buttons...), nil
	}
	id, _ := parseCustomID(in.CustomID()) // the handler has parsed it
	switch {
	case in.Saved: // the request was saved, but showing the result has failed
		return bot.Reply{}, err
	case errors.Is(err, match.ErrBusy), errors.Is(err, match.ErrUnsaved):
		return c.Apology(in.Interaction, "", err), nil
	case errors.Is(err, board.ErrMoved):
		return c.moved(ctx, id.about)
	}
	refusal, is := errors.AsType[*match.Refusal](err)
	if !is {
		return bot.Reply{}, err
	}
	defer func() { reply.Refusal = string(refusal.Reason) }()
	if in.Message != nil {
		switch refusal.Reason {
		case match.Unknown:
			in.policy, _ = c.policyIn(ctx, in.venue) // moves do not read the policy; after an error, Discord's language is used
			return c.publicly(ctx, in, bot.Update, view.Gone(), c.style(nil)), nil
		case match.Stale, match.Finished, match.TimeUp, match.ChallengeOver:
			if b, err := c.Boards.Board(ctx, id.about); err == nil && b.Message != "" && b.Message != in.Message.ID && !onPosition(in) {
				return c.moved(ctx, id.about)
			}
			if m := refusal.Match; m != nil && (m.Seats.Mark(in.by) != game.None || m.Seats.HasCrowd()) {
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
	maps.Copy(names, resolvedNames(in)) // a refused request has not saved these
	text := locale.Refusal(refusal, in.by, names)
	if refusal.Reason == match.Stranger {
		c.nameOwnBoard(ctx, in, *refusal.Match, &text)
	}
	reply, err = c.noticeLinked(ctx, in, text, instead(refusal, in.by, id.about)...)
	if err != nil {
		return bot.Reply{}, err
	}
	if in.Message != nil && id.about != "" {
		reply.Sent = c.Asides.Replied(c.aside(in, id.about))
	}
	return reply, nil
}

// nameOwnBoard changes the text for a user who pressed a board of other people: it names the user's own board in the same channel or arena,
// or tells an entrant of the arena who has none that the next board comes by itself. After an error the text stays.
func (c *Replies) nameOwnBoard(ctx context.Context, in *interaction, pressed match.Match, text *view.Text) {
	open, _ := c.Matches.OpenMatches(ctx, in.by)
	boards, _ := c.Boards.Boards(ctx, each(open, func(m match.Match) match.ID { return m.ID })...)
	for _, m := range open {
		if m.Arena != "" && m.Arena == pressed.Arena || boards[m.ID].Channel == in.ChannelID {
			text.Key, text.Args["Link"] = "refusal.stranger.yours", view.Link{Text: view.T("games.link", nil), Match: m.ID}
			return
		}
	}
	if pressed.Arena != "" {
		if a, err := c.Arenas.Store.Arena(ctx, pressed.Arena); err == nil && a.Open() && a.State(in.by) == arena.Ready {
			text.Key = "refusal.stranger.arena"
		}
	}
}

// moved returns the answer to a click on a message from which the board has moved: a link to the board.
func (c *Replies) moved(ctx context.Context, id match.ID) (bot.Reply, error) {
	b, err := c.boardOf(ctx, id)
	return bot.Reply{Kind: bot.Update, Components: c.Moved(b)}, err
}

// instead returns buttons for actions that the player can take after the refusal. about is the challenge or match of the clicked button.
func instead(refusal *match.Refusal, by match.User, about match.ID) []view.Button {
	switch refusal.Reason {
	case match.CrowdPlaying:
		return []view.Button{view.ShowHere(refusal.Match.ID)}
	case match.AlreadyPending:
		return view.Answers(*refusal.Challenge, by)
	case match.ChallengeOver, match.NotOpen:
		return []view.Button{view.OfferOpen(about), offerComputer(game.Classic())}
	case match.SelfChallenge, match.TooManyTheirs, match.NotTaking, match.OtherBarred, match.TooSoon, match.MissedMatches:
		return []view.Button{offerComputer(game.Classic())}
	}
	return nil
}

func offerComputer(rules game.Rules) view.Button { return view.OfferComputer(climb, rules) }
