package view

import (
	"slices"
	"time"

	"tictactoe/internal/match"
	"tictactoe/internal/policy"
)

// MatchesAPage is how many matches a page lists.
const MatchesAPage = 10

// MaxPlaces is how many places a venue can name: as many as a select of Discord can choose.
const MaxPlaces = 25

// maxPlacesSaid is how many places a line names.
const maxPlacesSaid = 3

// OfPolicy is what a venue allows, and the ways to change it. The clocks are those on offer, of which the one is chosen
// that holds now; levels are all there are.
func OfPolicy(p policy.Policy, levels []string, clocks []Option) Screen {
	clock := Text{}
	for _, c := range clocks {
		if c.Chosen {
			clock = c.Label
		}
	}
	s := Screen{Lines: []Text{
		T("admin.title", nil), placesLine(p), T("admin.clock", Args{"Time": clock}),
		T("admin.levels", Args{"Levels": LevelNames(p.Offered(levels))}), T("admin.mentions.on", nil), T("admin.profiles.on", nil),
		T("admin.ratings.on", nil),
	}}
	s.Notes = []Text{T("admin.note", nil)}
	offer := make([]Option, len(levels))
	for i, l := range levels {
		offer[i] = Option{Value: l, Label: LevelName(l), Chosen: slices.Contains(p.Offered(levels), l)}
	}
	s.Selects = []Select{
		{Do: SetPolicy{PolicyPlaces}, Hint: T("admin.pick.places", nil), Of: VenuePlaces, Chosen: p.Places, Max: MaxPlaces},
		{Do: SetPolicy{PolicyClock}, Hint: T("admin.pick.clock", nil), Options: clocks, Min: 1, Max: 1},
		{Do: SetPolicy{PolicyLevels}, Hint: T("admin.pick.levels", nil), Options: offer, Min: 1, Max: len(offer)},
	}
	mentions := Button{Do: SetPolicy{PolicyMentionsOff}, Label: T("action.mentions.off", nil)}
	if p.Quiet {
		s.Lines[4] = T("admin.mentions.off", nil)
		mentions = Button{Do: SetPolicy{PolicyMentionsOn}, Label: T("action.mentions.on", nil)}
	}
	profiles := Button{Do: SetPolicy{PolicyProfilesOff}, Label: T("action.profiles.off", nil)}
	if p.NoProfiles {
		s.Lines[5] = T("admin.profiles.off", nil)
		profiles = Button{Do: SetPolicy{PolicyProfilesOn}, Label: T("action.profiles.on", nil)}
	}
	ratings := Button{Do: SetPolicy{PolicyRatingsOff}, Label: T("action.ratings.off", nil)}
	if p.Casual {
		s.Lines[6] = T("admin.ratings.off", nil)
		ratings = Button{Do: SetPolicy{PolicyRatingsOn}, Label: T("action.ratings.on", nil)}
	}
	s.Buttons = []Button{
		mentions, profiles, ratings,
		{Do: OpenPage{RunningPage, 1}, Label: T("action.admin.running", nil)},
		{Do: OpenPage{EndedPage, 1}, Label: T("action.admin.ended", nil)},
		{Do: OpenPage{AuditLogPage, 1}, Label: T("action.admin.deeds", nil)},
		{Do: OpenPage{ResetPage, 1}, Label: T("action.admin.reset", nil), Weight: Bad},
	}
	return s
}

func placesLine(p policy.Policy) Text {
	if len(p.Places) == 0 {
		return T("admin.places.all", nil)
	}
	return T("admin.places", Args{"Places": placeNames(p.Places, len(p.Places))})
}

// OfMatches is a page of the matches of a venue for its moderators, those that go on or those that have ended, of which one may
// be picked. More tells that there is another page.
func OfMatches(list ModerationPage, matches []match.Match, names Names, page int, more bool) Screen {
	title := T("admin.running", nil)
	if list == EndedPage {
		title = T("admin.ended", nil)
	}
	s := Screen{Lines: []Text{title}, Buttons: pages(list, page, more)}
	if len(matches) == 0 {
		s.Lines = append(s.Lines, T("admin.none", nil))
		return s
	}
	pick := Select{Do: PickMatch{}, Hint: T("admin.pick.match", nil), Min: 1, Max: 1}
	for i, m := range matches {
		args := Args{
			"N": (page-1)*MatchesAPage + i + 1, "X": names.Seat(m.Seats[0]), "O": names.Seat(m.Seats[1]),
			"When": Moment(m.Created), "Link": Link{T("games.link", nil), m.ID},
		}
		key := "admin.match.running"
		if m.Result.Over() {
			key, args["When"] = "admin.match.ended", Moment(m.Ended)
		}
		s.Lines = append(s.Lines, T(key, args))
		pick.Options = append(pick.Options, Option{Value: string(m.ID), Label: T("admin.option.match", args)})
	}
	s.Selects = []Select{pick}
	return s
}

// OfRuling is one match for the moderators of its venue: how it stands, and what they can do about it.
func OfRuling(m match.Match, names Names) Screen {
	x, o := names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	s := Screen{Lines: []Text{T("admin.match", Args{"X": x, "O": o})}}
	back := EndedPage
	if m.Result.Over() {
		s.Tone = tone(m.Result)
		s.Lines = append(s.Lines, resultText(m, names))
	} else {
		back = RunningPage
		s.Lines = append(s.Lines, T("admin.goes-on", Args{"Name": names.Seat(m.Turn()), "Deadline": Moment(m.Deadline)}))
		s.Buttons = []Button{{Do: Rule{RuleDraw, m.ID}, Label: T("action.admin.draw", nil)}}
		s.Notes = append(s.Notes, T("admin.draw.note", nil))
	}
	s.Lines = append(s.Lines, T("admin.match.link", Args{"Link": Link{T("games.link", nil), m.ID}}))
	if !m.Result.Over() || m.Result.Counts() {
		s.Buttons = append(s.Buttons, Button{Do: Rule{RuleVoid, m.ID}, Label: T("action.admin.void", nil), Weight: Bad})
		s.Notes = append(s.Notes, T("admin.void.note", nil))
	}
	s.Buttons = append(s.Buttons, Button{Do: OpenPage{back, 1}, Label: T("action.back", nil)})
	return s
}

// OfAuditLog is a page of what moderators did, the latest first. Matches are those that the audit entries were about.
func OfAuditLog(entries []policy.AuditEntry, matches map[match.ID]match.Match, names Names, page int, more bool) Screen {
	s := Screen{Lines: []Text{T("admin.deeds", nil)}, Buttons: pages(AuditLogPage, page, more)}
	if len(entries) == 0 {
		s.Lines = append(s.Lines, T("admin.deeds.none", nil))
	}
	for _, d := range entries {
		s.Lines = append(s.Lines, T("admin.deed", Args{
			"When": Moment(d.At), "Name": names.Of(d.By), "What": auditText(d, matches, names),
		}))
	}
	return s
}

// OfReset is what is left to say once the leaderboards have been reset.
func OfReset() Screen {
	return Screen{
		Lines:   []Text{T("admin.reset.done", nil)},
		Buttons: []Button{{Do: OpenPage{PolicyPage, 1}, Label: T("action.back", nil)}},
	}
}

func auditText(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Text {
	args := Args{"X": T("name.unknown", nil), "O": T("name.unknown", nil), "Link": Link{T("games.link", nil), d.Match}}
	if m, known := matches[d.Match]; known {
		args["X"], args["O"] = names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	}
	switch d.Kind {
	case policy.SetPlaces:
		if len(d.Chosen) == 0 {
			return T("deed.places.all", nil)
		}
		return T("deed.places", Args{"Places": placeNames(d.Chosen, maxPlacesSaid)})
	case policy.SetTurnTime:
		return T("deed.clock", Args{"Time": chosenTime(d)})
	case policy.SetLevels:
		if len(d.Chosen) == 0 {
			return T("deed.levels.all", nil)
		}
		return T("deed.levels", Args{"Levels": LevelNames(d.Chosen)})
	case policy.SetMentions:
		if slices.Contains(d.Chosen, "off") {
			return T("deed.mentions.off", nil)
		}
		return T("deed.mentions.on", nil)
	case policy.SetProfiles:
		if slices.Contains(d.Chosen, "off") {
			return T("deed.profiles.off", nil)
		}
		return T("deed.profiles.on", nil)
	case policy.SetRatings:
		if slices.Contains(d.Chosen, "off") {
			return T("deed.ratings.off", nil)
		}
		return T("deed.ratings.on", nil)
	case policy.CallDraw:
		return T("deed.draw", args)
	case policy.Void:
		return T("deed.void", args)
	default:
		return T("deed.reset", nil)
	}
}

func chosenTime(d policy.AuditEntry) Text {
	for _, chosen := range d.Chosen {
		if t, err := time.ParseDuration(chosen); err == nil {
			return TurnTime(t)
		}
	}
	return TurnTime(0)
}

// pages are the buttons of a list without a known end, and the way back to the policy.
func pages(list ModerationPage, page int, more bool) []Button {
	buttons := []Button{{Do: OpenPage{PolicyPage, 1}, Label: T("action.admin", nil)}}
	if page > 1 || more {
		buttons = append(buttons,
			Button{Do: OpenPage{list, page - 1}, Label: T("action.back", nil), Disabled: page <= 1},
			Button{Do: OpenPage{list, page + 1}, Label: T("action.next", nil), Disabled: !more})
	}
	return buttons
}

// LevelNames are the names of levels in a row.
func LevelNames(levels []string) Text {
	items := make([]any, len(levels))
	for i, l := range levels {
		items[i] = LevelName(l)
	}
	return inARow(items)
}

// PlaceNames are the names of the first few places in a row.
func PlaceNames(places []string) Text { return placeNames(places, maxPlacesSaid) }

func placeNames(places []string, most int) Text {
	items := make([]any, min(len(places), most))
	for i := range items {
		items[i] = Place(places[i])
	}
	if more := len(places) - len(items); more > 0 {
		return T("row.more", Args{"First": inARow(items), "N": more})
	}
	return inARow(items)
}

// inARow joins items, two at a time: a sentence has a fixed number of gaps.
func inARow(items []any) Text {
	switch len(items) {
	case 0:
		return T("row.one", Args{"First": ""})
	case 1:
		return T("row.one", Args{"First": items[0]})
	default:
		return T("row", Args{"First": items[0], "More": inARow(items[1:])})
	}
}
