package view

import (
	"math"

	"tictactoe/game"
	"tictactoe/internal/ladder"
	"tictactoe/internal/match"
	"tictactoe/internal/rating"
	"tictactoe/internal/score"
)

// Asking says who asks for a page of a leaderboard, and whose row is looked for.
type Asking struct {
	Asked match.User // who asks, and whose row is always shown
	Found match.User // whose page was asked for, and whose row is marked; empty if nobody's
	Names Names      // of these two
	// Hidden says that the one who was looked for wants to be named to nobody. It is said of none of the rows which is theirs.
	Hidden bool
	// Unrated says that the server has switched ratings off, so that nobody is told how to get one.
	Unrated bool
}

// Leaderboard is one page of a leaderboard by wins or against the computer, for everybody to see: no row says who asked. Below the
// page is the row of that player if it is on another page; who is on none is named.
func Leaderboard(of Ranking, page score.Page, ask Asking) Screen {
	title := T("leaderboard."+string(of), nil)
	s := Screen{Lines: []Text{title}}
	if of == VersusComputer {
		s.Brief = []Text{title, T("leaderboard.brief", nil)}
	}
	add := func(row score.Row) {
		s.Lines = append(s.Lines, ask.mark(row.Player, rowText(row, "level.tally")))
		if s.Brief != nil {
			s.Brief = append(s.Brief, ask.mark(row.Player, rowText(row, "level.tally.brief")))
		}
	}
	shown := make(map[match.User]bool)
	for _, row := range page.Rows {
		shown[row.Player] = true
		add(row)
	}
	switch {
	case len(page.Rows) == 0:
		s = Screen{Lines: []Text{title, T("leaderboard.empty."+string(of), nil)}}
	case page.Own == nil:
		s.Notes = append(s.Notes, T("leaderboard.unranked."+string(of), Args{"Name": ask.Names.Of(ask.Asked)}))
	case !shown[page.Own.Player]:
		s.Lines = append(s.Lines, T("leaderboard.gap", nil))
		if s.Brief != nil {
			s.Brief = append(s.Brief, T("leaderboard.gap", nil))
		}
		add(*page.Own)
	}
	s.Notes = append(s.Notes, ask.missed(shown)...)
	s.Notes = append(s.Notes, T("leaderboard.others", nil))
	return turnable(s, TurnLeaderboard{Of: of}, page.Page, page.Pages)
}

// Ratings is one page of the leaderboard by rating of a rule set, as [Leaderboard] is of the others. Those who have no rank yet are
// apart.
func Ratings(rules game.Rules, page ladder.Page, ask Asking) Screen {
	s := Screen{Lines: []Text{T("leaderboard.rating", Args{"Board": RulesName(rules)})}}
	shown, apart := make(map[match.User]bool), false
	for _, row := range page.Rows {
		if !row.Ranked() && !apart {
			apart = true
			s.Lines = append(s.Lines, T("ladder.apart", nil))
		}
		shown[row.Player] = true
		s.Lines = append(s.Lines, ask.mark(row.Player, ladderRowText(row)))
	}
	if page.Own != nil && !shown[page.Own.Player] {
		s.Lines = append(s.Lines, T("leaderboard.gap", nil), ask.mark(page.Own.Player, ladderRowText(*page.Own)))
	}
	asked := Args{"Name": ask.Names.Of(ask.Asked)}
	switch {
	case ask.Unrated:
		s.Notes = append(s.Notes, T("ladder.off", nil))
	case len(page.Rows) == 0:
		s.Lines = append(s.Lines, T("leaderboard.empty.rating", nil))
	case page.Own == nil:
		s.Notes = append(s.Notes, T("leaderboard.unranked.rating", asked))
	case !page.Own.Ranked():
		s.Notes = append(s.Notes, T("ladder.missing", Args{"Name": asked["Name"], "What": missingText(page.Own.Standing)}))
	}
	s.Notes = append(s.Notes, ask.missed(shown)...)
	if page.Stale {
		s.Notes = append(s.Notes, T("ladder.stale", nil))
	}
	s.Notes = append(s.Notes, T("ladder.order", Args{"Opponents": rating.MinOpponents, "Spread": 2 * rating.RankDeviation}))
	return turnable(s, TurnLeaderboard{Of: ByRating, Rules: nameInButtons(rules)}, page.Page, page.Pages)
}

// mark marks the row of whoever was looked for.
func (a Asking) mark(p match.User, row Text) Text {
	if p != a.Found || a.Hidden {
		return row
	}
	return T("leaderboard.found", Args{"Row": row})
}

// missed says that whoever was looked for has no row. Of whoever asks that is said in any case.
func (a Asking) missed(shown map[match.User]bool) []Text {
	name := Args{"Name": a.Names.Of(a.Found)}
	switch {
	case a.Hidden:
		return []Text{T("leaderboard.missed.hidden", name)}
	case a.Found == "", a.Found == a.Asked, shown[a.Found], len(shown) == 0:
		return nil
	}
	return []Text{T("leaderboard.missed", name)}
}

// turnable adds what leads to other pages, and to other leaderboards.
func turnable(s Screen, board TurnLeaderboard, page, pages int) Screen {
	s.Selects = []Select{otherLeaderboards(board)}
	if pages == 1 {
		return s
	}
	back, next, mine := board, board, board
	back.Page, next.Page, mine.Mine = page-1, page+1, true
	s.Notes = append(s.Notes, T("leaderboard.page", Args{"Page": page, "Pages": pages}))
	s.Buttons = []Button{
		{Do: back, Label: T("action.back", nil), Disabled: page == 1},
		{Do: next, Label: T("action.next", nil), Disabled: page == pages},
		{Do: mine, Label: T("action.mine", nil)},
	}
	return s
}

// otherLeaderboards is the menu of all leaderboards. One by rating has the name of its rule set as its value.
func otherLeaderboards(shown TurnLeaderboard) Select {
	pick := Select{Do: PickLeaderboard{}, Hint: T("leaderboard.pick", nil), Min: 1, Max: 1}
	offer := func(value string, board TurnLeaderboard, label Text) {
		pick.Options = append(pick.Options, Option{Value: value, Label: label, Chosen: board == shown})
	}
	offer(string(ByWins), TurnLeaderboard{Of: ByWins}, T("leaderboard.option.players", nil))
	for _, offered := range game.Offered() {
		label := T("leaderboard.option.rating", Args{"Board": RulesName(offered.Rules)})
		offer(offered.Name, TurnLeaderboard{Of: ByRating, Rules: nameInButtons(offered.Rules)}, label)
	}
	offer(string(VersusComputer), TurnLeaderboard{Of: VersusComputer}, T("leaderboard.option.computer", nil))
	return pick
}

// rowText words a row, and what was played against each level by that key.
func rowText(row score.Row, level string) Text {
	args := Args{"Rank": rankText(row.Rank), "Name": rowName(row.Name, row.Hidden), "Tally": tallyText(row.Tally)}
	key := "leaderboard.row"
	if len(row.Levels) > 0 {
		key += ".levels"
		args["Levels"] = levelsText(row.Levels, level)
	}
	return T(key, args)
}

// ladderRowText words a row of a leaderboard by rating: with 95 % confidence the rating is in the range that is said.
func ladderRowText(row ladder.Row) Text {
	rank := T("rank.none", nil)
	if row.Ranked() {
		rank = rankText(row.Rank)
	}
	return T("ladder.row", Args{
		"Rank": rank, "Name": rowName(row.Name, row.Hidden), "Rating": RatingText(row.Rating), "Spread": int(math.Ceil(2 * row.Rating.Deviation)),
		"Wins": row.Wins, "Draws": row.Draws, "Losses": row.Losses,
	})
}

// missingText is what a player without a rank needs for one.
func missingText(s ladder.Standing) Text {
	matches := T("ladder.missing.matches", nil)
	n := rating.MinOpponents - s.Opponents
	if n <= 0 {
		return matches
	}
	opponents := T("ladder.missing.opponents", Args{"PluralCount": n})
	if s.Rating.Settled() {
		return opponents
	}
	return T("ladder.missing.both", Args{"Opponents": opponents, "Matches": matches})
}

func rowName(name string, hidden bool) any {
	switch {
	case hidden:
		return T("name.hidden", nil)
	case name == "":
		return T("name.unknown", nil)
	}
	return Name(name)
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
