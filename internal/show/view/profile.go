package view

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/people/profile"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/rating"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// Profile is what is shown of one player.
type Profile struct {
	Player    match.User
	In        profile.Scope
	Record    profile.Record
	Standings Standings       // on the board of the scope alone if it has one
	Seasons   []season.Season // of the server, the newest first
	Chart     *Chart          // nil where there are too few rated matches for one
	Levels    []string        // of the computer, the weakest first
	Hidden    bool            // nobody but the player sees it
}

// Standings are those of a player in a venue, by the names of the rule sets.
type Standings map[string]ladder.Row

// Rules are the rule sets on which there is one, those on offer first.
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

// Busiest is the rule set with the most rated matches in the season, the first of those with equally many; false if there is none.
func (s Standings) Busiest() (busiest game.Rules, is bool) {
	most := 0
	for _, rules := range s.Rules() {
		if n := s[rules.String()].Total(); n > most {
			busiest, most = rules, n
		}
	}
	return busiest, most > 0
}

// stale tells whether some of them are being worked out again.
func (s Standings) stale() bool {
	for _, row := range s {
		if row.Stale {
			return true
		}
	}
	return false
}

// Chart is a player's rating over time on one board: the picture, and what is to be seen on it.
type Chart struct {
	PNG                          []byte
	Rules                        game.Rules
	Matches                      int
	First, Last, Highest, Lowest rating.Rating
	Seasons                      []season.Season // that begin on it, the latest last
}

// OfProfile is what a player has played: the ratings with a chart of one of them, the record, and the latest matches.
func OfProfile(p Profile, names Names) Screen {
	s := Screen{Lines: []Text{profileTitle(p, names)}}
	if !p.Record.Played() && len(p.Standings) == 0 {
		s.Lines = append(s.Lines, T("profile.none", nil))
	}
	var unranked []Text
	for _, rules := range p.Standings.Rules() {
		row := p.Standings[rules.String()]
		s.Lines = append(s.Lines, standingText(rules, row, p.Seasons))
		if row.Rank == 0 {
			unranked = append(unranked, unrankedText(rules, row))
		}
	}
	s.Lines = append(s.Lines, recordLines(p.Record, p.Levels)...)
	if p.Chart != nil {
		s.Picture = &Picture{Name: "rating.png", Content: p.Chart.PNG, Alt: chartText(*p.Chart, names.Of(p.Player))}
	}
	if len(p.Record.Last) > 0 {
		s.Notes = append(s.Notes, T("profile.last", nil))
	}
	for _, m := range p.Record.Last {
		mark := m.Seats.Mark(p.Player)
		key := "profile.drawn"
		switch m.Result.Outcome.Winner() {
		case mark:
			key = "profile.won"
		case mark.Opponent():
			key = "profile.lost"
		}
		s.Notes = append(s.Notes, T(key, lastArgs(m, Args{"Opponent": names.Seat(m.Seats.Of(mark.Opponent()))})))
	}
	s.Notes = append(s.Notes, unranked...)
	if p.Standings.stale() {
		s.Notes = append(s.Notes, T("leaderboard.stale", nil))
	}
	if p.Record.Played() {
		s.Notes = append(s.Notes, T("review.critical", nil))
	}
	if p.Hidden {
		s.Notes = append(s.Notes, T("profile.hidden.own", nil))
	}
	return s
}

func profileTitle(p Profile, names Names) Text {
	args := Args{"Name": names.Of(p.Player)}
	switch {
	case p.In.Rules != (game.Rules{}):
		args["Board"] = RulesName(p.In.Rules)
		return T("profile.title.board", args)
	case p.In.Venue == "":
		return T("profile.title.everywhere", args)
	default:
		return T("profile.title", args)
	}
}

// standingText is a rating with its range, the rank if there is one, and the tally of the season. It names the season if there is one,
// because the lines that follow in a profile are of all seasons.
func standingText(rules game.Rules, row ladder.Row, seasons []season.Season) Text {
	low, high := bounds(row.Rating)
	tally := tallyText(row.Tally)
	if len(seasons) > 0 {
		tally = T("profile.tally", Args{"Tally": tally, "Season": SeasonName(seasons[0])})
	}
	args := Args{"Board": RulesName(rules), "Rating": RatingText(row.Rating), "Low": low, "High": high, "Tally": tally}
	if row.Rank > 0 {
		args["Rank"] = row.Rank
		return T("profile.rating.ranked", args)
	}
	return T("profile.rating", args)
}

// bounds are what the rating most likely lies between.
func bounds(r rating.Rating) (low, high Points) {
	return Points(rating.Rating{Value: r.Low()}.Points()), Points(rating.Rating{Value: r.Value + 2*r.Deviation}.Points())
}

// unrankedText is what it takes to get a rank.
func unrankedText(rules game.Rules, row ladder.Row) Text {
	missing := rating.MinOpponents - row.Opponents
	args := Args{"Board": RulesName(rules)}
	if missing <= 0 {
		return T("profile.unranked.matches", args)
	}
	args["PluralCount"] = missing
	switch {
	case row.Rating.Settled():
		return T("profile.unranked.opponents", args)
	default:
		return T("profile.unranked", args)
	}
}

// recordLines are what came of the matches, without the ratings.
func recordLines(r profile.Record, levels []string) (lines []Text) {
	if len(r.People) > 0 {
		now, best := r.People.Streak(score.Win)
		for _, mark := range []game.Mark{game.X, game.O} {
			lines = append(lines, T("profile.people", Args{"Mark": Mark(mark), "Tally": tallyText(r.People.Tally(mark))}))
		}
		lines = append(lines, T("profile.streak", Args{"Now": now, "Best": best}))
	}
	if r.Played() {
		lines = append(lines, accuracyLine(r.Reviewed()))
	}
	if favourites := r.Favourites(); len(favourites) > 0 {
		lines = append(lines, openingsText(favourites))
	}
	if beaten := r.Beaten(levels); len(beaten) > 0 {
		lines = append(lines, T("profile.beaten", Args{"Levels": LevelNames(beaten)}))
	} else if len(r.Computers) > 0 {
		lines = append(lines, T("profile.beaten.none", nil))
	}
	for _, badge := range r.Badges() {
		switch badge {
		case profile.BeatHard:
			lines = append(lines, T("profile.badge.hard", nil))
		case profile.Held:
			lines = append(lines, T("profile.badge.held", Args{"N": profile.HeldFor}))
		case profile.Perfect:
			lines = append(lines, T("profile.badge.perfect", Args{"PluralCount": r.Earnest().Perfect, "N": profile.MinCritical}))
		case profile.Comeback:
			lines = append(lines, T("profile.badge.comeback", Args{"PluralCount": r.Earnest().Comebacks}))
		}
	}
	return lines
}

// accuracyLine is the accuracy in all reviewed matches, or how many it still takes.
func accuracyLine(j profile.Judged) Text {
	share, known := j.Accuracy()
	if !known {
		return T("profile.accuracy.soon", Args{"PluralCount": profile.MinReviewed - j.Matches})
	}
	return T("profile.accuracy", Args{"Percent": percentText(share), "Matches": j.Matches, "Right": j.Critical - j.Errors, "Of": j.Critical})
}

// percentText is a share in whole percent. A hundred is said only of all.
func percentText(share float64) string {
	percent := math.Round(100 * share)
	if share < 1 {
		percent = min(percent, 99)
	}
	return fmt.Sprint(percent)
}

// openingsText are first moves as X on one board, with what came of them.
func openingsText(openings []profile.Opening) Text {
	var items []any
	for _, o := range openings {
		items = append(items, T("profile.opening", Args{"Zone": zoneText(o.Rules, o.Zone), "Wins": o.Wins, "Draws": o.Draws, "Losses": o.Losses}))
	}
	return T("profile.openings", Args{"Mark": Mark(game.X), "Board": RulesName(openings[0].Rules), "Openings": inARow(items)})
}

func zoneText(rules game.Rules, z profile.Zone) Text {
	switch z.Kind {
	case profile.OfCorner:
		return T("zone.corner", nil)
	case profile.OfEdge:
		return T("zone.edge", nil)
	case profile.OfInside:
		return T("zone.inside", nil)
	case profile.OfCentre:
		return T("zone.centre", nil)
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
		"Name": name, "Board": RulesName(c.Rules), "Matches": c.Matches, "First": Points(c.First.Points()), "Last": RatingText(c.Last), "Low": low, "High": high,
		"Highest": Points(c.Highest.Points()), "Lowest": Points(c.Lowest.Points()),
	})
	if len(c.Seasons) == 0 {
		return said
	}
	var begun []any
	for _, s := range c.Seasons[max(0, len(c.Seasons)-maxSeasonsSaid):] {
		begun = append(begun, T("profile.chart.season", Args{"Season": SeasonName(s), "Date": Date(s.Began)}))
	}
	return T("profile.chart.seasons", Args{"Chart": said, "Seasons": inARow(begun)})
}

// maxSeasonsSaid is how many seasons the words of a chart name, the latest: the words of a picture have little room.
const maxSeasonsSaid = 8

// lastArgs adds what is said of any match that is listed: the name of its board, which leads there.
func lastArgs(m match.Match, args Args) Args {
	args["Board"] = Link{RulesName(m.Position().Rules()), m.ID}
	return args
}

// Duel is what two players have played against each other.
type Duel struct {
	A, B   match.User
	In     profile.Scope
	Played profile.Duel // as A sees it
	RatedA Standings
	RatedB Standings
	Hidden bool // nobody but the one who asked sees it
}

// OfDuel is what two players have played against each other, board by board, with their ratings there, and the latest matches.
func OfDuel(d Duel, names Names) Screen {
	a, b := names.Of(d.A), names.Of(d.B)
	title := T("duel.title", Args{"A": a, "B": b})
	if d.In.Rules != (game.Rules{}) {
		title = T("duel.title.board", Args{"A": a, "B": b, "Board": RulesName(d.In.Rules)})
	}
	s := Screen{Lines: []Text{title}}
	if len(d.Played.Boards) == 0 {
		s.Lines = append(s.Lines, T("duel.none", nil))
	} else {
		all := d.Played.Tally()
		s.Lines = append(s.Lines, T("duel.all", Args{"A": a, "Wins": all.Wins, "B": b, "Losses": all.Losses, "Draws": all.Draws}))
	}
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
	if len(d.Played.Last) > 0 {
		s.Notes = append(s.Notes, T("profile.last", nil))
	}
	for _, m := range d.Played.Last {
		if winner := m.Result.Outcome.Winner(); winner != game.None {
			s.Notes = append(s.Notes, T("duel.won", lastArgs(m, Args{"Winner": names.Seat(m.Seats.Of(winner))})))
		} else {
			s.Notes = append(s.Notes, T("duel.drawn", lastArgs(m, Args{})))
		}
	}
	if d.RatedA.stale() || d.RatedB.stale() {
		s.Notes = append(s.Notes, T("leaderboard.stale", nil))
	}
	if d.Hidden {
		s.Notes = append(s.Notes, T("profile.hidden.own", nil))
	}
	return s
}

func duelRating(row ladder.Row, rated bool) any {
	if !rated {
		return T("duel.unrated", nil)
	}
	return RatingText(row.Rating)
}
