package view

import (
	"strconv"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/ladder"
	"tictactoe/internal/ranking/score"
	"tictactoe/internal/ranking/season"
)

// MaxSeasonName is the maximum length of the name of a season, in characters.
const MaxSeasonName = 40

// maxSeasons is how many seasons a menu has at most, which is Discord's limit for a menu.
const maxSeasons = 25

// SeasonName returns the name of a season, or its number if it has no name. Season 0 is the time before the first season.
func SeasonName(s season.Season) Text {
	switch {
	case s.Number == 0:
		return T("season.zero", nil)
	case s.Name == "":
		return T("season.number", Args{"N": s.Number})
	default:
		return T("season.named", Args{"Name": Title(s.Name)})
	}
}

// OfSeason returns the page on which moderators see the current season and begin the next one. now is zero until a moderator has begun the
// first season.
func OfSeason(now season.Season) Screen {
	s := Screen{Lines: []Text{T("admin.season", nil)}}
	if now.Number == 0 {
		s.Lines = append(s.Lines, T("admin.season.none", nil))
	} else {
		s.Lines = append(s.Lines, T("admin.season.now", Args{"Season": SeasonName(now), "Began": Date(now.Began)}), endText(now))
		s.Lines = append(s.Lines, when(now.Channel != "", championsPlace(now.Channel))...)
	}
	s.Notes = []Text{T("admin.season.note", nil)}
	s.Buttons = []Button{{Do: OpenPage{BeginSeasonPage, now.Number + 1}, Label: T("action.season.begin", nil), Weight: Main}, back(PolicyPage)}
	return s
}

// endText says when a season is planned to end.
func endText(s season.Season) Text {
	if s.Ends.IsZero() {
		return T("season.endless", nil)
	}
	return T("season.ends", Args{"Date": Hour(s.Ends), "When": Moment(s.Ends)})
}

func championsPlace(channel string) Text {
	return T("admin.season.posted", Args{"Place": Place(channel)})
}

// SeasonBegun tells a moderator that a season has begun and where its champions will be posted, if anywhere. A button undoes the audit
// entry.
func SeasonBegun(begun season.Season, entry match.ID) Screen {
	posted := T("admin.season.silent", nil)
	if begun.Channel != "" {
		posted = championsPlace(begun.Channel)
	}
	return Screen{
		Lines:   []Text{T("admin.season.begun", Args{"Season": SeasonName(begun)}), endText(begun), posted},
		Notes:   []Text{T("admin.season.archived", nil), T("admin.undo.note", nil)},
		Buttons: []Button{undoButton(entry), auditLogButton(), back(PolicyPage)},
	}
}

// Podium has the first players of a season on the ladder of one rule set.
type Podium struct {
	Rules game.Rules
	Rows  []ladder.Row
}

// Champions returns the public message that says who has won a season, by wins and on each ladder, and which season is now current.
func Champions(over, now season.Season, wins []score.Row, podiums []Podium) Screen {
	s := Screen{Tone: Won, Lines: []Text{T("champions", Args{"Season": SeasonName(over)}), spanText(over)}}
	var places []Text
	for i, row := range wins {
		places = append(places, placeText(row.Rank, row.Name, row.Hidden, row.Wins))
		if i > 0 && row.Wins == wins[i-1].Wins && row.Rank != wins[i-1].Rank {
			s.Notes = []Text{T("leaderboard.order.players", nil)}
		}
	}
	if len(wins) > 0 {
		s.Lines = append(s.Lines, T("champions.wins", Args{"Places": joined("champions.places", places)}))
	}
	for _, p := range podiums {
		var places []Text
		for _, row := range p.Rows {
			places = append(places, placeText(row.Rank, row.Name, row.Hidden, RatingText(row.Rating)))
		}
		s.Lines = append(s.Lines, T("champions.rating", Args{"Board": RulesName(p.Rules), "Places": joined("champions.places", places)}))
	}
	s.Notes = append(s.Notes, nextText(now))
	s.Buttons = []Button{{Do: ShowSeason{Number: over.Number}, Label: T("action.season.show", nil), Weight: Main}}
	return s
}

// placeText returns the line about a player on a podium. points are the player's wins or rating.
func placeText(rank int, name string, hidden bool, points any) Text {
	return T("champions.place", Args{"Rank": rankText(rank), "Name": rowName(name, hidden), "Points": points})
}

// nextText names the season that is now current.
func nextText(now season.Season) Text {
	args := Args{"Season": SeasonName(now), "Date": Hour(now.Ends), "When": Moment(now.Ends)}
	if now.Ends.IsZero() {
		return T("champions.next", args)
	}
	return T("champions.next.ends", args)
}

// lastDay returns the last day of a season that has ended. A planned end is the midnight, in UTC, after the day that a moderator typed.
func lastDay(s season.Season) any {
	if s.Ended.Equal(s.Ends) {
		return Day(s.Ended.Add(-time.Second))
	}
	return Date(s.Ended)
}

// spanText says when a season began and ended.
func spanText(s season.Season) Text {
	args := Args{"Began": Date(s.Began), "Ended": lastDay(s)}
	switch {
	case s.Number == 0:
		return T("season.span.until", args)
	case s.GoesOn():
		return T("season.span.since", args)
	default:
		return T("season.span", args)
	}
}

// seasonOf returns the season with the given number, as [TurnLeaderboard] has it. It returns false if the server has no such season.
func (a Asking) seasonOf(number string) (season.Season, bool) {
	for _, s := range a.Seasons {
		if number == "" || number == strconv.Itoa(s.Number) {
			return s, true
		}
	}
	return season.Season{}, false
}

// past reports whether the season with the given number has ended, so that its leaderboards no longer change.
func (a Asking) past(number string) bool {
	s, is := a.seasonOf(number)
	return is && !s.GoesOn()
}

// seasonLines returns a line that names the season of a leaderboard, if the server has seasons.
func (a Asking) seasonLines(number string) []Text {
	s, is := a.seasonOf(number)
	if !is {
		return nil
	}
	return []Text{T("season.line", Args{"Season": SeasonName(s), "Span": spanText(s)})}
}

// seasonMenu returns the menu that leads to the same leaderboard in another season, if the server has seasons.
func (a Asking) seasonMenu(board TurnLeaderboard) []Select {
	shown, is := a.seasonOf(board.Season)
	if !is {
		return nil
	}
	pick := Select{Do: PickSeason{TurnLeaderboard{Of: board.Of, Rules: board.Rules}}, Hint: T("season.pick", nil), Min: 1, Max: 1}
	pick.Options = SeasonOptions(a.Seasons[:min(len(a.Seasons), maxSeasons)])
	for i, s := range a.Seasons[:len(pick.Options)] {
		pick.Options[i].Chosen = s.Number == shown.Number
	}
	return []Select{pick}
}

// SeasonOptions returns the entries of a menu of seasons, the newest first.
func SeasonOptions(seasons []season.Season) (options []Option) {
	for i, s := range seasons {
		options = append(options, Option{Value: strconv.Itoa(s.Number), Label: seasonOption(s, i == 1)})
	}
	return options
}

// seasonOption returns the label of a season in a menu. If last is true, no later season has ended.
func seasonOption(s season.Season, last bool) Text {
	args := Args{"Season": SeasonName(s), "Began": Date(s.Began), "Ended": lastDay(s)}
	switch {
	case s.GoesOn():
		return T("season.option.now", args)
	case last:
		return T("season.option.last", args)
	case s.Number == 0:
		return T("season.option.zero", args)
	default:
		return T("season.option", args)
	}
}
