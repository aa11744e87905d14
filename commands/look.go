package commands

import (
	"context"
	"slices"
	"strconv"

	"tictactoe/bot"
	"tictactoe/internal/people/archive"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/show/view"
)

// Look has the handlers that show leaderboards, profiles and matches.
type Look struct {
	*Replies
	Records profile.Store
	Archive archive.Store
	// IsSelf reports whether a user is this bot.
	IsSelf func(userID string) bool
	// Page is the URL of the page that plays in a browser, to which shared matches link, or empty.
	Page string
}

func (c *Look) routes() []route {
	return []route{
		command(slashCommands, "tictactoe leaderboard", c.leaderboard),
		command(suggestions, "tictactoe leaderboard", c.suggestSeason),
		command(slashCommands, "tictactoe profile", c.profile).needs(policy.Profiles),
		command(userMenus, profileMenu, c.profileFromMenu).needs(policy.Profiles),
		command(slashCommands, "tictactoe show", c.find).needs(policy.Replays),
		command(suggestions, "tictactoe show", c.suggestMatch),
		command(slashCommands, "tictactoe best", c.best).needs(policy.Best),
		command(slashCommands, "tictactoe games", c.games),
		command(slashCommands, "tictactoe help", c.help),
		component("topic", c.pickTopic, noFields[view.PickTopic]),
		component("board", c.turnLeaderboard, func(f *fields, a *view.TurnLeaderboard) {
			oneOf(f, &a.Of, view.Rankings()...)
			page := strconv.Itoa(a.Page)
			if a.Mine {
				page = "mine"
			}
			text(f, &page, pagePattern)
			a.Page, _ = strconv.Atoi(page) // the pattern accepts only numbers that fit into an int
			a.Mine = page == "mine"
			boardAndSeason(f, a)
		}),
		component("ranking", c.pickRanking, func(f *fields, a *view.PickRanking) { shownBoard(f, &a.Shown) }),
		component("rankedon", c.pickBoard, func(f *fields, a *view.PickBoard) { shownBoard(f, &a.Shown) }),
		component("seasons", c.pickSeason, func(f *fields, a *view.PickSeason) { shownBoard(f, &a.Shown) }),
		component("posted", c.showPosted, func(f *fields, a *view.ShowPosted) {
			f.day(&a.Day)
			oneOf(f, &a.Of, view.Rankings()...)
			if f.more(a.Rules != "") {
				text(f, &a.Rules, rulesPattern)
			}
		}),
		component("season", c.showSeasonBoards, func(f *fields, a *view.ShowSeason) { f.number(&a.Number) }),
		component("mentions", c.switchMentions, func(f *fields, a *view.SwitchMentions) {
			word := "off"
			if a.On {
				word = "on"
			}
			oneOf(f, &word, "on", "off")
			a.On = word == "on"
			if f.more(a.Of != "") {
				text(f, &a.Of, userPattern)
			}
		}),
		component("walk", ofMatch(c.Replies, c.walk), func(f *fields, a *view.Walk) {
			f.id(&a.Match)
			f.number(&a.Move)
			oneOf(f, &a.Way, view.ToFirst, view.ToPrevious, view.ToNext, view.ToLast)
		}),
		component("replay", c.watch, noFields[view.PickReplay]).needs(policy.Best, policy.Replays),
		component("share", ofMatch(c.Replies, c.share), func(f *fields, a *view.Share) {
			f.id(&a.Match)
			oneOf(f, &a.As, view.ShareForms()...)
		}).needs(policy.Sharing),
		component("post", ofMatch(c.Replies, c.postShared), func(f *fields, a *view.PostShared) {
			f.id(&a.Match)
			oneOf(f, &a.As, view.ShareForms()...)
		}).needs(policy.Sharing),
	}
}

func (c *Look) help(ctx context.Context, in *interaction) (bot.Reply, error) {
	return c.privately(ctx, in, view.Help(climb, ""), nil)
}

// pickTopic turns the help to the topic that was chosen from the menu.
func (c *Look) pickTopic(ctx context.Context, in *interaction, _ view.PickTopic) (bot.Reply, error) {
	topic := only(chosen(in))
	if !slices.Contains(view.HelpTopics(), topic) {
		return c.unknown(ctx, in)
	}
	return c.privately(ctx, in, view.Help(climb, topic), nil)
}
