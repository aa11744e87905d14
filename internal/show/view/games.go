package view

import (
	"tictactoe/game"
	"tictactoe/internal/match"
)

// Listing is what /tictactoe games shows one player.
type Listing struct {
	Player      match.User
	Open        []match.Match
	Ended       []match.Match
	Challenges  []match.Challenge
	MentionsOff bool // the player has switched turn mentions off
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
			"Board": RulesName(m.Position().Rules()), "Move": m.Record.Len() + 1, "Link": Link{T("games.link", nil), m.ID},
		})
		switch l.Lost[m.ID] {
		case ClosedChannel:
			line = T("games.closed", Args{"Match": line})
		case DeletedBoard:
			line = T("games.deleted", Args{"Match": line})
		}
		show := Button{Do: Show{m.ID}, Label: T("action.show", nil)}
		if len(l.Open) > 1 {
			line = T("games.numbered", Args{"N": i + 1, "Match": line})
			show.Label = T("action.show.numbered", Args{"N": i + 1})
		}
		s.Lines, s.Buttons = append(s.Lines, line), append(s.Buttons, show)
	}
	if l.Unreadable {
		s.Lines = append(s.Lines, T("games.unreadable", nil))
	}
	if len(l.Ended) > 0 {
		s.Notes = append(s.Notes, T("games.ended", nil))
	}
	for _, m := range l.Ended {
		mark := m.Seats.Mark(l.Player)
		s.Notes = append(s.Notes, T(endedKey(m.Result, mark), Args{
			"Opponent": names.Seat(m.Seats.Of(mark.Opponent())), "Link": Link{T("games.link", nil), m.ID},
			"Cause": causeText(m.Result.Cause),
		}))
	}
	s.Buttons = append(s.Buttons, switchMentions(l.MentionsOff))
	return s
}

func endedKey(r match.Result, mark game.Mark) string {
	switch {
	case r.Cause == match.ByAbort:
		return "games.aborted"
	case r.Cause == match.ByVoid:
		return "games.void"
	case r.Cause == match.ByNoShow:
		return "games.noshow"
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
