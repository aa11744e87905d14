package commands

import (
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/board"
	"tictactoe/internal/match"
	"tictactoe/internal/user"
	"tictactoe/internal/view"
)

func (c *Commands) settings(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	s, err := c.Players.Settings(ctx, match.User(in.User().ID))
	if err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	return c.privately(in, view.Settings(s), discordStyle{}), nil
}

// changeSetting changes the settings of whoever pressed it, whoever the message was for.
func (c *Commands) changeSetting(ctx context.Context, in *bot.Interaction, a view.ChangeSetting) (bot.Reply, error) {
	change, ok := setting(in, a.Setting)
	if !ok {
		return c.notice(in, view.T("refusal.button", nil)), nil
	}
	if err := c.Players.Save(ctx, change); err != nil {
		return c.refuse(ctx, in, err, nil)
	}
	in.Saved = true
	return c.settings(ctx, in)
}

// setting is what a button or the menu changes. What a menu holds comes from whoever used it, like everything else.
func setting(in *bot.Interaction, s view.Setting) (match.Change, bool) {
	p := match.User(in.User().ID)
	data, _ := in.Data.(discordgo.MessageComponentInteractionData)
	chosen := data.ComponentType == discordgo.UserSelectMenuComponent
	switch s {
	case view.TakeNoChallenges, view.TakeChallenges:
		return user.Closed{Player: p, On: s == view.TakeNoChallenges}, !chosen
	case view.MentionsOff, view.MentionsOn:
		return board.TurnMentions{Player: p, Off: s == view.MentionsOff}, !chosen
	case view.BlockedUsers:
		var blocked []match.User
		for _, id := range data.Values {
			other := match.User(id)
			if _, err := idOf(id); err != nil || len(blocked) == user.MaxBlocked {
				return nil, false
			}
			if other != p && !slices.Contains(blocked, other) { // nobody has to be kept from challenging himself
				blocked = append(blocked, other)
			}
		}
		return user.Blocks{Player: p, Blocked: blocked}, chosen
	}
	return nil, false
}
