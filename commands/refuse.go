package commands

import (
	"context"
	"errors"
	"maps"

	"tictactoe/bot"
	"tictactoe/game"
	"tictactoe/internal/locale"
	"tictactoe/internal/match"
	"tictactoe/internal/view"
)

// refuse answers a request that was turned down. Where the clicker's board was behind, the answer is the true board and
// no word; anything else is said privately and leaves the board alone. Met are names that came with the request: what is
// refused is not saved.
func (c *Commands) refuse(ctx context.Context, in *bot.Interaction, err error, met view.Names) (bot.Reply, error) {
	switch {
	case errors.Is(err, match.ErrBusy):
		return c.Busy(in), nil
	case errors.Is(err, match.ErrUnsaved):
		return c.unsaved(in), nil
	}
	refusal := (*match.Refusal)(nil)
	if !errors.As(err, &refusal) {
		return bot.Reply{}, err
	}
	by := match.Player(in.User().ID)
	if in.Message != nil {
		switch refusal.Reason {
		case match.Unknown:
			return bot.Reply{Kind: bot.Update, Components: encode(view.Gone(), c.public(in), discordStyle{})}, nil
		case match.Stale, match.Finished, match.TimeUp, match.ChallengeOver:
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
	maps.Copy(names, met)
	return c.notice(in, locale.Refusal(refusal, by, names), c.instead(refusal.Reason)...), nil
}

// instead is what a refused player can do at once.
func (c *Commands) instead(reason match.Reason) []view.Action {
	switch reason {
	case match.SelfChallenge, match.TooManyTheirs:
		return []view.Action{c.offerComputer()}
	default:
		return nil
	}
}

func (c *Commands) offerComputer() view.Action {
	return view.Action{
		Verb: view.PlayComputer, Label: view.T("action.computer", nil), Weight: view.Main, Word: c.defaultLevel(),
	}
}
