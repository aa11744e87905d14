package view

import (
	"math"
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// Asking says who asks for a page of a leaderboard, and whose row is wanted.
type Asking struct {
	Asked match.User // the player who asks, whose row is always shown; empty only in a terminal
	Found match.User // the player whose page is wanted and whose row is marked; empty if none
	Names Names      // the names of Asked and Found
	// Hidden says that the wanted player is hidden, so that no row is marked.
	Hidden bool
	// Seasons are the seasons of the server, the newest first. It is empty if there are none.
	Seasons []season.Season
	// Unrated says that the server has switched ratings off, so that no note says how to get a rating.
	Unrated bool
}

// Leaderboard returns a page of a leaderboard that is not by rating. Everybody sees it, so no row says who has asked. If the row of the
// player who asks is on another page, it is also shown below this page. If that player has no row, a note says so.
func Leaderboard(board TurnLeaderboard, page score.Page, ask Asking) Screen {
	of := string(board.Of)
	title := T("leaderboard."+of, nil)
	if rules, named := game.OnOffer(board.Rules); named {
		title = T("leaderboard.on", Args{"Title": title, "Board": RulesName(rules)})
	}
	head := append([]Text{title}, ask.seasonLines(board.Season)...)
	shown := make(map[match.User]bool)
	for _, row := range page.Rows {
		shown[row.Player] = true
	}
	s := Screen{Lines: slices.Clone(head)}
	for _, row := range page.Rows {
		s.Lines = append(s.Lines, ask.mark(row.Player, rowText(board.Of, row)))
	}
	if own := page.Own; own != nil && !shown[own.Player] {
		s.Lines = append(s.Lines, T("leaderboard.gap", nil), ask.mark(own.Player, rowText(board.Of, *own)))
	}
	switch {
	case len(page.Rows) == 0 && ask.past(board.Season):
		s.Lines = append(head, T("leaderboard.empty.past", nil))
	case len(page.Rows) == 0:
		s.Lines = append(head, T("leaderboard.empty."+of, nil))
	case page.Out:
		s.Notes = append(s.Notes, T("leaderboard.unlisted", Args{"Name": ask.Names.Of(ask.Asked)}))
	case page.Own == nil && ask.past(board.Season):
		s.Notes = append(s.Notes, T("leaderboard.unranked.past", Args{"Name": ask.Names.Of(ask.Asked)}))
	case page.Own == nil:
		s.Notes = append(s.Notes, T("leaderboard.unranked."+of, Args{"Name": ask.Names.Of(ask.Asked)}))
	}
	s.Notes = append(s.Notes, ask.missed(shown)...)
	s.Notes = append(s.Notes, when(page.Stale, T("leaderboard.stale", nil))...)
	s.Notes = append(s.Notes, T("leaderboard.order."+of, nil))
	s.Notes = append(s.Notes, when(board.Of == ByWins, T("leaderboard.others", nil))...)
	return ask.turnable(s, board, page.Page, page.Pages)
}

// Ratings returns a page of the leaderboard by rating for a rule set, in the form of [Leaderboard]. Players without a rank are listed
// separately.
func Ratings(board TurnLeaderboard, page ladder.Page, ask Asking) Screen {
	rules, named := game.OnOffer(board.Rules)
	if !named {
		rules = game.Classic()
	}
	apart, past := T("ladder.apart", nil), ask.past(board.Season)
	if past {
		apart = T("ladder.apart.past", nil)
	}
	s := Screen{Lines: append([]Text{T("leaderboard.rating", Args{"Board": RulesName(rules)})}, ask.seasonLines(board.Season)...)}
	shown := make(map[match.User]bool)
	for i, row := range page.Rows {
		s.Lines = append(s.Lines, when(!row.Ranked() && (i == 0 || page.Rows[i-1].Ranked()), apart)...)
		shown[row.Player] = true
		s.Lines = append(s.Lines, ask.mark(row.Player, ladderRowText(row)))
	}
	if page.Own != nil && !shown[page.Own.Player] {
		s.Lines = append(s.Lines, T("leaderboard.gap", nil), ask.mark(page.Own.Player, ladderRowText(*page.Own)))
	}
	asked := Args{"Name": ask.Names.Of(ask.Asked)}
	switch {
	case len(page.Rows) == 0 && past:
		s.Lines = append(s.Lines, T("leaderboard.empty.past", nil))
	case page.Out:
		s.Notes = append(s.Notes, T("leaderboard.unlisted", asked))
	case page.Own == nil && past && ask.Asked != "":
		s.Notes = append(s.Notes, T("leaderboard.unranked.past", asked))
	case past, ask.Asked == "" && len(page.Rows) > 0:
	case ask.Unrated:
		s.Notes = append(s.Notes, T("ladder.off", nil))
	case len(page.Rows) == 0:
		s.Lines = append(s.Lines, T("leaderboard.empty.rating", nil))
	case page.Own == nil:
		s.Notes = append(s.Notes, T("leaderboard.unranked.rating", asked))
	case !page.Own.Ranked():
		s.Notes = append(s.Notes, T("ladder.missing", Args{"Name": asked["Name"], "What": needOf(*page.Own).text()}))
	}
	s.Notes = append(s.Notes, ask.missed(shown)...)
	s.Notes = append(s.Notes, when(page.Stale, T("ladder.stale", nil))...)
	need := ladder.NeedOn(page.Players)
	s.Notes = append(s.Notes, T("ladder.order", Args{"Opponents": need.Opponents, "Spread": int(2 * need.Deviation)}))
	return ask.turnable(s, TurnLeaderboard{Of: ByRating, Rules: nameInButtons(rules), Season: board.Season}, page.Page, page.Pages)
}

// mark returns the row of player p, with a mark if p is the wanted player.
func (a Asking) mark(p match.User, row Text) Text {
	if p != a.Found || a.Hidden {
		return row
	}
	return T("leaderboard.found", Args{"Row": row})
}

// missed returns the note that the wanted player has no row. It returns none for the player who asks, about whom Leaderboard and Ratings
// add a note.
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

// turnable returns the screen with the menus and buttons that lead to other pages, rankings, rule sets and seasons.
func (a Asking) turnable(s Screen, board TurnLeaderboard, page, pages int) Screen {
	board.Page, board.Mine = 0, false
	s.Selects = append([]Select{rankingMenu(board), boardMenu(board)}, a.seasonMenu(board)...)
	if pages == 1 {
		return s
	}
	back, next, mine := board, board, board
	back.Page, next.Page, mine.Mine = page-1, page+1, true
	s.Notes = append(s.Notes, T("leaderboard.page", Args{"Page": page, "Pages": pages}))
	s.Buttons = append(turnPages(back, next, page == 1, page == pages), Button{Do: mine, Label: T("action.mine", nil)})
	return s
}

// rankingMenu returns the menu of rankings, which leads to another ranking of the same rule set and season.
func rankingMenu(shown TurnLeaderboard) Select {
	if shown.Of == ByRating && shown.Rules == "" {
		shown.Rules = game.Offered()[0].Name
	}
	pick := Select{Do: PickRanking{shown}, Hint: T("leaderboard.pick", nil), Min: 1, Max: 1}
	for _, by := range Rankings() {
		pick.Options = append(pick.Options, Option{Value: string(by), Label: T("leaderboard.option."+string(by), nil), Chosen: by == shown.Of})
	}
	return pick
}

// boardMenu returns the menu of rule sets. It has an entry for all rule sets together, except for the ranking by rating.
func boardMenu(shown TurnLeaderboard) Select {
	pick := Select{Do: PickBoard{shown}, Hint: T("leaderboard.pick.board", nil), Min: 1, Max: 1}
	rules, named := game.OnOffer(shown.Rules)
	switch {
	case shown.Of != ByRating:
		pick.Options = []Option{{Value: "all", Label: T("leaderboard.option.all", nil), Chosen: !named}}
	case !named:
		rules = game.Classic()
	}
	for _, offer := range game.Offered() {
		pick.Options = append(pick.Options, Option{
			Value: offer.Name, Label: T("leaderboard.option.board", Args{"Board": RulesName(offer.Rules)}), Chosen: offer.Rules == rules,
		})
	}
	return pick
}

// rowText returns a row of a leaderboard that is not by rating.
func rowText(by Ranking, row score.Row) Text {
	args := Args{"Rank": rankText(row.Rank), "Name": rowName(row.Name, row.Hidden), "Tally": tallyText(row.Tally)}
	moves, draws := featTexts(row.Levels)
	switch by {
	case ByLevels:
		args["Levels"] = beatenText(row.Levels)
	case ByDraws:
		args["Levels"] = joined("leaderboard.beaten.more", draws)
	case ByMoves:
		args["Levels"] = joined("leaderboard.beaten.more", moves)
	case VersusComputer:
		wins := row.Wins
		for _, l := range row.Levels { // the strongest beaten level comes last
			if l.Fewest > 0 {
				wins = l.Wins
			}
		}
		feats := slices.Concat(moves, when(wins > 0, T("tally.wins", Args{"PluralCount": wins})), draws)
		switch {
		case row.Wins+row.Draws == 0: // a player with losses only has no rank
			args["Rank"] = T("rank.none", nil)
			feats = append(feats, T("leaderboard.feat.none", nil))
		case len(feats) == 0:
			feats = append(feats, T("tally.draws", Args{"PluralCount": row.Draws}))
		}
		args["Levels"] = joined("leaderboard.beaten.more", feats)
	default:
		if row.Wins == 0 { // without a win, a place has no medal
			args["Rank"] = T("rank", Args{"Rank": row.Rank})
		}
		return T("leaderboard.row", args)
	}
	return T("leaderboard.row.beaten", args)
}

// featTexts word the quickest win over the strongest beaten level, and the draws in a row against the level that never loses, each nil if
// there is none.
func featTexts(levels []score.LevelTally) (moves, draws []Text) {
	for _, l := range levels { // the strongest comes last
		if l.Fewest > 0 {
			moves = []Text{T("leaderboard.feat.moves", Args{"Level": LevelName(l.Level), "PluralCount": l.Fewest})}
		}
		if l.Level == score.Perfect && l.Longest > 0 {
			draws = []Text{T("leaderboard.feat.draws", Args{"PluralCount": l.Longest})}
		}
	}
	return moves, draws
}

// beatenText names the levels that a player has beaten without a hint, the strongest first.
func beatenText(levels []score.LevelTally) Text {
	var beaten []Text
	for _, l := range slices.Backward(levels) {
		beaten = append(beaten, when(l.Fewest > 0, LevelName(l.Level))...)
	}
	return joined("leaderboard.beaten.more", beaten)
}

// ladderRowText returns a row of a leaderboard by rating. The spread after a rating means that, with 95 % confidence, the true rating
// differs by no more from the shown one.
func ladderRowText(row ladder.Row) Text {
	rank := T("rank.provisional", Args{"Rank": T("rank", Args{"Rank": row.Rank})})
	if row.Ranked() {
		rank = rankText(row.Rank)
	}
	return T("ladder.row", Args{
		"Rank": rank, "Name": rowName(row.Name, row.Hidden), "Rating": RatingText(row.Rating), "Spread": int(math.Ceil(2 * row.Rating.Deviation)),
		"Wins": row.Wins, "Draws": row.Draws, "Losses": row.Losses,
	})
}

// need states what a player without a rank lacks.
type need struct {
	opponents int  // the number of further opponents; not positive if the player needs none
	matches   bool // the rating is not certain enough
}

func needOf(row ladder.Row) need {
	all := ladder.NeedOn(row.Players)
	return need{all.Opponents - row.Opponents, row.Rating.Deviation > all.Deviation}
}

func (n need) text() Text {
	matches, opponents := T("ladder.missing.matches", nil), T("ladder.missing.opponents", Args{"PluralCount": n.opponents})
	switch {
	case n.opponents <= 0:
		return matches
	case !n.matches:
		return opponents
	default:
		return T("ladder.missing.both", Args{"Opponents": opponents, "Matches": matches})
	}
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

// tallyText returns the numbers of wins, draws and losses in words.
func tallyText(t score.Tally) Text {
	return T("tally", Args{
		"Wins":   T("tally.wins", Args{"PluralCount": t.Wins}),
		"Draws":  T("tally.draws", Args{"PluralCount": t.Draws}),
		"Losses": T("tally.losses", Args{"PluralCount": t.Losses}),
	})
}

// OwnRecord returns the results of a player in all servers together. It is for direct messages, in which there is no leaderboard.
func OwnRecord(entries []score.Entry) Screen {
	byLevel := map[string]score.Tally{} // matches against people have the key ""
	for _, e := range entries {
		byLevel[e.Level] = byLevel[e.Level].Plus(e.Tally)
	}
	s := Screen{Lines: []Text{T("record.title", nil), T("record.people", Args{"Tally": tallyText(byLevel[""])})}}
	for _, level := range ai.LevelNames() {
		if tally, played := byLevel[level]; played {
			s.Lines = append(s.Lines, T("record.level", Args{"Level": LevelName(level), "Tally": tallyText(tally)}))
		}
	}
	s.Notes = []Text{T("record.note", nil)}
	return s
}
