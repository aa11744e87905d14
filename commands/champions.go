package commands

import (
	"cmp"
	"context"
	"slices"

	"github.com/bwmarrin/discordgo"

	"tictactoe/game"
	"tictactoe/internal/boards"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
	"tictactoe/internal/show/view"
)

// onPodium is how many players of a leaderboard are its champions.
const onPodium = 3

// Champions shows who has won a season that is over. The error may be that of [boards.Champions].
func (p Painter) Champions(ctx context.Context, over season.Season) ([]discordgo.MessageComponent, error) {
	all, err := p.Seasons.Seasons(ctx, over.Venue)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(s season.Season) bool { return s.Number == over.Number })
	switch {
	case i < 0: // the leaderboards were reset since, and count it no more
		return nil, boards.Skip(boards.Nobody)
	case i == 0 || !all[i].Ended.Equal(over.Ended):
		return nil, boards.Skip(boards.Undone)
	}
	wins, err := p.winners(ctx, over)
	if err != nil {
		return nil, err
	}
	podiums, err := p.podiums(ctx, over)
	if err != nil {
		return nil, err
	}
	if len(wins)+len(podiums) == 0 {
		return nil, boards.Skip(boards.Nobody)
	}
	allowed, err := p.Policies.Policy(ctx, over.Venue)
	if err != nil {
		return nil, err
	}
	words := p.Book.In(cmp.Or(allowed.Language, over.Language))
	return encode(view.Champions(all[i], all[0], wins, podiums), words, p.style(nil)), nil
}

// winners are those who have won most matches in a season.
func (p Painter) winners(ctx context.Context, s season.Season) ([]score.Row, error) {
	page, err := p.Scores.Leaderboard(ctx, s.Venue, score.Board{Of: score.People, Season: s.Number}, score.Where{Page: 1}, "")
	if err == nil && page.Stale {
		err = boards.ErrNotYet
	}
	rows := slices.DeleteFunc(page.Rows, func(r score.Row) bool { return r.Wins == 0 })
	return rows[:min(len(rows), onPodium)], err
}

// podiums are the first of each ladder of a season on which anybody is ranked.
func (p Painter) podiums(ctx context.Context, s season.Season) (all []view.Podium, err error) {
	for _, offered := range game.Offered() {
		page, err := p.Ladders.Ladder(ctx, s.Venue, offered.Rules, s.Number, score.Where{Page: 1}, "")
		switch {
		case err != nil:
			return nil, err
		case page.Stale:
			return nil, boards.ErrNotYet
		}
		rows := page.Rows[:min(len(page.Rows), onPodium)]
		if i := slices.IndexFunc(rows, func(r ladder.Row) bool { return !r.Ranked() }); i >= 0 {
			rows = rows[:i]
		}
		if len(rows) > 0 {
			all = append(all, view.Podium{Rules: offered.Rules, Rows: rows})
		}
	}
	return all, nil
}
