package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tictactoe/game"
	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/rankrole"
	"tictactoe/internal/server/policy"
	"tictactoe/internal/server/posting"
)

// MatchesAPage is the number of matches on a page of a moderators' list.
const MatchesAPage = 10

// PolicyField is a field of the policy of a server.
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
	PolicyTold           PolicyField = "told"
	PolicyTidy           PolicyField = "tidy"
	PolicyPlacesOnly     PolicyField = "elsewhere"
	PolicyEverywhere     PolicyField = "everywhere"

	// The fields of posts of leaderboards.
	PolicyPosts      PolicyField = "posts"
	PolicyNoPosts    PolicyField = "noposts"
	PolicyPostsEvery PolicyField = "postsevery"
	PolicyPostsBoard PolicyField = "postsboard"
	PolicyPostsEdit  PolicyField = "postsedit"
	PolicyPostsAnew  PolicyField = "postsanew"

	PolicyArenasByAll        PolicyField = "everyone"
	PolicyArenasByModerators PolicyField = "moderators"

	PolicyLeaversOn  PolicyField = "leavers" // they stay on the leaderboards
	PolicyLeaversOff PolicyField = "noleavers"
	PolicyStaff      PolicyField = "staff"
)

// MaxPlaces is the maximum number of places in a policy, which is how many can be chosen from a menu of Discord.
const MaxPlaces = 25

// maxSaid is how many places or people a line names at most.
const maxSaid = 3

// Also has what a server has set up beside its policy.
type Also struct {
	Leaderboard, Puzzle posting.Post
	Roles               []rankrole.Rule
	People              []policy.Person // whom moderators have barred or taken off the leaderboards
}

// OfPolicy returns the main page of moderators. It says what a server allows, apart from what its menus show, and what differs from a server
// that has changed nothing. levels are all levels. clocks are the offered turn times, with the current one marked as chosen. For community,
// see [VenueLanguage].
func OfPolicy(p policy.Policy, also Also, levels []string, clocks []Option, community string) Screen {
	mentions, switchMentions := T("admin.mentions.on", nil), Button{Do: SetPolicy{PolicyMentionsOff}, Label: T("action.mentions.off", nil)}
	if p.MentionsOff {
		mentions, switchMentions = T("admin.mentions.off", nil), Button{Do: SetPolicy{PolicyMentionsOn}, Label: T("action.mentions.on", nil)}
	}
	ratings, switchRatings := T("admin.ratings.on", nil), Button{Do: SetPolicy{PolicyRatingsOff}, Label: T("action.ratings.off", nil)}
	if p.Unrated {
		ratings, switchRatings = T("admin.ratings.off", nil), Button{Do: SetPolicy{PolicyRatingsOn}, Label: T("action.ratings.on", nil)}
	}
	language := T("admin.language.starter", nil)
	if spoken := cmp.Or(p.Language, community); spoken != "" {
		language = T("admin.language", Args{"Language": LanguageCode(spoken)})
	}
	s := Screen{Lines: []Text{T("admin.title", nil), placesText(p), mentions, ratings, language}}
	s.Lines = append(s.Lines, when(p.Has(policy.Open) && p.Tells() != "", T("admin.told", Args{"Role": Role(p.Told)}))...)
	s.Lines = append(s.Lines, unusual(p, also)...)
	boards := game.OfferedNames()
	on := slices.DeleteFunc(policy.Features(), func(f policy.Feature) bool { return !p.Has(f) })
	s.Notes = []Text{T("admin.note", nil)}
	s.Selects = []Select{
		{Do: SetPolicy{PolicyClock}, Hint: T("admin.pick.clock", nil), Options: clocks, Min: 1, Max: 1},
		offerMenu(PolicyLevels, 1, levels, LevelName, p.Offered(levels)),
		offerMenu(PolicyBoards, 1, boards, boardName, p.OfferedBoards(boards)),
		offerMenu(PolicyFeatures, 0, policy.Features(), featureName, on),
		{Do: SetPolicy{PolicyTold}, Hint: T("admin.pick.told", nil), Of: VenueRoles, Chosen: when(p.Told != "", p.Told), Max: 1},
	}
	page := func(p ModerationPage, label string) Button { return Button{Do: OpenPage{p, 1}, Label: T(label, nil)} }
	reset := page(ResetPage, "action.admin.reset")
	reset.Weight = Bad
	s.Buttons = slices.Concat(
		group("admin.group.general", switchMentions, switchRatings, page(ChannelsPage, "action.admin.channels"), page(PuzzlePage, "action.admin.puzzle"),
			page(LanguagePage, "action.language")),
		group("help.topic.ratings", page(PostsPage, "action.admin.calendar"), page(RanksPage, "action.admin.ranks"),
			page(ArenasPage, "action.admin.arenas"), page(SeasonPage, "action.admin.season"), reset),
		group("admin.group.people", page(PeoplePage, "action.admin.people"), page(RunningPage, "action.admin.running"),
			page(EndedPage, "action.admin.ended"), auditLogButton()),
	)
	return s
}

// group returns buttons that begin a row, below a heading.
func group(heading string, buttons ...Button) []Button {
	buttons[0].Heading = T(heading, nil)
	return buttons
}

// unusual returns a line for each setting behind the buttons of the main page that differs from the default.
func unusual(p policy.Policy, also Also) (lines []Text) {
	say := func(holds bool, key string, args Args) { lines = append(lines, when(holds, T(key, args))...) }
	say(len(p.Places) > 0 && p.PlacesOnly, "admin.elsewhere.private", nil)
	say(p.TidyAfter > 0, "admin.tidy.after", Args{"PluralCount": int(p.TidyAfter / time.Minute)})
	say(p.ArenasByAll, "admin.arenas.everyone", nil)
	if post := also.Leaderboard; post.Channel != "" {
		say(true, "admin.line", Args{"What": T("action.admin.calendar", nil), "Set": joined("row.dot",
			[]Text{T("row.one", Args{"First": Place(post.Channel)}), postedBoardName(post.Board), everyText(post.Every)})})
	}
	say(also.Puzzle.Channel != "" && p.Has(policy.Daily), "admin.line", Args{"What": T("action.admin.puzzle", nil), "Set": Place(also.Puzzle.Channel)})
	say(len(also.Roles) > 0, "admin.line", Args{"What": T("action.admin.ranks", nil), "Set": inARow(also.Roles, func(r rankrole.Rule) Role { return Role(r.Role) })})
	say(len(also.People) > 0, "admin.people.some", Args{"People": few(also.People, func(p policy.Person) any { return personName(p.Player) })})
	say(p.LeaversOff, "admin.unlisted.on", nil)
	say(len(p.Staff) > 0, "admin.unlisted.staff", Args{"Roles": roleNames(p.Staff)})
	return lines
}

func placesText(p policy.Policy) Text {
	if len(p.Places) == 0 {
		return T("admin.places.all", nil)
	}
	return T("admin.places", Args{"Places": inARow(p.Places, placeName)})
}

// OfChannels returns the page about the channels for matches, public answers in other channels, and shrinking boards, with menus and
// buttons to change it.
func OfChannels(p policy.Policy) Screen {
	s := Screen{Lines: []Text{T("admin.channels", nil), placesText(p)}, Notes: []Text{T("admin.note", nil)}}
	if len(p.Places) > 0 {
		elsewhere, change := T("admin.elsewhere.public", nil), Button{Do: SetPolicy{PolicyPlacesOnly}, Label: T("action.elsewhere.private", nil)}
		if p.PlacesOnly {
			elsewhere, change = T("admin.elsewhere.private", nil), Button{Do: SetPolicy{PolicyEverywhere}, Label: T("action.elsewhere.public", nil)}
		}
		s.Lines, s.Notes, s.Buttons = append(s.Lines, elsewhere), append(s.Notes, T("admin.places.note", nil)), []Button{change}
	}
	s.Notes = append(s.Notes, when(p.TidyAfter > 0, T("admin.tidy.note", nil))...)
	s.Buttons = append(s.Buttons, back(PolicyPage))
	tidy := Select{Do: SetPolicy{PolicyTidy}, Hint: T("admin.pick.tidy", nil), Min: 1, Max: 1}
	for _, after := range append([]time.Duration{0}, policy.TidyTimes()...) {
		label := T("admin.tidy.never", nil)
		if after > 0 {
			label = T("admin.tidy.after", Args{"PluralCount": int(after / time.Minute)})
		}
		tidy.Options = append(tidy.Options, Option{Value: after.String(), Label: label, Chosen: after == p.TidyAfter})
	}
	s.Selects = []Select{
		{Do: SetPolicy{PolicyPlaces}, Hint: T("admin.pick.places", nil), Of: VenuePlaces, Chosen: p.Places, Max: MaxPlaces}, tidy,
	}
	return s
}

// offerMenu returns a menu of all levels, boards or features, with the offered ones marked as chosen. least is the minimum number of
// choices.
func offerMenu[V ~string](field PolicyField, least int, all []V, name func(V) Text, offered []V) Select {
	menu := Select{Do: SetPolicy{field}, Hint: T("admin.pick."+string(field), nil), Min: least, Max: len(all)}
	for _, v := range all {
		menu.Options = append(menu.Options, Option{Value: string(v), Label: name(v), Chosen: slices.Contains(offered, v)})
	}
	return menu
}

func auditLogButton() Button {
	return Button{Do: OpenPage{AuditLogPage, 1}, Label: T("action.admin.deeds", nil)}
}

// back returns the button that leads to the page above.
func back(to ModerationPage) Button {
	label := "action.back"
	if to == PolicyPage {
		label = "action.admin"
	}
	return Button{Do: OpenPage{to, 1}, Label: T(label, nil)}
}

// featureNames returns the names of features with commas between them. It leaves out features that this version of the program does not
// have.
func featureNames[F ~string](features []F) Text {
	known := slices.DeleteFunc(policy.Features(), func(f policy.Feature) bool { return !slices.Contains(features, F(f)) })
	return inARow(known, featureName)
}

// OffHere says that the server has switched a feature off.
func OffHere(f policy.Feature) Text { return T("refusal.off."+string(f), nil) }

func featureName(f policy.Feature) Text { return T("feature."+string(f), nil) }

// OfMatches returns a page of a server's running or ended matches, from which moderators can pick one. If more is true, there is another
// page.
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
			"When": Moment(m.Created), "Date": Date(m.Created), "Link": Link{T("games.link", nil), m.ID}, "Board": RulesName(m.Position().Rules()),
		}
		key := "admin.match.running"
		if m.Result.Over() {
			key, args["When"], args["Date"] = "admin.match.ended", Moment(m.Ended), Date(m.Ended)
			args["Result"] = resultText(m, names)
		}
		s.Lines = append(s.Lines, T(key, args))
		pick.Options = append(pick.Options, Option{Value: string(m.ID), Label: T("admin.option.match", args)})
	}
	s.Selects = []Select{pick}
	return s
}

// OfRuling returns the page that shows a match to moderators, with buttons for the decisions that they can make. If a moderator has just
// voided the match, voided is the id of the audit entry, and a button undoes the entry; otherwise voided is empty.
func OfRuling(m match.Match, names Names, voided match.ID) Screen {
	x, o := names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	s := Screen{Lines: []Text{T("admin.match", Args{"X": x, "O": o})}}
	from := EndedPage
	if m.Result.Over() {
		s.Tone = tone(m.Result)
		s.Lines = append(s.Lines, resultText(m, names))
	} else {
		from = RunningPage
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
	s.Buttons = append(s.Buttons, back(from))
	return s
}

// EntriesAPage is how many entries a page of the audit log lists. With the longest names they still fit into the 4000 characters of a
// message.
const EntriesAPage = 10

// OfAuditLog returns a page of the audit log, the latest entry first, with a menu of the entries that can still be undone at the given
// time. matches are the matches that the entries are about. If more is true, there is another page.
func OfAuditLog(entries []policy.AuditEntry, matches map[match.ID]match.Match, names Names, page int, more bool, now time.Time) Screen {
	s := Screen{Lines: []Text{T("admin.deeds", nil)}, Buttons: pages(AuditLogPage, page, more)}
	s.Lines = append(s.Lines, when(len(entries) == 0, T("admin.deeds.none", nil))...)
	undo := Select{Do: Undo{}, Hint: T("admin.pick.undo", nil), Min: 1, Max: 1}
	for i, d := range entries {
		args := Args{
			"N": (page-1)*EntriesAPage + i + 1, "When": Moment(d.At), "Name": names.Of(d.By), "What": auditText(d, matches, names),
		}
		key := "admin.deed"
		switch {
		case d.By == policy.Itself:
			key = "admin.deed.itself"
		case d.Undone:
			key = "admin.deed.undone"
		}
		s.Lines = append(s.Lines, T(key, args))
		if d.Undoable(now) && (d.Kind != policy.Void || matches[d.Match].Voided.Over()) {
			what, of := undoing(d.Kind, d.Chosen, about(d, matches, names))
			if len(d.Was) > 0 {
				what, of = "setting", Args{"What": auditText(d, matches, names)}
			}
			of["N"] = args["N"]
			undo.Options = append(undo.Options, Option{Value: string(d.ID), Label: T("admin.option.undo."+what, of)})
		}
	}
	if len(undo.Options) > 0 {
		s.Selects, s.Notes = []Select{undo}, []Text{T("admin.deeds.note", nil)}
	}
	return s
}

// undoing returns the last word of the keys of the texts about undoing an audit entry, and the arguments of these texts. kind and
// chosen are from the entry, and about are the arguments of a text about its match.
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

// seasonOf returns the argument with the name of a season. An audit entry stores that name as a list of words.
func seasonOf(words []string) Args { return Args{"Season": Title(strings.Join(words, " "))} }

// OfReset says that the leaderboards have been reset, with a button that undoes the audit entry reset.
func OfReset(reset match.ID) Screen {
	return Screen{
		Lines:   []Text{T("admin.reset.done", nil)},
		Notes:   []Text{T("admin.undo.note", nil)},
		Buttons: []Button{undoButton(reset), back(PolicyPage)},
	}
}

func undoButton(entry match.ID) Button {
	return Button{Do: Undo{entry}, Label: T("action.admin.undo", nil)}
}

// OfUndone says that an audit entry has been undone. matches has the match that the entry is about.
func OfUndone(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Screen {
	what, args := undoing(d.Kind, d.Chosen, about(d, matches, names))
	return Screen{Lines: []Text{T("admin.undone."+what, args)}, Buttons: []Button{auditLogButton(), back(PolicyPage)}}
}

// about returns the arguments of a text about the match of an audit entry.
func about(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Args {
	args := Args{"X": T("name.unknown", nil), "O": T("name.unknown", nil), "Link": Link{T("games.link", nil), d.Match}}
	if m, known := matches[d.Match]; known {
		args["X"], args["O"] = names.Seat(m.Seats[0]), names.Seat(m.Seats[1])
	}
	return args
}

// auditText says what a moderator did. The key has the kind of the entry, and a further word if the moderator has chosen nothing, or has
// switched something on or off.
func auditText(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Text {
	if d.Whom != "" {
		return personDeed(d)
	}
	key, args, none := "deed."+string(d.Kind), about(d, matches, names), len(d.Chosen) == 0
	switch d.Kind {
	case policy.SetTurnTime:
		args["Time"] = chosenTime(d)
	case policy.SetTidy:
		args["Time"] = chosenTime(d)
		if slices.Contains(d.Chosen, "0s") {
			key += ".off"
		}
	case policy.BeginSeason:
		args = seasonOf(d.Chosen)
	case policy.CallOffArena, policy.RemoveEntrant, policy.LetBack:
		args["Arena"] = ArenaName(arena.Arena{Terms: arena.Terms{Name: strings.Join(d.Chosen, " ")}})
	case policy.SetMentions, policy.SetRatings, policy.SetArenas, policy.SetElsewhere, policy.SetLeavers:
		if slices.Contains(d.Chosen, "off") {
			key += ".off"
		} else {
			key += ".on"
		}
	case policy.SetPlaces, policy.SetLevels, policy.SetBoards, policy.SetFeatures:
		args = Args{
			"Places": PlaceNames(d.Chosen), "Levels": LevelNames(d.Chosen),
			"Boards": BoardNames(d.Chosen), "Features": featureNames(d.Chosen),
		}
		if none {
			key += ".all"
		}
	case policy.SetLanguage:
		if none {
			key += ".auto"
		} else {
			args["Language"] = LanguageCode(d.Chosen[0])
		}
	case policy.SetStaff:
		args["Roles"] = roleNames(d.Chosen)
		if none {
			key += ".off"
		}
	case policy.SetTold:
		if none {
			key += ".off"
		} else {
			args["Role"] = Role(d.Chosen[0])
		}
	case rankrole.SetRole, rankrole.Blocked:
		return rankRoleText(d.Kind, d.Chosen)
	case policy.PostLeaderboards:
		return leaderboardPostText(d.Chosen)
	case policy.PostsClosed, policy.PostsOpen, policy.PostsGone:
		return postsText(d)
	case policy.PostPuzzles:
		key = "deed.puzzles"
		args["Places"] = PlaceNames(d.Chosen)
		if none {
			key += ".off"
		}
	case policy.Undo:
		return undoText(d, matches, names)
	}
	return T(key, args)
}

// undoText says in words what an undo has restored.
func undoText(d policy.AuditEntry, matches map[match.ID]match.Match, names Names) Text {
	kind, chosen := policy.ResetScores, d.Chosen
	if len(chosen) > 0 { // the first word is the kind of the undone entry, and its choices follow
		kind, chosen = policy.Kind(chosen[0]), chosen[1:]
	}
	if kind != policy.Void && kind != policy.ResetScores && kind != policy.BeginSeason { // the restored choice
		return auditText(policy.AuditEntry{Kind: kind, Chosen: chosen}, matches, names)
	}
	key, args := undoing(kind, chosen, about(d, matches, names))
	return T("deed.undo."+key, args)
}

func chosenTime(d policy.AuditEntry) Text {
	for _, chosen := range d.Chosen {
		if t, err := time.ParseDuration(chosen); err == nil {
			return TurnTime(t)
		}
	}
	return TurnTime(0)
}

// pages returns the buttons to the pages before and after, for a list without a known end, and the button back to the policy.
func pages(list ModerationPage, page int, more bool) []Button {
	buttons := []Button{back(PolicyPage)}
	buttons = append(buttons, when(page > 1 || more, turnPages(OpenPage{list, page - 1}, OpenPage{list, page + 1}, page <= 1, !more)...)...)
	return buttons
}

// turnPages returns the buttons to the previous and the next page. The first page disables the button back, and the last page the
// button next.
func turnPages(back, next Action, first, last bool) []Button {
	return []Button{
		{Do: back, Label: T("action.previous", nil), Disabled: first},
		{Do: next, Label: T("action.next", nil), Disabled: last},
	}
}

// LevelNames returns the names of levels with commas between them.
func LevelNames(levels []string) Text { return inARow(levels, LevelName) }

// BoardNames returns the names of boards with commas between them. It leaves out boards that this version of the program does not have.
func BoardNames(boards []string) Text {
	known := slices.DeleteFunc(game.OfferedNames(), func(b string) bool { return !slices.Contains(boards, b) })
	return inARow(known, boardName)
}

func boardName(title string) Text { return T("board."+title, nil) }

// PlaceNames returns the names of the first few places with commas between them.
func PlaceNames(places []string) Text { return few(places, placeName) }

func placeName(id string) Place { return Place(id) }

// few returns the names of the first items with commas between them, and how many more there are.
func few[I, N any](items []I, name func(I) N) Text {
	first := min(len(items), maxSaid)
	row := inARow(items[:first], name)
	if more := len(items) - first; more > 0 {
		return T("row.more", Args{"First": row, "N": more})
	}
	return row
}

// inARow returns the names of all items with commas between them.
func inARow[I, N any](items []I, name func(I) N) Text {
	if len(items) == 0 {
		return T("row.one", Args{"First": ""})
	}
	return joined("row", named(items, name))
}

// listed returns the names of all items as a list in a sentence. joint is the key of the text between two items, "row.and" or "row.or". If
// there are more than two, the key of the text between the last two is joint with ".last".
func listed[I, N any](joint string, items []I, name func(I) N) Text {
	texts := named(items, name)
	last := len(texts) - 1
	if last < 1 {
		return inARow(items, name)
	}
	if last > 1 {
		joint += ".last"
	}
	list := T(joint, Args{"First": texts[last-1], "More": texts[last]})
	for _, text := range slices.Backward(texts[:last-1]) {
		list = T("row", Args{"First": text, "More": list})
	}
	return list
}

func named[I, N any](items []I, name func(I) N) (texts []Text) {
	for _, item := range items {
		texts = append(texts, T("row.one", Args{"First": name(item)}))
	}
	return texts
}

// joined joins texts with the text that has the key, two at a time, because a text has a fixed number of arguments.
func joined(key string, texts []Text) Text {
	if len(texts) == 1 {
		return texts[0]
	}
	return T(key, Args{"First": texts[0], "More": joined(key, texts[1:])})
}
