package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
	"tictactoe/internal/score"
)

// The leaderboards by the word that names them in options and buttons.
const (
	PlayersBoard  = "players"
	ComputerBoard = "computer"
)

// Leaderboard is one page of a leaderboard, for everybody to see: no row says who asked. Below the page is the row of that
// player if it is on another page; who is on none is named.
func Leaderboard(b score.Board, page score.Page, asked match.Player, names Names) Screen {
	word, title := PlayersBoard, T("leaderboard.players", nil)
	if b == score.Computers {
		word, title = ComputerBoard, T("leaderboard.computer", nil)
	}
	s := Screen{Lines: []Text{title}}
	if len(page.Rows) == 0 {
		s.Lines = append(s.Lines, T("leaderboard.empty."+word, nil))
		return s
	}
	ownShown := false
	for _, row := range page.Rows {
		ownShown = ownShown || page.Own != nil && row.Player == page.Own.Player
		s.Lines = append(s.Lines, rowText(row))
	}
	if page.Own != nil && !ownShown {
		s.Lines = append(s.Lines, T("leaderboard.gap", nil), rowText(*page.Own))
	}
	if page.Own == nil {
		s.Notes = append(s.Notes, T("leaderboard.unranked."+word, Args{"Name": names.Of(asked)}))
	}
	if page.Pages > 1 {
		s.Notes = append(s.Notes, T("leaderboard.page", Args{"Page": page.Page, "Pages": page.Pages}))
		s.Actions = []Action{
			{Verb: TurnPage, Label: T("action.back", nil), Word: word, N: page.Page - 1, Disabled: page.Page == 1},
			{Verb: TurnPage, Label: T("action.next", nil), Word: word, N: page.Page + 1, Disabled: page.Page == page.Pages},
		}
	}
	return s
}

func rowText(row score.Row) Text {
	name := any(Name(row.Name))
	if row.Name == "" {
		name = T("name.unknown", nil)
	}
	args := Args{"Rank": rankText(row.Rank), "Name": name, "Tally": TallyText(row.Tally)}
	key := "leaderboard.row"
	if len(row.Levels) > 0 {
		key += ".levels"
		args["Levels"] = levelsText(row.Levels)
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

// TallyText words wins, draws and losses.
func TallyText(t score.Tally) Text {
	return T("tally", Args{"Wins": t.Wins, "Draws": t.Draws, "Losses": t.Losses})
}

// levelsText joins the tallies of the levels, two at a time: a sentence has a fixed number of gaps.
func levelsText(levels []score.LevelTally) Text {
	t := T("level.tally", Args{"Level": LevelName(levels[0].Level), "Tally": TallyText(levels[0].Tally)})
	if len(levels) == 1 {
		return t
	}
	return T("level.tally.more", Args{"First": t, "More": levelsText(levels[1:])})
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
	s.Lines = append(s.Lines, T("record.people", Args{"Tally": TallyText(people)}))
	for _, level := range order {
		s.Lines = append(s.Lines, T("record.level", Args{"Level": LevelName(level), "Tally": TallyText(byLevel[level])}))
	}
	s.Notes = []Text{T("record.note", nil)}
	return s
}

// Listing is what /tictactoe games shows one player.
type Listing struct {
	Player     match.Player
	Open       []match.Match
	Ended      []match.Match
	Challenges []match.Challenge
	Quiet      bool // the player has switched turn mentions off
	// Lost are the open matches whose board cannot be reached, and why.
	Lost map[match.ID]Loss
	// Unreadable tells that there are matches which cannot be read.
	Unreadable bool
}

// Loss is why a board cannot be reached.
type Loss uint8

// The losses.
const (
	ClosedChannel Loss = iota + 1 // the bot may not draw there any more
	DeletedBoard                  // there is no message that shows it
)

// Games is the private list of a player's matches.
func Games(l Listing, names Names) Screen {
	s := Screen{Lines: []Text{T("games.title", nil)}}
	if len(l.Open)+len(l.Challenges) == 0 {
		s.Lines = append(s.Lines, T("games.none", nil))
	}
	for _, c := range l.Challenges {
		args := Args{"Deadline": Moment(c.Deadline), "Link": Link{T("games.link", nil), c.ID}}
		key := "games.challenge.sent"
		args["Opponent"] = names.Of(c.To)
		if c.To == l.Player {
			key = "games.challenge.received"
			args["Opponent"] = names.Of(c.From)
		}
		s.Lines = append(s.Lines, T(key, args))
	}
	for i, m := range l.Open {
		mark := m.Seats.Mark(l.Player)
		key := "games.yours"
		if m.Position().Turn() != mark {
			key = "games.theirs"
		}
		line := T(key, Args{
			"Mark": Mark(mark), "Opponent": names.Seat(m.Seats.Of(mark.Opponent())), "Deadline": Moment(m.Deadline),
			"Link": Link{T("games.link", nil), m.ID},
		})
		switch l.Lost[m.ID] {
		case ClosedChannel:
			line = T("games.closed", Args{"Match": line})
		case DeletedBoard:
			line = T("games.deleted", Args{"Match": line})
		}
		show := Action{Verb: Show, Label: T("action.show", nil), ID: m.ID}
		if len(l.Open) > 1 {
			line = T("games.numbered", Args{"N": i + 1, "Match": line})
			show.Label = T("action.show.numbered", Args{"N": i + 1})
		}
		s.Lines, s.Actions = append(s.Lines, line), append(s.Actions, show)
	}
	if l.Unreadable {
		s.Lines = append(s.Lines, T("games.unreadable", nil))
	}
	if len(l.Ended) > 0 {
		s.Lines = append(s.Lines, T("games.ended", nil))
	}
	for _, m := range l.Ended {
		mark := m.Seats.Mark(l.Player)
		s.Lines = append(s.Lines, T(endedKey(m.Result, mark), Args{
			"Opponent": names.Seat(m.Seats.Of(mark.Opponent())), "Link": Link{T("games.link", nil), m.ID},
			"Cause": causeText(m.Result.Cause),
		}))
	}
	mentions := Action{Verb: TurnMentions, Label: T("action.mentions.off", nil), Word: MentionsOff}
	if l.Quiet {
		mentions.Label, mentions.Word = T("action.mentions.on", nil), MentionsOn
	}
	s.Actions = append(s.Actions, mentions)
	return s
}

func endedKey(r match.Result, mark game.Mark) string {
	switch {
	case r.Cause == match.ByAbort:
		return "games.aborted"
	case r.Cause == match.ByVoid:
		return "games.void"
	case r.Outcome == game.Draw:
		return "games.drawn"
	case r.Outcome.Winner() == mark:
		return "games.won"
	default:
		return "games.lost"
	}
}

// causeText words how a match was won.
func causeText(c match.Cause) Text {
	switch c {
	case match.ByResignation:
		return T("cause.resignation", nil)
	case match.ByTime:
		return T("cause.time", nil)
	default:
		return T("cause.line", nil)
	}
}

// Help is how to play and what counts.
func Help(level string) Screen {
	s := Screen{
		Lines: []Text{
			T("help.title", nil), T("help.play", nil),
			T("help.challenge", nil), T("help.ai", nil), T("help.leaderboard", nil), T("help.games", nil),
			T("help.settings", nil), T("help.privacy", nil),
			T("help.clock", nil), T("help.review", nil), T("help.counts", nil),
		},
		Actions: []Action{
			OfferComputer(level, game.Classic()),
		},
		Notes: []Text{T("help.boards", nil)},
	}
	for _, offer := range game.Offered() {
		s.Notes = append(s.Notes, rulesNote(offer.Rules)...)
	}
	return s
}
