package view

import (
	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// Leaderboard is one page of a leaderboard, for everybody to see: no row says who asked. Below the page is the row of that
// player if it is on another page; who is on none is named.
func Leaderboard(of score.Leaderboard, page score.Page, asked match.User, names Names) Screen {
	word, title := "players", T("leaderboard.players", nil)
	if of == score.Computers {
		word, title = "computer", T("leaderboard.computer", nil)
	}
	s := Screen{Lines: []Text{title}}
	if of == score.Computers {
		s.Brief = []Text{title, T("leaderboard.brief", nil)}
	}
	add := func(row score.Row) {
		s.Lines = append(s.Lines, rowText(row, "level.tally"))
		if s.Brief != nil {
			s.Brief = append(s.Brief, rowText(row, "level.tally.brief"))
		}
	}
	if len(page.Rows) == 0 {
		return Screen{Lines: []Text{title, T("leaderboard.empty."+word, nil)}}
	}
	ownShown := false
	for _, row := range page.Rows {
		ownShown = ownShown || page.Own != nil && row.Player == page.Own.Player
		add(row)
	}
	if page.Own != nil && !ownShown {
		s.Lines = append(s.Lines, T("leaderboard.gap", nil))
		if s.Brief != nil {
			s.Brief = append(s.Brief, T("leaderboard.gap", nil))
		}
		add(*page.Own)
	}
	if page.Own == nil {
		s.Notes = append(s.Notes, T("leaderboard.unranked."+word, Args{"Name": names.Of(asked)}))
	}
	if page.Pages > 1 {
		s.Notes = append(s.Notes, T("leaderboard.page", Args{"Page": page.Page, "Pages": page.Pages}))
		s.Buttons = []Button{
			{Do: TurnLeaderboard{of, page.Page - 1}, Label: T("action.back", nil), Disabled: page.Page == 1},
			{Do: TurnLeaderboard{of, page.Page + 1}, Label: T("action.next", nil), Disabled: page.Page == page.Pages},
		}
	}
	return s
}

// rowText words a row, and what was played against each level by that key.
func rowText(row score.Row, level string) Text {
	name := any(Name(row.Name))
	switch {
	case row.Hidden:
		name = T("name.hidden", nil)
	case row.Name == "":
		name = T("name.unknown", nil)
	}
	args := Args{"Rank": rankText(row.Rank), "Name": name, "Tally": tallyText(row.Tally)}
	key := "leaderboard.row"
	if len(row.Levels) > 0 {
		key += ".levels"
		args["Levels"] = levelsText(row.Levels, level)
	}
	return T(key, args)
}

func rankText(rank int) Text {
	switch rank {
	case 1, 2, 3:
		return T([]string{"rank.first", "rank.second", "rank.third"}[rank-1], nil)
	default:
		return T("rank", Args{"Rank": rank})
	}
}

// tallyText words wins, draws and losses.
func tallyText(t score.Tally) Text {
	return T("tally", Args{"Wins": t.Wins, "Draws": t.Draws, "Losses": t.Losses})
}

// levelsText joins the tallies of the levels, two at a time: a sentence has a fixed number of gaps.
func levelsText(levels []score.LevelTally, key string) Text {
	first := levels[0]
	t := T(key, Args{
		"Level": LevelName(first.Level), "Tally": tallyText(first.Tally),
		"Wins": first.Wins, "Draws": first.Draws, "Losses": first.Losses,
	})
	if len(levels) == 1 {
		return t
	}
	return T("level.tally.more", Args{"First": t, "More": levelsText(levels[1:], key)})
}

// OwnRecord is what a player has played, in all places together, for where there is no leaderboard.
func OwnRecord(entries []score.Entry) Screen {
	s := Screen{Lines: []Text{T("record.title", nil)}}
	var people score.Tally
	byLevel := map[string]score.Tally{}
	var order []string
	for _, e := range entries {
		if e.Level == "" {
			people = people.Plus(e.Tally)
			continue
		}
		if _, known := byLevel[e.Level]; !known {
			order = append(order, e.Level)
		}
		byLevel[e.Level] = byLevel[e.Level].Plus(e.Tally)
	}
	s.Lines = append(s.Lines, T("record.people", Args{"Tally": tallyText(people)}))
	for _, level := range order {
		s.Lines = append(s.Lines, T("record.level", Args{"Level": LevelName(level), "Tally": tallyText(byLevel[level])}))
	}
	s.Notes = []Text{T("record.note", nil)}
	return s
}
