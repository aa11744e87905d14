package view

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"tictactoe/ai"
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// Profile has the data that the profile of a player shows.
type Profile struct {
	Player    match.User
	In        profile.Scope
	Record    profile.Record
	Standings Standings       // only for the rule set of the scope, if the scope has one
	Seasons   []season.Season // the server's seasons, the newest first
	Chart     *Chart          // nil if there are too few rated matches
	Hidden    bool            // only the player sees the profile
}

// Standings are a player's rows on the ladders of a server, by the name of the rule set.
type Standings map[string]ladder.Row

// Rules returns the rule sets with a standing, the offered ones first.
func (s Standings) Rules() (all []game.Rules) {
	names := slices.Sorted(maps.Keys(s))
	for _, offer := range game.Offered() {
		if i := slices.Index(names, offer.Rules.String()); i >= 0 {
			all, names = append(all, offer.Rules), slices.Delete(names, i, i+1)
		}
	}
	for _, name := range names {
		if rules, err := game.ParseRules(name); err == nil {
			all = append(all, rules)
		}
	}
	return all
}

// Busiest returns the rule set with the most rated matches in the season, or the first of several with equally many. It returns false if
// there are no standings.
func (s Standings) Busiest() (busiest game.Rules, is bool) {
	most := 0
	for _, rules := range s.Rules() {
		if n := s[rules.String()].Total(); n > most {
			busiest, most = rules, n
		}
	}
	return busiest, most > 0
}

// stale reports whether some of the ratings are being recomputed.
func (s Standings) stale() bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(s)), func(row ladder.Row) bool { return row.Stale })
}

// Chart is a player's rating over time with one rule set: the picture, and the values that it shows.
type Chart struct {
	PNG                          []byte
	Rules                        game.Rules
	Matches                      int
	First, Last, Highest, Lowest rating.Rating
	Seasons                      []season.Season // the seasons that begin within the chart, the latest last
}

// OfProfile returns the profile of a player: the ratings with a chart of one of them, the record, and the latest matches.
func OfProfile(p Profile, names Names) Screen {
	s := Screen{Lines: []Text{profileTitle(p, names)}}
	s.Lines = append(s.Lines, when(!p.Record.Played() && len(p.Standings) == 0, T("profile.none", nil))...)
	for _, rules := range p.Standings.Rules() {
		s.Lines = append(s.Lines, standingText(rules, p.Standings[rules.String()], p.Seasons))
	}
	s.Lines = append(s.Lines, recordLines(p.Record)...)
	if p.Chart != nil {
		s.Picture = &Picture{Name: "rating.png", Content: p.Chart.PNG, Alt: chartText(*p.Chart, names.Of(p.Player))}
	}
	s.Notes = when(len(p.Record.Computers) > 0, T("profile.levels.signs", nil))
	s.Notes = append(s.Notes, lastMatches(p.Record.Last, func(m match.Match) Text {
		mark := m.Seats.Mark(p.Player)
		key := "profile.drawn"
		switch m.Result.Outcome.Winner() {
		case mark:
			key = "profile.won"
		case mark.Opponent():
			key = "profile.lost"
		}
		return T(key, Args{"Opponent": names.Seat(m.Seats.Of(mark.Opponent()))})
	})...)
	s.Notes = append(s.Notes, p.Standings.missing(names.Of(p.Player))...)
	s.Notes = append(s.Notes, when(p.Standings.stale(), T("leaderboard.stale", nil))...)
	s.Notes = append(s.Notes, when(p.Record.Played(), T("review.critical", nil))...)
	s.Notes = append(s.Notes, when(p.Hidden, T("profile.hidden.own", nil))...)
	return s
}

// lastMatches returns the notes with the latest matches. result returns the text about a match; lastMatches adds the name of the
// rule set.
func lastMatches(last []match.Match, result func(match.Match) Text) (notes []Text) {
	if len(last) > 0 {
		notes = []Text{T("profile.last", nil)}
	}
	for _, m := range last {
		said := result(m)
		said.Args["Board"] = Link{RulesName(m.Position().Rules()), m.ID}
		notes = append(notes, said)
	}
	return notes
}

func profileTitle(p Profile, names Names) Text {
	args := Args{"Name": names.Of(p.Player), "Board": RulesName(p.In.Rules)}
	switch {
	case p.In.Rules != (game.Rules{}):
		return T("profile.title.board", args)
	case p.In.Venue == "":
		return T("profile.title.everywhere", args)
	default:
		return T("profile.title", args)
	}
}

// standingText returns a line with a rating and its range, the rank if there is one, and the tally of the season. It names the season, if
// there is one, because the next lines of a profile are about all seasons.
func standingText(rules game.Rules, row ladder.Row, seasons []season.Season) Text {
	low, high := bounds(row.Rating)
	tally := tallyText(row.Tally)
	if len(seasons) > 0 {
		tally = T("profile.tally", Args{"Tally": tally, "Season": SeasonName(seasons[0])})
	}
	key := "profile.rating"
	if row.Ranked() {
		key += ".ranked"
	}
	return T(key, Args{
		"Board": RulesName(rules), "Rating": RatingText(row.Rating), "Low": low, "High": high, "Tally": tally, "Rank": row.Rank,
	})
}

// bounds returns the bounds of the 95 % confidence interval of a rating.
func bounds(r rating.Rating) (low, high Points) {
	return Points(rating.Rating{Value: r.Low()}.Points()), Points(rating.Rating{Value: r.Value + 2*r.Deviation}.Points())
}

// missing says in one line what a player needs to get ranks on the boards of the season's matches.
func (s Standings) missing(name any) []Text {
	var needs []need
	boards := make(map[need][]Text)
	for _, rules := range s.Rules() {
		row := s[rules.String()]
		if row.Ranked() || row.Total() == 0 {
			continue
		}
		n := needOf(row)
		if boards[n] == nil {
			needs = append(needs, n)
		}
		boards[n] = append(boards[n], RulesName(rules))
	}
	var parts []Text
	for _, n := range needs {
		parts = append(parts, T("ladder.missing.board", Args{"What": n.text(), "Boards": joined("leaderboard.beaten.more", boards[n])}))
	}
	if len(parts) == 0 {
		return nil
	}
	return []Text{T("ladder.missing", Args{"Name": name, "What": joined("ladder.missing.more", parts)})}
}

// recordLines returns the lines of a profile about the results of the player's matches.
func recordLines(r profile.Record) (lines []Text) {
	if len(r.People) > 0 {
		now, best := r.People.Streak(score.Win)
		for _, mark := range []game.Mark{game.X, game.O} {
			lines = append(lines, T("profile.people", Args{"Mark": Mark(mark), "Tally": tallyText(r.People.Tally(mark))}))
		}
		lines = append(lines, T("profile.streak", Args{"Now": now, "Best": best}))
	}
	lines = append(lines, when(r.Played(), accuracyLine(r.Reviewed()))...)
	if favourites := r.Favourites(); len(favourites) > 0 {
		lines = append(lines, openingsText(favourites))
	}
	if len(r.Computers) > 0 {
		lines = append(lines, levelLines(r)...)
	}
	for _, badge := range r.Badges() {
		lines = append(lines, map[profile.Badge]Text{
			profile.BeatHard: T("profile.badge.hard", nil),
			profile.Held:     T("profile.badge.held", Args{"N": profile.HeldFor}),
			profile.Perfect:  T("profile.badge.perfect", Args{"PluralCount": r.Earnest().Perfect, "N": profile.MinCritical}),
			profile.Comeback: T("profile.badge.comeback", Args{"PluralCount": r.Earnest().Comebacks}),
		}[badge])
	}
	return append(lines, when(r.Arenas > 0, T("profile.badge.arena", Args{"PluralCount": r.Arenas}))...)
}

// levelLines returns two lines. The first names all levels, each with a sign for the player's best result against it. The second says how
// the next level plays: the weakest level, stronger than random and than all beaten levels, against which the player has not drawn. If
// there is no such level, the second line is missing.
func levelLines(r profile.Record) []Text {
	signs, next := [...]string{score.Loss: "🔸", score.Draw: "➖", score.Win: "✅"}, ""
	row := inARow(Levels(), func(level string) Text {
		sign := "▫️"
		if best, met := r.Best(level); met {
			sign = signs[best]
		}
		return T("profile.level", Args{"Sign": sign, "Level": LevelName(level)})
	})
	for _, level := range slices.Backward(ai.LevelNames()[1:]) {
		best, _ := r.Best(level)
		if best == score.Win {
			break
		}
		if best == score.Loss {
			next = level
		}
	}
	lines := []Text{T("profile.levels", Args{"Levels": row})}
	return append(lines, when(next != "", T("profile.levels.next", Args{"Level": T("choice.level."+next, nil)}))...)
}

// accuracyLine returns the accuracy in all reviewed matches, or how many more matches are needed to tell it.
func accuracyLine(j profile.Judged) Text {
	share, known := j.Accuracy()
	if !known {
		return T("profile.accuracy.soon", Args{"PluralCount": profile.MinReviewed - j.Matches})
	}
	return T("profile.accuracy", Args{"Percent": percentText(share), "Matches": j.Matches, "Right": j.Critical - j.Errors, "Of": j.Critical})
}

// percentText returns a share in whole percent. It returns 100 only if the share is exactly 1.
func percentText(share float64) string {
	percent := math.Round(100 * share)
	if share < 1 {
		percent = min(percent, 99)
	}
	return fmt.Sprint(percent)
}

// openingsText returns a line about a player's first moves as X with one rule set, with the results after each.
func openingsText(openings []profile.Opening) Text {
	row := inARow(openings, func(o profile.Opening) Text {
		return T("profile.opening", Args{"Zone": zoneText(o.Rules, o.Zone), "Wins": o.Wins, "Draws": o.Draws, "Losses": o.Losses})
	})
	return T("profile.openings", Args{"Mark": Mark(game.X), "Board": RulesName(openings[0].Rules), "Openings": row})
}

func zoneText(rules game.Rules, z profile.Zone) Text {
	zones := [...]string{
		profile.OfCorner: "zone.corner", profile.OfEdge: "zone.edge", profile.OfInside: "zone.inside", profile.OfCentre: "zone.centre",
	}
	if z.Kind != profile.OfColumn {
		return T(zones[z.Kind], nil)
	}
	left, right := z.Columns(rules)
	if left == right {
		return T("zone.column", Args{"Column": left})
	}
	return T("zone.columns", Args{"Left": left, "Right": right})
}

func chartText(c Chart, name any) Text {
	low, high := bounds(c.Last)
	said := T("profile.chart", Args{
		"Name": name, "Board": RulesName(c.Rules), "Matches": c.Matches,
		"First": Points(c.First.Points()), "Last": RatingText(c.Last), "Low": low, "High": high,
		"Highest": Points(c.Highest.Points()), "Lowest": Points(c.Lowest.Points()),
	})
	if len(c.Seasons) == 0 {
		return said
	}
	begun := inARow(c.Seasons[max(0, len(c.Seasons)-maxSeasonsSaid):], func(s season.Season) Text {
		return T("profile.chart.season", Args{"Season": SeasonName(s), "Date": Date(s.Began)})
	})
	return T("profile.chart.seasons", Args{"Chart": said, "Seasons": begun})
}

// maxSeasonsSaid is how many seasons the description of a chart names at most, because it has little room.
const maxSeasonsSaid = 8

// Duel has the data for the comparison of two players.
type Duel struct {
	A, B   match.User
	In     profile.Scope
	Played profile.Duel // the results, as A sees them
	RatedA Standings
	RatedB Standings
	Hidden bool // only the user who asked sees it
}

// OfDuel returns the comparison of two players: for each rule set their results against each other and their ratings, and the
// latest matches.
func OfDuel(d Duel, names Names) Screen {
	a, b := names.Of(d.A), names.Of(d.B)
	title := T("duel.title", Args{"A": a, "B": b})
	if d.In.Rules != (game.Rules{}) {
		title = T("duel.title.board", Args{"A": a, "B": b, "Board": RulesName(d.In.Rules)})
	}
	s := Screen{Lines: []Text{title}}
	total := T("duel.none", nil)
	if all := d.Played.Tally(); len(d.Played.Boards) > 0 {
		total = T("duel.all", Args{"A": a, "Wins": all.Wins, "B": b, "Losses": all.Losses, "Draws": all.Draws})
	}
	s.Lines = append(s.Lines, total)
	for _, on := range d.Played.Boards {
		args := Args{"Board": RulesName(on.Rules), "Wins": on.Wins, "Draws": on.Draws, "Losses": on.Losses}
		key := "duel.board"
		rowA, ratedA := d.RatedA[on.Rules.String()]
		rowB, ratedB := d.RatedB[on.Rules.String()]
		if ratedA || ratedB {
			key, args["RatingA"], args["RatingB"] = "duel.board.rated", duelRating(rowA, ratedA), duelRating(rowB, ratedB)
		}
		s.Lines = append(s.Lines, T(key, args))
	}
	accuracyA, knownA := d.Played.Judged[0].Accuracy()
	accuracyB, knownB := d.Played.Judged[1].Accuracy()
	if knownA && knownB {
		args := Args{"A": a, "PercentA": percentText(accuracyA), "B": b, "PercentB": percentText(accuracyB)}
		s.Lines = append(s.Lines, T("duel.accuracy", args))
	}
	s.Notes = lastMatches(d.Played.Last, func(m match.Match) Text {
		if winner := m.Result.Outcome.Winner(); winner != game.None {
			return T("duel.won", Args{"Winner": names.Seat(m.Seats.Of(winner))})
		}
		return T("duel.drawn", Args{})
	})
	s.Notes = append(s.Notes, when(d.RatedA.stale() || d.RatedB.stale(), T("leaderboard.stale", nil))...)
	s.Notes = append(s.Notes, when(d.Hidden, T("profile.hidden.own", nil))...)
	return s
}

func duelRating(row ladder.Row, rated bool) any {
	if !rated {
		return T("duel.unrated", nil)
	}
	return RatingText(row.Rating)
}
