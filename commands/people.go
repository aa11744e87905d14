package commands

import (
	"context"
	"errors"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/people/user"
	"tictactoe/internal/puzzles/daily"
	"tictactoe/internal/show/locale"
	"tictactoe/internal/show/view"
)

// People has the handlers for users' settings and data.
type People struct {
	*Replies
	Solvers daily.Store
	// Pages are the operator's web pages to which /tictactoe privacy links.
	Pages view.Pages
}

func (c *People) routes() []route {
	return []route{
		command(slashCommands, "tictactoe settings", c.settings),
		component("settings", c.changeSetting, func(f *fields, a *view.ChangeSetting) {
			oneOf(f, &a.Setting, view.TakeNoChallenges, view.TakeChallenges, view.MentionsOff, view.MentionsOn, view.TextBoardOn, view.TextBoardOff,
				view.HideProfile, view.ShowProfile, view.ListMe, view.UnlistMe, view.BlockedUsers,
				view.LanguageMenu, view.SecondLanguageMenu)
		}),
		component("mysettings", c.showSettings, func(f *fields, a *view.ShowSettings) { oneOf(f, &a.Page, view.AllSettings, view.LanguagesPage) }),
		command(slashCommands, "tictactoe privacy", c.privacy),
		component("privacy", c.handleData, func(f *fields, a *view.PersonalData) { oneOf(f, &a.Request, view.ExportData, view.EraseData) }),
		modal("privacy", c.erase),
	}
}

func (c *People) settings(ctx context.Context, in *interaction) (bot.Reply, error) {
	s, err := c.Players.Settings(ctx, in.by)
	if err != nil {
		return bot.Reply{}, err
	}
	here := view.Here{Server: in.GuildID != "" && in.BotMember(), Client: in.Locale()}
	if here.Server {
		here.Listed, err = c.Solvers.Listed(ctx, in.venue, in.by)
	}
	return c.privately(ctx, in, view.Settings(s, here), err)
}

// showSettings shows a page of the settings.
func (c *People) showSettings(ctx context.Context, in *interaction, a view.ShowSettings) (bot.Reply, error) {
	if a.Page == view.AllSettings {
		return c.settings(ctx, in)
	}
	chosen, err := c.Players.Language(ctx, in.by)
	return c.privately(ctx, in, view.OwnLanguage(chosen, in.Locale()), err)
}

// changeSetting changes a setting of the user who pressed the button, even if the message was for another user.
func (c *People) changeSetting(ctx context.Context, in *interaction, a view.ChangeSetting) (bot.Reply, error) {
	if err := c.set(ctx, in, a.Setting); err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	if a.Setting == view.TextBoardOn || a.Setting == view.TextBoardOff {
		if err := c.drawOpenAgain(ctx, in.by); err != nil {
			return bot.Reply{}, err
		}
	}
	if a.Setting == view.LanguageMenu || a.Setting == view.SecondLanguageMenu {
		return c.showSettings(ctx, in, view.ShowSettings{Page: view.LanguagesPage})
	}
	return c.settings(ctx, in)
}

// drawOpenAgain requests that the boards of a player's open matches be redrawn, because the player's look has changed.
func (c *People) drawOpenAgain(ctx context.Context, p match.User) error {
	open, err := c.Matches.OpenMatches(ctx, p)
	if err != nil && !errors.Is(err, match.ErrUnreadable) {
		return err
	}
	for _, m := range open {
		if err := c.Redraw.Again(ctx, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// set saves a setting. It refuses a value that no button or menu offers, because the values come from the user's client.
func (c *People) set(ctx context.Context, in *interaction, s view.Setting) error {
	p, unknown := in.by, refused("refusal.button", nil)
	if picks(in, discordgo.UserSelectMenuComponent) != (s == view.BlockedUsers) {
		return unknown
	}
	switch s {
	case view.LanguageMenu, view.SecondLanguageMenu:
		language, is := languageOf(chosen(in))
		if !is {
			return unknown
		}
		return c.Players.SetLanguage(ctx, p, language)
	case view.TakeNoChallenges, view.TakeChallenges:
		return c.Players.SetClosed(ctx, p, s == view.TakeNoChallenges)
	case view.MentionsOff, view.MentionsOn:
		return c.Boards.SetTurnMentions(ctx, p, s == view.MentionsOff)
	case view.TextBoardOn, view.TextBoardOff:
		return c.Players.SetTextBoard(ctx, p, s == view.TextBoardOn)
	case view.HideProfile, view.ShowProfile:
		return c.Players.SetHidden(ctx, p, s == view.HideProfile)
	case view.ListMe, view.UnlistMe:
		return setListed(ctx, c.Solvers, c.request(in), s == view.ListMe)
	case view.BlockedUsers:
		var blocked []match.User
		for _, id := range chosen(in) {
			other := match.User(id)
			if _, err := idOf(id); err != nil || len(blocked) == user.MaxBlocked {
				return unknown
			}
			if other != p && !slices.Contains(blocked, other) { // nobody can challenge themselves anyway
				blocked = append(blocked, other)
			}
		}
		return c.Players.SetBlocked(ctx, p, blocked)
	}
	return unknown
}

// languageOf returns the language that was chosen from a menu, or nothing for "automatic". is reports whether the menu offers the value.
func languageOf(values []string) (language string, is bool) {
	switch {
	case len(values) != 1:
		return "", false
	case values[0] == view.AutoLanguage:
		return "", true
	default:
		return values[0], slices.Contains(locale.Languages(), values[0])
	}
}
