package commands

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"tictactoe/bot"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
)

// The inputs of the form that begins a season.
const (
	seasonNameInput = "name"
	seasonDateInput = "date"
)

func (c *Commands) showSeason(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	all, err := c.Seasons.Seasons(ctx, match.Venue(in.GuildID))
	if err != nil {
		return bot.Reply{}, err
	}
	var now season.Season
	if len(all) > 0 {
		now = all[0]
	}
	return c.privately(ctx, in, view.OfSeason(now), c.style(nil)), nil
}

// askSeason asks what the season of that number is to be. The time before the first season has no champions.
func (c *Commands) askSeason(ctx context.Context, in *bot.Interaction, number int) bot.Reply {
	words := c.private(ctx, in)
	say := func(t view.Text) string { return words.Say(t, labelStyle{}) }
	question := view.T("admin.season.question", nil)
	if number == 1 {
		question = view.T("admin.season.note", nil)
	}
	return c.ask(ctx, in, view.OpenPage{Page: view.BeginSeasonPage, Number: number}, view.T("admin.season.title", nil),
		[]view.Text{question},
		labeled{label: say(view.T("admin.season.name", nil)), id: seasonNameInput, required: true, most: view.MaxSeasonName},
		labeled{label: say(view.T("admin.season.date", view.Args{"Date": exampleDate(in.Received)})), id: seasonDateInput, most: 20})
}

// exampleDate is a date on which a season could end.
func exampleDate(now time.Time) string { return now.AddDate(0, 3, 0).UTC().Format(time.DateOnly) }

// seasonDate reads the planned end of a season: a day after today, as 2026-12-31. The season ends when that day begins in UTC. It
// returns the zero time for an empty text, and false for anything that is not such a day.
func seasonDate(typed string, now time.Time) (ends time.Time, is bool) {
	if typed == "" {
		return time.Time{}, true
	}
	ends, err := time.Parse(time.DateOnly, typed)
	return ends, err == nil && ends.After(now)
}

// beginSeason begins the season of that number, unless another one has come to be the next.
func (c *Commands) beginSeason(ctx context.Context, in *bot.Interaction, number int) (bot.Reply, error) {
	again := view.Button{Do: view.OpenPage{Page: view.BeginSeasonPage, Number: number}, Label: view.T("action.season.again", nil)}
	name := cleanTitle(in.Inputs[seasonNameInput])
	if name == "" {
		return c.notice(ctx, in, view.T("refusal.season.name", nil), again), nil
	}
	date := strings.TrimSpace(in.Inputs[seasonDateInput])
	ends, is := seasonDate(date, in.Received)
	if !is {
		args := view.Args{"Date": view.Title(date), "Example": exampleDate(in.Received)}
		return c.notice(ctx, in, view.T("refusal.season.date", args), again), nil
	}
	language, err := c.publicLanguage(ctx, in)
	if err != nil {
		return bot.Reply{}, err
	}
	s := season.Season{Number: number, Name: name, Ends: ends, Language: language}
	if in.BotMember() && !in.NoPosts {
		s.Channel = in.ChannelID
	}
	req := c.request(in)
	begun, err := season.Begin(ctx, c.Moderation, c.Seasons, req, s)
	if errors.Is(err, match.ErrConflict) {
		look := view.Button{Do: view.OpenPage{Page: view.SeasonPage, Number: 1}, Label: view.T("action.admin.season", nil)}
		return c.notice(ctx, in, view.T("refusal.season.number", nil), look), nil
	}
	if err != nil {
		return bot.Reply{}, err
	}
	in.Saved = true
	return c.privately(ctx, in, view.SeasonBegun(begun, req.ID), c.style(nil)), nil
}

// seasonsOf are the seasons of a venue whose leaderboards can be looked at, the newest first. Before the first one there is a season
// without a name.
func (c *Commands) seasonsOf(ctx context.Context, v match.Venue) ([]season.Season, error) {
	all, err := c.Seasons.Seasons(ctx, v)
	return season.WithPreseason(all), err
}

// suggestSeason lists the seasons whose number is the typed text, or whose label contains it.
func (c *Commands) suggestSeason(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
	all, err := c.seasonsOf(ctx, match.Venue(in.GuildID))
	if err != nil {
		return bot.Reply{}, err
	}
	_, typed := in.Focused()
	typed = strings.ToLower(strings.TrimSpace(typed))
	reply, words := bot.Reply{Kind: bot.Suggest}, c.private(ctx, in)
	for i, s := range all {
		label := cutName(words.Say(view.SeasonOption(s, i == 1), labelStyle{}), maxChoiceLength)
		if number := strconv.Itoa(s.Number); number == typed || strings.Contains(strings.ToLower(label), typed) {
			reply.Choices = append(reply.Choices, bot.Choice{Name: label, Value: number})
		}
	}
	return reply, nil
}

// seasonMeant returns the number of the season with that number or name, empty for the current one. If there is no such season, it
// returns the key of a refusal, which depends on whether the word was typed.
func seasonMeant(all []season.Season, word string, typed bool) (number, refusal string) {
	if word == "" {
		return "", ""
	}
	s, is := season.Named(all, word)
	switch {
	case is && s.GoesOn():
		return "", ""
	case is:
		return strconv.Itoa(s.Number), ""
	case typed:
		return "", "refusal.season.unknown"
	default:
		return "", "refusal.season.gone"
	}
}

// showSeasonBoards shows the leaderboards of a season to whoever asks, below the message that says who has won it.
func (c *Commands) showSeasonBoards(ctx context.Context, in *bot.Interaction, a view.ShowSeason) (bot.Reply, error) {
	look := firstPage(view.TurnLeaderboard{Of: view.ByWins, Season: strconv.Itoa(a.Number)})
	look.apart = true
	return c.showLeaderboard(ctx, in, look)
}

// pickSeason shows the first page of the same leaderboard of the season that was chosen from the menu.
func (c *Commands) pickSeason(ctx context.Context, in *bot.Interaction, a view.PickSeason) (bot.Reply, error) {
	if a.Shown.Season = only(chosen(in)); a.Shown.Season == "" {
		return c.unknown(ctx, in)
	}
	return c.showLeaderboard(ctx, in, firstPage(a.Shown))
}
