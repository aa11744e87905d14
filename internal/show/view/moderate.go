package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/server/policy"
)

// MatchesAPage is how many matches a page lists.
const MatchesAPage = 10

// PolicyField is what a moderator sets.
type PolicyField string

// The fields.
const (
	PolicyPlaces         PolicyField = "places"
	PolicyClock          PolicyField = "clock"
	PolicyLevels         PolicyField = "levels"
	PolicyBoards         PolicyField = "boards"
	PolicyMentionsOn     PolicyField = "on"
	PolicyMentionsOff    PolicyField = "off"
	PolicyFeatures       PolicyField = "features"
	PolicyRatingsOn      PolicyField = "rated"
	PolicyRatingsOff     PolicyField = "unrated"
	PolicyPuzzles        PolicyField = "puzzles"
	PolicyNoPuzzles      PolicyField = "nopuzzles"
	PolicyLanguage       PolicyField = "language"
	PolicySecondLanguage PolicyField = "languagetwo"
)

// MaxPlaces is how many places a venue can name: as many as a select of Discord can choose.
const MaxPlaces = 25

// maxPlacesSaid is how many places a line names.
const maxPlacesSaid = 3

// OfPolicy is what a venue allows, and the ways to change it. The clocks are those on offer, of which the one is chosen
// that holds now; levels are all there are. The community's language is as [VenueLanguage] has it.
func OfPolicy(p policy.Policy, levels []string, clocks []Option, community string) Screen {
	clock := Text{}
	for _, c := range clocks {
		if c.Chosen {
			clock = c.Label
		}
	}
	mentions, switchMentions := T("admin.mentions.on", nil), Button{Do: SetPolicy{PolicyMentionsOff}, Label: T("action.mentions.off", nil)}
	if p.MentionsOff {
		mentions, switchMentions = T("admin.mentions.off", nil), Button{Do: SetPolicy{PolicyMentionsOn}, Label: T("action.mentions.on", nil)}
	}
	ratings, switchRatings := T("admin.ratings.on", nil), Button{Do: SetPolicy{PolicyRatingsOff}, Label: T("action.ratings.off", nil)}
	if p.Unrated {
		ratings, switchRatings = T("admin.ratings.off", nil), Button{Do: SetPolicy{PolicyRatingsOn}, Label: T("action.ratings.on", nil)}
	}
	s := Screen{Lines: []Text{
		T("admin.title", nil), placesLine(p), T("admin.clock", Args{"Time": clock}),
		T("admin.levels", Args{"Levels": LevelNames(p.Offered(levels))}),
		T("admin.boards", Args{"Boards": BoardNames(p.OfferedBoards(boardTitles()))}), mentions, ratings,
	}}
	if language := cmp.Or(p.Language, community); language != "" {
		s.Lines = append(s.Lines, T("admin.language", Args{"Language": languageName(language)}))
	} else {
		s.Lines = append(s.Lines, T("admin.language.starter", nil))
	}
	if len(p.Off) > 0 {
		s.Lines = append(s.Lines, T("admin.features.off", Args{"Features": featureNames(p.Off)}))
	}
	s.Notes = []Text{T("admin.note", nil)}
	offer := make([]Option, len(levels))
	for i, l := range levels {
		offer[i] = Option{Value: l, Label: LevelName(l), Chosen: slices.Contains(p.Offered(levels), l)}
	}
	var boards []Option
	for _, b := range boardTitles() {
		boards = append(boards, Option{Value: b, Label: T("board."+b, nil), Chosen: slices.Contains(p.OfferedBoards(boardTitles()), b)})
	}
	s.Selects = []Select{
		{Do: SetPolicy{PolicyPlaces}, Hint: T("admin.pick.places", nil), Of: VenuePlaces, Chosen: p.Places, Max: MaxPlaces},
		{Do: SetPolicy{PolicyClock}, Hint: T("admin.pick.clock", nil), Options: clocks, Min: 1, Max: 1},
		{Do: SetPolicy{PolicyLevels}, Hint: T("admin.pick.levels", nil), Options: offer, Min: 1, Max: len(offer)},
		{Do: SetPolicy{PolicyBoards}, Hint: T("admin.pick.boards", nil), Options: boards, Min: 1, Max: len(boards)},
		featureMenu(p),
	}
	s.Buttons = []Button{
		switchMentions, switchRatings,
		{Do: OpenPage{RunningPage, 1}, Label: T("action.admin.running", nil)},
		{Do: OpenPage{EndedPage, 1}, Label: T("action.admin.ended", nil)},
		{Do: OpenPage{AuditLogPage, 1}, Label: T("action.admin.deeds", nil)},
		{Do: OpenPage{SeasonPage, 1}, Label: T("action.admin.season", nil)},
		{Do: OpenPage{PuzzlePage, 1}, Label: T("action.admin.puzzle", nil)},
		{Do: OpenPage{LanguagePage, 1}, Label: T("action.language", nil)},
		{Do: OpenPage{ResetPage, 1}, Label: T("action.admin.reset", nil), Weight: Bad},
	}
	return s
}

// featureMenu is the menu of what members can use.
func featureMenu(p policy.Policy) Select {
	all := policy.Features()
	menu := Select{Do: SetPolicy{PolicyFeatures}, Hint: T("admin.pick.features", nil), Max: len(all)}
	for _, f := range all {
		menu.Options = append(menu.Options, Option{Value: string(f), Label: featureName(f), Chosen: p.Has(f)})
	}
	return menu
}

// featureNames are the names of those features that this program knows, in a row.
func featureNames[F ~string](features []F) Text {
	var names []any
	for _, f := range policy.Features() {
		if slices.Contains(features, F(f)) {
			names = append(names, featureName(f))
		}
	}
	return inARow(names)
}

// OffHere says that the venue has switched the feature off.
func OffHere(f policy.Feature) Text { return T("refusal.off."+string(f), nil) }

func featureName(f policy.Feature) Text { return T("feature."+string(f), nil) }

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

// OfRuling is one match for the moderators of its venue: how it stands, and what they can do about it. Where one of them has just
// voided it, that can be undone by the audit entry.
func OfRuling(m match.Match, names Names, voided match.ID) Screen {
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
	}
	switch {
	case !m.Result.Over():
		s.Notes = append(s.Notes, T("admin.void.running", nil))
	case m.Result.Counts():
		s.Notes = append(s.Notes, T("admin.void.note", nil))
	case voided != "" && m.Voided.Over():
		s.Buttons = append(s.Buttons, undoButton(voided))
		s.Notes = append(s.Notes, T("admin.undo.note", nil))
	}
	s.Buttons = append(s.Buttons, Button{Do: OpenPage{back, 1}, Label: T("action.back", nil)})
	return s
}

// EntriesAPage is how many a page of the audit log lists: what they say fits the 4000 characters of a message, whatever people are
// called.
const EntriesAPage = 10

// OfAuditLog is a page of what moderators did, the latest first, with a menu of what can still be undone at that time. Matches are those that
// the audit entries were about. More tells that there is another page.
func OfAuditLog(entries []policy.AuditEntry, matches map[match.ID]match.Match, names Names, page int, more bool, now time.Time) Screen {
	s := Screen{Lines: []Text{T("admin.deeds", nil)}, Buttons: pages(AuditLogPage, page, more)}
	if len(entries) == 0 {
		s.Lines = append(s.Lines, T("admin.deeds.none", nil))
	}
	undo := Select{Do: Undo{}, Hint: T("admin.pick.undo", nil), Min: 1, Max: 1}
	for i, d := range entries {
		args := Args{
			"N": (page-1)*EntriesAPage + i + 1, "When": Moment(d.At), "Name": names.Of(d.By), "What": auditText(d, matches, names),
		}
		key := "admin.deed"
		if d.Undone {
			key = "admin.deed.undone"
		}
		s.Lines = append(s.Lines, T(key, args))
		if d.Undoable(now) && (d.Kind != policy.Void || matches[d.Match].Voided.Over()) {
			what, of := undoing(d.Kind, d.Chosen, about(d, matches, names))
			of["N"] = args["N"]
			undo.Options = append(undo.Options, Option{Value: string(d.ID), Label: T("admin.option.undo."+what, of)})
		}
	}
	if len(undo.Options) > 0 {
		s.Selects = []Select{undo}
	}
	return s
}

// undoing returns the last word of the keys of the texts about undoing an audit entry of that kind, and their arguments. chosen is what the
// entry has chosen, and about are the arguments of a text about its match.
func undoing(kind policy.Kind, chosen []string, about Args) (what string, args Args) {
	switch kind {
	case policy.Void:
		return "void", about
	case policy.BeginSeason:
		return "season", seasonOf(chosen)
	default:
		return "reset", Args{}
	}
}

// seasonOf returns the argument that names a season, whose name an audit entry keeps as words.
func seasonOf(words []string) Args { return Args{"Season": Title(strings.Join(words, " "))} }

// OfReset is what is left to say once the leaderboards have been reset, which can be undone by the audit entry.
func OfReset(reset match.ID) Screen {
	return Screen{
		Lines:   []Text{T("admin.reset.done", nil)},
		Notes:   []Text{T("admin.undo.note", nil)},
		Buttons: []Button{undoButton(reset), {Do: OpenPage{PolicyPage, 1}, Label: T("action.back", nil)}},
	}
}

func undoButton(entry match.ID) Button {
	return Button{Do: Undo{entry}, Label: T("action.admin.undo", nil)}
}

// OfUndone is what is left to say once that has been undone. Matches are those that it was about.
func OfUndone(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Screen {
	what, args := undoing(d.Kind, d.Chosen, about(d, matches, names))
	return Screen{Lines: []Text{T("admin.undone."+what, args)}, Buttons: []Button{
		{Do: OpenPage{AuditLogPage, 1}, Label: T("action.admin.deeds", nil)}, {Do: OpenPage{PolicyPage, 1}, Label: T("action.back", nil)},
	}}
}

// about are the arguments that say which match an audit entry was about.
func about(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Args {
	args := Args{"X": T("name.unknown", nil), "O": T("name.unknown", nil), "Link": Link{T("games.link", nil), d.Match}}
	if m, known := matches[d.Match]; known {
		args["X"], args["O"] = names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	}
	return args
}

func auditText(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Text {
	args := about(d, matches, names)
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
	case policy.SetBoards:
		if len(d.Chosen) == 0 {
			return T("deed.boards.all", nil)
		}
		return T("deed.boards", Args{"Boards": BoardNames(d.Chosen)})
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
	case policy.SetLanguage:
		return languageText(d)
	case policy.SetFeatures:
		if len(d.Chosen) == 0 {
			return T("deed.features.all", nil)
		}
		return T("deed.features", Args{"Features": featureNames(d.Chosen)})
	case policy.BeginSeason:
		return T("deed.season", seasonOf(d.Chosen))
	case policy.PostPuzzles:
		return postedText(d)
	case policy.CallDraw:
		return T("deed.draw", args)
	case policy.Void:
		return T("deed.void", args)
	case policy.Undo:
		return undoText(d, args)
	default:
		return T("deed.reset", nil)
	}
}

// undoText says what was undone, whose kind comes first of what was chosen.
func undoText(d policy.AuditEntry, about Args) Text {
	kind, words := policy.ResetScores, d.Chosen
	if len(words) > 0 {
		kind, words = policy.Kind(words[0]), words[1:]
	}
	what, args := undoing(kind, words, about)
	return T("deed.undo."+what, args)
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
			Button{Do: OpenPage{list, page - 1}, Label: T("action.previous", nil), Disabled: page <= 1},
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

// BoardNames returns the names of boards in a row. Boards that this version of the program does not have are left out.
func BoardNames(boards []string) Text {
	var items []any
	for _, b := range boardTitles() {
		if slices.Contains(boards, b) {
			items = append(items, T("board."+b, nil))
		}
	}
	return inARow(items)
}

// boardTitles are the names of all boards.
func boardTitles() (titles []string) {
	for _, offer := range game.Offered() {
		titles = append(titles, offer.Name)
	}
	return titles
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
