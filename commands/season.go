package commands

import (
	"context"
	"errors"
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

func (c *Admin) showSeason(ctx context.Context, in *bot.Interaction) (bot.Reply, error) {
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
func (c *Admin) askSeason(ctx context.Context, in *bot.Interaction, number int) bot.Reply {
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
func (c *Admin) beginSeason(ctx context.Context, in *bot.Interaction, number int) (bot.Reply, error) {
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
