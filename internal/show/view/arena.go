package view

import (
	"fmt"
	"slices"

	"tictactoe/internal/arena"
	"tictactoe/internal/match"
	"tictactoe/internal/ranking/score"
)

// Arena does something in an arena.
type Arena struct {
	Arena match.ID
	Do    ArenaAction
	Page  int // counted from 1, only for the standings
}

// OpenArena opens the form for a new arena. If Board is set, the form has what the host typed before.
type OpenArena struct {
	Rated                             bool
	Board, Lasts, Clock, Starts, Name string
}

// Actions of moderators on arenas.
type (
	// PickArena shows the arena that was chosen from a menu.
	PickArena struct{}
	// RemoveEntrant removes the chosen person from an arena or, if Back is set, undoes the removal of that person.
	RemoveEntrant struct {
		Arena match.ID
		Back  match.User
	}
)

// ArenaAction is what somebody does in an arena.
type ArenaAction string

// The actions.
const (
	JoinArena      ArenaAction = "join"
	PauseArena     ArenaAction = "pause"
	LeaveArena     ArenaAction = "leave"
	ArenaStandings ArenaAction = "standings"
	CallOffArena   ArenaAction = "off"
)

const (
	// entrantsShown is how many entrants the message of an arena names before the start.
	entrantsShown = 20
	// standingsShown is how many standings the message of a running arena has.
	standingsShown = 10
	// StandingsAPage is how many standings a page has.
	StandingsAPage = 20
)

// ArenaName returns the name of an arena, or "Arena" if the host gave none.
func ArenaName(a arena.Arena) Text {
	if a.Name == "" {
		return T("arena.title", nil)
	}
	return T("arena.title.named", Args{"Arena": Title(a.Name)})
}

// OfArena returns the message of an arena: before the start the entrants, then the first standings, and at the end the podium without its
// picture.
func OfArena(a arena.Arena, names Names) Screen {
	s := Screen{Lines: []Text{ArenaName(a)}}
	terms := Args{"Board": RulesName(a.Rules), "Time": TurnTime(a.TurnTime)}
	all := a.Standings()
	list := func(key string, shown []arena.Standing) {
		for _, of := range shown {
			s.Lines = append(s.Lines, standingRow(key, a, of, names))
		}
	}
	switch a.Status {
	case arena.Announced:
		s.Lines = append(s.Lines, startText(a), arenaTerms(a, terms), entrantsText(all, names))
		s.Notes = []Text{T("arena.how", nil), T("arena.how.points", nil)}
	case arena.Running:
		s.Lines = append(s.Lines, T("arena.ends", Args{"Ends": Moment(a.Ends)}), arenaTerms(a, terms))
		list("arena.row", all[:min(len(all), standingsShown)])
		s.Lines = append(s.Lines, when(len(all) > standingsShown, T("arena.more", Args{"PluralCount": len(all) - standingsShown}))...)
		s.Notes = append(signNotes(a, all), T("arena.how.running", nil))
	case arena.Over:
		s.Tone = Drawn
		if len(a.Champions()) > 0 {
			s.Tone = Won
		}
		s.Lines = append(s.Lines, wonText(a, names))
		list("arena.row", all)
		s.Notes = append(signNotes(a, all), T("arena.again", nil))
	default:
		s.Tone = Closed
		s.Lines = append(s.Lines, T(map[arena.Why]string{
			arena.ByHost: "arena.off.host", arena.ByModerator: "arena.off.moderator", arena.TooFew: "arena.off.few", arena.Missed: "arena.off.missed",
		}[a.Why], nil))
		list("arena.row", when(len(a.Pairings) > 0, all...))
		s.Notes = []Text{T("arena.again", nil)}
	}
	if a.Open() {
		s.Notes = append(s.Notes, when(a.Message != "", T("arena.place", Args{"Place": Place(a.Place())}))...)
		s.Buttons = append([]Button{joinArena(a.ID)}, stopButtons(a)...)
	}
	s.Buttons = append(s.Buttons, when(len(a.Pairings) > 0 || a.Open(), arenaButton(a.ID, ArenaStandings))...)
	return s
}

func arenaTerms(a arena.Arena, args Args) Text {
	if a.Rated {
		return T("arena.terms.rated", args)
	}
	return T("arena.terms", args)
}

// startText says when an arena starts and how long it lasts.
func startText(a arena.Arena) Text {
	return T("arena.starts", Args{"Begins": Moment(a.Begins), "At": Hour(a.Begins), "Lasts": TurnTime(a.Lasts)})
}

func joinArena(id match.ID) Button {
	b := arenaButton(id, JoinArena)
	b.Weight = Good
	return b
}

func arenaButton(id match.ID, do ArenaAction) Button {
	b := Button{Do: Arena{Arena: id, Do: do}, Label: T("action.arena."+string(do), nil)}
	if do == CallOffArena {
		b.Weight = Bad
	}
	return b
}

// entrantsText names the entrants of an arena.
func entrantsText(all []arena.Standing, names Names) Text {
	if len(all) == 0 {
		return T("arena.players.none", nil)
	}
	shown := all[:min(len(all), entrantsShown)]
	row := listed("row.and", shown, func(s arena.Standing) any { return names.Of(s.Player) })
	if more := len(all) - len(shown); more > 0 {
		row = T("row.more", Args{"First": inARow(shown, func(s arena.Standing) any { return names.Of(s.Player) }), "N": more})
	}
	return T("arena.players", Args{"PluralCount": len(all), "Names": row})
}

// signNotes explains the signs in the standings of an open arena, and the order of players with equal points.
func signNotes(a arena.Arena, all []arena.Standing) []Text {
	hot := slices.ContainsFunc(all, func(s arena.Standing) bool { return standingSign(a, s) == hotSign })
	paused := slices.ContainsFunc(all, func(s arena.Standing) bool { return standingSign(a, s) == pauseSign })
	notes := append(when(hot, T("arena.signs.hot", nil)), when(paused, T("arena.signs.pause", nil))...)
	for i := range all[min(len(all), 1):] {
		if all[i].Points > 0 && all[i].Points == all[i+1].Points && all[i].Place != all[i+1].Place {
			return append(notes, T("arena.ties", nil))
		}
	}
	return notes
}

// The signs in standings.
const hotSign, pauseSign = " 🔥", " ⏸️"

// standingSign returns the sign for the next game or for a pause. Only open arenas have signs.
func standingSign(a arena.Arena, s arena.Standing) string {
	switch {
	case !a.Open():
		return ""
	case a.State(s.Player) != arena.Ready:
		return pauseSign
	case s.Hot:
		return hotSign
	}
	return ""
}

// standingRow returns a line of the standings.
func standingRow(key string, a arena.Arena, s arena.Standing, names Names) Text {
	rank := rankText(s.Place)
	if s.Points == 0 {
		rank = T("rank.none", nil)
	}
	return T(key, Args{
		"Rank": rank, "Name": names.Of(s.Player), "Points": T("arena.points", Args{"PluralCount": s.Points}),
		"Tally": tallyText(score.Tally{Wins: s.Wins, Draws: s.Draws, Losses: s.Losses}), "Sign": standingSign(a, s),
	})
}

// wonText names the champions of an arena.
func wonText(a arena.Arena, names Names) Text {
	champions := a.Champions()
	if len(champions) == 0 {
		return T("arena.won.nobody", nil)
	}
	row := listed("row.and", champions, func(p match.User) any { return names.Of(p) })
	return T("arena.won", Args{"PluralCount": len(champions), "Names": row})
}

// PodiumOf returns the first three players with points in an arena that is over, and the words for their picture. There are none if nobody
// has won.
func PodiumOf(a arena.Arena, names Names) (steps []arena.Standing, alt Text) {
	if len(a.Champions()) == 0 {
		return nil, Text{}
	}
	all := a.Standings()
	steps = slices.DeleteFunc(all[:min(len(all), 3)], func(s arena.Standing) bool { return s.Points == 0 })
	return steps, T("arena.podium", Args{"Places": inARow(steps, func(s arena.Standing) Text {
		return T("arena.podium.place", Args{"Place": s.Place, "Name": names.Of(s.Player)})
	})})
}

// StandingsOf returns a page of the standings of an arena, which one user sees. mayCallOff adds the button that ends the arena.
func StandingsOf(a arena.Arena, names Names, by match.User, page int, mayCallOff bool) Screen {
	all := a.Standings()
	pages := max(1, (len(all)+StandingsAPage-1)/StandingsAPage)
	page = min(max(page, 1), pages)
	s := Screen{Lines: []Text{T("arena.standings", nil)}}
	from := (page - 1) * StandingsAPage
	game, plays := a.Playing(by)
	s.Lines = append(s.Lines, when(plays, T("arena.yours", Args{"Link": Link{T("games.link", nil), game.Match}}))...)
	shown := all[from:min(len(all), from+StandingsAPage)]
	if a.Status == arena.Announced {
		s.Lines, shown, pages = append(s.Lines, startText(a), entrantsText(all, names)), nil, 1
	}
	for _, of := range shown {
		row := standingRow("arena.row.tally", a, of, names)
		if of.Player == by {
			row = T("arena.standings.own", Args{"Row": row})
		}
		s.Lines = append(s.Lines, row)
	}
	s.Lines = append(s.Lines, when(len(all) == 0 && a.Status != arena.Announced, T("arena.standings.none", nil))...)
	s.Notes = append(s.Notes, signNotes(a, all)...)
	s.Notes = append(s.Notes, when(a.Open(), T("arena.how.points", nil))...)
	if pages > 1 {
		s.Notes = append(s.Notes, T("leaderboard.page", Args{"Page": page, "Pages": pages}))
		s.Buttons = turnPages(Arena{a.ID, ArenaStandings, page - 1}, Arena{a.ID, ArenaStandings, page + 1}, page == 1, page == pages)
	}
	s.Buttons = append(s.Buttons, when(a.Open(), ownArenaButtons(a, by)...)...)
	s.Buttons = append(s.Buttons, when(a.Open() && mayCallOff, arenaButton(a.ID, CallOffArena))...)
	return s
}

// stopButtons returns the buttons to stop playing. Before the start there is nothing to pause.
func stopButtons(a arena.Arena) []Button {
	return append(when(a.Status == arena.Running, arenaButton(a.ID, PauseArena)), arenaButton(a.ID, LeaveArena))
}

// ownArenaButtons returns the buttons that are of use to one user.
func ownArenaButtons(a arena.Arena, by match.User) []Button {
	if a.State(by) == arena.Ready {
		return stopButtons(a)
	}
	return []Button{joinArena(a.ID)}
}

// InArena tells a user what comes next after the user has joined, paused or left an arena. quiet says that the user gets no pings.
func InArena(a arena.Arena, by match.User, quiet bool) Screen {
	game, plays := a.Playing(by)
	args := Args{"Begins": Moment(a.Begins), "Place": Place(a.Place()), "Link": Link{T("rematch.link", nil), game.Match}}
	s := Screen{Buttons: append(ownArenaButtons(a, by), arenaButton(a.ID, ArenaStandings))}
	switch a.State(by) {
	case arena.Paused:
		s.Lines = []Text{T("arena.paused", nil)}
	case arena.Left:
		s.Lines = []Text{T("arena.left", nil)}
	default:
		key := "arena.in.announced"
		if a.Status == arena.Running {
			key = "arena.in.running"
		}
		if plays {
			key = "arena.in.playing"
		}
		s.Lines = []Text{T(key, args)}
		s.Notes = when(key == "arena.in.announced" && a.Message != "", T("arena.place", args))
		switch {
		case quiet:
			s.Notes = append(s.Notes, T("arena.in.quiet", nil))
		case !plays:
			s.Notes = append(s.Notes, T("arena.in.pinged", nil))
		}
		return s
	}
	s.Lines = append(s.Lines, when(plays, T("arena.finish", args))...)
	return s
}

// ArenaOpen says that a channel has an open arena, with what its message has.
func ArenaOpen(a arena.Arena) Text {
	return T("arena.open", Args{"Link": arenaLink(a.ID)})
}

func arenaLink(id match.ID) Link { return Link{T("arena.link", nil), id} }

// ArenaMatch adds to the board of a match of an arena what its players need to know. While the match goes on, both players are mentioned, so that
// each finds the own board among those of others.
func ArenaMatch(s Screen, m match.Match, a arena.Arena, names Names) Screen {
	s.Notes = append(s.Notes, T("arena.match", Args{"Link": arenaLink(m.Arena)}))
	gains, counts := a.Gains(m.ID)
	late := when(!a.Open() && !counts, T("arena.match.late", nil))
	if !m.Result.Over() {
		s.Notes = append(s.Notes, when(m.Record.Len() < 2, T("arena.match.first", nil))...)
		s.Notes = append(s.Notes, late...)
		return Calling(s, m, []string{string(m.Seats[0].Player), string(m.Seats[1].Player)})
	}
	s.Buttons = append(s.Buttons, arenaButton(m.Arena, ArenaStandings))
	s.Lines = append(s.Lines, when(counts, T("arena.match.points", Args{
		"X": names.Seat(m.Seats[0]), "GainX": gainText(gains[0]), "O": names.Seat(m.Seats[1]), "GainO": gainText(gains[1]),
	}))...)
	switch {
	case !a.Open():
		s.Notes = append(s.Notes, when(m.Result.Counts(), late...)...)
		return s
	case m.Result.Cause == match.ByTime && m.Record.Len() < 2:
		s.Notes = append(s.Notes, T("arena.match.missed", Args{"Name": names.Seat(m.Seats.Of(m.Position().Turn()))}))
		s.Buttons = append([]Button{joinArena(m.Arena)}, s.Buttons...)
	default:
		s.Notes = append(s.Notes, T("arena.match.next", nil))
	}
	s.Buttons = append(s.Buttons, arenaButton(m.Arena, PauseArena))
	return s
}

// gainText returns the points for a game, as in "+4 🔥". The sign says that they were doubled.
func gainText(g arena.Gain) string {
	if g.Doubled {
		return fmt.Sprintf("+%d 🔥", g.Points)
	}
	return fmt.Sprintf("+%d", g.Points)
}

// ArenaEnd returns the message about the end of an arena: who won, the first three, and where the standings are.
func ArenaEnd(a arena.Arena, names Names) Screen {
	s := OfArena(a, names)
	s.Lines = append(s.Lines[:min(len(s.Lines), 5)], T("arena.over", Args{"Link": arenaLink(a.ID)})) // the name, the winner and three rows
	s.Buttons = nil                                                                                  // they belong to the message of the arena
	return s
}

// ArenasAPage is the number of arenas on a moderators' page.
const ArenasAPage = 10

// OfArenas returns the page on which moderators see the newest arenas and decide who may start one. everyone says that anybody may.
func OfArenas(all []arena.Arena, everyone bool) Screen {
	who, change := T("admin.arenas.moderators", nil), Button{Do: SetPolicy{PolicyArenasByAll}, Label: T("action.arenas.everyone", nil)}
	if everyone {
		who, change = T("admin.arenas.everyone", nil), Button{Do: SetPolicy{PolicyArenasByModerators}, Label: T("action.arenas.moderators", nil)}
	}
	s := Screen{Lines: []Text{T("admin.arenas", nil), who}, Buttons: []Button{change, back(PolicyPage)}}
	pick := Select{Do: PickArena{}, Hint: T("admin.pick.arena", nil), Min: 1, Max: 1}
	for i, a := range all {
		args := Args{"N": i + 1, "Arena": ArenaName(a), "When": Moment(a.Begins), "Date": Date(a.Begins), "Link": arenaLink(a.ID)}
		s.Lines = append(s.Lines, T("admin.arena.row", args))
		pick.Options = append(pick.Options, Option{Value: string(a.ID), Label: T("admin.option.arena", args)})
	}
	s.Selects = when(len(all) > 0, pick)
	return s
}

// OfArenaRuling returns the page of an arena on which moderators can call it off and remove entrants. ruled is the entrant who was just
// removed or let back, or empty.
func OfArenaRuling(a arena.Arena, names Names, ruled match.User) Screen {
	s := OfArena(a, names)
	s.Buttons = when(a.Open(), arenaButton(a.ID, CallOffArena))
	s.Notes = []Text{T("admin.arena.note", nil)}
	switch args := (Args{"Name": names.Of(ruled)}); {
	case a.State(ruled) == arena.Removed:
		s.Notes = append([]Text{T("admin.arena.removed", args)}, s.Notes...)
		s.Buttons = append(s.Buttons, Button{Do: RemoveEntrant{a.ID, ruled}, Label: T("action.admin.undo", nil)})
	case ruled != "" && a.Open():
		s.Notes = append([]Text{T("admin.arena.back", args)}, s.Notes...)
	}
	s.Selects = []Select{{Do: RemoveEntrant{Arena: a.ID}, Hint: T("admin.pick.entrant", nil), Of: AllPeople, Min: 1, Max: 1}}
	s.Buttons = append(s.Buttons, Button{Do: OpenPage{EndedPage, 1}, Label: T("action.admin.ended", nil)},
		Button{Do: OpenPage{RunningPage, 1}, Label: T("action.admin.running", nil)}, Button{Do: OpenPage{ArenasPage, 1}, Label: T("action.back", nil)})
	return s
}
