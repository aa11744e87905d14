package view

import "tictactoe/internal/match"

// Listing has the matches and challenges of a player, for the list of /tictactoe games.
type Listing struct {
	Player      match.User
	Open        []match.Match
	Ended       []match.Match
	Challenges  []match.Challenge
	MentionsOff bool // the player has switched turn mentions off
	// Lost has an entry for each open match whose board cannot be reached, with the reason.
	Lost map[match.ID]Loss
	// Unreadable says that some matches cannot be read.
	Unreadable bool
}

// Loss is the reason why a player cannot reach a board.
type Loss uint8

// The losses.
const (
	ClosedChannel Loss = iota + 1 // the bot may no longer draw in the channel
	DeletedBoard                  // no message shows the board
)

// Games returns the private list of a player's matches.
func Games(l Listing, names Names) Screen {
	s := Screen{Lines: []Text{T("games.title", nil)}}
	s.Lines = append(s.Lines, when(len(l.Open)+len(l.Challenges) == 0, T("games.none", nil))...)
	several := len(l.Open)+len(l.Challenges) > 1 // if true, each button has the number of the line to which it belongs
	for i, c := range l.Challenges {
		key, opponent := "games.challenge.sent", c.To
		switch {
		case c.Open():
			key = "games.challenge.open"
		case c.To == l.Player:
			key, opponent = "games.challenge.received", c.From
		}
		line, buttons := T(key, Args{
			"Opponent": names.Of(opponent), "Deadline": Moment(c.Deadline), "Link": Link{T("games.link", nil), c.ID},
		}), Answers(c, l.Player)
		line = inSeries(c.BestOf, line)
		if several {
			line = numbered(i+1, line)
			for j, b := range buttons {
				buttons[j].Label = numbered(i+1, b.Label)
			}
		}
		s.Lines, s.Buttons = append(s.Lines, line), append(s.Buttons, buttons...)
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
		line = inSeries(m.BestOf, line)
		switch l.Lost[m.ID] {
		case ClosedChannel:
			line = T("games.closed", Args{"Match": line})
		case DeletedBoard:
			line = T("games.deleted", Args{"Match": line})
		}
		show := ShowHere(m.ID)
		if several {
			n := len(l.Challenges) + i + 1
			line, show.Label = numbered(n, line), T("action.show.numbered", Args{"N": n})
		}
		s.Lines, s.Buttons = append(s.Lines, line), append(s.Buttons, show)
	}
	s.Lines = append(s.Lines, when(l.Unreadable, T("games.unreadable", nil))...)
	s.Notes = append(s.Notes, when(len(l.Ended) > 0, T("games.ended", nil))...)
	for _, m := range l.Ended {
		mark := m.Seats.Mark(l.Player)
		key := "games." + resultFor(m.Result, mark)
		switch m.Result.Cause {
		case match.ByResignation:
			key += ".resignation"
		case match.ByTime:
			key += ".time"
		case match.ByNoShow:
			key = "games.noshow"
		}
		s.Notes = append(s.Notes, T(key, Args{
			"Opponent": names.Seat(m.Seats.Of(mark.Opponent())), "Link": Link{T("games.link", nil), m.ID},
		}))
	}
	s.Buttons = append(s.Buttons, switchMentions(l.MentionsOff, ""))
	return s
}

// inSeries returns a line of the list that names the series, if there is one.
func inSeries(bestOf int, t Text) Text {
	if bestOf == 0 {
		return t
	}
	return T("games.series", Args{"Match": t, "Series": SeriesName(bestOf)})
}

// numbered returns a line of the list, or the label of a button for that line, with the number of the line.
func numbered(n int, t Text) Text { return T("games.numbered", Args{"N": n, "Match": t}) }
